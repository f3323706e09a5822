"""The end of a count: captures, dice battles and flags (FLG-056 to FLG-070, FLG-081 to FLG-085)."""

from __future__ import annotations

from companion.engine.asks import Choose, Option, Script, Show, ask
from companion.games.flag_war import battle
from companion.games.flag_war.asking import decide, note, roll, tell
from companion.games.flag_war.pack import SEAT_NAMES, SEATS
from companion.games.flag_war.state import Man, standing_on
from companion.games.flag_war.table import Table
from companion.games.flag_war.terrain import prison
from companion.wording import counted, percent


def land(table: Table, name: str, to: str, *, held: bool) -> Script[None]:
    """The end of a count: a fight if enemies hold the space, then the flags (FLG-029, FLG-057)."""
    man = table.army.men[name]
    if held:
        won = yield from fight(table, name, to, standing_on(table.war, to))
        if not won:
            return
    man.at = to
    if man.kind == "C" and to in table.terrain.flag_squares and not table.war.winner:
        yield from handle_flags(table, name, table.terrain.flag_squares[to])


def fight(table: Table, name: str, to: str, foes: list[tuple[str, str, Man]]) -> Script[bool]:
    """A capture without dice or a dice battle; True if the attacker stands on the space now."""
    own = table.war.on_turn
    sides = table.sides(name, to)
    if sides is None:
        capture(table, own, foes, "FLG-058" if foes[0][2].kind == "P" else "FLG-059")
        return True
    ours, theirs = sides
    attackers = table.attackers(name, to)
    who = "+".join(one for one, _ in attackers)
    yield from announce(table, f"{who} ({ours.words()})", theirs, foes, battle.odds(ours, theirs))
    rule = ("FLG-060", "FLG-063", "FLG-064", "FLG-065", "FLG-066", "FLG-067", "FLG-R35")
    attack = yield from strike(table, own, ours, rule)
    defence = yield from strike(table, foes[0][0], theirs, rule)
    if attack > defence:
        note(table, f"{attack} beats {defence}", "FLG-067")
        capture(table, own, foes, "FLG-045" if len(foes) > 1 else "FLG-068")
        return True
    if attack == defence:
        home = table.army.men[name].at
        note(table, f"{attack} to {defence}: a tie, {table.general} {name} back to {home}", "FLG-R35")
        return False
    note(table, f"{attack} loses to {defence}", "FLG-067")
    capture(table, foes[0][0], [(own, one, man) for one, man in attackers], "FLG-068")
    return False


def announce(
    table: Table,
    ours: str,
    theirs: battle.Side,
    foes: list[tuple[str, str, Man]],
    odds: battle.Odds,
) -> Script[None]:
    """Who fights with what, and the chances, before any die is rolled."""
    whom = "+".join(name for _, name, _ in foes)
    other = SEAT_NAMES[foes[0][0]]
    win, tie, loss = map(percent, odds)
    yield from tell(table)
    yield from ask(
        Show(
            "flag_war.battle.odds",
            f"Battle! {table.general} {ours} against {other} {whom} ({theirs.words()})",
            f"wins {win}, ties and goes back {tie}, is captured {loss}",
            rule=("FLG-057", "FLG-060", "FLG-065"),
        )
    )


def strike(table: Table, seat: str, side: battle.Side, rule: tuple[str, ...]) -> Script[int]:
    """The attack value of one side, its dice rolled for real."""
    if not side.dice:
        return side.fixed
    plus = f", plus {side.fixed}" if side.fixed else ""
    text = f"{SEAT_NAMES[seat]} rolls {counted(side.dice, 'die', 'dice')}{plus}"
    dice = yield from roll(table, "flag_war.battle.roll", text, side.dice, rule)
    return side.fixed + sum(dice)


def capture(table: Table, captor: str, losers: list[tuple[str, str, Man]], rule: str) -> None:
    """By `rule` losers go to the captor's prison, their flags to its flag square (FLG-069, FLG-070)."""
    for seat, name, man in losers:
        man.at = prison(captor)
        note(table, f"{SEAT_NAMES[seat]} {name} to {SEAT_NAMES[captor]}'s prison", rule, "FLG-069")
        if man.flag:
            note(table, f"{SEAT_NAMES[man.flag]}'s flag to {SEAT_NAMES[captor]}'s flag square", "FLG-070")
            table.war.flags[captor].append(man.flag)
            man.flag = ""
    crown(table, captor, "FLG-R57")


def crown(table: Table, seat: str, rule: str) -> None:
    """An army with all flags on its square has won by this `rule`, at once (FLG-081, FLG-085, FLG-R57)."""
    if not table.war.winner and holds_all(table, seat):
        table.war.winner = seat
        note(table, f"{SEAT_NAMES[seat]} wins the war", rule)


def holds_all(table: Table, seat: str) -> bool:
    """Whether every flag lies on that army's square (FLG-081)."""
    carried = any(man.flag for army in table.war.armies.values() for man in army.men.values())
    return not carried and not any(flags for base, flags in table.war.flags.items() if base != seat)


def handle_flags(table: Table, name: str, base: str) -> Script[None]:
    """A carrier on a flag square delivers at home or takes one flag abroad (FLG-082 to FLG-085)."""
    state, man = table.war, table.army.men[name]
    if base == state.on_turn:
        if man.flag:
            state.flags[base].append(man.flag)
            note(table, f"{SEAT_NAMES[man.flag]}'s flag onto {table.general}'s flag square", "FLG-084")
            man.flag = ""
            crown(table, base, "FLG-085")
        return
    if man.flag or not state.flags[base]:
        return
    chosen = yield from which_flag(table, base)
    if not chosen:
        return
    state.flags[base].remove(chosen)
    man.flag = chosen
    note(table, f"{table.general} {name} takes {SEAT_NAMES[chosen]}'s flag along", "FLG-083")


def which_flag(table: Table, base: str) -> Script[str]:
    """The flag that a carrier takes, asked if there are several (FLG-R52, FLG-R53).

    Empty if an override has taken all away meanwhile.
    """
    while len(flags := table.war.flags[base]) > 1:
        question = Choose(
            "flag_war.flag.which",
            f"{table.general}: take which flag?",
            rule=("FLG-083", "FLG-R53"),
            options=tuple(Option(flag, SEAT_NAMES[flag]) for flag in SEATS if flag in flags),
        )
        chosen = yield from decide(table, question)
        if chosen is not None:
            return chosen
    return flags[0] if flags else ""
