"""The Player Turn: reveal, enemy dice, action dice, then actions until all dice are spent (OKI-066)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Final

from companion.engine.asks import Choose, Option, Script, ask
from companion.games.okinawa import (
    activation,
    dice,
    effects,
    enemies,
    moving,
    rondel,
    scenarios,
    targets,
    tokens,
)
from companion.games.okinawa.cards import ActionIcon, Timing
from companion.games.okinawa.state import FULL_HEALTH, Action
from companion.games.okinawa.table import Table
from companion.wording import counted

_DANGER: Final = (
    "Danger: the damage you would take there in the Enemy Turn, before Sandbags, as far as can be seen."
)
END: Final = Option("end", "End the turn")
ROLL: Final = Option("roll", "Roll the enemy dice")
RESUPPLY: Final = "resupply"


def player_turn(table: Table) -> Script[None]:
    """One Player Turn."""
    yield from begin(table)
    yield from dice.roll_action_dice(table)
    while _goes_on(table):
        chosen = yield from ask(partial(_question, table, table.take_news()))
        if chosen == END.id:
            break
        yield from act(table, chosen)
    yield from table.tell("okinawa.turn.shown", ("OKI-077",))


def _goes_on(table: Table) -> bool:
    """Whether there is anything left to choose in this turn."""
    return bool(table.state.pool) or tuple(choices(table)) != (END,)


def begin(table: Table) -> Script[None]:
    """What starts every Player Turn: enemies are turned up, then their dice are rolled (OKI-069)."""
    yield from turn_up(table)
    yield from _before_the_dice(table)
    yield from dice.roll_enemy_dice(table)


def turn_up(table: Table) -> Script[None]:
    """A new turn: what is exposed of the enemy is turned up (OKI-067)."""
    state = table.state
    state.turn += 1
    for space in state.spaces:
        space.action.used = False
    yield from effects.reveal_exposed(table)
    yield from scenarios.turned_up(table)


def _before_the_dice(table: Table) -> Script[None]:
    """Who is defeated now rolls no die: the time for a Grenade (OKI-102, OKI-R13)."""
    while any(dice.due(table)) and tokens.can_throw(table):
        chosen = yield from ask(partial(_throw_first, table, table.take_news()))
        if chosen == ROLL.id:
            return
        yield from tokens.use(table, chosen)


def _throw_first(table: Table, news: str) -> Choose:
    news = enemies.settled(table, news)
    options = (ROLL, *tokens.anytime(table))
    return Choose(
        "okinawa.turn.token", "Enemy dice come next", news, ("OKI-069", "OKI-R13"), options, news=news
    )


def _question(table: Table, news: str) -> Choose:
    news = enemies.settled(table, news)
    state = table.state
    card = table.action(activation.under_pawn(table).card).name
    danger = targets.danger(table)
    cost = danger[state.pawn]
    here = f"On {state.pawn} {card}{f', danger {cost}' if cost else ''}"
    return Choose(
        "okinawa.turn.spend",
        f"{here}. Dice {' '.join(map(str, state.pool)) or 'spent'}",
        news,
        ("OKI-074", "OKI-075", "OKI-077", "OKI-R06"),
        tuple(choices(table)),
        news=news,
        because=(_DANGER,) if any(danger.values()) else (),
    )


def choices(table: Table) -> Iterator[Option]:
    """Everything that the player may do now; only with all dice spent may the turn end (OKI-077)."""
    state = table.state
    values = frozenset(state.pool)
    if not values:
        yield END
    action = activation.under_pawn(table)
    if values and activation.can_activate(action):
        name = table.action(action.card).name
        yield from _runs(values, name, _does(table, action), tuple(_scarce(table, action)))
    yield from _moves(table, values)
    yield from _storing(table)
    for space in state.spaces:
        if space.action.suppressed:
            for value in sorted(values):
                words = f"Free {space.number} with a {value}"
                yield Option(f"free:{space.number}:{value}", words, "Its Suppressed token goes")
    yield from tokens.in_own_turn(table)
    yield from tokens.anytime(table)
    yield from _leaving(table)


def _moves(table: Table, values: frozenset[int]) -> Iterator[Option]:
    """A move for each value, with where it ends, what standing there will cost, and a lap (OKI-078)."""
    state = table.state
    cost = targets.danger(table) if values else {}
    lap = _lap(table)
    for value in sorted(values):
        end = rondel.space_of(state, rondel.ahead(state, state.pawn, value))
        mine = ", a Mine Field" if end.number in state.mines else ""
        done = lap if rondel.goes_round(state, state.pawn, value) else ""
        danger = f", danger {cost[end.number]}" if cost[end.number] else ""
        to = f"to {end.number} {table.action(end.action.card).name}{mine}{done}{danger}"
        yield Option(f"move:{value}", f"Move {value}", to)


def _lap(table: Table) -> str:
    """What a lap is and brings, as far as can be seen (OKI-051, OKI-229)."""
    state, scenario = table.state, table.scenario
    if not state.flag:
        return ""
    starts_none = state.flag == 1 and scenario is not None and scenario.timing is Timing.LOOP_START
    does = "" if starts_none else scenarios.each_lap(scenario)
    return f", {'the last' if state.flag == 1 else 'a'} lap{f' ({does})' if does else ''}"


def _does(table: Table, action: Action) -> str:
    """What an activation does, and what of it would come to nothing now (OKI-139, OKI-R56)."""
    heals = any(icon.icon is ActionIcon.HEAL for icon in table.icons(action))
    told = [
        table.side_text(action),
        "no target now" if activation.aims_at_nobody(table, action) else "",
        "health is full" if heals and table.state.health >= FULL_HEALTH else "",
    ]
    return "; ".join(filter(None, told))


def _scarce(table: Table, action: Action) -> Iterator[tuple[str, int, int]]:
    """The tokens that an activation gives: of which kind, how many, and how many there are left."""
    icons = [icon for icon in table.icons(action) if icon.icon in activation.GAINS]
    for icon in dict.fromkeys(one.icon for one in icons):
        gain = sum(one.amount for one in icons if one.icon is icon)
        yield icon.value, gain, max(0, tokens.left(table, icon.value))


@cache
def _runs(
    values: frozenset[int], name: str, does: str, scarce: tuple[tuple[str, int, int], ...]
) -> tuple[Option, ...]:
    """The runs that the pool pays for, the longest first, and what tokens there are too few of (OKI-161)."""
    return tuple(
        Option(
            f"act:{'-'.join(map(str, run))}",
            f"{name} with {'-'.join(map(str, run))}",
            "; ".join((does, *_too_few(len(run), scarce))),
        )
        for run in sorted(activation.runs(values), key=lambda run: (-len(run), run))
    )


def _too_few(activations: int, scarce: tuple[tuple[str, int, int], ...]) -> Iterator[str]:
    """Tokens that so many activations can't give, or not all of them (OKI-161, OKI-R49)."""
    for kind, gain, left in scarce:
        words = ActionIcon(kind).words
        if not left:
            yield f"no {words} token left"
        elif left < gain * activations:
            yield f"only {counted(left, f'{words} token')} left"


