"""Tokens that the player holds, and when they may be used (OKI-101 to OKI-117, OKI-155 to OKI-162)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Final

from companion.engine.asks import Choose, Option, Pick, Script, ask
from companion.games.okinawa import dice, enemies, health, rondel
from companion.games.okinawa.cards import ActionIcon, TokenKind
from companion.games.okinawa.state import FULL_HEALTH, Action, State
from companion.games.okinawa.table import Table, place_name

GRENADE_DAMAGE: Final = 2
_LEAVES: Final = "the token leaves the game"
_GRENADE: Final = Option("grenade", "Grenade", f"2 damage to one visible Enemy; {_LEAVES}")
_BINOCULARS: Final = Option("binoculars", "Binoculars", f"1 fog off any Enemy card; {_LEAVES}")
_UPGRADE: Final = Option("upgrade", "Veteran upgrade", f"One of your cards to its veteran side; {_LEAVES}")
_MEDKIT: Final = Option("medkit", "Med Kit", f"1 health back; {_LEAVES}")
_RETURNS: Final = "the token goes to its supply"
_SWAP: Final = Option("swap", "Reposition", f"Swap two of your Action cards; {_RETURNS}")
_REROLL: Final = {
    "one": Option("reroll", "Re-roll token", f"Roll one unspent die again; {_RETURNS}"),
    "any": Option("reroll", "Re-roll token", f"Roll unspent dice again; {_RETURNS}"),
}
_SWAPPED: Final = {
    "stays": "What lies on them goes along; red dice and the pawn stay in their spaces",
    "goes": "What lies on them goes along, the pawn too; red dice stay in their spaces",
}


# What can be used


def anytime(table: Table) -> Iterator[Option]:
    """What may be used in either turn (OKI-102, OKI-156, OKI-R13), where it would do something."""
    state = table.state
    held = state.tokens
    if TokenKind.GRENADE in held and any(grenade_targets(table)):
        yield _GRENADE
    if TokenKind.BINOCULARS in held and any(foggy(table)):
        yield _BINOCULARS
    if TokenKind.UPGRADE in held and any(upgradable(table)):
        yield _UPGRADE
    if state.repositions:
        yield _SWAP


def in_own_turn(table: Table) -> Iterator[Option]:
    """What may be used in the Player Turn alone (OKI-113, OKI-117, OKI-R64)."""
    state = table.state
    if TokenKind.MEDKIT in state.tokens and state.health < FULL_HEALTH:
        yield _MEDKIT
    if state.adjusts or TokenKind.ADJUST in state.tokens:
        for value in sorted(set(state.pool)):
            yield from adjustments(value, common=bool(state.adjusts))
    if state.rerolls and state.pool:
        yield _REROLL[table.settings["reroll"]]


@cache
def adjustments(value: int, *, common: bool) -> tuple[Option, ...]:
    """One up and one down, never beyond 1 and 4 (OKI-116), and which token goes for it (OKI-103, OKI-159)."""
    goes = "Your adjust token goes to its supply" if common else "The Resupply token leaves the game"
    return tuple(
        Option(f"adjust:{value}:{new}", f"Adjust {value} to {new}", goes)
        for new in (value + 1, value - 1)
        if 1 <= new <= 4
    )


def grenade_targets(table: Table) -> Iterator[str]:
    """Any visible Enemy with a Health number, of either type (OKI-108, OKI-110, OKI-R25)."""
    yield from enemies.soldier_targets(table)
    for place, enemy in table.exposed():
        if enemies.is_visible(enemy) and table.enemy(enemy.card).health:
            yield place


def can_throw(table: Table) -> bool:
    """Whether a Grenade can be thrown, if need be after Binoculars have lifted fog."""
    held = table.state.tokens
    sees = any(grenade_targets(table)) or (TokenKind.BINOCULARS in held and any(foggy(table)))
    return TokenKind.GRENADE in held and sees


def foggy(table: Table) -> Iterator[str]:
    """The Enemy cards that have fog to remove."""
    return (place for place, enemy in table.exposed() if enemy.fog)


def upgradable(table: Table) -> Iterator[int]:
    """The Action Spaces whose card is still on its basic side (OKI-105)."""
    return (space.number for space in table.state.spaces if not space.action.veteran)


# Using them


def use(table: Table, chosen: str) -> Script[None]:
    """Use a token by its option's id."""
    name, *values = chosen.split(":")
    match name:
        case "grenade":
            yield from _grenade(table)
        case "binoculars":
            yield from _binoculars(table)
        case "upgrade":
            spend(table, TokenKind.UPGRADE)
            yield from upgrade(table)
        case "medkit":
            spend(table, TokenKind.MEDKIT)
            health.heal(table)
        case "swap":
            yield from _swap(table)
        case "reroll":
            yield from _reroll(table)
        case "adjust":
            adjust(table, int(values[0]), int(values[1]))


def spend(table: Table, kind: TokenKind) -> None:
    """A used Resupply token leaves the game (OKI-103), unless it was put elsewhere by hand meanwhile."""
    if kind in table.state.tokens:
        table.state.tokens.remove(kind)
        table.state.removed_tokens.append(kind)


def _grenade(table: Table) -> Script[None]:
    def question() -> Choose:
        options = tuple(aim(table, one) for one in grenade_targets(table))
        return Choose(
            "okinawa.token.grenade", "Grenade at", rule=("OKI-108", "OKI-109", "OKI-110"), options=options
        )

    target = yield from ask(question)
    spend(table, TokenKind.GRENADE)
    enemies.hurt(table, target, GRENADE_DAMAGE)


