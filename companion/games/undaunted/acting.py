"""Carrying an order out: where to, at whom, which cards (UND-289 to UND-327)."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable
from functools import partial

from msgspec.structs import replace

from companion.engine.asks import Choose, Option, Pick, Script, Show, ask
from companion.games.undaunted import cards, combat, movement
from companion.games.undaunted.actions import AREA, COMBAT, MOVEMENT, Kind
from companion.games.undaunted.orders import (
    Order,
    aims,
    aircraft,
    boardable,
    can_lay,
    can_lift,
    guided,
    inspirable,
    mover,
    named,
    rules,
    side_of,
    squad_meant,
    start_of,
    target_id,
    target_tiles,
)
from companion.games.undaunted.pack import FACTIONS, FOG, squad_of
from companion.games.undaunted.state import Counter, Marker, Mine, MineSide
from companion.games.undaunted.table import Table
from companion.wording import counted

STAY = "stay"
ENOUGH = "enough"
PLACE_FIRST = "Place it there first."


def carry_out(table: Table, order: Order) -> Script[None]:
    """Do what the card says, placing its counter first if need be (UND-285)."""
    if order.counter is not None:
        fresh = not order.counter.tile
        movement.place(table, order.counter)
        if order.action.kind in MOVEMENT:
            if fresh:  # the news are read when it has gone on
                table.news[-1] = f"{table.name(order.counter)} has entered on {order.counter.tile}."
            yield from _move(table, order, fresh=fresh)
            return
    if order.action.kind in COMBAT:
        yield from _fight(table, order)
    else:
        yield from _PERFORM[order.action.kind](table, order)


def _option(table: Table, tile: str) -> Option:
    points = table.value(tile)
    cover = table.ground.tiles[tile].cover
    return Option(tile, tile, f"cover {cover}" + (f", worth {points}" if points else ""))


def _question(order: Order, what: str, text: str, options: Iterable[Option], detail: str = "") -> Choose:
    rule = rules(order.action)
    return Choose(f"undaunted.{order.action.kind}.{what}", text, detail, rule, tuple(options))


def _move(table: Table, order: Order, *, fresh: bool) -> Script[None]:
    """Tile by tile, up to X of them; stopping early is allowed, where it has just entered at once."""
    counter, action = order.acting(), order.action
    moving, may_stay = mover(table, counter), fresh
    detail = PLACE_FIRST if fresh else table.gathered()
    for left in range(action.x, 0, -1):
        tile = yield from ask(partial(_where, table, order, moving, left, detail, may_stay=may_stay))
        table.heard()
        if tile == STAY or not (yield from movement.step(table, order.name, moving, action.kind, tile)):
            return
        may_stay, detail = True, table.gathered()
        if not movement.steps_from(table, moving, action.kind, moving.tile):
            return


def _where(table: Table, order: Order, moving: Counter, left: int, detail: str, *, may_stay: bool) -> Choose:
    kind = order.action.kind
    tiles = movement.steps_from(table, moving, kind, moving.tile)
    tiles.sort(key=lambda tile: -table.value(tile))
    stay = [Option(STAY, "stop here")] if may_stay else []
    where = f"on {moving.tile}" if moving.tile else "off the board"
    text = f"{table.name(moving)} {where}: {kind} to? ({left} left)"
    question = _question(order, "to", text, [*(_option(table, tile) for tile in tiles), *stay], detail)
    news = "" if detail == PLACE_FIRST else detail
    return replace(question, rule=table.rules(*question.rule), news=news)


def _fight(table: Table, order: Order) -> Script[None]:
    side = side_of(table, order)
    attack = combat.Attack(side, order.action, start_of(table, order), table.title(order.card))
    if order.action.kind in AREA:
        tile = yield from ask(lambda: _which_tile(table, order))
        yield from combat.area_attack(table, attack, tile)
        return
    picked = yield from ask(lambda: _whom(table, order))
    yield from combat.fire(table, attack, _found(table, side, picked))


def _found(table: Table, side: str, picked: str) -> Counter:
    if picked.startswith("structure:"):
        return table.state.structures[picked.removeprefix("structure:")]
    return table.state.sides[table.foe(side)].counters[picked]


def _whom(table: Table, order: Order) -> Choose:
    """Legal targets, the easiest first, with what is needed to hit."""
    action, start = order.action, start_of(table, order)
    found = combat.targets(table, side_of(table, order), action, start)
    found.sort(key=lambda pair: pair[1].total)
    options = [
        Option(
            target_id(target),
            f"{table.title(target.unit)} {against.needed}",
            f"on {target.tile}: {against}, "
            + f"only a {combat.ALWAYS} hits, " * (not against.reachable)
            + combat.percent(combat.chance(action.x, against.total)),
        )
        for target, against in found
    ]
    return _question(order, "at", f"{action}{f' from {start}' * bool(start)}: at whom?", options)


def _which_tile(table: Table, order: Order) -> Choose:
    side, start = side_of(table, order), start_of(table, order)
    options = [
        Option(tile, tile, ", ".join(table.name(one) for one in met))
        for tile in aims(table, order)
        if (met := combat.tile_targets(table, side, order.action, start, tile))
    ]
    return _question(order, "tile", f"{order.action}: which tile?", options)


def control(table: Table, counter: Counter) -> None:
    """Turn the markers (UND-038, UND-039)."""
    side, foe = table.state.sides[counter.side], table.state.sides[table.foe(counter.side)]
    tile = counter.tile
    if side.markers.get(tile) is Marker.CONTROLLED:
        table.state.radio += 1
        table.news.append(f"The radio tile {tile} is now worth {table.value(tile)}.")
        return
    fresh = tile not in side.markers  # it came without scouting, as by Advance (UND-R38)
    side.markers[tile] = Marker.CONTROLLED
    points = table.value(tile)
    worth = f": {counted(points, 'point')}" if points else ""
    table.news.append(f"{table.name(counter)} controls {tile}{worth}.")
    own = FACTIONS[counter.side]
    put = f"Put a {own} marker on {tile}, controlled side up."
    table.news.append(put if fresh else f"Turn the {own} marker on {tile} to controlled.")
    if foe.markers.get(tile) is Marker.CONTROLLED:
        foe.markers[tile] = Marker.SCOUTED
        table.news.append(f"Turn the {FACTIONS[table.foe(counter.side)]} marker on {tile} to scouted.")


def _control(table: Table, order: Order) -> Script[None]:
    control(table, order.acting())
    yield from ()


def _guide(table: Table, order: Order) -> Script[None]:
    picked = yield from ask(lambda: _whom_to_guide(table, order))
    counter = table.state.sides[side_of(table, order)].counters[picked]
    moved = Order(order.name, order.card, order.action, counter)
    yield from _move(table, moved, fresh=False)


def _whom_to_guide(table: Table, order: Order) -> Choose:
    options = [Option(one.unit, table.title(one.unit), f"on {one.tile}") for one in guided(table, order)]
    question = _question(order, "who", f"{order.action}: whom?", options)
    mates = ("UND-112",) * bool(table.mate(order.name))
    return replace(question, rule=(*question.rule, *mates))


def _advance(table: Table, order: Order) -> Script[None]:
    side = side_of(table, order)
    start, tile = (yield from ask(lambda: _which_way(table, order))).split(">")
    picked = yield from ask(lambda: _who_advances(table, order, start, tile))
    advancing = [table.state.sides[side].counters[unit] for unit in picked]
    yield from movement.advance(table, order.name, advancing, start, tile)


def _which_way(table: Table, order: Order) -> Choose:
    ways = movement.advance_to(table, order.name, squad_of(order.card))
    options = [Option(f"{start}>{tile}", f"{start} to {tile}") for start, tile in ways]
    return _question(order, "way", f"{named(order)}: which way?", options)


def _who_advances(table: Table, order: Order, start: str, tile: str) -> Pick:
    there = movement.advancing(table, order.name, squad_of(order.card), start, tile)
    options = tuple(Option(one.unit, table.title(one.unit)) for one in there)
    text = f"Who goes from {start} to {tile}?"
    return Pick("undaunted.advance.who", text, "", ("UND-026", "UND-030"), options, 1, len(options))


def _bolster(table: Table, order: Order) -> Script[None]:
    supply = partial(cards.bolsterable, table, order.name, squad_meant(order))
    for card in (yield from _pick_cards(table, order, supply)):
        cards.take(table.state.players[order.name].supply, card)
        cards.discard(table, order.name, card)


def _pick_cards(
    table: Table, order: Order, pile: Callable[[], dict[str, int]], least: int = 1
) -> Script[list[str]]:
    """Up to X cards of a pile."""
    picked = yield from ask(lambda: _which_cards(table, order, pile(), least))
    there = pile()
    return [one if one in there else one.rpartition(" ")[0] for one in picked]


def _which_cards(table: Table, order: Order, pile: dict[str, int], least: int) -> Pick:
    """Copies are options of their own ("scout-a", "scout-a 2")."""
    copies = [(card, n) for card, count in sorted(pile.items()) for n in range(min(count, order.action.x))]
    options = tuple(
        Option(card if n == 0 else f"{card} {n + 1}", table.title(card), f"{pile[card]} there")
        for card, n in copies
    )
    most = min(order.action.x, len(options))
    kind, text = order.action.kind, f"{named(order)}: which cards?"
    goes = _GOES[kind]
    return Pick(f"undaunted.{kind}.cards", text, goes, rules(order.action), options, min(least, most), most)


_GOES = {
    Kind.BOLSTER: "From supply to the discard pile.",
    Kind.INSPIRE: "From the play area back to the hand.",
    Kind.AIR_SUPPORT: "From supply to the hand.",
}
"""Where the cards that are picked go (UND-298, UND-304, UND-075)."""


def _command(table: Table, order: Order) -> Script[None]:
    """Up to X cards; those left in the deck may be enough before it is made anew (UND-300, UND-301)."""
    name, left = order.name, order.action.x
    if table.kept_at_table(name):
        table.news.append(f"{cards.name_of(table, name)}: draw up to {left}.")
        return
    player = table.state.players[name]
    in_deck = cards.size(player.deck)
    most = min(left, in_deck)
    drawn = int((yield from ask(partial(_how_many, table, name, most)))) if most > 1 else most
    yield from cards.draw(table, name, drawn, partial(cards.to_hand, table, name), "UND-300")
    left -= most
    if drawn < most or not left or not player.discard:
        return
    answer = yield from ask(partial(_draw_on, table, name, left, in_deck))
    if answer == ENOUGH:
        return
    left = left if answer == "on" else int(answer)
    yield from cards.draw(table, name, left, partial(cards.to_hand, table, name), "UND-300", "UND-301")


def _how_many(table: Table, name: str, most: int) -> Choose:
    """How many cards Command draws, from all that it may down to one."""
    return Choose(
        "undaunted.command.draw",
        f"{cards.name_of(table, name)}: draw how many?",
        table.gathered(),
        ("UND-300",),
        tuple(Option(str(many), counted(many, "card")) for many in range(most, 0, -1)),
    )


def _draw_on(table: Table, name: str, left: int, drawn: int) -> Choose:
    """Whether to shuffle for what is left to draw, and how many, with so many drawn already."""
    most = min(left, cards.size(table.state.players[name].discard))
    go = Option("on", f"shuffle and draw{' on' * bool(drawn)}")
    fewer = [Option(str(many), f"shuffle and draw {many}") for many in range(most - 1, 0, -1)]
    stop = Option(ENOUGH, "no more" if drawn else "draw none")
    return Choose(
        "undaunted.command.on",
        f"The deck is out: shuffle the discard pile and draw {most}{' more' * bool(drawn)}?",
        table.gathered(),
        ("UND-300", "UND-301"),
        (go, *fewer, stop),
    )


def _inspire(table: Table, order: Order) -> Script[None]:
    def others() -> dict[str, int]:
        return collections.Counter(inspirable(table, order)) - collections.Counter([order.card])

    for card in (yield from _pick_cards(table, order, others)):
        table.state.players[order.name].play.remove(card)
        cards.to_hand(table, order.name, card)


def _recon(table: Table, order: Order) -> Script[None]:
    player = table.state.players[order.name]
    cards.from_hand(table, order.name, FOG)
    cards.add(player.removed, FOG)
    table.news.append("A Fog of War from your hand leaves the game.")
    yield from cards.draw(table, order.name, 1, partial(cards.to_hand, table, order.name), "UND-306")


def conceal(table: Table, victim: str) -> None:
    """A Fog of War of a side goes to the discard pile of one of its players (UND-302)."""
    if cards.gain_fog(table, victim):
        table.news.append(f"A Fog of War goes from supply to discard ({cards.name_of(table, victim)}).")


def _conceal(table: Table, order: Order) -> Script[None]:
    """Of two opponents it is asked which; earlier versions took the commander and told so at once."""
    foe = table.foe(side_of(table, order))
    victims = table.mates(foe)
    if len(victims) == 1:
        conceal(table, victims[0])
        return
    answer: object = yield from ask(partial(_from_whom, table, order, victims))
    conceal(table, answer if isinstance(answer, str) else table.state.sides[foe].commander)
    if not isinstance(answer, str):
        table.told()


def _from_whom(table: Table, order: Order, victims: Iterable[str]) -> Choose:
    options = [Option(name, cards.name_of(table, name)) for name in victims]
    question = _question(order, "whom", "A Fog of War into whose discard pile?", options)
    return replace(question, former=Show("undaunted.turn.result", ""))


def _target(table: Table, order: Order) -> Script[None]:
    mortar = order.acting()
    tile = yield from ask(lambda: _where_to_aim(table, order))
    table.state.sides[mortar.side].target = tile


def _where_to_aim(table: Table, order: Order) -> Choose:
    options = [_option(table, tile) for tile in target_tiles(table, order.acting())]
    return _question(order, "tile", "Target marker: which tile?", options)


def _air_support(table: Table, order: Order) -> Script[None]:
    supply = partial(aircraft, table, order.name)
    for card in (yield from _pick_cards(table, order, supply, order.action.x)):
        cards.take(table.state.players[order.name].supply, card)
        cards.to_hand(table, order.name, card)


def _mine(table: Table, order: Order) -> Script[None]:
    """Lay or lift, decided first, never both (UND-065, UND-066)."""
    lays = (yield from ask(lambda: _lay_or_lift(table, order))) == "lay"
    which, work = (_which_edge, _lay) if lays else (_which_mine, _lift)
    for count in range(order.action.x):
        if not (can_lay(table, order) if lays else can_lift(table, order)):
            return
        picked = yield from ask(partial(which, table, order, count))
        if picked == ENOUGH:
            return
        work(table, order, picked)


def _lay_or_lift(table: Table, order: Order) -> Choose:
    ways = [Option("lay", "lay mines")] if can_lay(table, order) else []
    ways += [Option("lift", "take mines away", "to the box")] if can_lift(table, order) else []
    return _question(order, "way", "Lay mines or take them away?", ways)


def _lay(table: Table, order: Order, picked: str) -> None:
    """One mine on an edge of the unit's tile that has a neighbour (UND-067, UND-R37)."""
    sapper, (other, face) = order.acting(), picked.split(":")
    table.state.mines.append(Mine((table.standing(sapper), other), MineSide[face.upper()]))
    table.state.sides[sapper.side].mines -= 1