def _leaving(table: Table) -> Iterator[Option]:
    """Cards without a Health number that only what is written on them removes (OKI-169)."""
    for place, enemy in table.exposed():
        if enemy.up and not table.enemy(enemy.card).health and not table.enemy(enemy.card).plane:
            yield Option(f"leave:{place}", f"{table.name_of(enemy)} leaves", "If its card says so now")


def _storing(table: Table) -> Iterator[Option]:
    """Taking a stored die and putting one on an empty place (OKI-118 to OKI-124, OKI-R75)."""
    state = table.state
    for place, die in _stores(table):
        where = place.title()
        if die:
            yield Option(f"lift:{place}", f"Take the {die}", f"from {where}")
        else:
            for value in sorted(set(state.pool)):
                yield Option(f"store:{place}:{value}", f"Store a {value}", f"on {where}, for a later turn")


def _stores(table: Table) -> Iterator[tuple[str, int]]:
    state = table.state
    yield RESUPPLY, state.resupply_die
    for space in state.spaces:
        if table.stores(space.action) or space.action.die:
            yield str(space.number), space.action.die


def act(table: Table, chosen: str) -> Script[None]:
    """Do what was chosen."""
    state = table.state
    name, *values = chosen.split(":")
    match name:
        case "move":
            yield from moving.move(table, int(values[0]))
        case "act":
            yield from _activate(table, values[0])
        case "lift":
            lift(table, values[0])
        case "store":
            store(table, values[0], int(values[1]))
        case "free":
            state.pool.remove(int(values[1]))
            rondel.space_of(state, int(values[0])).action.suppressed = False
        case "leave":
            enemies.defeat(table, values[0], "leaves")
        case _:
            yield from tokens.use(table, chosen)


def _activate(table: Table, run: str) -> Script[None]:
    """Activate the pawn's card; if nothing comes of it, the turn's next question says so (OKI-R56)."""
    name = table.action(activation.under_pawn(table).card).name
    happened = yield from activation.activate(table, map(int, run.split("-")))
    if not happened and _goes_on(table):
        table.news(f"{name}: nothing done")


def lift(table: Table, place: str) -> None:
    """Take a stored die into the pool with the face it shows (OKI-118)."""
    state = table.state
    if place == RESUPPLY:
        state.pool.append(state.resupply_die)
        state.resupply_die = 0
    else:
        action = rondel.space_of(state, int(place)).action
        state.pool.append(action.die)
        action.die = 0
    state.pool.sort()


def store(table: Table, place: str, value: int) -> None:
    """Put a die of the pool on an empty place with the face it shows (OKI-119, OKI-120)."""
    state = table.state
    state.pool.remove(value)
    if place == RESUPPLY:
        state.resupply_die = value
    else:
        rondel.space_of(state, int(place)).action.die = value
