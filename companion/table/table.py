"""The table: one session, shared by every screen, button and phone around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from random import Random
from threading import RLock

import msgspec

from companion.engine import autoplay
from companion.engine.asks import AnyAsk, Roll
from companion.engine.errors import BadAnswer, BadInput, BrokenTable, CompanionError, PackError, StaleAnswer
from companion.engine.game import Board, Outcome
from companion.engine.ledger import Entry as LedgerEntry
from companion.engine.ledger import Ledger
from companion.engine.ledger import load as load_ledger
from companion.engine.line import Item
from companion.engine.owner_pack import Names, add_owned, alike, is_forgotten, is_made_up
from companion.engine.packs import Record, Tables, owned
from companion.engine.salvage import Salvage
from companion.engine.session import Said, Session
from companion.screens.intents import Intent, Override, Redo, Reply, Undo
from companion.screens.screen import WayIn
from companion.table.dice import DiceSource, Post
from companion.table.events import Seen
from companion.wording import asking, on_a_line, plain

Observer = Callable[[Sequence[Said]], None]


class Table:
    """A session that threads may share, and what the screens have to know of it.

    What they look at is never in the middle of a move; of two looks the second may be of a later moment.
    Observers are called after every change with the answers that made it, in the thread that made it.
    `notice` is what a person should know of a device, the journal or the pack, `page` says how a phone gets
    to the page, whose address and code may change.
    Methods raise the session's errors; nothing has changed then.
    """

    def __init__(self, session: Session, owner_packs: Path, auto: str = "") -> None:
        self.session = session
        self.lock = RLock()
        self.notice = ""
        self._seen: Seen | None = None
        self._taken: tuple[int, str, list[str], Seen] | None = None  # the roll read last: where, ask, answer
        self.page: Callable[[], WayIn] = WayIn
        self._owner_packs = owner_packs
        self._observers: list[Observer] = []
        self._names: Names = {}
        self._learned = self._known()
        self._entered = _named(session.play.learned())
        self._passing = ("", 0)  # a notice that holds as long as nothing else is asked, and at which ask
        self._watched: tuple[DiceSource | None, int] = (None, 0)  # who looks for dice, and at which ask
        self._salvaged: Salvage | None = None
        self._changed: tuple[int, Board | None] = (-1, None)  # the ask, and what undos and redos have changed
        self._lay = session.lay() if session.ask else []  # before the first and the last of these
        if self._lay:
            self._changed = self.n, self.board().since(*self._lay)
        self._waiting: tuple[int, Mapping[str, object]] = (-1, {})  # the ask, and values that wait for more
        self._auto = auto
        self._rng = Random(session.meta.seed)

    def observe(self, observer: Observer) -> Callable[[], None]:
        """Tell `observer` of every change; returns what stops that."""
        self._observers.append(observer)
        return lambda: self._observers.remove(observer)

    # What the screens see

    @property
    def n(self) -> int:
        with self.lock:
            return self.session.n

    @property
    def ask(self) -> AnyAsk | None:
        with self.lock:
            return self.session.ask

    @property
    def kept(self) -> Sequence[str] | None:
        with self.lock:
            return self.session.kept

    @property
    def outcome(self) -> Outcome | None:
        with self.lock:
            return self.session.outcome

    @property
    def undoable(self) -> str:
        with self.lock:
            return self.session.undoable

    @property
    def redoable(self) -> str:
        with self.lock:
            return self.session.redoable

    @property
    def state(self) -> object:
        with self.lock:
            return self.session.state

    @property
    def in_view(self) -> Seen | None:
        """The dice of the open roll as a reader saw them last."""
        return self._seen if self._seen is not None and self._seen.n == self.n else None

    @property
    def phones(self) -> WayIn:
        return self.page()

    @property
    def foot(self) -> str:
        return self.notice or f"{self.session.meta.dice} dice, saved"

    def board(self) -> Board:
        with self.lock:
            return self.session.play.board()

    @property
    def changed(self) -> Board | None:
        """What has to be put right on the table since the undos and redos that led to the open ask.

        Of several in a row the table may have followed all but the last already, or none.
        """
        n, board = self._changed
        return board if n == self.n else None

    @cached_property
    def ledger(self) -> Ledger:
        """The game's rules in the box's words."""
        return load_ledger(self.session.game.folder / "ledger.toml")

    def reasons(self) -> list[LedgerEntry]:
        """As `cited`, but none where the ledger can't be read: the game goes on without."""
        with suppress(BadInput):
            return self.cited()
        return []

    def cited(self) -> list[LedgerEntry]:
        """The rules and rulings that the open ask carries out; `BadInput` where the ledger can't be read."""
        question = self.ask
        return self.ledger.why(question.rule) if question else []

    def unread(self) -> list[str]:
        """What the box has rolled and drawn by itself for what stands here, what for, and what led to it."""
        with self.lock:
            settled, question = self.session.unread, self.ask
        return [*(_told(asked, answer) for asked, answer in settled), *(question.because if question else ())]

    def why(self) -> list[str]:
        try:
            rules = [f"{entry.id} {entry.words}" for entry in self.cited()]
        except BadInput as error:
            rules = [str(error)]
        without = "No rule of the book: this is the box's own question." if self.ask else "The game is over."
        return [*self.unread(), *(rules or [without])]

    def log(self, most: int) -> list[str]:
        """What was answered, told and set by hand last, the newest first, a line each."""
        with self.lock:
            return [logged(item) for item in self.session.history[: -most - 1 : -1]]

    def be_watched(self, dice: DiceSource, post: Post) -> None:
        """Let a dice source look for the open roll, and for nothing else; nor where kept dice lie there.

        At one ask it is told once.
        """
        with self.lock:
            if self._watched == (dice, self.n):
                return
            self._watched = dice, self.n
            if not isinstance(self.ask, Roll):
                dice.rest()
            elif self.kept is not None:
                dice.pass_over()
            else:
                dice.watch(self.n, self.ask, post)

    # What moves it

    @contextmanager
    def still_at(self, n: int) -> Iterator[None]:
        """Alone with the table at ask `n`; `StaleAnswer` if somebody has moved it on since."""
        with self.lock:
            if n != self.n:
                raise StaleAnswer(f"{n} is gone; {self.n} is open")
            yield

    def do(self, intent: Intent) -> None:
        """Carry out what a player wants."""
        match intent:
            case Reply(n=n, answer=answer):
                self.answer(n, answer)
            case Undo():
                self.undo()
            case Redo():
                self.redo()
            case Override(path=path, value=value):
                self.override(path, value)

    def answer(self, n: int, raw: object, by: str = "player", *, teach: bool = False) -> None:
        """Answer ask `n`; what a reader saw of its dice is kept with it.

        With `teach`, or where the player wants it always, the reader learns from dice that were put right.
        """
        with self._moving():
            seen, question, place = self._reading(), self.ask, len(self.session.history)
            is_again = seen is not self.in_view
            each = question.each if isinstance(question, Roll) else ()
            evidence = seen.evidence_for(raw, each) if seen is not None else None
            self.session.answer(n, raw, by, evidence)
            if seen is not None and evidence is not None and question is not None:
                answer = [die.face for die in evidence.dice]
                read = msgspec.structs.replace(seen, learn=None, are_out=None)
                self._taken = (place, question.fingerprint(), answer, read)
                if seen.answered is not None:
                    seen.answered(answer)
                if is_again and seen.unlearn is not None:
                    self.notice = seen.unlearn(answer) or self.notice
                elif seen.learn is not None and (teach or (seen.habits.teach and by != seen.source)):
                    self.notice = seen.learn(answer)
            self.settle()

    def _reading(self) -> Seen | None:
        """What a reader saw of the open roll's dice; of those that an undo kept, what it saw before."""
        if self.in_view or self._taken is None or self.ask is None or self.kept is None:
            return self.in_view
        *roll, seen = self._taken
        open_one = [len(self.session.history), self.ask.fingerprint(), list(self.kept)]
        return seen if roll == open_one else None

    def offer(self, seen: Seen) -> None:
        """Dice that a reader saw: taken if nobody need be asked, else shown to everybody."""
        with self.lock:
            if seen.n != self.n:
                return
            self._seen = seen
            if seen.is_settled:
                self.answer(seen.n, list(seen.faces), seen.source)
            else:
                self.tell()

    def undo(self, steps: int = 1, by: str = "player") -> None:
        """Back to before the last decision, or that many."""
        with self._moving():
            self._remember()
            self.session.undo(steps, by)
            self._tell_changed()

    def redo(self, steps: int = 1, by: str = "player") -> None:
        """Forward again so many decisions; like undo, no further than there are any."""
        if steps < 1:
            raise BadAnswer("redo takes up 1 decision or more")
        with self._moving():
            self._remember()
            for done in range(steps):
                if done and not self.redoable:
                    break
                self.session.redo(by)
                self._tell_changed()

    def _remember(self) -> None:
        """How the table lies, before an undo or redo."""
        first = self._lay[:1] if self._changed[0] == self.n else []
        self._lay = [*first, self.board()]

    def _tell_changed(self) -> None:
        """Tell everybody, with what has to be put right on the table."""
        self._changed = self.n, self.board().since(*self._lay)
        self.tell()

    def override(self, path: str, value: object, by: str = "player") -> None:
        """Set a value of the state by hand, and with it those before it that no table could have alone.

        Of those the last ones count, where the first fit nothing. Raises `BrokenTable` where none can have it
        yet either: it counts as soon as what belongs to it is set too, if nothing moves the table on before.
        """
        with self._moving():
            n, waiting = self._waiting
            before = [one for one in waiting.items() if n == self.n and one[0] != path]
            together = [*before, (path, value)]
            try:
                self.override_all(dict(together), by)
            except BadAnswer as error:
                for first in range(1, len(together)):
                    with suppress(BadAnswer):
                        self.override_all(dict(together[first:]), by)
                        return
                if not isinstance(error, BrokenTable):
                    raise
                self._waiting = (self.n, dict(together))
                more = "If something else changes with it, set that too: they count together"
                raise BrokenTable(f"{error}. {more}") from error

    def override_all(self, changes: Mapping[str, object], by: str) -> None:
        """Set values of the state by hand, all or none."""
        with self._moving():
            self.session.override(changes, by)
            self.tell()

    def settle(self) -> None:
        """Let the policy that plays along answer its decisions, and tell everybody.

        Raises `BadInput` where it goes on and on; what it answered is kept.
        """
        with self._moving():
            self.tell()
            first = self.n
            while self._auto and (question := self.ask) is not None and not question.is_chance:
                if self.n - first >= autoplay.LONGEST:
                    raise BadInput(
                        f"{self._auto} has given {autoplay.LONGEST} answers and the game goes on: it may "
                        "never end so. The session is kept: companion resume, with another --auto or yourself"
                    )
                decide = autoplay.policy(self.session.game, self.session.play, self._auto, self._rng)
                self.session.answer(self.n, decide(question), f"auto:{self._auto}")
                self.tell()

    @contextmanager
    def _moving(self) -> Iterator[None]:
        """Alone; where the game breaks down, all are told what stands there again, under a new number."""
        with self.lock:
            n = self.n
            try:
                yield
            except CompanionError:
                if self.n != n:
                    self.tell()
                raise

    def say(self, text: str, *, passing: bool) -> None:
        """Tell everybody what they should know, if it is `passing` as long as nothing else is asked."""
        with self.lock:
            self.notice = text
            if passing:
                self._passing = text, self.n
            self.tell()

    def tell(self) -> None:
        """Tell everybody that the table, or what is shown of it, is not as it was."""
        with self.lock:
            said, n = self._passing
            if said and said == self.notice and n != self.n:
                self.notice = ""
            self._learn()
            if (salvaged := self.session.journal.salvaged) != self._salvaged:
                self._salvaged, self.notice = salvaged, str(salvaged)
            news = self.session.take_news()
            for observer in list(self._observers):
                observer(news)

    def _known(self) -> Tables:
        """Cards entered before in this session that the owner's pack has, maybe corrected there since.

        Those that the owner took out of it are no news for it either.
        """
        learned = self.session.play.learned()
        pack = self._pack() if learned else {}
        return {
            table: {
                n: record
                for n, record in records.items()
                if self._is_kept(table, n, record, pack) or is_forgotten(self._owner_packs, table, n, record)
            }
            for table, records in learned.items()
        }

    def _pack(self) -> Tables:
        """The owner's pack; that it can't be read is said when something is to be written there."""
        with suppress(PackError):
            return owned(self._owner_packs, self.session.game.name).tables
        return {}

    def _is_kept(self, table: str, name: str, record: Record, pack: Tables) -> bool:
        """Whether the owner's pack has the card, under another name if another session's has that one."""
        kept = pack.get(table, {})
        made_up = [one for one in kept if is_made_up(one)] if is_made_up(name) else []
        as_entered = [one for one in (name, *made_up) if one in kept and alike(kept[one], record)]
        if as_entered or name in kept:
            self._names[table, name] = next(iter(as_entered), name)
        return (table, name) in self._names

    def _learn(self) -> None:
        """Keep cards that were entered at the table in the owner's pack.

        Where it can't be written the answer counts all the same: that is a notice, and it is tried again.
        Where an undo takes one back, a notice says that the pack keeps it: it may be right all the same.
        Both hold as long as nothing else is asked: by phone alone, nobody takes them away.
        """
        learned = self.session.play.learned()
        before, self._entered = self._entered, _named(learned)
        if undone := (before - self._entered) & _named(self._learned) & self._names.keys():
            kept = {(one[0], self._names[one]) for one in undone} & _named(self._pack())
            if kept:
                there = ", ".join(map(".".join, sorted(kept)))
                self._say_of_pack(f"still in your pack: {there}, though undone")
        new: Tables = {}
        for table, records in learned.items():
            known = self._learned.get(table, {})
            new[table] = {name: record for name, record in records.items() if record != known.get(name)}
        try:
            if any(new.values()):
                add_owned(self._owner_packs, self.session.game.name, new, self._names, self._learned)
        except PackError as error:
            self._say_of_pack(str(error))
        else:  # also of a card that an undo takes back: a redo is no news of it
            for table, records in new.items():
                self._learned.setdefault(table, {}).update(records)

    def _say_of_pack(self, text: str) -> None:
        self.notice, self._passing = text, (text, self.n)


def _named(tables: Tables) -> set[tuple[str, str]]:
    """All records by table and name."""
    return {(table, name) for table, records in tables.items() for name in records}


def logged(item: Item) -> str:
    """An answer or override in a line of the log; of what was only to be read, what it said."""
    return plain(
        on_a_line(item.text) if item.kind == "show" else f"{asking(item.text)} {item.label} ({item.by})"
    )


def _told(asked: AnyAsk, answer: object) -> str:
    """What software answered, and the detail of it without the hints for who does it by hand."""
    detail = asked.detail if asked.settled is None else asked.settled
    return f"{asking(asked.text)} {asked.label(answer)}\n{detail}".rstrip()
