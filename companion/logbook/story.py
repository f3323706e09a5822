"""A session in words: what happened turn by turn, and which moments weighed most."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate, groupby

import msgspec

from companion.engine.asks import HIDDEN
from companion.engine.line import Act, Item
from companion.logbook.trace import Moment
from companion.wording import asking, begun


class Chapter(msgspec.Struct, frozen=True):
    """One turn: its name, what happened, and how the figures stood after it where they moved."""

    title: str
    text: str
    figures: str = ""


class Swing(msgspec.Struct, frozen=True):
    """A single answer after which a figure moved far; `at` counts the answers up to and with it."""

    at: int
    turn: str
    figure: str
    before: int
    after: int
    by: str

    def __str__(self) -> str:
        way = "fell" if self.after < self.before else "rose"
        turn = f" ({turn_name(self.turn)})" if self.turn else ""
        figure = begun(self.figure.replace("_", " "))
        return f"{figure} {way} from {self.before} to {self.after}{turn}: {self.by}"


class Loss(msgspec.Struct, frozen=True):
    """What a figure lost over a session: its first and last value, its lowest, and the sum of its falls."""

    figure: str
    first: int
    last: int
    lowest: int
    lost: int


def chapters(moments: Sequence[Moment], of_no_turn: str = "The set-up") -> Iterator[Chapter]:
    """The turns in order, each as a paragraph; `of_no_turn` is the title of what belongs to none."""
    for turn, group in groupby(moments, lambda moment: moment.before.turn):
        of_turn = list(group)
        text = " ".join(sentences(of_turn))
        yield Chapter(turn_name(turn) or of_no_turn, text, _changes(of_turn))


def sentences(moments: Sequence[Moment]) -> Iterator[str]:
    """What happened, a sentence each; decisions of one person that follow each other share one.

    Those to which something was told begin a new one.
    """
    seats = _seats(moments)
    told = accumulate(bool(moment.news) for moment in moments)
    for (is_choice, who, _), group in groupby(
        zip(moments, told, strict=True), lambda one: (_is_choice(one[0].item), _who(one[0], seats), one[1])
    ):
        of_one = [moment for moment, _ in group]
        if is_choice:
            yield from _news(of_one[0])
            yield f"{who} chose {', then '.join(moment.item.label for moment in of_one)}."
        else:
            for moment in of_one:
                yield from _in_full(moment, who)


def _in_full(moment: Moment, who: str) -> Iterator[str]:
    """One answer in words, with the news: they go before it, but of what was only shown they are a part."""
    news, said = [*_news(moment)], [sentence(moment.item, who)]
    if moment.item.kind != "show":
        yield from news + said
    else:
        yield from news if moment.item.text in moment.news else said + news


def _news(moment: Moment) -> Iterator[str]:
    return (begun(_ended(line)) for line in moment.news)


def sentence(item: Item, who: str = "You") -> str:
    """One answer, and who gave it, or override in words."""
    if item.act is Act.OVERRIDE:
        names, verb = item.text.removeprefix("set "), "were" if "\n" in item.key else "was"
        return f"By hand, {names} {verb} set: {item.label.replace('->', 'to')}."
    match item.kind:
        case "show":
            return _shown(item.text)
        case "choose" if _is_choice(item):
            return f"{who} chose {item.label}."
        case "pick":
            picked = item.label if item.answer else "nothing"
            return f"{_ended(item.text)} {who} picked {picked}."
        case "roll":
            faces = item.label.split(" ")
            dice = "die" if len(faces) == 1 else "dice"
            return f"{item.text.rstrip('.:')}: the {dice} showed {', '.join(faces)}."
        case "draw":
            turned_up = "" if HIDDEN in item.label else " came up"
            return f"{item.text.rstrip('.:')}: {item.label}{turned_up}."
    question = item.text if item.text.endswith("?") else f"{item.text.rstrip('.:')}:"
    return f"{question} {item.label}."


def answered(item: Item) -> str:
    """A decision with its question, or what was set by hand, which no text around it tells."""
    label = item.label.replace("->", "to") if item.act is Act.OVERRIDE else item.label
    return f"{asking(item.text)} {label}"


def swings(moments: Sequence[Moment], most: int = 3, then: Iterable[str] = ()) -> list[Swing]:
    """The answers that moved a figure by the largest part of its range, in the order they happened.

    `then` is what was told after the last of them. Of equal ones the last, which are nearest to how it ended.
    What a set-up lays out, the one between two missions too, moves nothing.
    """
    spans = _spans(_in_turns(moments))
    found = [
        (abs(swing.after - swing.before) / spans[swing.figure], swing)
        for at, (moment, told) in enumerate(zip(moments, _told(moments, then), strict=True), start=1)
        if moment.before.turn and moment.after.turn
        for swing in _moves(at, moment, told)
    ]
    heaviest: dict[int, Swing] = {}
    for _, swing in sorted(found, key=lambda one: (-one[0], -one[1].at)):
        if len(heaviest) < most:
            heaviest.setdefault(swing.at, swing)
    return sorted(heaviest.values(), key=lambda swing: swing.at)


def losses(moments: Sequence[Moment]) -> list[Loss]:
    """Every figure that fell in the turns, and by how much in all."""
    found = []
    for name, pairs in _steps(_in_turns(moments)).items():
        lost = sum(max(0, before - after) for before, after in pairs)
        if lost:
            lowest = min(min(pair) for pair in pairs)
            found.append(Loss(name, pairs[0][0], pairs[-1][1], lowest, lost))
    return found


def series(moments: Sequence[Moment]) -> dict[str, list[int]]:
    """Each figure that moved, from before the first answer to after the last."""
    if not moments:
        return {}
    glances = [moments[0].before, *(moment.after for moment in moments)]
    names = dict.fromkeys(name for glance in glances for name in glance.figures)
    lines = {name: [glance.figures.get(name, 0) for glance in glances] for name in names}
    return {name: values for name, values in lines.items() if min(values) != max(values)}


def _in_turns(moments: Sequence[Moment]) -> list[Moment]:
    """The answers that belong to a turn, not to a set-up."""
    return [moment for moment in moments if moment.before.turn]


def _steps(moments: Sequence[Moment]) -> dict[str, list[tuple[int, int]]]:
    """Each figure before and after every answer that left it on the table."""
    steps: dict[str, list[tuple[int, int]]] = {}
    for moment in moments:
        for name, after in moment.after.figures.items():
            steps.setdefault(name, []).append((moment.before.figures.get(name, after), after))
    return steps


def _spans(moments: Sequence[Moment]) -> dict[str, int]:
    """The range of each figure; of those that several at a table have, such as `flags North`, the widest."""
    values = {name: [one for pair in pairs for one in pair] for name, pairs in _steps(moments).items()}
    spans: dict[str, int] = {}
    for name, found in values.items():
        spans[_kind(name)] = max(spans.get(_kind(name), 0), max(found) - min(found))
    return {name: spans[_kind(name)] for name in values}


def _kind(name: str) -> str:
    """`soldiers` of `soldiers A`."""
    return name.rpartition(" ")[0] or name


def turn_name(turn: str) -> str:
    """A turn as a heading: games that only count them give a number."""
    return f"Turn {turn}" if turn.isdecimal() else begun(turn)


def turns_of(moments: Sequence[Moment]) -> int:
    """How many turns were played; those of a mission that is played twice are called alike.

    One that a number set by hand leads back to is the same turn.
    """
    turns = [moment.before.turn for moment in moments]
    named = sum(len({*played}) for is_played, played in groupby(turns, bool) if is_played)
    return next((moment.before.turns for moment in reversed(moments) if moment.before.turns), named)


def turn_word(moments: Iterable[Moment]) -> str:
    """What a game calls its turns: `round` of Round 3; games that only count them have turns."""
    turn = next((moment.before.turn for moment in moments if moment.before.turn), "")
    return turn.rstrip("0123456789 ").rpartition(" ")[2].lower() or "turn"


def _told(moments: Sequence[Moment], then: Iterable[str]) -> Iterator[str]:
    """Each answer and the game's own words if it said something next.

    These alone if it was only read on; then also those that it next had dice rolled or cards drawn with.
    Else those after more dice and cards of that turn, of which it said nothing.
    """
    seats = _seats(moments)
    for count, moment in enumerate(moments, start=1):
        read_on = moment.item.kind == "show"
        later = (moments[at] for at in range(count, len(moments)))
        after = next((one for one in later if read_on or not _is_silent(one, moment.before.turn)), None)
        said: Iterable[str] = (begun(_ended(line)) for line in then)
        if after and (after.item.kind == "show" or (read_on and after.item.is_chance)):
            said = _in_full(after, "You")
        elif after:
            said = _news(after)
        words = [*said]
        yield " ".join(words if words and read_on else (sentence(moment.item, _who(moment, seats)), *words))


def _is_silent(moment: Moment, turn: str) -> bool:
    """Whether it is dice or cards of that turn of which nothing was told."""
    return moment.item.is_chance and not moment.news and moment.before.turn == turn


def _seats(moments: Sequence[Moment]) -> set[str]:
    """Who sits at one table: whose figures are counted apart, such as `soldiers A`, or who was asked.

    Of players such as `US 1` their team is one too.
    """
    glances = [moment.before for moment in moments]
    counted = {name.rpartition(" ")[2] for glance in glances for name in glance.figures if " " in name}
    asked = {glance.who for glance in glances if glance.who}
    return counted | asked | {name.partition(" ")[0] for name in asked}


def _is_choice(item: Item) -> bool:
    """Whether what was chosen says something without its question; a bare number, as of a chit, does not."""
    return item.kind == "choose" and any(map(str.isalpha, item.label))


def _who(moment: Moment, seats: Collection[str]) -> str:
    """Who of several was asked, first whom the question begins with; else the person, or the box."""
    asked = moment.item.text.partition(": ")[0]
    if asked in seats:
        return asked
    return moment.before.who or ("The companion" if moment.item.by.startswith("auto") else "You")


def _moves(at: int, moment: Moment, told: str) -> Iterator[Swing]:
    weighty = moment.after.weighty or moment.after.figures
    for name, after in moment.after.figures.items():
        before = moment.before.figures.get(name, after)
        if before != after and name in weighty and not _passed_on(moment, name):
            yield Swing(at, moment.before.turn, name, before, after, told)


def _passed_on(moment: Moment, name: str) -> bool:
    """Whether what one of a side lost of it another got, as of `courage A` and `courage B`."""
    theirs = [other for other in moment.after.weighty if _kind(other) == _kind(name)]
    before, after = (
        sum(glance.figures.get(other, 0) for other in theirs) for glance in (moment.before, moment.after)
    )
    return len(theirs) > 1 and before == after


def _changes(moments: Sequence[Moment]) -> str:
    """`health 5 to 3, soldiers 4 to 6`: the figures that a turn moved."""
    first = moments[0].before.figures
    # With its last answer a mission may be off the table.
    last = next((moment.after.figures for moment in reversed(moments) if moment.after.figures), {})
    moved = (
        f"{name} {first[name]} to {last[name]}" for name in last if first.get(name, last[name]) != last[name]
    )
    return ", ".join(moved)


def _shown(text: str) -> str:
    """Each line that was shown as a sentence, the last one too where it announced a detail."""
    return " ".join(begun(_ended(line)) for line in text.rstrip(":").splitlines())


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?", ":")) else f"{text}."
