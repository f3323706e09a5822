"""The war from the opening roll to the last flag, in the order of the rules of engagement."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.engine.asks import RESTATED, Choose, Dice, Option, Roll, Script, Show, ask
from companion.engine.game import Outcome, Result
from companion.games.flag_war import battle, policies
from companion.games.flag_war.pack import SEAT_NAMES, SEATS, rescue_squares
from companion.games.flag_war.state import Leg, Man, Player, at_liberty, captives, standing_on
from companion.games.flag_war.table import (
    DONE,
    Table,
    free_rescue_squares,
    in_hand,
    rescues,
    where_to,
    which_man,
)
from companion.games.flag_war.terrain import field_square, prison

FACES = ("1", "2", "3", "4", "5", "6")
DICE = {count: (Dice("d6", count, FACES),) for count in range(1, 5)}


def war(table: Table) -> Script[Outcome]:
    """One war, to its winner or to the agreed end."""
    if table.rules.free_start:
        for seat in table.war.armies:
            yield from place_men(table, seat)
    seats = tuple(table.war.armies)
    seat = yield from opening_roll(table, seats)
    while not table.war.winner:
        if table.rules.agreed_turns and table.war.turn >= table.rules.agreed_turns:
            break
        yield from turn(table, seat)
        yield from tell(table)
        seat = seats[(seats.index(seat) + 1) % len(seats)]
    return outcome(table)


def outcome(table: Table) -> Outcome:
    """How the war ended; it is the people at the table who win or lose it (FLG-003)."""
    state = table.war
    score = {f"flags_{seat}": len(state.flags[seat]) for seat in state.armies}
    score |= {f"prisoners_{seat}": sum(1 for _ in captives(state, seat)) for seat in state.armies}
    score["turns"] = state.turn
    if not state.winner:
        return Outcome(Result.ENDED, "the generals stop as agreed", score)
    reason = f"{SEAT_NAMES[state.winner]} holds all flags"
    people = [seat for seat, army in state.armies.items() if army.player is Player.PERSON]
    if not people:
        return Outcome(Result.ENDED, reason, score)
    return Outcome(Result.WON if state.winner in people else Result.LOST, reason, score)


def place_men(table: Table, seat: str) -> Script[None]:
    """An army's men put on its field one by one; box armies keep the layout (FLG-R12)."""
    army = table.war.armies[seat]
    if army.player is not Player.PERSON:
        return
    for man in army.men.values():
        man.at = ""
    ground = table.terrain.ground
    shut = {ground.access, *rescue_squares(ground)}
    rows, cols = ground.field
    squares = [
        field_square(seat, (row, col)) for row in range(rows) for col in range(cols) if (row, col) not in shut
    ]
    for name, man in army.men.items():
        man.at = yield from ask(partial(place_question, table, seat, name, squares))


def place_question(table: Table, seat: str, name: str, squares: Sequence[str]) -> Choose:
    """Where a man may start."""
    free = tuple(Option(square, square) for square in squares if not standing_on(table.war, square))
    return Choose(
        "flag_war.start.place", f"{SEAT_NAMES[seat]}: place {name}", rule=("FLG-R12",), options=free
    )


def opening_roll(table: Table, seats: Sequence[str]) -> Script[str]:
    """Who begins: the highest die, tied generals again (FLG-014, FLG-R14)."""
    rolled = {}
    for seat in seats:
        rolled[seat] = yield from roll(
            table, "flag_war.opening.roll", f"{SEAT_NAMES[seat]}: one die for the start", 1, ("FLG-014",)
        )
    best = max(rolled.values())
    first = [seat for seat, faces in rolled.items() if faces == best]
    if len(first) > 1:
        return (yield from opening_roll(table, first))
    ground = table.terrain.ground
    yield from ask(
        Show(
            "flag_war.opening.first",
            f"{SEAT_NAMES[first[0]]} begins",
            f"{ground.title}, a {ground.source} board",
            rule=("FLG-013", "FLG-R15"),
        )
    )
    return first[0]


