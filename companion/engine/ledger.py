"""A game's rule ledger: every rule with its id, in the box's own words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TypeAlias

import msgspec

from companion.engine.errors import BadInput

_LOST_ICON = re.compile(r" \((\w+ )?icon lost\b[^)]*\)")
"""Our note on an icon that the rulebook's text left out: for who checks the ledger, not for who plays."""
_MEND = "the rules can't be cited: install what the game came with again"
_SHORT = re.compile(r"\(([A-Z]{2,})\)$")
"""How a term that is abbreviated ends: `Success Level (SL)`."""


class Rule(msgspec.Struct, frozen=True):
    """One rule and worked examples of it; `source` where it is not the game's own rulebook."""

    id: str
    section: str
    says: str
    examples: tuple[str, ...] = ()
    source: str = ""

    @property
    def words(self) -> str:
        """What a person wants to read of it: without our note on a lost icon."""
        return _LOST_ICON.sub("", self.says)


class Ruling(msgspec.Struct, frozen=True):
    """How this project reads what a rulebook leaves unclear, and why."""

    id: str
    question: str
    ruling: str
    why: str
    confidence: str = ""

    @property
    def words(self) -> str:
        """What a person wants to read of it: the question too, since a ruling may be no more than "No."."""
        return f"{self.question}{'' if self.question.endswith(('?', '.')) else ':'} {self.ruling}"


class Fact(msgspec.Struct, frozen=True):
    """Something printed on a component, with where that is known from."""

    id: str
    subject: str
    says: str
    source: str

    @property
    def words(self) -> str:
        """What a person wants to read of it."""
        return self.says


class Gap(msgspec.Struct, frozen=True):
    """What no rulebook prints and only the owner of the game can know."""

    id: str
    missing: str
    found: str
    needed_for: str

    @property
    def words(self) -> str:
        """What a person wants to read of it: also that it is missing, and what little is known."""
        return f"Missing: {self.missing.rstrip('.')}. Found: {self.found}"


class Term(msgspec.Struct, frozen=True):
    """A word of the rulebook and what it means."""

    id: str
    name: str
    definition: str

    @property
    def words(self) -> str:
        """What a person wants to read of it."""
        return f"{self.name}: {self.definition}"

    def shortens(self, words: str) -> bool:
        """Whether its abbreviation, if it has one, stands among the words."""
        short = _SHORT.search(self.name)
        return bool(short and re.search(rf"\b{short[1]}\b", words))


class Table(msgspec.Struct, frozen=True):
    """A table of the rulebook, or one that follows from its rules; each row by column."""

    id: str
    name: str
    rows: tuple[dict[str, str | int | bool], ...]
    note: str = ""

    @property
    def words(self) -> str:
        """What a person wants to read of it."""
        return f"{self.name} ({self.note})" if self.note else self.name

    @property
    def lines(self) -> list[str]:
        """Its rows, one after the other."""
        said = {True: "yes", False: "no"}
        return [
            ", ".join(
                f"{column.replace('_', ' ')} {said[value] if isinstance(value, bool) else value}"
                for column, value in row.items()
            )
            for row in self.rows
        ]


Entry: TypeAlias = Rule | Ruling | Fact | Gap | Term | Table


class Ledger(msgspec.Struct, frozen=True):
    """Rules, rulings, facts, gaps, terms and tables of one game."""

    game: str
    title: str
    prefix: str
    rule: tuple[Rule, ...]
    ruling: tuple[Ruling, ...] = ()
    fact: tuple[Fact, ...] = ()
    gap: tuple[Gap, ...] = ()
    term: tuple[Term, ...] = ()
    table: tuple[Table, ...] = ()

    def __iter__(self) -> Iterator[Entry]:
        """Everything that has an id."""
        return chain(self.rule, self.ruling, self.fact, self.gap, self.term, self.table)

    def why(self, ids: Iterable[str]) -> list[Entry]:
        """What lies behind an ask, in the order of `ids`, then the terms that it abbreviates.

        Unknown ids are left out.
        """
        known = {entry.id: entry for entry in self}
        told = [known[one] for one in ids if one in known]
        for entry in told:  # which a term's own words may lengthen
            told += [term for term in self.term if term not in told and term.shortens(entry.words)]
        return told

    def search(self, word: str) -> list[Entry]:
        """What has the id `word`, also without prefix and leading noughts; else all whose words hold it.

        Several words that stand nowhere side by side are looked for one by one.
        """
        wanted = _short(f"{self.prefix}-{word.strip().upper().removeprefix(self.prefix + '-')}")
        exact = [entry for entry in self if _short(entry.id) == wanted]
        return exact or self._holding([word]) or self._holding(word.split() or [word])

    def _holding(self, words: list[str]) -> list[Entry]:
        said = ((entry, _words(entry).lower()) for entry in self)
        return [entry for entry, text in said if all(word.lower() in text for word in words)]


def _short(name: str) -> str:
    """An id without its leading noughts: OKI-67, OKI-R5."""
    return re.sub(r"(?<=\D)0+(?=\d)", "", name)


def _words(entry: Entry) -> str:
    return " ".join(str(value) for value in msgspec.structs.astuple(entry))


def load(path: Path) -> Ledger:
    """Read a game's `ledger.toml`; raises `BadInput` with file, reason and what to do."""
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Ledger)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}; {_MEND}") from error
    except ValueError as error:  # also bytes that are no text, as on a failing card
        raise BadInput(f"{path}: {error}; {_MEND}") from error
