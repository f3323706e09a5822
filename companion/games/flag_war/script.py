"""The war from the opening roll to its end, in the order of the rules of engagement."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.engine.asks import Choose, Option, Script, Show, ask
from companion.engine.game import Outcome, Result
from companion.games.flag_war.asking import decide, note, note_lost, roll, tell
from companion.games.flag_war.captures import crown, holds_all, land
from companion.games.flag_war.moves import Position
from companion.games.flag_war.pack import SEAT_NAMES, rescue_squares
from companion.games.flag_war.rescue import rescue
from companion.games.flag_war.state import Leg, Player, at_liberty, captives, standing_on, unplaced
from companion.games.flag_war.table import DONE, Table, in_hand, where_to, which_man
from companion.games.flag_war.terrain import field_square


def war(table: Table) -> Script[Outcome]:
    """One war, to its winner or to the agreed end."""
    if table.rules.free_start:
        for seat, army in table.war.armies.items():
            for name in list(army.men) if army.player is Player.PERSON else ():  # box armies keep the layout
                yield from place(table, seat, name)
    seats = tuple(table.war.armies)
    seat = yield from opening_roll(table, seats)
    while left := [(one, name) for one, army in table.war.armies.items() for name in unplaced(army)]:
        yield from place(table, *left[0])  # taken off again by hand
    while not table.war.winner:
        if table.rules.agreed_turns and table.war.turn >= table.rules.agreed_turns:
            break
        yield from turn(table, seat)
        for one in seats:
            crown(table, one, "FLG-081")  # who was given the last flag by hand
        yield from tell(table)
        seat = seats[(seats.index(seat) + 1) % len(seats)]
    return outcome(table)


def outcome(table: Table) -> Outcome:
    """How the war ended; it is the one person at the table, or people against the box, who win or lose it.

    Among several people one wins and others lose: nobody else can say which of them this is told to.
    """
    state = table.war
    seats = sorted(state.armies, key=lambda seat: state.armies[seat].player is not Player.PERSON)
    score = {f"flags {SEAT_NAMES[seat]}": len(state.flags[seat]) for seat in seats}
    score |= {f"prisoners {SEAT_NAMES[seat]}": sum(1 for _ in captives(state, seat)) for seat in seats}
    score["turns"] = state.turn
    if not state.winner:
        return Outcome(Result.ENDED, "the generals stop as agreed", score)
    how = "holds all flags" if holds_all(table, state.winner) else "is the winner, set by hand"
    reason = f"{SEAT_NAMES[state.winner]} {how}"
    people = [seat for seat, army in state.armies.items() if army.player is Player.PERSON]
    if people == [state.winner]:
        return Outcome(Result.WON, reason, score)
    lost = people and state.winner not in people
    return Outcome(Result.LOST if lost else Result.ENDED, reason, score)


def place(table: Table, seat: str, name: str) -> Script[None]:
    """A man put on the field of the own army (FLG-R12)."""
    ground = table.terrain.ground
    shut = {ground.access, *rescue_squares(ground)}
    rows, cols = ground.field
    squares = [
        field_square(seat, (row, col)) for row in range(rows) for col in range(cols) if (row, col) not in shut
    ]
    to = yield from ask(partial(place_question, table, seat, name, squares))
    table.war.armies[seat].men[name].at = to


def place_question(table: Table, seat: str, name: str, squares: Sequence[str]) -> Choose:
    """Where a man may start."""
    free = tuple(Option(square, square) for square in squares if not standing_on(table.war, square))
    kind = table.pieces[table.war.armies[seat].men[name].kind].name
    text = f"{SEAT_NAMES[seat]}: place {name}"
    return Choose(
        "flag_war.start.place", text, f"{kind}, on {SEAT_NAMES[seat]}'s field", ("FLG-R12",), options=free
    )


def opening_roll(table: Table, seats: Sequence[str]) -> Script[str]:
    """Who begins: the highest die, tied generals again (FLG-014, FLG-R14)."""
    first, words = list(seats), "one die for the start"
    while len(first) > 1:
        rolled = {}
        for seat in first:
            rolled[seat] = yield from roll(
                table, "flag_war.opening.roll", f"{SEAT_NAMES[seat]}: {words}", 1, ("FLG-014",)
            )
        best = max(rolled.values())
        first = [seat for seat, faces in rolled.items() if faces == best]
        words = "tied, one die again"
    ground = table.terrain.ground
    flags = ", ".join(SEAT_NAMES[base] for base, lying in table.war.flags.items() if lying)
    set_up = f"Set up the men as the box shows them, one flag on the flag square of each of {flags}"
    yield from ask(
        Show(
            "flag_war.opening.first",
            f"{SEAT_NAMES[first[0]]} begins",
            f"{ground.title} ({ground.source} board). {set_up}",
            rule=("FLG-004", "FLG-013", "FLG-R01", "FLG-R12", "FLG-R13", "FLG-R15"),
        )
    )
    return first[0]


def turn(table: Table, seat: str) -> Script[None]:
    """One general's turn: a rescue, or a roll and another one after each double (FLG-015 to FLG-019)."""
    state = table.war
    state.on_turn = seat
    state.turn += 1
    table.is_under_way = True
    if not any(at_liberty(table.army)):
        note(table, f"{table.general} has no men free: turn skipped", "FLG-R59")
        return
    if (yield from rescue(table)):
        return
    what = "roll two dice"
    while not state.winner and any(at_liberty(table.army)):
        text = f"{table.general}: {what}"
        first, second = yield from roll(table, "flag_war.turn.roll", text, 2, ("FLG-015", "FLG-018"))
        state.dice, state.moved, state.leg, state.tao = [first, second], [], None, False
        table.is_moving = True
        used = yield from use_roll(table)
        table.is_moving = False
        state.dice, state.moved, state.leg = [], [], None
        if first != second or not used:
            return
        what = "a double, roll again"


