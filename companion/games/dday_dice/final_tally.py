"""Reading a Final Tally: which dice the Skulls cancel, which RWBs are scored, what it all pays.

Works on results alone, so that every tally can be tried against a brute force; the table's part of
Upkeep is in `upkeep`. The order follows DDD-R14 and DDD-R15: Skulls cancel, bonuses are scored,
Leadership adds its white result (which may settle Skulls anew), and then everything is paid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from companion.engine.asks import Choose, Option, Pick, Script, ask, offered
from companion.games.dday_dice.dice import COLOURS, FACES, INITIAL, SHORT, Colour, Face, Result
from companion.games.dday_dice.effects import RWB_NAMES, RWB_OF, Rwb
from companion.wording import counted

TOOL_TABLE = (0, 1, 3, 6, 12, 24, 48)
EACH_MORE_TOOL = 24


def item_points(tools: int) -> int:
    """What Tools in one Final Tally are worth (DDD-036, DDD-037).

    >>> [item_points(n) for n in range(9)]
    [0, 1, 3, 6, 12, 24, 48, 72, 96]
    """
    most = len(TOOL_TABLE) - 1
    return TOOL_TABLE[min(tools, most)] + EACH_MORE_TOOL * max(0, tools - most)


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What the table says about reading a tally.

    `harmless` Skulls cancel nothing; `others` are the Units that can receive; `finds`: a used Item can
    be had; `worthless` faces pay nothing.
    """

    who: str = ""
    solo: bool = True
    others: tuple[str, ...] = ()
    harmless: int = 0
    rwb: bool = True
    battle_cry: bool = True
    finds: bool = False
    worthless: frozenset[Face] = frozenset()
    cancel_before_rwb: bool = True
    virtual_skulls_cancel: bool = True


class Gains(msgspec.Struct):
    """What is added to the dials."""

    soldiers: int = 0
    stars: int = 0
    courage: int = 0
    points: int = 0


class Settled(msgspec.Struct):
    """A tally that has been read: `cancelled` are places in `results`, `given` goes to other Units."""

    results: list[Result]
    cancelled: list[int] = []
    scored: list[Rwb] = []
    cry_soldiers: int = 0
    cry_move: bool = False
    finds: int = 0
    find_stars: int = 0
    given: list[tuple[str, Rwb]] = []

    def live(self) -> list[Result]:
        """The results that no Skull has cancelled."""
        gone = self.cancelled
        return [one for place, one in enumerate(self.results) if place not in gone] if gone else self.results


def triples(results: Iterable[Result], face: Face) -> int:
    """How often a face shows in all three colours (DDD-040, DDD-R19)."""
    colours = [one.colour for one in results if one.face is face]
    return min(map(colours.count, COLOURS))


def settle(results: Sequence[Result], reading: Reading) -> Script[Settled]:
    """Cancel and score, asking where the player has a choice."""
    tally = Settled(list(results))
    yield from cancel(tally, reading)
    if reading.rwb:
        yield from bonuses(tally, reading)
    return tally


# --- Skulls


def due(tally: Settled, reading: Reading) -> int:
    """How many dice the Skulls cancel: not those of Dead Man's Gifts, nor harmless ones (DDD-R17)."""
    skulls = [one for one in tally.results if one.face is Face.SKULL]
    if not skulls:
        return 0
    gifts = triples(skulls, Face.SKULL) if reading.rwb else 0
    over = len(skulls) - 3 * gifts
    if not reading.virtual_skulls_cancel:
        dice = [one.colour for one in skulls if one.die >= 0]
        over = sum(max(0, dice.count(colour) - gifts) for colour in COLOURS)
    return min(max(0, over - reading.harmless), len(_victims(tally)))


def _victims(tally: Settled) -> list[int]:
    """The places of the dice that a Skull can cancel: no other Skull, and nothing that no die shows."""
    return [n for n, one in enumerate(tally.results) if one.die >= 0 and one.face is not Face.SKULL]


def cancel(tally: Settled, reading: Reading) -> Script[None]:
    """Let the player choose which dice are cancelled, or come back (DDD-033, DDD-035, DDD-044)."""
    wanted = due(tally, reading)
    if len(tally.cancelled) < wanted:
        victims = [place for place in _victims(tally) if place not in tally.cancelled]
        count = wanted - len(tally.cancelled)
        tally.cancelled += yield from _some(tally, reading, victims, count, _CANCEL)
    elif len(tally.cancelled) > wanted:
        count = len(tally.cancelled) - wanted
        back = yield from _some(tally, reading, tally.cancelled, count, _RESTORE)
        tally.cancelled = [place for place in tally.cancelled if place not in back]


