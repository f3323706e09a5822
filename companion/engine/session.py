"""A session: one play over one journal.

    ask -> front end -> answer -> validate -> journal (synced to disk) -> script

Asks are numbered by the journal, so a number is never used twice: an answer to an ask that is gone
(a second press, a late tap) is a `StaleAnswer` and changes nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import Self

import msgspec

import companion
from companion.engine.asks import AnyAsk, Draw, Roll
from companion.engine.beginning import packed, setup_again, start_again
from companion.engine.clock import Clock, Stamp, local, system
from companion.engine.errors import (
    BadAnswer,
    BrokenTable,
    CompanionError,
    GameFault,
    JournalError,
    NoAnswer,
    ReplayMismatch,
    StaleAnswer,
)
from companion.engine.game import Board, Game, Outcome, Play, Result, Setup, setup
from companion.engine.journal import Journal
from companion.engine.line import FAULT, Act, Entry, Item, Line, fold, last_turns, seal
from companion.engine.override import in_words, refusal, stumble, value_at
from companion.engine.packs import Merged, build
from companion.engine.records import SOFTWARE, Meta, RolledDie, blob_name
from companion.engine.run import Run
from companion.wording import plain

LIE_THERE = 3
"""Rolls of which dice may lie in the tray yet: some are locked, or stay while others are rolled."""

_LATER = "set it at another question, such as after an undo"
_MEND = "set right by hand what is missing, or undo"


class Said(msgspec.Struct, frozen=True):
    """An answer that was applied: of which ask, by whom."""

    n: int
    ask: AnyAsk
    answer: object
    by: str


class Evidence(msgspec.Struct, frozen=True):
    """How dice were read: one record a die in the order of the answer, and the pictures they name."""

    dice: tuple[RolledDie, ...]
    photos: tuple[bytes, ...] = ()


class Wish(msgspec.Struct, frozen=True):
    """How somebody wants to play: what `Session.create` needs beside game and packs.

    `dice` and `cards` are `software`, or anything else if the table answers for them.
    """

    settings: Mapping[str, str] = msgspec.field(default_factory=dict)
    scenario: str = ""
    seed: int | None = None
    dice: str = SOFTWARE
    cards: str = SOFTWARE


class Session:
    """One play over one journal; give it a lock of its own if threads share it.

    `ask` is the open ask (None when the game is over: see `outcome`) and `n` its number.
    """

    def __init__(self, journal: Journal, game: Game, meta: Meta, clock: Clock = system) -> None:
        self.journal = journal
        self.game = game
        self._clock = clock
        self._news: list[Said] = []
        self._unwritten: list[tuple[Entry, Sequence[RolledDie]]] = []
        with ExitStack() as stack:
            stack.enter_context(journal.hold(meta.id))
            self.meta = meta = journal.head(meta.id) or meta  # it may have gone on elsewhere till now
            entries = journal.entries(meta.id)
            self._seq, self._check = len(entries), entries[-1].check if entries else ""
            self._stamp = entries[-1].stamp if entries else None
            self._line = fold(entries)
            self._before_turns = [fold(entries[:at]) for at in last_turns(entries)]
            self._setup = setup_again(journal, game, meta)
            undone = not entries or entries[-1].act is Act.UNDO  # the head may not say so yet
            self._begin(is_over=not undone and meta.outcome in list(Result))
            self._held = stack.pop_all()

    @classmethod
    def create(
        cls, journal: Journal, game: Game, packs: Merged, wish: Wish | None = None, clock: Clock = system
    ) -> Self:
        """Begin a session; `BadInput` or `PackError` if it can't be set up as wished."""
        wish = wish or Wish()
        stamp = clock()
        start, data = cls.prepared(game, packs, wish)
        meta = Meta(
            id=_new_id(journal, game, stamp),
            game=game.name,
            created=stamp.wall,
            seed=secrets.randbits(32) if wish.seed is None else wish.seed,
            pack=blob_name(data),
            settings=dict(start.settings),
            scenario=start.scenario,
            dice=wish.dice,
            cards=wish.cards,
            version=companion.__version__,
            synced=stamp.synced,
            packs=tuple(sorted({file.parent.name for file in packs.origin.values()})),
        )
        journal.begin(meta, data)
        return cls(journal, game, meta, clock)

    @staticmethod
    def prepared(game: Game, packs: Merged, wish: Wish) -> tuple[Setup, bytes]:
        """What a session starts from, and its packs as they are kept; raises as `create` does."""
        start = setup(game, build(packs, game.pack_type), wish.settings, wish.scenario)
        data = packed(packs)
        game.start(start)
        return start, data

    @classmethod
    def resume(cls, journal: Journal, game: Game, name: str, clock: Clock = system) -> Self:
        """Go on with a session at the ask that was open.

        Raises `ReplayMismatch` if the rules have changed under it and `SessionBusy` if another process
        plays it; every entry is kept in both cases.
        """
        return cls(journal, game, journal.session(name), clock)

    def close(self) -> None:
        """Write what is not written yet and let others play the session."""
        try:
            self._note_outcome()
            self._commit()
        finally:
            self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What is on the table

    @property
    def ask(self) -> AnyAsk | None:
        """The open ask; None when the game is over."""
        return self._run.ask

    @property
    def n(self) -> int:
        """The number of the open ask."""
        return self._seq + 1

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self._run.outcome

    @property
    def play(self) -> Play:
        """The play, to look at; only the session moves it."""
        return self._run.play

    @property
    def state(self) -> object:
        """The whole state as JSON builtins."""
        return msgspec.to_builtins(self.play.state, str_keys=True)

    @property
    def history(self) -> Sequence[Item]:
        """The answers and overrides that hold, in order."""
        return tuple(self._line.items)

    @property
    def unread(self) -> Sequence[tuple[AnyAsk, object]]:
        """What software has answered since the last question to somebody, with the answers."""
        return tuple(self._run.unread)

    @property
    def undoable(self) -> str:
        """What `undo` would take back, in words; empty if nothing."""
        return self._line.undoable

    @property
    def redoable(self) -> str:
        """What `redo` would take up again, in words; empty if nothing."""
        return self._line.redoable

    @property
    def kept(self) -> tuple[str, ...] | None:
        """Physical dice or cards that answered the open ask before an undo; they still lie there.

        None where the session, which may be anybody's, has something there that is no answer.
        """
        question = self.ask
        if isinstance(question, Roll | Draw):
            item = self._line.kept(question.key, self._run.nth, question.fingerprint())
            with suppress(BadAnswer):
                return question.accept(item and item.answer)
        return None

    def lay(self) -> list[Board]:
        """How the table lay before the undos and redos that the session was left after, if it was.

        Of several, before the first and the last, and the first of redos in a row at the end. Nothing of
        what is not played so under today's rules.
        """
        boards = []
        for line in self._before_turns:
            with suppress(Exception):
                boards.append(self._replayed(line).play.board())
        return boards

    def misread(self) -> tuple[RolledDie, ...]:
        """Dice of the newest rolls that a person named otherwise than they were read."""
        newest = list(self.journal.rolls(self.meta.id).values())[-LIE_THERE:]
        return tuple(die for dice in newest for die in dice if die.read is not None)

    def take_news(self) -> list[Said]:
        """The answers applied since this was last called, software's among them."""
        news, self._news = self._news, []
        return news

    # What moves it

    def answer(self, n: int, raw: object, by: str = "player", evidence: Evidence | None = None) -> None:
        """Answer ask `n`; returns when the answer is on disk and applied.

        Raises `StaleAnswer` or `BadAnswer` (the ask stands), `JournalFull` (not kept, the ask stands) or
        `GameFault` (taken back, the ask stands), also where nothing answers what would be asked next.
        """
        question = self.ask
        if question is None:
            raise StaleAnswer("the game is over")
        if n != self.n:
            raise StaleAnswer(f"answer {n} is for an ask that is gone; {self.n} is open")
        accepted = question.accept(raw)
        item = _item(question, accepted, by)
        dice = evidence.dice if evidence else _dice(question, accepted, by)
        self._commit(_Step(Act.ANSWER, item, dice=dice), photos=evidence.photos if evidence else ())
        self._line.push(item)

        def apply() -> None:
            self._news.append(Said(n, question, accepted, by))
            self._run.answer(accepted, by)

        self._move(apply)

    def undo(self, steps: int = 1, by: str = "player") -> None:
        """Go back by one of the line's `stops`, or by `steps`; `BadAnswer` if there is none."""
        length = self._line.undo_to(steps)
        head = self.meta.start() if self.outcome else None
        self._commit(_Step(Act.UNDO, _deed(self._line.back_to(length), by), length), head=head)
        self._line.undo(length)
        self._rebuild()

    def redo(self, by: str = "player") -> None:
        """Take up again what was undone last; `BadAnswer` if nothing was."""
        tail = self._line.undone
        try:
            for item in tail:
                self._run.replay(item)
            self._commit(_Step(Act.REDO, _deed(self.redoable, by)))
        except CompanionError:  # undone under other rules, it need not go on under these
            self._rebuild()
            raise
        self._line.redo()
        self._move(lambda: None)

    def override(self, changes: Mapping[str, object], by: str = "player") -> None:
        """Set values of the state by hand, by their paths, whatever the rules say; logged as such.

        Raises `BadAnswer` if a path leads nowhere, a value has the wrong type, or if the game can't go on
        with it or the table can't be shown; `BrokenTable` if an invariant breaks or nothing answers any more
        what is asked, which more values set together may mend. Nothing has changed then.
        """
        if self.ask is None:
            raise BadAnswer("the game is over")
        had_an_answer = self.ask.answerable()
        try:
            old = {path: value_at(self.play.state, path) for path in changes}
            self._run.override(changes)
            decided: list[tuple[AnyAsk, tuple[str, ...]]] = []
            while (question := self._run.ask) is not None and self._is_software(question):
                decided.append((question, self._run.chance()))
                self._run.answer(decided[-1][1], SOFTWARE)
            if had_an_answer:
                _must_have_an_answer(question)
            self.play.board()
            self.play.svg()
            item = Item.of_override(changes, in_words(old, changes), by)
            self._commit(_Step(Act.OVERRIDE, item))
        except BadAnswer:
            raise
        except JournalError:
            self._rebuild()
            raise
        except Exception as error:
            self._rebuild()
            if isinstance(error, NoAnswer):
                raise BrokenTable(f"{refusal(changes, [str(error)])}; {_LATER}") from error
            why = str(error) if isinstance(error, CompanionError) else stumble(error)
            raise BadAnswer(refusal(changes, [why])) from error
        self._line.push(item)
        for question, accepted in decided:
            self._note_chance(question, accepted)
        self._settle()

    # Inside

    def _begin(self, *, is_over: bool) -> None:
        """Replay the journal.

        A game that is over stays as it ended, whatever the rules would make of it now. The newest answer
        is taken back if the game breaks down after it: it was about to be when the session stopped.
        """
        try:
            self._run = self._replayed(self._line)
            if is_over:
                score = {plain(name): value for name, value in self.meta.score.items()}
                end = Outcome(Result(self.meta.outcome), plain(self.meta.reason), score)
                self._run.ask, self._run.outcome = None, end
            else:
                self._settle()
        except GameFault:
            newest = self._newest()
            if is_over or newest is None:
                raise
            self._news.clear()
            self._take_back(newest)

    def _replayed(self, line: Line) -> Run:
        run = Run(start_again(self.game, self._setup), self.meta.seed)
        try:
            for item in line.items:
                run.replay(item)
        except ReplayMismatch as error:
            raise ReplayMismatch(f"{self.meta.id}, of version {self.meta.version or '?'}: {error}") from error
        return run

    def _rebuild(self) -> None:
        self._run = self._replayed(self._line)
        self._settle()

    def _move(self, step: Callable[[], None]) -> None:
        """Let the game act on the newest answer; if it breaks down or is stuck, take that answer back."""
        told = len(self._news)
        try:
            step()
            self._settle()
            _must_have_an_answer(self.ask)
        except GameFault as error:
            del self._news[told:]
            if (newest := self._newest()) is not None:
                self._take_back(newest)
            if isinstance(error, NoAnswer):
                raise NoAnswer(f"{error}; {_MEND}") from error
            raise

    def _newest(self) -> int | None:
        """Where the newest answer or override that is not software's stands in the line."""
        return max((at for at, item in enumerate(self._line.items) if item.by != SOFTWARE), default=None)

    def _take_back(self, length: int) -> None:
        """Go on without what the game broke down after; if the disk is full, that is written later."""
        self._prepare(_Step(Act.UNDO, _deed("a fault", FAULT), length))
        self._line.drop(length)
        self._rebuild()
        with suppress(JournalError):
            self._commit()

    def _settle(self) -> None:
        """Let software answer what is its to answer, and note the end of the game."""
        while (question := self.ask) is not None and self._is_software(question):
            accepted = self._run.chance()
            self._note_chance(question, accepted)
            self._run.answer(accepted, SOFTWARE)
        with suppress(JournalError):  # it follows from answers that are on disk, and is written later
            self._note_outcome()

    def _note_chance(self, question: AnyAsk, accepted: tuple[str, ...]) -> None:
        """Take up what software decided, to be written with the next commit."""
        item = _item(question, accepted, SOFTWARE)
        self._news.append(Said(self.n, question, accepted, SOFTWARE))
        self._prepare(_Step(Act.ANSWER, item, dice=_dice(question, accepted, SOFTWARE)))
        self._line.push(item)

    def _note_outcome(self) -> None:
        """Write down how the game ended, or that it goes on, where the head says otherwise."""
        end = self.outcome
        result = end.result.value if end else ""
        if result == self.meta.outcome:
            return
        self._commit()
        meta = msgspec.structs.replace(
            self.meta, outcome=result, reason=end.reason if end else "", score=end.score if end else {}
        )
        self.journal.update(meta)
        self.meta = meta

    def _is_software(self, question: AnyAsk) -> bool:
        return (isinstance(question, Roll) and self.meta.dice == SOFTWARE) or (
            isinstance(question, Draw) and self.meta.cards == SOFTWARE
        )

    def _prepare(self, step: _Step) -> None:
        """Number and seal an entry, to be written with the next commit.

        What software says follows from the entry before and has its time. So it is the same entry in each
        copy of the session, also in one that was made before it was written.
        """
        stamp = self._stamp if step.item.by == SOFTWARE else None
        entry = Entry(self.meta.id, self._seq + 1, step.act, stamp or self._clock(), step.item, step.length)
        entry = seal(entry, self._check)
        self._unwritten.append((entry, step.dice))
        self._seq, self._check, self._stamp = entry.seq, entry.check, entry.stamp

    def _commit(
        self, step: _Step | None = None, photos: Sequence[bytes] = (), head: Meta | None = None
    ) -> None:
        """Put what software said, then `step` and the `head` after it on disk; or raise and be as before."""
        before = (self._seq, self._check, self._stamp, list(self._unwritten))
        if step is not None:
            self._prepare(step)
        rolls = {entry.seq: dice for entry, dice in self._unwritten}
        try:
            self.journal.append([entry for entry, _ in self._unwritten], rolls, photos, head)
        except JournalError:
            self._seq, self._check, self._stamp, self._unwritten = before
            raise
        except KeyboardInterrupt:  # it may come when they are on disk already
            written = len(self.journal.entries(self.meta.id))
            self._unwritten = [one for one in self._unwritten if one[0].seq > written]
            raise
        self._unwritten = []
        self.meta = head or self.meta


