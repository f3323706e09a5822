"""How numbers of things are said to people, how a sentence begins, where a line ends, what others wrote."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping

_TURNING = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Unicode's marks that let what follows run from right to left, as if a name or a file were another."""
_CONTROLS = {code: " " for code in (*range(32), *range(127, 160), *_TURNING) if chr(code) not in "\t\n"}

CERTAIN = 1 - 1e-9
"""A chance from here on is 1, as sums of fractions go."""

BOUND = "\N{NO-BREAK SPACE}"
"""Where a line must not end."""


def counted(many: int, word: str, several: str = "") -> str:
    """Such as `1 wound` and `2 wounds`; with `several`, `2 dice`."""
    return f"{many} {word}" if many == 1 else f"{many} {several or word + 's'}"


def percent(share: float) -> str:
    """In whole per cent: what is nearly nothing, or nearly all, is not told as nothing or all.

    >>> percent(0.0), percent(0.002), percent(0.625), percent(0.998), percent(1.0)
    ('0%', '1%', '62%', '99%', '100%')
    """
    return f"{min(max(share, 0.01), 0.99) if 0 < share < CERTAIN else share:.0%}"


def scored(score: Mapping[str, int]) -> str:
    """A score in a line: `health 3, turns 5`; a name with a number at its end keeps apart, `Assault 1: 2`.

    >>> scored({"turns": 5, "Assault 1": 2})
    'turns 5, Assault 1: 2'
    """
    return ", ".join(f"{name}{':' * name[-1:].isdecimal()} {value}" for name, value in score.items())


def kind_name(die: str) -> str:
    """A kind of dice without its game: `action` for `okinawa.action`."""
    return die.rpartition(".")[2]


def die_name(kind: str) -> str:
    """What a person calls a kind of die.

    >>> die_name("okinawa.action"), die_name("okinawa.d10")
    ('action die', 'd10')
    """
    name = kind_name(kind)
    return name if name[1:].isdecimal() else f"{name} die"


def begun(words: str) -> str:
    """The same with a capital, as a sentence begins; what follows stays as it is."""
    return words[:1].upper() + words[1:]


def on_a_line(text: str) -> str:
    """Lines below each other as one.

    >>> on_a_line("A: 2 lost\\nB: 1 lost")
    'A: 2 lost; B: 1 lost'
    """
    return "; ".join(text.splitlines())


def asking(text: str) -> str:
    """What was asked, on a line, as the answer is put behind it.

    >>> asking("Which way?"), asking("Roll 1"), asking("Roll again:"), asking("It is hit.")
    ('Which way?', 'Roll 1:', 'Roll again:', 'It is hit:')
    """
    words = on_a_line(text).rstrip(":.")
    return words if words.endswith("?") else f"{words}:"


_SIGNS = re.compile(r"\b[A-Z](?: [A-Z\d][A-Za-z])+\b")


def grouped(text: str) -> str:
    """The text with a letter and the signs of two behind it held together, as dice of a colour: R Sk 2S."""
    return _SIGNS.sub(lambda group: group[0].replace(" ", BOUND), text)


def fitted(text: str, columns: int) -> str:
    """The same where no line is longer, as far as words allow: the rest of one goes on below, further in.

    No-break spaces hold words together, and become plain ones. So do the dice of a colour.

    >>> print(fitted("Space 2:\\n  A Rifle Squad", 10))
    Space 2:
      A Rifle
        Squad
    >>> print(fitted("Rolled: R Sk 2S W St Co", 13))
    Rolled:
      R Sk 2S
      W St Co
    """
    lines = []
    for line in grouped(text).split("\n"):
        below = " " * (len(line) - len(line.lstrip()) + 2)
        lines += textwrap.wrap(
            line, columns, subsequent_indent=below, break_long_words=False, break_on_hyphens=False
        ) or [""]
    return "\n".join(lines).replace(BOUND, " ")


def plain(text: str) -> str:
    """Text that may come from anybody: characters that a terminal would obey are blanks.

    >>> plain("red \\x1b[31m"), plain("\\u202egpj.exe")
    ('red  [31m', ' gpj.exe')
    """
    return text.translate(_CONTROLS)


def plain_throughout(value: object) -> object:
    """The same of all texts in JSON or TOML builtins, names among them."""
    match value:
        case str():
            return plain(value)
        case dict():
            return {plain_throughout(name): plain_throughout(inner) for name, inner in value.items()}
        case list():
            return [plain_throughout(inner) for inner in value]
    return value
