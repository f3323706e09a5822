"""The owner's own sheets typed in: units, skills, enemy sheets, missions, the Rhino, the cup.

`companion pack new space_infantry.THING`, where THING is `unit.NAME`, `skill.NAME`, `enemy.NAME`,
`mission.NAME`, `vehicle.rhino` or `cup`. Names stand for titles but that of a mission; what the owner has put
right of them, say on the page, stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from companion.engine.asks import Choose, Number, Option, Pick, Script, Text, ask
from companion.engine.card_words import in_words
from companion.engine.errors import BadInput
from companion.engine.packs import Record, Tables, said_of
from companion.games.space_infantry.pack import (
    CHITS,
    CUP_SIZE,
    MOST_PLUS,
    PLUS,
    RESOURCE_NAMES,
    TRACK,
    EffectKind,
    InfantryPack,
    Kind,
    skill_name,
)

LEVELS = tuple(Option(str(level), str(level)) for level in range(2, 7))
_NO_MORE = Option("-", "No more")
_NOWHERE = Option("-", "None")
_RIGHT = Option("-", "Right so")
_FROM_TO = Option("-to-", "From .. to ..")
KINDS = ("unit", "skill", "enemy", "mission", "vehicle", "cup")
_COLOURS = {Kind.BASIC: "blue: Basic", Kind.SPECIAL: "brown: Special", Kind.LEADER: "the Team Leader's"}
_EFFECTS = {
    EffectKind.NOTHING: "nothing",
    EffectKind.WOUNDS: "wounds on the team",
    EffectKind.TURNS: "turns lost or won",
    EffectKind.GAIN: "resources gained",
    EffectKind.LOSE: "resources lost",
    EffectKind.ENCOUNTER: "an encounter",
    EffectKind.OPEN: "a node opens",
    EffectKind.FOUND: "what is to be found",
}
_HIGHEST_ROW = 12
_WORDS = ("title", "briefing", "text")
"""What nobody is asked for, but of a mission and of an enemy unit."""


def entry(pack: msgspec.Struct, thing: str, mine: Tables | None = None) -> Script[Tables]:
    """Questions for one printed thing; the records for the owner's pack, which says `mine` already."""
    assert isinstance(pack, InfantryPack)
    table, _, name = thing.partition(".")
    if table not in KINDS or (not name and table != "cup"):
        raise BadInput(
            f"{thing}: enter unit.NAME, skill.NAME, enemy.NAME, mission.NAME, vehicle.rhino, cup "
            "or difficulty.NAME"
        )
    if table == "vehicle" and name != "rhino":
        raise BadInput(f"{thing}: the one vehicle is vehicle.rhino")
    printed: Record = {}
    match table:
        case "unit":
            record = yield from unit(pack, name)
        case "skill":
            name = known_skill(pack, name)
            record = yield from skill(pack.skill[name].title if name in pack.skill else words(name))
        case "enemy":
            record = yield from sheet(name, said_of(mine, table, name))
            printed = {"units": record["units"]}
        case "mission":
            was = said_of(mine, table, name)
            record = yield from mission(pack, was)
            printed = {"special": record["special"]} | (yield from panel(name, was))
        case "vehicle":
            record = yield from vehicle(name)
        case _:
            name, record = "owner", (yield from cup())
    before = said_of(mine, table, name)
    return {table: {name: before | in_its_words(record, before) | printed}}


def in_its_words(record: Record, was: Mapping[str, object]) -> Record:
    """The record with titles and texts, and those of its parts, as they were."""
    parts = {
        field: in_its_words(value, before)
        for field, value in record.items()
        if isinstance(value, dict) and isinstance(before := was.get(field), dict)
    }
    return record | parts | {field: was[field] for field in _WORDS if field in was}


def known_skill(pack: InfantryPack, name: str) -> str:
    """The name by which a skill is found, where it is written as on the card: Zero-G is zero_g."""
    plain = skill_name(name)
    return next((one for one in pack.skill if one.replace("-", "_") == plain.replace("-", "_")), plain)


def words(name: str) -> str:
    """A title from a record's name."""
    return name.replace("_", " ").title()


def count(what: str, least: int, most: int, rule: str) -> Script[int]:
    """A printed number."""
    return (
        yield from ask(Number(f"space_infantry.entry.{rule}", what, rule=(rule,), least=least, most=most))
    )