def roll(table: Table, key: str, text: str, count: int, rule: tuple[str, ...]) -> Script[list[int]]:
    """`count` dice off the tray."""
    yield from tell(table)
    faces = yield from ask(Roll(key, text, rule=rule, dice=DICE[count]))
    values = [int(face) for face in faces]
    for value in values:
        table.war.stir = (table.war.stir * 7 + value) & 0xFFFFFF
    return values


def turn(table: Table, seat: str) -> Script[None]:
    """One general's turn: a rescue, or a roll and another one after each double (FLG-015 to FLG-019)."""
    state = table.war
    state.on_turn = seat
    state.turn += 1
    if not at_liberty(table.army):
        note(table, f"{table.general} has no men free: turn skipped")
        return
    if (yield from rescue(table)):
        return
    while not state.winner:
        first, second = yield from roll(
            table, "flag_war.turn.roll", f"{table.general}: roll two dice", 2, ("FLG-015", "FLG-018")
        )
        state.dice, state.moved, state.leg = [first, second], [], None
        used = yield from use_roll(table)
        state.dice, state.moved, state.leg = [], [], None
        if first != second or not used:
            return


def use_roll(table: Table) -> Script[bool]:
    """The dice of a roll moved as far as they can be; False if none could (FLG-019, FLG-R16, FLG-R21)."""
    state = table.war
    if tao_allowed(table) and (yield from wants_tao(table)):
        yield from tao(table)
        return True
    used = False
    while state.dice and not state.winner:
        question = which_man(table)
        if not question.options:
            break
        chosen = yield from decide(table, question)
        if chosen is not None:
            state.in_hand = chosen
            used |= yield from move_in_hand(table)
    if not used:
        dice = " ".join(map(str, state.dice))
        yield from tell(table)
        yield from ask(
            Show("flag_war.turn.skip", f"{table.general}: {dice} can't be moved", rule=("FLG-019", "FLG-R21"))
        )
    return used


def decide(table: Table, question: Choose) -> Script[str | None]:
    """A decision of the general on turn: asked, or made by the box; None if the state was overridden."""
    player = table.army.player
    if player is Player.PERSON:
        yield from tell(table)
        answer = yield question
        return None if answer is RESTATED else str(answer)
    advice = policies.advise(table, question, player.value)
    return stirred(table, question) if advice is None else advice


def stirred(table: Table, question: Choose) -> str:
    """Any option, picked by the dice rolled so far: a game has no other source of chance."""
    table.war.stir = (table.war.stir * 1_103_515_245 + 12_345) & 0x7FFFFFFF
    return question.options[(table.war.stir >> 8) % len(question.options)].id


def move_in_hand(table: Table) -> Script[bool]:
    """The man in hand moved to where the general wants him; False if an override left him no way."""
    state = table.war
    while True:
        question = where_to(table)
        if not question.options:
            state.in_hand = ""
            return False
        only = len(question.options) == 1
        to = question.options[0].id if only else (yield from decide(table, question))
        if to is not None:
            break
    name, count = in_hand(table)
    state.in_hand = ""
    start = table.army.men[name].at
    spend(table, name, count, start)
    if only or table.army.player is not Player.PERSON:
        note(table, f"{table.general} {name} {count}: {start} to {to}")
    yield from land(table, name, to)
    return True


def spend(table: Table, name: str, count: int, start: str) -> None:
    """Take the dice of a count out of the roll, and remember who used them."""
    state = table.war
    if count in state.dice:
        state.dice.remove(count)
    elif not state.tao:
        state.dice.clear()
    if table.rules.sequential and not state.tao and state.leg is None:
        state.leg = Leg(name, start, count)
    else:
        state.moved.append(name)