def aim(table: Table, target: str, verb: str = "") -> Option:
    """An enemy as an option; `verb` goes before its place in the id ("hit:3")."""
    if target in enemies.SOLDIERS:
        return _AT_SOLDIER[verb, target]
    label = f"{VERBS[verb]}{table.look_of(table.at(target))}"
    return Option(f"{verb}:{target}" if verb else target, label, as_it_lies(table, target))


def as_it_lies(table: Table, place: str) -> str:
    """Where an Enemy card lies and what lies on it, to tell those that look alike apart.

    Beside a row several can lie: there only its die may set one apart.
    """
    enemy = table.at(place)
    words = f"{place_name(place)}: fog {enemy.fog}, damage {enemy.damage}"
    die = " ".join(map(str, enemy.dice)) if not place.isdigit() else ""
    return f"{words}, die {die}" if die else words


VERBS: Final = {"": "", "hit": "Hit ", "scout": "Scout "}
_AT_SOLDIER: Final = {
    (verb, side): Option(
        f"{verb}:{side}" if verb else side,
        f"{words}{'soldier' if side == enemies.BEIGE else 'red soldier'}",
    )
    for verb, words in VERBS.items()
    for side in enemies.SOLDIERS
}


def _binoculars(table: Table) -> Script[None]:
    def question() -> Choose:
        options = tuple(aim(table, place) for place in foggy(table))
        return Choose("okinawa.token.binoculars", "Binoculars at", rule=("OKI-111",), options=options)

    place = yield from ask(question)
    spend(table, TokenKind.BINOCULARS)
    scout(table, place)


def scout(table: Table, place: str) -> None:
    """Take one Fog of War token off (OKI-111, OKI-146)."""
    enemy = table.at(place)
    enemy.fog -= 1
    table.news(f"{table.name_of(enemy)}: {enemy.fog or 'no'} fog left")


def upgrade(table: Table) -> Script[None]:
    """Turn one Action card to its veteran side, if any is left to turn (OKI-063, OKI-104, OKI-R71)."""
    if not table.refereed:
        table.news("Upgrade one of your Action cards")
        return
    if not any(upgradable(table)):
        return
    chosen = yield from ask(partial(_upgrades, table))
    space = rondel.space_of(table.state, int(chosen))
    space.action.veteran = True
    table.news(f"Flip {table.action(space.action.card).name} in {chosen} to its veteran side")


def _upgrades(table: Table) -> Choose:
    options = tuple(
        Option(
            str(space.number),
            f"{space.number} {table.action(space.action.card).name}",
            f"then {table.side_text(Action(space.action.card, veteran=True)) or 'nothing on it'}",
        )
        for space in table.state.spaces
        if not space.action.veteran
    )
    return Choose("okinawa.upgrade.card", "Upgrade which card?", rule=("OKI-063", "OKI-104"), options=options)


def _swap(table: Table) -> Script[None]:
    def question() -> Pick:
        options = tuple(
            Option(str(space.number), f"{space.number} {table.action(space.action.card).name}")
            for space in table.state.spaces
        )
        text = "Swap which two cards?"
        rule = ("OKI-156", "OKI-R20")
        mines = ", Mine Fields too" if table.state.mines else ""
        detail = f"{_SWAPPED[table.settings['swap_pawn']]}{mines}"
        return Pick("okinawa.token.swap", text, detail, rule, options=options, least=2, most=2)

    one, two = yield from ask(question)
    table.state.repositions -= 1
    swap(table, int(one), int(two))


def swap(table: Table, one: int, two: int) -> None:
    """Two cards change places with all that lies on them (OKI-156, OKI-R20)."""
    state = table.state
    first, second = rondel.space_of(state, one), rondel.space_of(state, two)
    first.action, second.action = second.action, first.action
    if table.settings["swap_pawn"] == "goes" and state.pawn in (one, two):
        state.pawn = two if state.pawn == one else one


def _reroll(table: Table) -> Script[None]:
    state = table.state
    picked = yield from ask(partial(_unspent, table))
    state.rerolls -= 1
    yield from dice.reroll(table, [state.pool[int(index)] for index in picked])


def _unspent(table: Table) -> Pick:
    every = tuple(Option(f"{n}", f"{value}") for n, value in enumerate(table.state.pool))
    most = len(every) if table.settings["reroll"] == "any" else 1
    rule = ("OKI-036", "OKI-R64")
    return Pick("okinawa.token.reroll", "Roll which again?", rule=rule, options=every, least=1, most=most)


def adjust(table: Table, value: int, new: int) -> None:
    """One die one up or down; a common token goes first, as it can be gained again (OKI-115, OKI-159)."""
    state = table.state
    if state.adjusts:
        state.adjusts -= 1
    else:
        spend(table, TokenKind.ADJUST)
    state.pool.remove(value)
    state.pool.append(new)
    state.pool.sort()


# Gaining the common ones


def gain(table: Table, kind: str) -> None:
    """Take a common token while its supply has one (OKI-161, OKI-R49)."""
    state = table.state
    words = ActionIcon(kind).words
    if not table.refereed:
        table.news(f"Take a token: {words}")
        return
    if left(table, kind) <= 0:
        return
    match kind:
        case "sandbag":
            state.sandbags += 1
        case "adjust":
            state.adjusts += 1
        case "reposition":
            state.repositions += 1
        case _:
            state.rerolls += 1
    table.news(f"Gained: {words} token, {common_tokens(state)[kind]} now")


def left(table: Table, kind: str) -> int:
    """How many of a common token its supply still has (OKI-161)."""
    return table.supply(kind) - common_tokens(table.state)[kind]


def common_tokens(state: State) -> dict[str, int]:
    """How many of each common token the player has."""
    return {
        "sandbag": state.sandbags,
        "adjust": state.adjusts,
        "reposition": state.repositions,
        "reroll": state.rerolls,
    }
