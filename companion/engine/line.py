"""The line of play: which journal entries hold now, after undo and redo.

The journal only grows. Folding its entries gives the line: answers and overrides in order, what was
undone and may be redone, and the physical dice that an undo took back (they lie on the table still).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from hashlib import blake2b
from itertools import islice, pairwise, takewhile

import msgspec

from companion.engine.asks import NONE
from companion.engine.clock import Stamp
from companion.engine.errors import BadAnswer, BadInput
from companion.engine.records import SOFTWARE
from companion.wording import asking, plain

FAULT = "fault"
"""Who takes an answer back that the game broke down after."""


class Act(StrEnum):
    """What a journal entry is."""

    ANSWER = "answer"
    OVERRIDE = "override"
    UNDO = "undo"
    REDO = "redo"


class Item(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that moves the game: an accepted answer, or values of the state set by hand.

    For an override `key` is the path and `answer` the value; of several set together, the paths, a line each,
    and a list of the values. `print` is the fingerprint of the ask.
    """

    act: Act
    kind: str
    key: str
    print: str
    answer: object
    by: str
    text: str = ""
    label: str = ""

    @classmethod
    def of_override(cls, changes: Mapping[str, object], label: str, by: str) -> Item:
        """Values set by hand, by their paths."""
        answer = [*changes.values()] if len(changes) > 1 else next(iter(changes.values()))
        text = f"set {' and '.join(changes)}"
        return cls(Act.OVERRIDE, "override", "\n".join(changes), "", answer, by, text, label)

    @property
    def changes(self) -> dict[str, object]:
        """Of an override, the values by their paths; `BadAnswer` where it can't be read."""
        paths = self.key.split("\n")
        values = self.answer if len(paths) > 1 else [self.answer]
        if not isinstance(values, list) or len(values) != len(paths):
            raise BadAnswer(f"{len(paths)} values were set, and others are kept")
        return dict(zip(paths, values, strict=True))

    @property
    def is_chance(self) -> bool:
        """Dice or cards, not a decision."""
        return self.kind in ("roll", "draw")

    @property
    def is_decision(self) -> bool:
        """What a person chose."""
        return self.act is Act.OVERRIDE or self.kind in ("choose", "pick", "number")

    @property
    def title(self) -> str:
        """What an undo of it would be called; the session may come from anybody.

        An answer that is no word of its own, such as 0 or none, comes with its question.
        """
        if self.is_chance or self.act is Act.OVERRIDE:
            return plain(self.text)
        if self.label and (self.label == NONE or not any(map(str.isalpha, self.label))):
            return plain(f"{asking(self.text)} {self.label}")
        return plain(self.label or self.text)


def stops(items: Sequence[Item]) -> Iterator[int]:
    """What undo goes back to, the last first: decisions, then real dice and cards that came before them all.

    They are looked for one by one, since of a long session only the last are mostly wanted.
    """
    first = len(items)
    for at in reversed(range(len(items))):
        if items[at].is_decision:
            first = at
            yield at
    yield from (at for at in reversed(range(first)) if items[at].is_chance and items[at].by != SOFTWARE)