def _which_edge(table: Table, order: Order, count: int) -> Choose:
    tile = table.standing(order.acting())
    options = [
        Option(f"{other}:{face.name.lower()}", f"{tile}-{other} {face}")
        for other in table.ground.links[tile]
        for face in MineSide
        if can_lay(table, order)
    ]
    stop = [Option(ENOUGH, "no more")] * bool(count)
    return _question(
        order, "lay", f"Mine on which edge of {tile}? ({order.action.x - count} left)", [*options, *stop]
    )


def _lift(table: Table, order: Order, picked: str) -> None:
    """One mine back to the box, not to the supply (UND-070, UND-071)."""
    table.state.mines.remove(can_lift(table, order)[int(picked)])


def _which_mine(table: Table, order: Order, count: int) -> Choose:
    options = [
        Option(str(number), f"{mine.between[0]}-{mine.between[1]}", str(mine.face))
        for number, mine in enumerate(can_lift(table, order))
    ]
    stop = [Option(ENOUGH, "no more")] * bool(count)
    return _question(
        order, "lift", f"Take which mine away? ({order.action.x - count} left)", [*options, *stop]
    )


def _board(table: Table, order: Order) -> Script[None]:
    """Get into a seat or out (the base game's own rule is not known; it costs one action here)."""
    counter = order.acting()
    seat = yield from ask(lambda: _which_seat(table, order))
    if seat == "out":
        counter.vehicle, counter.seat = "", 0
    else:
        movement.place(table, counter)
        vehicle, number = seat.split(":")
        counter.vehicle, counter.seat = vehicle, int(number)


def _which_seat(table: Table, order: Order) -> Choose:
    seats = boardable(table, order.acting())
    return _question(order, "seat", "Get in or out?", [Option(seat, words) for seat, words in seats.items()])


_PERFORM = {
    Kind.GUIDE: _guide,
    Kind.ADVANCE: _advance,
    Kind.BOLSTER: _bolster,
    Kind.COMMAND: _command,
    Kind.CONCEAL: _conceal,
    Kind.CONTROL: _control,
    Kind.INSPIRE: _inspire,
    Kind.RECON: _recon,
    Kind.TARGET: _target,
    Kind.MINE: _mine,
    Kind.AIR_SUPPORT: _air_support,
    Kind.BOARD: _board,
}