_CANCEL = ("Skulls cancel which die?", "Skulls cancel which {} dice?")
_RESTORE = ("Which die comes back?", "Which {} dice come back?")


def _some(
    tally: Settled, reading: Reading, places: Sequence[int], count: int, texts: tuple[str, str]
) -> Script[list[int]]:
    labels = [tally.results[place].label for place in places]
    if count == len(places) or len(set(labels)) == 1:
        return list(places[:count])
    key = "dday_dice.tally.cancel" if texts is _CANCEL else "dday_dice.tally.restore"
    rule = ("DDD-033", "DDD-R15", "DDD-R17")
    text = reading.who + texts[count > 1].format(count)
    if count == 1:
        first = dict(zip(reversed(labels), reversed(places), strict=True))
        options = tuple(Option(str(place), label) for label, place in reversed(first.items()))
        one = yield from ask(Choose(key, text, rule=rule, options=options))
        return [int(one)]
    options = tuple(Option(str(place), label) for place, label in zip(places, labels, strict=True))
    many = Pick(key, text, rule=rule, options=options, least=count, most=count)
    return [int(place) for place in (yield from ask(many))]


# --- bonuses

WHITES = tuple(Option(face.value, f"W {SHORT[face]}") for face in FACES)


def bonuses(tally: Settled, reading: Reading) -> Script[None]:
    """Score all bonuses that are complete; Leadership's white results may complete more (DDD-R21).

    Nothing is added before everything that is complete has been scored, so that a white Skull breaks no
    bonus that the dice already show.
    """
    while True:
        for face in FACES:
            if face is not Face.STAR and face not in reading.worthless:
                for _ in range(_open(tally, reading, face)):
                    yield from score(tally, reading, RWB_OF[face])
        leaders = _open(tally, reading, Face.STAR)
        if leaders <= 0:
            return
        for _ in range(leaders):
            tally.scored.append(Rwb.LEADERSHIP)
            white = yield from choose_leadership(tally, reading)
            if white is not None:
                tally.results.append(Result(white, Colour.WHITE))
        yield from cancel(tally, reading)


def choose_leadership(tally: Settled, reading: Reading) -> Script[Face | None]:
    """A white result, or 2 Courage for another Unit (alone: the own one, DDD-177)."""
    options = WHITES
    if reading.solo:
        options = (*WHITES, Option("courage2", "+2 Courage"))
    elif reading.others:
        options = (*WHITES, Option("courage2", "+2 Courage to another Unit"))
    question = Choose(
        "dday_dice.tally.leadership",
        f"{reading.who}Leadership! Add which?",
        rule=("DDD-045", "DDD-046", "DDD-047"),
        options=options,
    )
    answer = yield from ask(question)
    if answer != "courage2":
        return Face(answer)
    yield from _hand_over(tally, reading, Rwb.LEADERSHIP)
    return None


def _open(tally: Settled, reading: Reading, face: Face) -> int:
    if face is Face.COURAGE and not reading.battle_cry:
        return 0
    results = tally.live() if reading.cancel_before_rwb else tally.results
    return triples(results, face) - tally.scored.count(RWB_OF[face])


def score(tally: Settled, reading: Reading, rwb: Rwb) -> Script[None]:
    """Score one bonus, asking which of its alternatives is taken (DDD-042)."""
    tally.scored.append(rwb)
    if rwb is Rwb.REINFORCEMENTS:
        yield from _hand_over(tally, reading, rwb)
    elif rwb is Rwb.BATTLE_CRY:
        if (yield from _either(reading, rwb, _CRY)) == "move":
            tally.cry_move = True
        else:
            tally.cry_soldiers += 1
    elif rwb is Rwb.SPECIAL_FIND:
        if reading.finds and (yield from _either(reading, rwb, _FIND)) == "find":
            tally.finds += 1
        else:
            tally.find_stars += 1


CRY_MOVE = Option("move", "move for free", "no Courage, no requirements; nothing if the Unit stays")
_CRY = (Option("soldiers", "+3 Soldiers"), CRY_MOVE)
_FIND = (Option("stars", "+2 Stars"), Option("find", "find a used Item", "in Phase 3, for its cost"))
_RULES = {
    Rwb.BATTLE_CRY: ("DDD-050", "DDD-051", "DDD-052", "DDD-R24"),
    Rwb.SPECIAL_FIND: ("DDD-055", "DDD-056"),
}


