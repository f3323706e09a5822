"""The Operations phase: turn track, node resolution, moving, end of turn (chapter 4)."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from companion.engine.asks import Choose, Option, Pick, Script, ask, offered
from companion.games.space_infantry.checks import (
    checks_of,
    place_chits,
    raise_one,
    settle_zeros,
    spend_command,
    starred,
    take_back,
    title,
)
from companion.games.space_infantry.events import check_events, contact, flip_counter, goals_met
from companion.games.space_infantry.numbers import number
from companion.games.space_infantry.pack import Resource
from companion.games.space_infantry.resources import OFF_THE_TRACK, check_cache, spend, treat, treatments
from companion.games.space_infantry.state import Check
from companion.games.space_infantry.table import Table, tell

_STAY = Option("stay", "Stay here", "straight to the event check")
_HOLD = Option("stay", "Stay here", "no other enemy check this turn")
_REST = Option("stay", "Stay here", "no event is left here")
_ENTER = (Option("enter", "Enter"), Option("stay", "Stay outside"))
_RIDE = (Option("ride", "Ride in the Rhino"), Option("foot", "On foot beside it"))
_UNSKILLED = Option("unskilled", "Unskilled try", "1 SL on 6 or more")
_ACCEPT = Option("accept", "Leave it at that")
_INTELLIGENCE = Option(Resource.INTELLIGENCE.value, "Intelligence: +2 SL", OFF_THE_TRACK)
_OBJECTIVE = (Option("no", "Not yet"), Option("yes", "Mission completed"))
_TURN = ("SPI-051",)
_ACTIVATION = ("SPI-059", "SPI-060", "SPI-064", "SPI-068", "SPI-073")
_IN_VAIN = ("SPI-075", "SPI-076")
NO_CHARGE = "who tries sets no Demo Charge in this turn"
_ONCE = ":once"
"""Marks who has several chits and may raise one of them (SPI-172)."""
_INSIDE = frozenset({"command", "communications"})
"""The skills that the team can use in the Rhino (SPI-165)."""
_NO_MATTER = "no event check here: the next turn asks again"
_INSIDE_WORDS = "inside: Command and Communications only, damage goes to the Rhino"


def operations(table: Table) -> Script[bool]:
    """Turns until the mission is completed (True) or aborted (SPI-049, SPI-051)."""
    while advance_turn(table):
        done = yield from turn(table)
        yield from tell(table, "space_infantry.turn.told", _TURN)
        if not table.in_play():
            return False
        if done:
            return True
    table.note("the last box is passed: aborted", "SPI-054")
    return False


def advance_turn(table: Table) -> bool:
    """The Time marker one box on; False when it stood on the last (SPI-052 to SPI-054, SPI-R27)."""
    op = table.op
    if op.turn:
        if op.marker <= 1:
            return False
        op.marker -= 1
    op.turn += 1
    return True


def turn(table: Table) -> Script[bool]:
    """One turn; True if the mission is completed in it (SPI-051, SPI-056, SPI-082, SPI-177, SPI-178)."""
    if table.rhino_here():
        yield from ride_or_walk(table, f"Time marker on {table.op.marker}, ")
    met = table.rules.hard_fight and (yield from check_events(table, enemy=True, own=False))
    if not met:
        yield from actions(table)
    elif table.in_play():
        # Only the enemy check comes early: the mission's own event is still to be checked (SPI-R64).
        yield from check_events(table, enemy=False, own=True)
    if not table.in_play():
        return False
    yield from check_cache(table)
    return (yield from completed(table))


def completed(table: Table) -> Script[bool]:
    """Are all objectives met? Where the box knows of none, the player says so (SPI-036, SPI-049)."""
    if not goals_met(table):
        return False
    if table.mission.goal.named:
        return True
    yield from tell(table, "space_infantry.turn.told", _TURN)
    wish = yield from ask(
        Choose(
            "space_infantry.turn.objective",
            "Are the mission's objectives met?",
            "as its briefing says",
            rule=("SPI-036", "SPI-049"),
            options=_OBJECTIVE,
        )
    )
    return wish == "yes"


def actions(table: Table) -> Script[None]:
    """The Actions sub phase: option A with its event check, or option B (SPI-056 to SPI-058, SPI-096)."""
    action = "treat"
    while action == "treat":
        choice = yield from ask(partial(action_question, table))
        action, _, target = choice.partition(":")
        if action == "treat":
            treat(table, target)
    if action == "move":
        yield from move_to_explored(table, target)
        return
    if action == "try":
        yield from attempt(table, target)
    if table.in_play():
        yield from check_events(table, enemy=not table.rules.hard_fight, own=True)


def action_question(table: Table) -> Choose:
    """What the team does: a linked node tried or entered, an explored one gone to, or nothing.

    With Hard fight an enemy check came before, which may have found nobody.
    """
    op, nodes = table.op, table.mission.nodes
    options = []
    for name in table.node.links:
        place, where = op.places[name], nodes[name].title
        if place.explored:
            options.append(Option(f"move:{name}", f"Go to {where}", "explored"))
        else:
            skill, needed = table.needs(name)
            idle = place.gathered < needed and has_skill(table, skill) and not able_units(table, skill)
            needs = f"{table.skill_word(skill)} {place.gathered}/{needed} Success Levels"
            needs += ", nobody can use it now" if idle else ""
            options.append(Option(f"try:{name}", f"Try {where}", needs))
    return Choose(
        "space_infantry.turn.action",
        f"Time marker on {op.marker}, {table.node.title}: what now?",
        table.pending(),
        rule=("SPI-053" if op.turn > 1 else "SPI-052", "SPI-056", "SPI-057", "SPI-132", "SPI-R22", "SPI-R28"),
        options=(*options, stay_option(table), *treatments(table)),
    )


def stay_option(table: Table) -> Option:
    """Staying, with what is still checked for on the node (SPI-057, SPI-078, SPI-R28, SPI-R64)."""
    if all(at in table.place.spent for at in range(len(table.node.events))):
        return _REST
    return _HOLD if table.rules.hard_fight else _STAY


def ride_or_walk(table: Table, box: str = "", hint: str = "") -> Script[None]:
    """On an outside node the team rides or walks beside the Rhino (SPI-164).

    As a turn begins it is the first question, and so it names the `box` of the Time marker.
    """
    wish = yield from ask(partial(seat_question, table, box, hint))
    rhino = table.op.rhino
    assert rhino is not None
    rhino.inside = wish == "ride"


def seat_question(table: Table, box: str, hint: str) -> Choose:
    """Where the team is to be, first as it is now; earlier versions always had the Rhino first."""
    former = Choose(
        "space_infantry.rhino.ride",
        f"{box}{table.node.title}: inside the Rhino or on foot?",
        "; ".join(filter(None, (table.pending(), _INSIDE_WORDS, hint))),
        rule=("SPI-164", "SPI-165", "SPI-166"),
        options=_RIDE,
    )
    return former if table.riding() else replace(former, options=_RIDE[::-1], former=former)


def attempt(table: Table, target: str) -> Script[None]:
    """Option A: gather Success Levels on a node and enter it if they suffice (SPI-058 to SPI-063)."""
    op = table.op
    skill, needed = table.needs(target)
    place, gained = op.places[target], 0
    if place.gathered < needed:
        gained = yield from gather(table, target, skill, needed - place.gathered)
        place.gathered = min(place.gathered + gained, needed)
        words = f"{gained} SL, {place.gathered}/{needed} on {table.mission.nodes[target].title}"
        short = place.gathered < needed
        words += ": mark it there" if gained and short else ""
        table.note(words, "SPI-063" if short else "SPI-062")
    if place.gathered >= needed:
        wish = yield from ask(
            Choose(
                "space_infantry.node.enter",
                f"{table.mission.nodes[target].title} is open: enter?",
                rule=("SPI-062", "SPI-R21"),
                options=_ENTER,
            )
        )
        if wish == "enter":
            yield from enter(table, target)
        elif gained:
            table.note(f"mark {needed} SL there", "SPI-063", "SPI-R21")


def gather(table: Table, target: str, skill: str, short: int) -> Script[int]:
    """The Success Levels of one turn: checks, Command Points, Intelligence, Demo Charges (4.2.A.2, 6.1)."""
    activated: tuple[str, ...] = ()
    gained = 0
    if activation_question(table, target, skill).options:
        picked = yield from ask(partial(activation_question, table, target, skill))
        activated = tuple(one.removesuffix(_ONCE) for one in picked)
    if _UNSKILLED.id in activated:
        gained = yield from unskilled(table)
    elif activated:
        gained = yield from skill_checks(table, skill, activated)
    table.op.command = 0
    return (yield from other_means(table, skill, short, gained, activated))


def able_units(table: Table, skill: str) -> list[str]:
    """Who may use a skill on a node now: riders only two of them, the crew only with the Rhino (SPI-165)."""
    crew = ["rhino"] if table.rhino_here() and table.vehicle.crew(skill) else []
    if table.riding() and skill not in _INSIDE:
        return crew
    return [*crew, *(name for name, one in table.in_play().items() if one.levels.get(skill))]


def has_skill(table: Table, skill: str) -> bool:
    """Has anybody still in play this skill (SPI-068, SPI-R16)?"""
    crew = table.rhino_works() and table.vehicle.crew(skill)
    return bool(crew) or any(one.levels.get(skill) for one in table.in_play().values())


def activation_question(table: Table, target: str, skill: str) -> Pick:
    """Which units get chits: those with the skill, and the leader for Command Points (SPI-059, SPI-060).

    Nobody where those who have it can't use it now.
    """
    able, word = able_units(table, skill), table.skill_word(skill)
    options = [who_may_try(table, name, skill) for name in able]
    leader, vain = table.leader(), ""
    if not able:
        options += [] if has_skill(table, skill) else [_UNSKILLED]
    elif table.rules.command and leader:
        vain = command_in_vain(table, skill, able)
        instead = f"; instead of {word}" if leader in able else ""
        command = Option("command", "Leader: Command", f"each SL is 1 AP for one of the others{instead}")
        options += [] if vain else [command]
    charging = any(one.id in able for one in charge_options(table, skill, set()))
    no_charge = NO_CHARGE if charging else ""
    return Pick(
        "space_infantry.node.activate",
        f"{table.mission.nodes[target].title}: who tries {word}?",
        "; ".join(filter(None, (no_charge, vain))),
        rule=(*_ACTIVATION, *(_IN_VAIN if vain else ())),
        options=tuple(options),
        least=0,
        most=len(options),
    )


def who_may_try(table: Table, name: str, skill: str) -> Option:
    """Somebody for a chit; the Rhino's bonus goes on one of several (SPI-172)."""
    bonus, unit = radio_bonus(table, skill), table.in_play().get(name)
    if bonus and unit and len(unit.levels[skill]) > 1:
        return Option(f"{name}{_ONCE}", title(table, name), f"+{bonus} AP on one chit")
    return Option(name, title(table, name))