def choice(what: str, options: tuple[Option, ...], rule: str, detail: str = "") -> Script[str]:
    """One of several."""
    return (yield from ask(Choose(f"space_infantry.entry.{rule}", what, detail, (rule,), options)))


def one_more(what: str, options: tuple[Option, ...], rule: str, entered: Iterable[str]) -> Script[str]:
    """One of several or no more, below the words for those that were entered so far."""
    so_far = f"so far: {', '.join(entered) or 'none'}"
    return (yield from choice(what, (_NO_MORE, *options), rule, so_far))


def yes(what: str, rule: str) -> Script[bool]:
    """A printed mark that is there or not."""
    return (yield from choice(what, (Option("no", "No"), Option("yes", "Yes")), rule)) == "yes"


def several(what: str, options: tuple[Option, ...], rule: str) -> Script[list[str]]:
    """Any number of them."""
    question = Pick(
        f"space_infantry.entry.{rule}", what, rule=(rule,), options=options, least=0, most=len(options)
    )
    return list((yield from ask(question)))


def levels(what: str) -> Script[list[int]]:
    """The levels printed for one skill, one after the other."""
    found: list[int] = []
    while True:
        level = yield from one_more(f"{what}: level?", LEVELS, "SPI-017", map(str, found))
        if level == _NO_MORE.id:
            return found
        found.append(int(level))


def unit(pack: InfantryPack, name: str) -> Script[Record]:
    """A card of the troop roster (SPI-016, SPI-G02)."""
    kinds = tuple(Option(kind.value, label) for kind, label in _COLOURS.items())
    kind = yield from choice("Which background?", kinds, "SPI-019")
    record: Record = {
        "title": words(name),
        "kind": kind,
        "cost": (yield from count("Cost?", 0, 60, "SPI-016")),
        "wounds": (yield from count("Wounds?", 1, 9, "SPI-016")),
        "copies": (yield from count("How many such cards?", 1, 1 if kind == Kind.LEADER else 9, "SPI-004")),
        "armor": (yield from count("Armor icons?", 0, 4, "SPI-123")),
        "charges": (yield from yes("May it use Demo Charges?", "SPI-147")),
        "advanced": (yield from yes("Advanced Rules only?", "SPI-042")),
    }
    skills: dict[str, list[int]] = {}
    options = tuple(Option(one, skill.title) for one, skill in pack.skill.items())
    while True:
        entered = [f"{pack.skill[one].title} {'+'.join(map(str, has))}" for one, has in skills.items() if has]
        skill = yield from one_more("Which skill?", options, "SPI-016", entered)
        if skill == _NO_MORE.id:
            break
        skills[skill] = yield from levels(pack.skill[skill].title)
    record["skills"] = skills
    attacks = tuple(Option(skill, skill) for skill in ("melee", "fire") if skill in skills)
    text = "Which attacks are Armor Piercing?"
    record["piercing"] = (yield from several(text, attacks, "SPI-126")) if attacks else []
    return record


def skill(title: str) -> Script[Record]:
    """A skill that cards and nodes name, with its asterisk (SPI-076, SPI-G04)."""
    return {"title": title, "starred": (yield from yes("An asterisk: no Command Points?", "SPI-076"))}


def enemy_unit(box: str, before: Record) -> Script[Record]:
    """A box of an enemy sheet (SPI-021 to SPI-024); `before` is in the owner's pack."""
    start = str(before.get("title", box))
    named = Text("space_infantry.entry.name", f"{box}: its name?", rule=("SPI-021",), start=start)
    title = (yield from ask(named)) or box
    return {
        "title": title,
        "wounds": (yield from count(f"{title}: wounds?", 1, 12, "SPI-021")),
        "melee": (yield from levels(f"{title} Melee")),
        "fire": (yield from levels(f"{title} Fire")),
        "armor": (yield from count(f"{title}: armor icons?", 0, 4, "SPI-023")),
        "piercing": (yield from yes(f"{title}: Armor Piercing?", "SPI-126")),
        "savage": (yield from yes(f"{title}: two wounds a Melee hit?", "SPI-024")),
        "regenerating": (yield from yes(f"{title}: heals a wound a round?", "SPI-024")),
    }


