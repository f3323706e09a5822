"""Random numbers: chits from a cup, or dice in their place (chapters 2.3 and 9.3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from companion.engine.asks import Choose, Dice, Draw, Option, Roll, Script, ask
from companion.games.space_infantry.pack import CHITS, CUP_SIZE, PLUS
from companion.games.space_infantry.table import Numbers, Table
from companion.wording import counted

FACES = ("1", "2", "3", "4", "5", "6")
_CHITS = tuple(Option(face, face) for face in CHITS)
_EMPTY = "if the cup is empty: first put back the chits that lie on no unit, if there are none all of them"
_EMPTY_AGAIN = "if the cup is empty: first put back all chits"


def numbers(
    table: Table,
    key: str,
    text: str,
    count: int,
    rule: tuple[str, ...],
    *,
    lying: bool = False,
    names: Sequence[str] = (),
    told: str = "",
) -> Script[list[int]]:
    """`count` random numbers; `lying` chits stay on units until `return_chits` (SPI-R03).

    `names` say whose each of them is, if that is to be told. `told` is what has to be done before, for who
    makes a single number by hand.
    """
    detail = "" if lying else _single(table, count, told)
    match table.rules.numbers:
        case Numbers.DICE:
            throw = Roll(key, text, told, rule, settled="" if told else None)
            faces = yield from _thrown(table, throw, count, names)
            return [int(face) for face in faces]
        case Numbers.CUP:
            blank = Draw(key, text, detail, rule, deck="cup")
            return (yield from _from_cup(table, blank, count, names, lying=lying))
        case Numbers.TYPED:
            question = Choose(key, text, detail, rule, _CHITS)
            return (yield from _typed(table, question, count, names, lying=lying))


def _single(table: Table, count: int, told: str) -> str:
    """What is to be in the cup as chits are drawn that go back at once, in words (SPI-R03).

    What is `told` says so of the chits of this turn.
    """
    units = told or ("" if table.op.fight else "with no chit left on a unit")
    return "; ".join(filter(None, (units, "each goes back before the next" if count > 1 else "")))


def in_kind(table: Table, many: int) -> str:
    """How many random numbers are wanted, as what the table makes them with: `1 die` or `2 chits`."""
    if table.rules.numbers is Numbers.DICE:
        return counted(many, "die", "dice")
    return counted(many, "chit")


def in_order(names: Sequence[str]) -> Sequence[str]:
    """Whose each number is, where they are not all of one kind."""
    return names if len(set(names)) > 1 else ()


def tell_zeros(table: Table, key: str, values: list[int], names: Sequence[str] = ()) -> Script[list[int]]:
    """With dice and where 0 and 1 differ, natural ones are rolled again: 1 or 2 is a 0 (SPI-181, SPI-R67)."""
    ones = [at for at, value in enumerate(values) if value == 1]
    if table.rules.numbers is not Numbers.DICE or not ones:
        return values
    blank = Roll(f"{key}.zero", f"{counted(len(ones), 'natural 1')}: roll again, 1-2 is 0", rule=("SPI-181",))
    again = iter((yield from _thrown(table, blank, len(ones), names and [names[at] for at in ones])))
    return [int(next(again) not in {"1", "2"}) if value == 1 else value for value in values]


def number(
    table: Table, key: str, text: str, rule: tuple[str, ...], *, zero: bool = False, told: str = ""
) -> Script[int]:
    """One random number; `zero` where 0 and 1 have to be told apart, `told` what has to be done before."""
    values = yield from numbers(table, key, text, 1, rule, told=told)
    if zero:
        values = yield from tell_zeros(table, key, values)
    return values[0]


def _thrown(table: Table, blank: Roll, count: int, names: Sequence[str]) -> Script[list[str]]:
    """Dice for `count` numbers, in as many throws as it takes with the dice that there are (SPI-180)."""
    most = table.rules.dice or count
    faces: list[str] = []
    while len(faces) < count:
        first, last = len(faces) + 1, min(len(faces) + most, count)
        text, detail = blank.text, ", ".join(names[first - 1 : last]) or blank.detail
        if most < count:
            text += f": {first} of {count}" if first == last else f": {first} to {last} of {count}"
        dice = Dice("d6", last - first + 1, FACES)
        faces += yield from ask(msgspec.structs.replace(blank, text=text, detail=detail, dice=(dice,)))
    return faces


def return_chits(table: Table) -> None:
    """All chits that lay on units go back into the cup (SPI-R03)."""
    campaign = table.campaign
    for face, many in campaign.lying.items() if campaign.cup else ():
        campaign.cup[face] += many
    campaign.lying.clear()


def _from_cup(
    table: Table, blank: Draw, count: int, names: Sequence[str], *, lying: bool
) -> Script[list[int]]:
    """Chits without replacement; each + stands for two more (SPI-026, SPI-027, SPI-R02, SPI-R03).

    Chits for units are drawn together; single draws one by one, each back in the cup before the next.
    `blank` is the ask but for what is in the cup and whose chits they are.
    """
    if lying:
        return (yield from _chits(table, blank, count, names, lying=True))
    totals: list[int] = []
    for at in range(count):
        text = blank.text if count == 1 else f"{blank.text}: {at + 1} of {count}"
        single = msgspec.structs.replace(blank, text=text)
        totals += yield from _chits(table, single, 1, names[at : at + 1], lying=False)
    return totals


def _chits(table: Table, blank: Draw, count: int, names: Sequence[str], *, lying: bool) -> Script[list[int]]:
    cup, on_units = table.campaign.cup, table.campaign.lying
    totals = [0] * count
    aside: list[str] = []
    waiting = list(range(count))
    refilled = again = False
    while waiting:
        back = ""
        if not any(cup.values()):
            # First the chits that lie on no unit go back; the second time, their numbers noted, all others.
            _put_back(table, aside)
            back = "first put back the chits that lie on no unit"
            if refilled or not any(cup.values()):
                return_chits(table)
                back = "first put back all chits"
            refilled = True
        # Of what lies on units each + stays out until its two more are drawn, and no longer.
        plus = "afterwards each + goes back into the cup" if lying and aside else ""
        whose = [names[owner] for owner in waiting] if names else []
        drawn = yield from ask(partial(_draw, table, blank, len(waiting), whose, (back, plus), again=again))
        again = True
        owners, waiting = waiting[: len(drawn)], waiting[len(drawn) :]
        for owner, face in zip(owners, drawn, strict=True):
            cup[face] -= 1
            if face == PLUS:
                waiting += [owner, owner]
                aside.append(face)
            else:
                totals[owner] += int(face)
                if lying:
                    on_units[face] = on_units.get(face, 0) + 1
                else:
                    aside.append(face)
    _put_back(table, aside)
    return totals


def _draw(
    table: Table, blank: Draw, many: int, whose: Sequence[str], hints: tuple[str, str], *, again: bool
) -> Draw:
    """As many chits as are wanted and the cup holds now; what is drawn `again` is for a + or an empty cup."""
    cup = table.campaign.cup
    count = min(many, sum(cup.values()))
    text = f"{blank.text}: {count} more" if again else blank.text
    back, plus = hints
    detail = "; ".join(filter(None, (back, ", ".join(whose[:count]), blank.detail, plus)))
    options = tuple(Option(face, face, copies=left) for face, left in cup.items() if left)
    return msgspec.structs.replace(blank, text=text, detail=detail, count=count, options=options)


def _put_back(table: Table, chits: list[str]) -> None:
    for face in chits:
        table.campaign.cup[face] += 1
    chits.clear()


def _typed(
    table: Table, question: Choose, count: int, names: Sequence[str], *, lying: bool
) -> Script[list[int]]:
    """The player draws from a real cup and says what came; by then it may be empty (SPI-R02)."""
    on_units = table.campaign.lying
    totals = []
    refilled = False
    for at in range(1, count + 1):
        text = question.text if count == 1 else f"{question.text}: {at} of {count}"
        whose = (*names[at - 1 : at], question.detail)
        words, total, left, aside = text, 0, 1, 0
        while left:
            back = ""
            if sum(on_units.values()) + aside >= CUP_SIZE:
                # Each + lies on no unit either; the second time, their numbers noted, all others go back.
                loose = on_units.pop(PLUS, 0) + aside
                if refilled or not loose:
                    on_units.clear()
                back, refilled, aside = _EMPTY_AGAIN if refilled else _EMPTY, True, 0
            detail = "; ".join(filter(None, (back, *whose)))
            face = yield from ask(msgspec.structs.replace(question, text=words, detail=detail))
            if lying:
                on_units[face] = on_units.get(face, 0) + 1
            else:
                aside += 1
            left += 1 if face == PLUS else -1
            total += 0 if face == PLUS else int(face)
            words = f"{text}, {left} more for +"
        totals.append(total)
    return totals