def land(table: Table, name: str, to: str) -> Script[None]:
    """The end of a count: a capture or a battle if enemies stand there, then the flags (FLG-029, FLG-057)."""
    man = table.army.men[name]
    foes = standing_on(table.war, to)
    if foes and foes[0][0] != table.war.on_turn:
        won = yield from fight(table, name, to, foes)
        if not won:
            return
    man.at = to
    if man.kind == "C" and to in table.terrain.flag_squares and not table.war.winner:
        yield from handle_flags(table, man, table.terrain.flag_squares[to])


def fight(table: Table, name: str, to: str, foes: list[tuple[str, str, Man]]) -> Script[bool]:
    """A capture without dice or a dice battle; True if the attacker stands on the space now."""
    defenders = "".join(man.kind for _, _, man in foes)
    own = table.war.on_turn
    if not battle.needs_dice(defenders):
        capture(table, own, foes)
        return True
    attackers = table.attackers(name, to)
    ours = battle.strength("".join(man.kind for _, man in attackers), table.pieces)
    theirs = battle.strength(defenders, table.pieces)
    odds = battle.odds(ours, theirs)
    yield from announce(table, ours, theirs, foes, odds)
    rule = ("FLG-060", "FLG-063", "FLG-064", "FLG-065", "FLG-066", "FLG-067", "FLG-R35")
    attack = yield from strike(table, own, ours, rule)
    defence = yield from strike(table, foes[0][0], theirs, rule)
    if attack > defence:
        note(table, f"{attack} beats {defence}")
        capture(table, own, foes)
        return True
    if attack == defence:
        note(table, f"{attack} to {defence}: stand-off, {name} goes back")
        return False
    note(table, f"{attack} loses to {defence}")
    capture(table, foes[0][0], [(own, one, man) for one, man in attackers])
    return False


def announce(
    table: Table,
    ours: battle.Side,
    theirs: battle.Side,
    foes: list[tuple[str, str, Man]],
    odds: battle.Odds,
) -> Script[None]:
    """Who fights with what, and the chances, before any die is rolled."""
    whom = "+".join(name for _, name, _ in foes)
    other = SEAT_NAMES[foes[0][0]]
    yield from tell(table)
    yield from ask(
        Show(
            "flag_war.battle.odds",
            f"Battle! {table.general} {ours.words()} against {other} {whom} {theirs.words()}",
            f"wins {odds.win:.0%}, tie {odds.tie:.0%}, is captured {odds.loss:.0%}",
            rule=("FLG-057", "FLG-060", "FLG-065"),
        )
    )


def strike(table: Table, seat: str, side: battle.Side, rule: tuple[str, ...]) -> Script[int]:
    """The attack value of one side, its dice rolled for real."""
    if not side.dice:
        return side.fixed
    dice = yield from roll(
        table, "flag_war.battle.roll", f"{SEAT_NAMES[seat]} rolls {side.words()}", side.dice, rule
    )
    return side.fixed + sum(dice)


def capture(table: Table, captor: str, losers: list[tuple[str, str, Man]]) -> None:
    """Losers go to the captor's prison, their flags to the captor's flag square (FLG-068 to FLG-070)."""
    for seat, name, man in losers:
        man.at = prison(captor)
        note(table, f"{SEAT_NAMES[seat]} {name} to {SEAT_NAMES[captor]}'s prison")
        if man.flag:
            note(table, f"{SEAT_NAMES[man.flag]}'s flag to {SEAT_NAMES[captor]}")
            table.war.flags[captor].append(man.flag)
            man.flag = ""
    crown(table, captor)


def crown(table: Table, seat: str) -> None:
    """An army with all flags on its square has won, at once (FLG-081, FLG-085, FLG-R57)."""
    carried = any(man.flag for army in table.war.armies.values() for man in army.men.values())
    if not carried and not any(flags for base, flags in table.war.flags.items() if base != seat):
        table.war.winner = seat
        note(table, f"{SEAT_NAMES[seat]} wins the war")