def sheet(name: str, before: Record) -> Script[Record]:
    """An enemy sheet with its two tables (SPI-088, SPI-103, SPI-G05 to SPI-G07)."""
    many = yield from count("How many kinds of units?", 1, 6, "SPI-021")
    units: dict[str, Record] = {}
    for at in range(1, many + 1):
        units[f"unit_{at}"] = yield from enemy_unit(f"Unit {at}", _part(before, "units", f"unit_{at}"))
    lowest = yield from count("Lowest random number in the tables?", 0, 1, "SPI-088")
    highest = yield from count("Highest?", lowest + 1, _HIGHEST_ROW, "SPI-088")
    presence, ranges = [], []
    letters = (Option("M", "Melee"), Option("F", "Fire"))
    for rn in range(lowest, highest + 1):
        row: dict[str, dict[str, int]] = {}
        for force in "ABC":
            row[force] = {}
            for one, box in units.items():
                what = f"{rn}, class {force}: {box['title']}?"
                row[force][one] = yield from count(what, 0, 12, "SPI-088")
        presence.append(row)
        columns = {}
        for column in ("Set", "M", "F"):
            columns[column] = yield from choice(f"Range at {rn}, column {column}?", letters, "SPI-103")
        ranges.append(columns)
    shift = yield from count("Range number modified by? 2: -1, 3: 0, 4: +1", 0, 6, "SPI-104")
    record: Record = {"title": words(name), "units": units, "lowest": lowest, "range_shift": shift - 3}
    record["presence"], record["ranges"] = presence, ranges
    classes = tuple(Option(force, f"Class {force}") for force in "ABC")
    record["ambush"] = yield from several("It ambushes in?", classes, "SPI-127")
    return record


def _part(record: Record, field: str, name: str) -> Record:
    """A part of a record by its name, as the owner's pack has it."""
    parts = record.get(field)
    part = parts.get(name) if isinstance(parts, dict) else None
    return part if isinstance(part, dict) else {}


def vehicle(name: str) -> Script[Record]:
    """The Rhino's box (SPI-163, SPI-G12)."""
    return {
        "title": words(name),
        "wounds": (yield from count("Damage it can take?", 1, 12, "SPI-163")),
        "armor": (yield from count("Armor icons?", 0, 4, "SPI-123")),
        "pilot": (yield from levels("Pilot")),
        "gunnery": (yield from levels("Gunnery")),
    }


def cup() -> Script[Record]:
    """How many chits show what (SPI-G01)."""
    chits: dict[str, int] = {}
    for face in CHITS[:-1]:
        left = CUP_SIZE - sum(chits.values())
        least = max(left - MOST_PLUS, 0) if face == CHITS[-2] else 0
        limit = f", at most {MOST_PLUS} of them with {PLUS}" if least else ""
        chits[face] = yield from count(f"Chits with {face}? {left} left{limit}", least, left, "SPI-025")
    chits[PLUS] = CUP_SIZE - sum(chits.values())
    return {"chits": chits}


def panel(name: str, before: Record) -> Script[Record]:
    """What a mission is called, and what its briefing says (SPI-036); `before` is in the owner's pack."""
    said: Record = {"title": words(name), "briefing": "as printed"}
    for field, text in said.items():
        start = str(before.get(field, text))
        question = Text(f"space_infantry.entry.{field}", f"Its {field}?", rule=("SPI-036",), start=start)
        said[field] = (yield from ask(question)) or text
    return said