class Line:
    """Answers and overrides that hold, in order."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self._undone: list[list[Item]] = []
        self._kept: dict[tuple[str, int], Item] = {}

    def push(self, item: Item) -> None:
        """Go on with `item`; a person's new answer gives up what could have been redone."""
        self.items.append(item)
        if item.by != SOFTWARE:
            self._undone.clear()

    def undo_to(self, steps: int) -> int:
        """How many items are left after going back `steps` of the stops; `BadAnswer` if there are none."""
        if steps < 1:
            raise BadAnswer("undo takes back 1 decision or more")
        known = [*islice(stops(self.items), min(steps, len(self.items)))]
        if not known:
            raise BadAnswer("nothing to undo")
        return known[-1]

    def back_to(self, length: int) -> str:
        """What going back to the first `length` items takes back, in words."""
        *more, first = takewhile(lambda at: at >= length, stops(self.items))
        title = self.items[first].title
        return f"{title} and {len(more)} more" if more else title

    def undo(self, length: int) -> None:
        """Keep the first `length` items; physical dice and cards of the rest stay on offer."""
        if not 0 <= length < len(self.items):
            raise BadInput(f"an undo back to {length} where there are {len(self.items)}")
        asked = Counter(item.key for item in self.items[:length] if item.is_chance)
        for item in self.items[length:]:
            if item.is_chance:
                if item.by != SOFTWARE:
                    self._kept[item.key, asked[item.key]] = item
                asked[item.key] += 1
        bounds = [len(self.items), *takewhile(lambda at: at > length, stops(self.items)), length]
        self._undone += [self.items[start:end] for end, start in pairwise(bounds)]
        del self.items[length:]

    def drop(self, length: int) -> None:
        """Keep the first `length` items for good: what a game broke down after is not offered again."""
        self.undo(length)
        self._undone.clear()

    @property
    def undone(self) -> list[Item]:
        """The decision that was undone last and what followed it; `BadAnswer` if there is none."""
        if not self._undone:
            raise BadAnswer("nothing to redo")
        return self._undone[-1]

    def redo(self) -> None:
        """Take up what was undone last; `BadAnswer` if there is nothing."""
        self.items += self.undone
        self._undone.pop()

    @property
    def undoable(self) -> str:
        """What the next undo takes back, in words; empty if nothing."""
        return next((self.items[at].title for at in stops(self.items)), "")

    @property
    def redoable(self) -> str:
        """What the next redo takes up again, in words; empty if nothing."""
        return self._undone[-1][0].title if self._undone else ""

    def kept(self, key: str, nth: int, fingerprint: str) -> Item | None:
        """The physical dice or cards that an undone line had for the same chance ask, if there are any."""
        item = self._kept.get((key, nth))
        return item if item is not None and item.print == fingerprint else None

    def kept_for(self, item: Item) -> Item | None:
        """The dice or cards that answered the same ask before an undo, as said then: they fell but once."""
        if not any(key == item.key for key, _ in self._kept):
            return None
        nth = sum(one.is_chance and one.key == item.key for one in self.items)
        return self.kept(item.key, nth, item.print)

    def follow(self, entry: Entry) -> None:
        """Take up the next entry of the journal; `BadInput` if it can't be."""
        match entry.act, entry.item:
            case Act.ANSWER | Act.OVERRIDE, Item() as item:
                self.push(item)
            case Act.UNDO, Item(by=by) if by == FAULT:
                self.drop(entry.length)
            case Act.UNDO, _:
                self.undo(entry.length)
            case Act.REDO, _:
                with suppress(BadAnswer):  # older companions journaled the redo of a fault, in vain
                    self.redo()
            case _:
                raise BadInput(f"entry {entry.seq} of {entry.session}: {entry.act} without its item")


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the journal: what happened, when, and a check over it and all before it.

    `item` is an answer or override, or says what an undo or redo was of; `length` is how many items an
    undo leaves.
    """

    session: str
    seq: int
    act: Act
    stamp: Stamp
    item: Item | None = None
    length: int = 0
    check: str = ""


def seal(entry: Entry, before: str) -> Entry:
    """The entry with its check, given the check of the entry before it (empty for the first).

    The check is over the entry as it will be read back: JSON knows fewer kinds of numbers than Python.
    """
    bare = msgspec.structs.replace(entry, check="")
    read_back = msgspec.json.decode(msgspec.json.encode(bare), type=Entry)
    digest = blake2b(before.encode() + msgspec.json.encode(read_back), digest_size=8)
    return msgspec.structs.replace(entry, check=digest.hexdigest())


def sound(entries: Iterable[Entry]) -> list[Entry]:
    """The longest beginning of `entries` in which nothing is missing or damaged."""
    good: list[Entry] = []
    before = ""
    for seq, entry in enumerate(entries, start=1):
        if entry.seq != seq or seal(entry, before).check != entry.check:
            break
        good.append(entry)
        before = entry.check
    return good


def last_turns(entries: Sequence[Entry]) -> list[int]:
    """Where the first and the last of the undos and redos are after which nobody has answered; mostly none.

    Where the last are redos, also the first of these: they may have been one. What software answers follows
    from them; what a game broke down after was never on the table.
    """
    newest_first: list[int] = []
    for at in reversed(range(len(entries))):
        by = item.by if (item := entries[at].item) else ""
        if entries[at].act in (Act.UNDO, Act.REDO) and by != FAULT:
            newest_first.append(at)
        elif by != SOFTWARE:
            break
    redos = [*takewhile(lambda at: entries[at].act is Act.REDO, newest_first)]
    return sorted({*newest_first[:1], *redos[-1:], *newest_first[-1:]})


def fold(entries: Iterable[Entry]) -> Line:
    """The line that a journal's entries leave."""
    line = Line()
    for entry in entries:
        line.follow(entry)
    return line
