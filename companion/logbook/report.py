"""The after-action report: a session put together for reading, apart from how it is set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from companion.engine.clock import local
from companion.engine.errors import JournalError
from companion.engine.game import Game, Setting
from companion.engine.journal import Journal
from companion.engine.line import Act
from companion.engine.records import SOFTWARE, Meta, Note, RolledDie, people_of, place_of
from companion.logbook import story
from companion.logbook.trace import Moment, Picture, Trace, Undone, pictures, retrace
from companion.wording import asking, counted, die_name, scored


class Plate(msgspec.Struct, frozen=True):
    """A picture of the table with what it shows."""

    caption: str
    picture: Picture


class DiceRow(msgspec.Struct, frozen=True):
    """How often each face of a kind of die came from one source; `even` if each is known to be as likely."""

    die: str
    source: str
    faces: dict[str, int]
    even: bool = True

    @property
    def name(self) -> str:
        """What a person calls that kind."""
        return die_name(self.die)

    @property
    def total(self) -> int:
        """How many dice that were."""
        return sum(self.faces.values())

    @property
    def told(self) -> str:
        """How often each face fell, in a line."""
        return ", ".join(f"{face}: {count}" for face, count in self.faces.items())


class DicePhoto(msgspec.Struct, frozen=True):
    """A picture of dice that a person was asked about or put right, with what they were said to be."""

    caption: str
    data: bytes


MOST_PHOTOS = 24
"""Photos of dice in a report, the newest ones: each is up to a fifth of a megabyte."""


class Report(msgspec.Struct, frozen=True):
    """Everything that a report says, in the order in which it says it."""

    title: str
    facts: tuple[tuple[str, str], ...]
    lead: str
    caveat: str
    notes: tuple[str, ...]
    swings: tuple[str, ...]
    chapters: tuple[story.Chapter, ...]
    losses: tuple[story.Loss, ...]
    by_hand: tuple[str, ...]
    dice: tuple[DiceRow, ...]
    photos: tuple[DicePhoto, ...]
    plates: tuple[Plate, ...]
    series: dict[str, list[int]]


def report(journal: Journal, game: Game | None, meta: Meta) -> Report:
    """The report of one session; without its game it has no figures and no boards."""
    trace = retrace(journal, game, meta)
    swings = story.swings(trace.moments, then=trace.then)
    plates, caveat = list[Plate](), trace.caveat
    if game and not caveat:
        try:
            plates = _plates(journal, game, trace, swings)
        except Exception as error:  # noqa: BLE001 - of values that no table has there may be no picture
            caveat = f"No boards: {error}"
    if trace.is_cut and not caveat:
        caveat = "What is left of this session ends before the game did."
    return Report(
        title=f"{game.title if game else meta.game}, {day(meta)}",
        facts=tuple(_facts(trace, game.settings if game else ())),
        lead=_lead(trace),
        caveat=caveat,
        notes=tuple(filter(None, map(in_words, trace.notes))),
        swings=tuple(str(swing) for swing in swings),
        chapters=tuple(story.chapters(trace.moments, "The session" if trace.caveat else "The set-up")),
        losses=tuple(story.losses(trace.moments)),
        by_hand=tuple(_by_hand(trace)),
        dice=tuple(dice_rows((die for _, die in _lying(trace)), trace.faces, game.uneven if game else ())),
        photos=tuple(_photos(journal, trace)),
        plates=tuple(plates),
        series=story.series(trace.moments),
    )


def day(meta: Meta) -> str:
    """The day a session began, by the local time; marked where the clock could not be trusted."""
    began = local(meta.created)
    return f"{began:%Y-%m-%d}" + ("" if meta.synced else " (by a clock that was not set)")


def in_words(note: Note) -> str:
    """What a note says, its rating first; nothing where it only tells who played, or where."""
    rating = f"{note.rating}/10 " if note.rating else ""
    return f"{rating}{note.text}".strip()


def in_time(seconds: float) -> str:
    """`1 h 05 min`, `12 min`, `40 s`."""
    minutes = round(seconds / 60)
    if seconds < 100:
        return f"{round(seconds)} s"
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"{minutes} min"


def dice_rows(
    dice: Iterable[RolledDie], on_die: Mapping[str, Sequence[str]], uneven: Sequence[str]
) -> Iterator[DiceRow]:
    """Dice by kind and source, the faces in the die's own order; if that is not known, those that came up.

    What software rolls is even whatever the real die is like, if that is known.
    """
    counts: dict[tuple[str, str], Counter[str]] = {}
    for die in dice:
        counts.setdefault((die.die, die.thrower), Counter())[die.face] += 1
    for (kind, source), found in sorted(counts.items()):
        faces = {face: found[face] for face in on_die.get(kind) or sorted(found)}
        even = kind in on_die and (source == SOFTWARE or kind not in uneven)
        yield DiceRow(kind, source, faces, even)


def _lying(trace: Trace) -> Iterator[tuple[Moment, RolledDie]]:
    """The dice that count in a session, as they fell, with their answer; undone rolls are left out."""
    for moment in trace.moments:
        seq = trace.fell.get(moment.seq, moment.seq)
        yield from ((moment, die) for die in trace.rolls.get(seq, ()))


def _facts(trace: Trace, settings: Sequence[Setting]) -> list[tuple[str, str]]:
    meta = trace.meta
    usual = {one.name: one.choices[0] for one in settings}
    options = [f"{name} {value}" for name, value in meta.settings.items() if value != usual.get(name)]
    others = f"all {'others ' if options else ''}as usual" if len(options) < len(meta.settings) else ""
    facts = [
        ("Session", meta.id),
        ("Players", ", ".join(people_of(trace.notes))),
        ("Place", place_of(trace.notes)),
        ("Scenario", trace.scenario),
        ("Options", ", ".join(filter(None, [*options, others]))),
        ("Packs", ", ".join(meta.packs)),
        ("Dice and cards", f"dice: {meta.dice}, cards: {meta.cards}"),
        ("Playing time", in_time(trace.seconds)),
        ("Answers", str(len(trace.moments))),
        ("Version", meta.version),
    ]
    return [(name, value) for name, value in facts if value]


def _lead(trace: Trace) -> str:
    meta = trace.meta
    turns = story.turns_of(trace.moments)
    how = {"won": "The game was won", "lost": "The game was lost", "ended": "The game ended"}
    began = how.get(meta.outcome, "The game is not over yet")
    reason = f": {meta.reason}" if meta.reason else ""
    length = ""
    if turns:
        ended = "What is left of it took" if trace.is_cut else "It took"
        took = ended if meta.outcome else "It has taken"
        word = story.turn_word(trace.moments)
        length = f" {took} {counted(turns, word)} and {in_time(trace.seconds)}."
    score = scored(meta.score)
    return f"{began}{reason}.{length}" + (f" Score: {score}." if score else "")


def _by_hand(trace: Trace) -> list[str]:
    hands = [story.sentence(moment.item) for moment in trace.moments if moment.item.act is Act.OVERRIDE]
    corrected = [
        f"One {die.name} was read as {die.read} and corrected to {die.face}."
        for _, die in _lying(trace)
        if die.read is not None
    ]
    return (
        hands + corrected + [f"Taken back{_turn(one)}: {story.answered(one.item)}." for one in trace.undone]
    )


def _turn(undone: Undone) -> str:
    return f" ({story.turn_name(undone.turn)})" if undone.turn else ""


def _photos(journal: Journal, trace: Trace) -> list[DicePhoto]:
    captions: dict[str, list[str]] = {}
    for moment, die in _lying(trace):
        if die.photo is not None:
            said = die.face if die.read is None else f"{die.face} (read as {die.read})"
            captions.setdefault(die.photo, [asking(moment.item.text)]).append(said)
    newest = list(captions.items())[-MOST_PHOTOS:]
    return [DicePhoto(" ".join(words), data) for name, words in newest if (data := _kept(journal, name))]


def _kept(journal: Journal, photo: str) -> bytes | None:
    try:
        return journal.blob(photo)
    except JournalError:
        return None  # a report is told without a picture that was lost


def _plates(journal: Journal, game: Game, trace: Trace, swings: list[story.Swing]) -> list[Plate]:
    captions = {0: "The table at the start"}
    captions |= {swing.at: f"After {swing}" for swing in swings}
    last = "The table at the end" if trace.meta.outcome else "The table now"
    captions[len(trace.moments)] = "The last table that is left" if trace.is_cut else last
    found = pictures(journal, game, trace, captions)
    *_, before, end = [0, *sorted(captions)]
    if 0 < before < end and found[before] == found[end]:
        captions[end] += f", as a{captions.pop(before).removeprefix('A')}"
    return [Plate(captions[at], found[at]) for at in sorted(captions)]