def mission(pack: InfantryPack, before: Record) -> Script[Record]:
    """A mission sheet: its nodes one by one, then the goal (SPI-005 to SPI-014, SPI-G08).

    A goal of a kind that isn't asked for stays empty: at the table the player says when it is met. What
    there is not is recorded too, so that nothing of a stand-in is left in its place.
    """
    many = yield from count("How many nodes, Start included?", 2, 30, "SPI-005")
    names = ["start", *(f"n{number}" for number in range(1, many))]
    nodes: dict[str, Record] = {}
    for one in names:
        nodes[one] = yield from node(pack, one, names[1:])
    joined = yield from links(nodes)
    yield from review(pack, nodes, joined)
    record: Record = {"start": "start", "nodes": nodes}
    record["turns"] = yield from count("First box of the Time marker?", 1, TRACK, "SPI-052")
    record["rhino"] = yield from yes("May the Rhino be used?", "SPI-162")
    record |= {"special": {}, "special_force": {}}
    counters: dict[str, Record] = {}
    find: list[str] = []
    if any(one["counter"] for one in nodes.values()):
        counters, find = yield from special_counters(names[1:])
    record["counters"] = counters
    comes = any(map(brings_special, (*nodes.values(), *counters.values())))
    if comes or (yield from yes("Is there a class S enemy?", "SPI-089")):
        boss = yield from enemy_unit("Special", _part(before, "special", "special"))
        record["special"] = {"special": boss}
        record["special_force"] = {"special": (yield from count("How many of it?", 1, 12, "SPI-089"))}
    record["goal"] = {
        "reach": (yield from some("Nodes to reach?", names)),
        "clear": (yield from some("Nodes whose events have to be over?", names)),
        "find": find,
        "end_at": "start" if (yield from yes("Back to Start at the end?", "SPI-049")) else "",
    }
    units = tuple(Option(one, card.title) for one, card in pack.unit.items())
    record["recommended"] = yield from several("Which units does it recommend?", units, "SPI-041")
    return record


def brings_special(part: Record) -> bool:
    """Whether an event of a node, or what a node or counter means, brings a class S enemy."""
    means = part.get("effect")
    texts = part.get("events")
    return (isinstance(texts, list) and any(text.endswith("/S") for text in texts)) or (
        isinstance(means, dict) and (means["kind"], means.get("what")) == (EffectKind.ENCOUNTER, "S")
    )


def special_counters(names: list[str]) -> Script[tuple[dict[str, Record], list[str]]]:
    """The special counters by letter, what they do, and which are to be found (SPI-199 to SPI-201)."""
    counters: dict[str, Record] = {}
    find: list[str] = []
    letters = tuple(Option(letter, f"Counter {letter}") for letter in "ABCDEFGH")
    while True:
        entered = [f"{one} {counter['count']}" for one, counter in counters.items()]
        letter = yield from one_more("Which letter?", letters, "SPI-200", entered)
        if letter == _NO_MORE.id:
            return counters, find
        many = yield from count(f"How many counters {letter}?", 1, 9, "SPI-201")
        what = yield from effect(f"Counter {letter}", names, found=letter)
        counters[letter] = {"count": many, "effect": what}
        find = [one for one in find if one != letter]  # entered anew
        if what["kind"] == EffectKind.FOUND:
            find += [letter] * (yield from count(f"How many {letter} to find?", 0, many, "SPI-049"))


def some(what: str, names: list[str]) -> Script[list[str]]:
    """Any of the nodes."""
    return (yield from several(what, tuple(Option(one, one) for one in names), "SPI-049"))


def node(pack: InfantryPack, name: str, names: list[str]) -> Script[Record]:
    """One node: requirement, events, cache, marks; `names` are all nodes but the start."""
    record: Record = {"title": words(name)}
    if name != "start":
        skills = tuple(Option(one, skill.title) for one, skill in pack.skill.items())
        skill = yield from choice(f"{name}: which skill?", skills, "SPI-009", "a question mark is Advance 3")
        record["needs"] = f"{skill} {(yield from count(f'{name}: how many SL?', 1, 12, 'SPI-009'))}"
    record["events"] = texts = yield from events(name)
    if any(text.endswith("E") for text in texts):
        record["effect"] = yield from effect(name, names)
    caches = tuple(Option(letter, title) for letter, title in RESOURCE_NAMES.items())
    cache = yield from choice(f"{name}: cache?", (_NOWHERE, *caches), "SPI-153")
    record["cache"] = "" if cache == _NOWHERE.id else cache
    record["outside"] = yield from yes(f"{name}: outside node?", "SPI-164")
    record["counter"] = yield from yes(f"{name}: a question mark?", "SPI-199")
    return record