def radio_bonus(table: Table, skill: str) -> int:
    """What Communications from inside the Rhino get (SPI-172)."""
    return table.vehicle.communications if skill == "communications" and table.riding() else 0


def command_in_vain(table: Table, skill: str, able: list[str]) -> str:
    """Why Command Points are of no use on a node, in words; empty if they are (SPI-064, SPI-076)."""
    leader = table.leader()
    if starred(table, skill):
        return f"no Command Points: {table.skill_word(skill)} takes none"
    if able == [leader]:
        return "no Command Points: nobody else can use them"
    if leader and not table.campaign.roster[leader].levels.get("command"):
        return "no Command Points: the leader makes none"
    return ""


def unskilled(table: Table) -> Script[int]:
    """One try a turn for a team without the skill: 1 SL on 6 or more (SPI-068 to SPI-072)."""
    rn = yield from number(table, "space_infantry.node.unskilled", "Unskilled try: 6+ is 1 SL", ("SPI-069",))
    return int(rn >= 6)


def skill_checks(table: Table, skill: str, activated: tuple[str, ...]) -> Script[int]:
    """Chits on the activated units, Command Points on what they lack, and the sum (SPI-065, SPI-066).

    The Rhino's bonus goes on one chit of each unit (SPI-172).
    """
    key = "space_infantry.node.chits"
    leader = table.leader()
    command = checks_of(table, leader, "command") if "command" in activated else []
    # All points of a unit go to one skill: a leader who commands does nothing else (SPI-064).
    busy = {"command", leader} if command else {"command"}
    checks = [check for name in activated if name not in busy for check in checks_of(table, name, skill)]
    yield from place_chits(table, key, [*command, *checks], ("SPI-059", "SPI-064", "SPI-065"))
    table.op.command = sum(check.sl for check in command)
    bonus = radio_bonus(table, skill)
    if table.op.command or bonus:
        yield from settle_zeros(table, key, checks)
    if bonus and checks:
        table.note(f"+{bonus} AP inside the {table.vehicle.title}", "SPI-172")
    for who in dict.fromkeys(check.who for check in checks if bonus):
        yield from tune(table, [check for check in checks if check.who == who], bonus)
    yield from spend_command(table, key, checks)
    gained = sum(check.sl for check in checks)
    take_back(table)
    return gained


