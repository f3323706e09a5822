"""Random numbers: chits from a cup, or dice in their place (chapters 2.3 and 9.3)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.engine.asks import Choose, Dice, Draw, Option, Roll, Script, ask
from companion.games.space_infantry.pack import CHITS
from companion.games.space_infantry.table import Numbers, Table

FACES = ("1", "2", "3", "4", "5", "6")
_DICE = tuple((Dice("d6", count, FACES),) for count in range(100))
_CHITS = tuple(Option(face, face) for face in CHITS)
PLUS = "+"


def numbers(
    table: Table,
    key: str,
    text: str,
    count: int,
    rule: tuple[str, ...],
    *,
    lying: bool = False,
    detail: str = "",
) -> Script[list[int]]:
    """`count` random numbers; `lying` chits stay on units until `return_chits` (SPI-R03)."""
    match table.rules.numbers:
        case Numbers.DICE:
            faces = yield from _thrown(table, Roll(key, text, detail, rule), count)
            return [int(face) for face in faces]
        case Numbers.CUP:
            blank = Draw(key, text, detail, rule, deck="cup")
            return (yield from _from_cup(table, blank, count, lying=lying))
        case Numbers.TYPED:
            return (yield from _typed(Choose(key, text, detail, rule, options=_CHITS), count))


def in_order(names: Sequence[str]) -> str:
    """Whose each number is, where they are not all of one kind."""
    return ", ".join(names) if len(set(names)) > 1 else ""


def tell_zeros(table: Table, key: str, values: list[int]) -> Script[list[int]]:
    """With dice and where 0 and 1 differ, natural ones are rolled again: 1 or 2 is a 0 (SPI-181, SPI-R67)."""
    ones = values.count(1)
    if table.rules.numbers is not Numbers.DICE or not ones:
        return values
    text = f"{ones} natural 1: roll again, 1-2 is 0"
    again = iter((yield from _thrown(table, Roll(f"{key}.zero", text, rule=("SPI-181",)), ones)))
    return [int(next(again) not in {"1", "2"}) if value == 1 else value for value in values]


def number(table: Table, key: str, text: str, rule: tuple[str, ...], *, zero: bool = False) -> Script[int]:
    """One random number; `zero` where 0 and 1 have to be told apart."""
    values = yield from numbers(table, key, text, 1, rule)
    if zero:
        values = yield from tell_zeros(table, key, values)
    return values[0]


def _thrown(table: Table, blank: Roll, count: int) -> Script[list[str]]:
    """Dice for `count` numbers, in as many throws as it takes with the dice that there are (SPI-180)."""
    most = table.rules.dice or count
    faces: list[str] = []
    while len(faces) < count:
        first, last = len(faces) + 1, min(len(faces) + most, count)
        text, detail = blank.text, blank.detail
        if most < count:
            text += f": {first} of {count}" if first == last else f": {first} to {last} of {count}"
            detail = ", ".join(detail.split(", ")[first - 1 : last])
        throw = msgspec.structs.replace(blank, text=text, detail=detail, dice=_DICE[last - first + 1])
        faces += yield from ask(throw)
    return faces


def return_chits(table: Table) -> None:
    """All chits that lay on units go back into the cup (SPI-R03)."""
    campaign = table.campaign
    for face, many in campaign.lying.items():
        campaign.cup[face] += many
    campaign.lying.clear()


def _from_cup(table: Table, blank: Draw, count: int, *, lying: bool) -> Script[list[int]]:
    """Chits without replacement; each + stands for two more (SPI-026, SPI-027, SPI-R02, SPI-R03).

    Chits for units are drawn together; single draws one by one, each back in the cup before the next.
    `blank` is the ask but for what is in the cup.
    """
    if lying:
        return (yield from _chits(table, blank, count, lying=True))
    totals: list[int] = []
    for at in range(count):
        one = msgspec.structs.replace(blank, detail=_whose(blank, [at]))
        totals += yield from _chits(table, one, 1, lying=False)
    return totals


def _chits(table: Table, blank: Draw, count: int, *, lying: bool) -> Script[list[int]]:
    cup, on_units = table.campaign.cup, table.campaign.lying
    totals = [0] * count
    aside: list[str] = []
    waiting = list(range(count))
    refilled = again = False
    while waiting:
        if not any(cup.values()):
            # First the chits that lie on no unit go back; the second time, their numbers noted, all others.
            _put_back(table, aside)
            if refilled or not any(cup.values()):
                return_chits(table)
            refilled = True
        owners = waiting[: sum(cup.values())]
        options = tuple(Option(face, face, copies=many) for face, many in cup.items() if many)
        words = _more_words(blank, owners) if again else blank
        drawn = yield from ask(msgspec.structs.replace(words, count=len(owners), options=options))
        again = True
        waiting = waiting[len(owners) :]
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


def _more_words(blank: Draw, owners: list[int]) -> Draw:
    """The words for chits that are drawn after others, for a + or from a cup that was empty."""
    return msgspec.structs.replace(
        blank, text=f"{blank.text}: {len(owners)} more", detail=_whose(blank, owners)
    )


def _whose(blank: Draw, owners: list[int]) -> str:
    """Who of those that the detail names gets these chits."""
    names = blank.detail.split(", ")
    return ", ".join(names[owner] for owner in owners) if blank.detail else ""


def _put_back(table: Table, chits: list[str]) -> None:
    for face in chits:
        table.campaign.cup[face] += 1
    chits.clear()


def _typed(question: Choose, count: int) -> Script[list[int]]:
    """The player draws from a real cup and says what came."""
    totals = []
    for at in range(1, count + 1):
        text = question.text if count == 1 else f"{question.text}: {at} of {count}"
        words, total, left = text, 0, 1
        while left:
            face = yield from ask(msgspec.structs.replace(question, text=words))
            left += 1 if face == PLUS else -1
            total += 0 if face == PLUS else int(face)
            words = f"{text}, {left} more for +"
        totals.append(total)
    return totals