def handle_flags(table: Table, man: Man, base: str) -> Script[None]:
    """A carrier on a flag square delivers at home or takes one flag abroad (FLG-082 to FLG-085)."""
    state = table.war
    if base == state.on_turn:
        if man.flag:
            state.flags[base].append(man.flag)
            note(table, f"{SEAT_NAMES[man.flag]}'s flag is home with {table.general}")
            man.flag = ""
            crown(table, base)
        return
    if man.flag or not state.flags[base]:
        return
    chosen = yield from which_flag(table, base)
    state.flags[base].remove(chosen)
    man.flag = chosen
    note(table, f"{table.general} takes {SEAT_NAMES[chosen]}'s flag")


def which_flag(table: Table, base: str) -> Script[str]:
    """The flag that a carrier takes, if there are several (FLG-R52, FLG-R53)."""
    flags = table.war.flags[base]
    while len(flags) > 1:
        question = Choose(
            "flag_war.flag.which",
            f"{table.general}: take which flag?",
            rule=("FLG-083", "FLG-R53"),
            options=tuple(Option(flag, SEAT_NAMES[flag]) for flag in SEATS if flag in flags),
        )
        chosen = yield from decide(table, question)
        if chosen is not None:
            return chosen
    return flags[0]


def tao_allowed(table: Table) -> bool:
    """A 1 and a 2, and nobody of the army in captivity (FLG-046 to FLG-048, FLG-R43)."""
    return sorted(table.war.dice) == [1, 2] and len(at_liberty(table.army)) == len(table.army.men)


def wants_tao(table: Table) -> Script[bool]:
    """The Tao is offered, not forced (FLG-051)."""
    question = Choose(
        "flag_war.tao.use",
        f"{table.general}: 1 and 2, use the Tao?",
        "every man may move 1, 2 or 3",
        rule=("FLG-046", "FLG-048", "FLG-051"),
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
    while not state.winner:
        question = which_man(table)
        if question.options == (DONE,):
            break
        chosen = yield from decide(table, question)
        if chosen == DONE.id:
            break
        if chosen is not None:
            state.in_hand = chosen
            yield from move_in_hand(table)
    state.tao = False


def rescue(table: Table) -> Script[bool]:
    """In place of the roll, one prisoner freed by a man before the prison (FLG-071 to FLG-080)."""
    while options := rescues(table):
        question = Choose(
            "flag_war.rescue.whom",
            f"{table.general}: free a prisoner or roll?",
            rule=("FLG-072", "FLG-073", "FLG-074", "FLG-075", "FLG-078"),
            options=(Option("roll", "Roll the dice"), *options),
        )
        chosen = yield from decide(table, question)
        if chosen == "roll":
            return False
        if chosen is not None:
            base, seat, name = chosen.split(":")
            yield from set_free(table, base, seat, name)
            return True
    return False


def set_free(table: Table, base: str, seat: str, name: str) -> Script[None]:
    """The freed man put on a dark square by the rescuer (FLG-076, FLG-079)."""
    to = None
    while to is None:
        squares = free_rescue_squares(table, base)
        question = Choose(
            "flag_war.rescue.where",
            f"{table.general}: put {SEAT_NAMES[seat]} {name} where?",
            rule=("FLG-076", "FLG-079", "FLG-080", "FLG-R49"),
            options=tuple(Option(square, square) for square in squares),
        )
        to = squares[0] if len(squares) == 1 else (yield from decide(table, question))
    table.war.armies[seat].men[name].at = to
    note(table, f"{SEAT_NAMES[seat]} {name} is free on {to}")


def note(table: Table, line: str) -> None:
    """Something to be told at the next stop."""
    table.war.news.append(line)


def tell(table: Table) -> Script[None]:
    """Everything noted since the last stop, in one go."""
    if table.war.news:
        text = "; ".join(table.war.news)
        table.war.news.clear()
        yield from ask(Show("flag_war.news", text, rule=("FLG-068", "FLG-069", "FLG-070", "FLG-083")))