def tune(table: Table, checks: list[Check], bonus: int) -> Script[None]:
    """The Rhino's bonus on one chit of a unit, the player's choice where it matters (SPI-172)."""
    outcomes = set()
    for raised in checks:
        after = [(check.level, check.ap + bonus * (check is raised)) for check in checks]
        levels = sum(ap // level for level, ap in after)
        # Command Points may still be of use to what is left of a chit.
        outcomes.add((levels, tuple(sorted((level, ap % level) for level, ap in after if table.op.command))))
    chosen = checks if len(outcomes) > 1 else checks[:1]
    yield from raise_one(table, "space_infantry.node.radio", chosen, bonus, ("SPI-172",))


def other_means(table: Table, skill: str, short: int, gained: int, activated: tuple[str, ...]) -> Script[int]:
    """What is still missing made up by one Intelligence or by Demo Charges (SPI-141, SPI-147 to SPI-150)."""
    # Who makes Command Points has used the chit too (SPI-R48).
    used = {table.leader() if one == "command" else one for one in activated}
    while gained < short:
        means = yield from offered(partial(means_question, table, skill, short - gained, used))
        if means == _ACCEPT.id:
            break
        used.add(means)
        if means == _INTELLIGENCE.id:
            spend(table, Resource.INTELLIGENCE)
            gained += 2
        else:
            gained = yield from blow_up(table, means, short, gained)
    return gained


def means_question(table: Table, skill: str, short: int, used: set[str]) -> Choose:
    """The resources that may still be spent on a node in this turn."""
    intelligence = table.op.resources[Resource.INTELLIGENCE] and _INTELLIGENCE.id not in used
    options = [_INTELLIGENCE] if intelligence else []
    return Choose(
        "space_infantry.node.means",
        f"{short} SL short: use a resource?",
        rule=("SPI-141", "SPI-147", "SPI-148", "SPI-149"),
        options=(_ACCEPT, *options, *charge_options(table, skill, used)),
    )


def charge_options(table: Table, skill: str, used: set[str]) -> list[Option]:
    """The specialists who can set a Demo Charge here and have not used their chit (SPI-147, SPI-R48)."""
    if skill != "demolitions" or not table.op.resources[Resource.CHARGE] or table.riding():
        return []
    cards = table.pack.unit
    return [
        Option(name, f"{one.title}: charge", f"2+ opens the node; {OFF_THE_TRACK}")
        for name, one in table.in_play().items()
        if cards[one.card].charges and name not in used
    ]


def blow_up(table: Table, who: str, short: int, gained: int) -> Script[int]:
    """A Demo Charge: on 2 or more the whole requirement is met, and it is spent either way (SPI-149)."""
    spend(table, Resource.CHARGE)
    rn = yield from number(
        table, "space_infantry.node.charge", f"{title(table, who)} sets it off: 2+", ("SPI-149", "SPI-150")
    )
    table.note(*("the charge opens the way", "SPI-149") if rn >= 2 else ("the charge fizzles", "SPI-150"))
    return short if rn >= 2 else gained


def enter(table: Table, target: str) -> Script[None]:
    """The team on a node that was not explored before (SPI-062, SPI-085, SPI-204)."""
    table.op.node = target
    table.place.explored = True
    table.note(f"Team A counter to {table.node.title}", "SPI-062")
    yield from arrive(table, choosing=True)
    if table.place.counter == "?":
        yield from flip_counter(table)


def arrive(table: Table, *, choosing: bool, hint: str = "") -> Script[None]:
    """Outside the Rhino is at hand at once, wherever it was left; indoors nobody rides (SPI-175, SPI-176).

    If `choosing`, the team rides or walks at an outside node before its event check (SPI-164); `hint` says
    what depends on it.
    """
    rhino = table.op.rhino
    if rhino is None:
        return
    if not table.node.outside:
        if rhino.inside:
            table.note("the Rhino stays outside", "SPI-164")
        rhino.inside = False
    elif choosing and table.rhino_here():
        yield from ride_or_walk(table, hint=hint)


def move_to_explored(table: Table, target: str) -> Script[None]:
    """Option B: 0 is a class A encounter, 6 or more a turn regained (SPI-091 to SPI-096, SPI-R24 to R26)."""
    op = table.op
    rn = yield from number(
        table, "space_infantry.move.rn", "Moving: 0 is an encounter, 6+ a turn back", ("SPI-091",), zero=True
    )
    if rn == 0:
        yield from contact(table, "A", 0)
        if not table.in_play():
            return
    if rn >= 6:
        op.marker = min(op.marker + 1, table.mission.turns)
        table.note(f"an easy way: Time marker back to box {op.marker}", "SPI-094", "SPI-R26")
    indoors = not table.node.outside
    op.node = target
    table.place.explored = True  # also where it was set otherwise by hand while the number was asked for
    table.note(f"Team A counter to {table.node.title}", "SPI-095")
    # Between two outside nodes nothing happens before the next turn, which begins with the same choice.
    yield from arrive(table, choosing=indoors, hint=_NO_MATTER)