def events(name: str) -> Script[list[str]]:
    """The parts of a node's event string: range, class, the number after it (SPI-012, SPI-090)."""
    texts = ["Auto", *(f"{rn}{sign}" for sign in ("+", "", "-") for rn in range(7))]
    spans = (*(Option(text, text) for text in texts), _FROM_TO)
    forces = tuple(Option(force, force) for force in "ABCSE")
    shifts = tuple(Option(shift, shift) for shift in ("+1", "+2", "+3", "-1", "-2", "-3"))
    found: list[str] = []
    while True:
        text = yield from one_more(f"{name}: event range?", spans, "SPI-012", found)
        if text == _NO_MORE.id:
            return found
        if text == _FROM_TO.id:
            low = yield from count(f"{name}: from?", 0, _HIGHEST_ROW - 1, "SPI-031")
            text = f"{low}-{(yield from count(f'{name}: from {low} to?', low + 1, _HIGHEST_ROW, 'SPI-031'))}"
        force = yield from choice(f"{name}: {text}/?", forces, "SPI-012")
        shift = _NOWHERE.id
        if force in "ABC":
            shift = yield from choice(f"{name}: a number after {force}?", (_NOWHERE, *shifts), "SPI-090")
        found.append(f"{text}/{force}{'' if shift == _NOWHERE.id else shift}")


def effect(name: str, names: list[str], found: str = "") -> Script[Record]:
    """What an event or a counter does, in the words that the game knows (SPI-079, SPI-201).

    `names` are the nodes that it may open; `found` is what a counter of that letter counts as if it is
    something to find.
    """
    kinds = [kind for kind in EffectKind if found or kind is not EffectKind.FOUND]
    options = tuple(Option(kind.value, _EFFECTS[kind]) for kind in kinds)
    kind = EffectKind((yield from choice(f"{name} means?", options, "SPI-079")))
    record: Record = {"kind": kind.value}
    match kind:
        case EffectKind.FOUND:
            record["what"] = found
        case EffectKind.OPEN:
            nodes = tuple(Option(one, one) for one in names)
            record["what"] = yield from choice("Which node opens?", nodes, "SPI-079")
        case EffectKind.ENCOUNTER:
            classes = tuple(Option(one, one) for one in "ABCS")
            record["what"] = yield from choice("Which class?", classes, "SPI-015")
        case EffectKind.GAIN | EffectKind.LOSE:
            resources = tuple(Option(letter, title) for letter, title in RESOURCE_NAMES.items())
            record["what"] = yield from choice("Which resource?", resources, "SPI-153")
    if kind in {EffectKind.WOUNDS, EffectKind.TURNS, EffectKind.GAIN, EffectKind.LOSE}:
        many = yield from count("How many?", 1, 12, "SPI-079")
        lost = kind is EffectKind.TURNS and not (yield from yes("Are the turns won?", "SPI-079"))
        record["amount"] = -many if lost else many
    return record


def links(nodes: dict[str, Record]) -> Script[dict[str, list[str]]]:
    """Which nodes are joined; each link is asked once and goes both ways (SPI-005)."""
    joined: dict[str, list[str]] = {name: [] for name in nodes}
    names = list(nodes)
    for at, name in enumerate(names[:-1]):
        options = tuple(Option(other, other) for other in names[at + 1 :])
        for other in (yield from several(f"{name} is linked to?", options, "SPI-005")):
            joined[name].append(other)
            joined[other].append(name)
    for name, near in joined.items():
        nodes[name]["links"] = near
    return joined


def review(pack: InfantryPack, nodes: dict[str, Record], joined: dict[str, list[str]]) -> Script[None]:
    """What was entered of each node; one that is not right is entered again, with its links (SPI-006)."""
    names = list(nodes)
    while True:
        told = {name: "; ".join(in_words(name, one)[1:]) for name, one in nodes.items()}
        again = tuple(Option(name, f"{name} again", words) for name, words in told.items())
        name = yield from choice("All nodes right so?", (_RIGHT, *again), "SPI-006")
        if name == _RIGHT.id:
            return
        nodes[name] = yield from node(pack, name, names[1:])
        others = tuple(Option(one, one) for one in names if one != name)
        joined[name] = yield from several(f"{name} is linked to?", others, "SPI-005")
        for other in (option.id for option in others):
            near = [one for one in joined[other] if one != name]
            joined[other] = [*near, name] if other in joined[name] else near
        for one, near in joined.items():
            nodes[one]["links"] = sorted(near, key=names.index)