def _either(reading: Reading, rwb: Rwb, options: tuple[Option, ...]) -> Script[str]:
    name = RWB_NAMES[rwb]
    text = f"{reading.who}{name}! Which?"
    return (yield from ask(Choose(f"dday_dice.tally.{rwb}", text, rule=_RULES[rwb], options=options)))


def _hand_over(tally: Settled, reading: Reading, rwb: Rwb) -> Script[None]:
    """The part of a bonus that is for another Unit (DDD-048, DDD-177, DDD-R23)."""
    if reading.solo:
        tally.given.append(("", rwb))
    elif reading.others:
        options = tuple(Option(name, f"Unit {name}") for name in reading.others)
        gift = GIVEN[rwb]
        what = f"+{gift.soldiers} Soldiers" if gift.soldiers else f"+{gift.courage} Courage"
        text = f"{reading.who}{RWB_NAMES[rwb]}! {what} for?"
        to = yield from offered(Choose("dday_dice.tally.for", text, rule=("DDD-048",), options=options))
        tally.given.append((to, rwb))


# --- what it pays

GIVEN = {Rwb.REINFORCEMENTS: Gains(soldiers=4), Rwb.LEADERSHIP: Gains(courage=2)}
"""What the other Unit gets (DDD-047, DDD-048)."""


def pays(tally: Settled, reading: Reading) -> Gains:
    """The own Unit's gains from dice and bonuses, what comes back to a solo player included."""
    faces = [one.face for one in tally.live() if one.face not in reading.worthless]
    scored = tally.scored
    back = [GIVEN[rwb] for to, rwb in tally.given if not to]
    return Gains(
        soldiers=faces.count(Face.SOLDIER1)
        + 2 * faces.count(Face.SOLDIER2)
        + 4 * scored.count(Rwb.REINFORCEMENTS)
        + 6 * scored.count(Rwb.FRESH_TROOPS)
        + 3 * tally.cry_soldiers
        + sum(gift.soldiers for gift in back),
        stars=faces.count(Face.STAR) + 2 * tally.find_stars,
        courage=faces.count(Face.COURAGE) + sum(gift.courage for gift in back),
        points=item_points(faces.count(Face.TOOL)) + 20 * scored.count(Rwb.GIFT),
    )


# --- at a glance


def is_straight(results: Iterable[Result]) -> bool:
    """Whether all six results show, cancelled or not (DDD-065, DDD-R15)."""
    return len({one.face for one in results}) == len(FACES)


def most_of_a_kind(results: Iterable[Result]) -> int:
    """How many results of the commonest kind there are."""
    faces = [one.face for one in results]
    return max((faces.count(face) for face in FACES), default=0)


def worth(results: Sequence[Result], reading: Reading) -> str:
    """What a roll is worth as it lies, and the bonuses in reach: a line for the OLED's detail."""
    paying = [one for one in results if one.face not in reading.worthless]
    gains = pays(Settled(paying), reading)
    soldiers, stars = counted(gains.soldiers, "Soldier"), counted(gains.stars, "Star")
    dials = {f"+{soldiers}": Face.SOLDIER1, f"+{stars}": Face.STAR}
    dials |= {f"+{gains.courage} Courage": Face.COURAGE, f"+{gains.points} IP": Face.TOOL}
    words = [", ".join(dial for dial, face in dials.items() if face not in reading.worthless)]
    skulls = sum(1 for one in paying if one.face is Face.SKULL)
    if skulls:
        words.append(counted(skulls, "Skull"))
    return "; ".join([*words, *(_in_reach(paying, reading) if reading.rwb else ())])


def _in_reach(results: Sequence[Result], reading: Reading) -> Iterator[str]:
    for face in FACES:
        colours = {one.colour for one in results if one.face is face} - {Colour.NONE}
        name = RWB_NAMES[RWB_OF[face]]
        if face is Face.COURAGE and not reading.battle_cry:
            continue
        if len(colours) == 3:
            yield f"{name}!"
        elif len(colours) == 2:
            missing = next(colour for colour in COLOURS if colour not in colours)
            yield f"{name} needs {INITIAL[missing]} {SHORT[face]}"