class _Step(msgspec.Struct, frozen=True):
    act: Act
    item: Item
    length: int = 0
    dice: Sequence[RolledDie] = ()


def _must_have_an_answer(question: AnyAsk | None) -> None:
    if question is not None and not question.answerable():
        raise NoAnswer(f"nothing answers {question.text!r} then")


def _item(question: AnyAsk, accepted: object, by: str) -> Item:
    label = question.label(accepted)
    print_ = question.fingerprint()
    return Item(Act.ANSWER, question.kind, question.key, print_, accepted, by, question.text, label)


def _deed(what: str, by: str) -> Item:
    """An undo or redo, for the log."""
    return Item(Act.UNDO, "", "", "", None, by, label=what)


def _dice(question: AnyAsk, accepted: object, by: str) -> Sequence[RolledDie]:
    if not isinstance(question, Roll) or not isinstance(accepted, tuple):
        return ()
    return [RolledDie(dice.die, face, by) for dice, face in zip(question.each, accepted, strict=True)]


def _new_id(journal: Journal, game: Game, stamp: Stamp) -> str:
    """An id that no session there has: a Pi without a network may begin all of them in the same minutes."""
    minute = f"{game.name}-{local(stamp.wall):%Y%m%d-%H%M}"
    while journal.head(name := f"{minute}-{secrets.token_hex(2)}") is not None:
        pass
    return name