def use_roll(table: Table) -> Script[bool]:
    """The dice of a roll moved as far as they can be; False if none could (FLG-019, FLG-R16, FLG-R21)."""
    state = table.war
    if tao_allowed(table) and (yield from wants_tao(table)):
        yield from tao(table)
        return True
    used = False
    while state.dice and not state.winner:
        position = table.position()
        question = which_man(table, position)
        if not question.options:
            break
        chosen = yield from decide(table, question)
        if chosen is not None:
            state.in_hand = chosen
            used |= yield from move_in_hand(table, position)
    left = f"{table.general}: {' '.join(map(str, state.dice))} can't be moved"
    if not used and not state.winner:
        yield from ask(Show("flag_war.turn.skip", left, rule=("FLG-019", "FLG-R21")))
    elif state.dice and not state.winner:
        note_lost(table, left)
    return used


def move_in_hand(table: Table, position: Position) -> Script[bool]:
    """The man in hand moved to where the general wants him; False if an override left him no way."""
    state = table.war
    while True:
        question = where_to(table, position)
        if not question.options:
            state.in_hand = ""
            return False
        only = len(question.options) == 1
        to = question.options[0].id if only else (yield from decide(table, question))
        if to is not None:
            break
        if not state.in_hand:
            return False
        position = table.position()
    name, count = in_hand(table)
    state.in_hand = ""
    start = table.army.men[name].at
    spend(table, Leg(name, start, count, to))
    if only or table.army.player is not Player.PERSON:
        rule = "FLG-050" if state.tao else "FLG-016"
        goes_on = state.tao and state.grounds[-1:] in (["FLG-049"], ["FLG-050"])
        whose = "" if goes_on else f"{table.general} "
        note(table, f"{whose}{name} moves {count}: {start} to {to}", rule)
    yield from land(table, name, to, held=bool(position.foes & table.terrain.bit[to]))
    return True


def spend(table: Table, leg: Leg) -> None:
    """Take the dice of a count out of the roll, and remember who used them."""
    state = table.war
    if leg.count in state.dice:
        state.dice.remove(leg.count)
    elif not state.tao:
        state.dice.clear()
    if table.rules.sequential and not state.tao and state.leg is None:
        state.leg = leg
    else:
        state.moved.append(leg.man)


def tao_allowed(table: Table) -> bool:
    """A 1 and a 2, and nobody of the army in captivity (FLG-046 to FLG-048, FLG-R43)."""
    return sorted(table.war.dice) == [1, 2] and sum(1 for _ in at_liberty(table.army)) == len(table.army.men)


def wants_tao(table: Table) -> Script[bool]:
    """The Tao is offered, not forced (FLG-051)."""
    question = Choose(
        "flag_war.tao.use",
        f"{table.general}: 1 and 2, use the Tao?",
        "every man may move 1, 2 or 3",
        rule=("FLG-046", "FLG-047", "FLG-048", "FLG-051", "FLG-R43"),
        options=(Option("tao", "Use the Tao"), Option("dice", "Just move 1 and 2")),
    )
    while True:
        chosen = yield from decide(table, question)
        if chosen is not None:
            return chosen == "tao"


def tao(table: Table) -> Script[None]:
    """Any of the men, each once, by one, two or three (FLG-049, FLG-050, FLG-R44, FLG-R45)."""
    state = table.war
    state.tao, state.dice = True, []
    if table.army.player is not Player.PERSON:
        note(table, f"{table.general} uses the Tao", "FLG-048", "FLG-049")
    while state.tao and not state.winner:
        position = table.position()
        question = which_man(table, position)
        if question.options == (DONE,):
            break
        chosen = yield from decide(table, question)
        if chosen == DONE.id:
            break
        if chosen is not None:
            state.in_hand = chosen
            yield from move_in_hand(table, position)
    state.tao = False
