"""Game Start: boards, hands, Pool, starting resources (DDD-005 to DDD-013) and the optional starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.engine.asks import Choose, Dice, Draw, Option, Roll, Script, Show, ask
from companion.games.dday_dice import awards
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.battlefield import initial, random_tables
from companion.games.dday_dice.records import Item, Kind, Specialist, Training
from companion.games.dday_dice.state import Status, TableState, Unit
from companion.wording import counted

NAMES = ("A", "B", "C", "D")
MARKER = ("chevron1", "chevron2", "chevron3", "arrow1", "arrow2", "shield")
MARKER_DIE = Dice("dday.marker", 1, MARKER)
_WILD = ((2, 3), (3, 3), (4, 1))
"""Cost of the pile, and cards drawn from it (DDD-194)."""


def set_up(battle: Battle) -> Script[None]:
    """Everything before the first turn."""
    state = battle.state
    _pool(battle)  # to be seen while the starts are chosen
    for unit in state.units:
        yield from _start(battle, unit)
    _pool(battle)  # how many began on a board may decide what it keeps back (DDD-330)
    if battle.options.wild_specialists and battle.full:
        yield from _wild_specialists(battle)
    if battle.options.quartermasters_whim and battle.scenario.items:
        yield from _quartermasters_whim(battle)
    if battle.options.blind_start:
        for unit in state.units:
            yield from blind_start(battle, unit)
    if battle.options.well_equipped and battle.scenario.items:
        for unit in state.units:
            unit.points += 10
    yield from ask(
        lambda: Show("dday_dice.setup", "Set up the table", setup_list(battle), rule=_setup_rules(battle))
    )


_SETUP_RULES = tuple(f"DDD-{n}" for n in ("003", "005", "007", "008", "009", "010", "011", "012", "013"))


def _setup_rules(battle: Battle) -> tuple[str, ...]:
    return (*_SETUP_RULES, "DDD-R80") if _assumed_tables(battle) else _SETUP_RULES


def setup_list(battle: Battle) -> str:
    """What goes where, in a few lines."""
    state = battle.state
    lines = [battle.scenario.title]
    if battle.stand_in:
        lines.append("Stand-in board: our own figures, not the printed ones.")
    if tables := _assumed_tables(battle):
        told = f"Random Sectors: {', '.join(tables)}"
        lines.append(f"{told}; if your board's ? say otherwise: option random_tables")
    lines.append("Each Unit: marker, Resource Card and Specialists of a colour; 2 red, 2 white, 2 blue dice")
    for unit in state.units:
        more = f", {', '.join(unit.specialists)}" if unit.specialists else ""
        lines.append(f"Unit {unit.name}: {battle.label(unit.sector)}, 1 chevron, {dials(unit)}{more}")
        lines.append(f"Hand: {', '.join(unit.hand) or 'none'}")
    lines.append(f"Pool, face up: {', '.join([*state.pool_specialists, *state.pool_items]) or 'nothing'}")
    if aside := ", ".join(_aside(battle)):
        lines.append(f"Aside: {aside}")
    if battle.training is not Training.PRACTICE:
        out = [name for name in awards.deck(battle.pack) if name not in state.award_deck]
        without = f", without {', '.join(out)}" if out else ""
        lines.append(f"Award deck, shuffled: {len(state.award_deck)} cards{without}")
    lines.append("All other Specialists and Items: back into the box")
    return "\n".join(lines)


def _assumed_tables(battle: Battle) -> list[str]:
    """Which table each random Sector of a printed board is taken to use, to be confirmed (DDD-R80)."""
    if not any(battle.pack.map[board].code for board in battle.scenario.maps):
        return []
    tables = random_tables(battle.field.sectors, battle.options.random_tables)
    return [f"{battle.label(name)} {table.replace('_', ' ')}" for name, table in tables.items()]


def _aside(battle: Battle) -> Iterator[str]:
    """Who and what waits for the first Unit in a Sector (DDD-244, DDD-263, DDD-267, DDD-306)."""
    for name, sector in battle.field.sectors.items():
        if item := battle.free_item(name):
            yield f"{item} ({battle.label(name)})"
        if sector.joins and sector.joins_first_only:
            yield f"{sector.joins} ({battle.label(name)})"


def dials(unit: Unit) -> str:
    """The four dials, so that the cardboard ones can be set; a warning where they end (DDD-R89)."""
    text = f"Soldiers {unit.soldiers}, Stars {unit.stars}, Courage {unit.courage}, Item Points {unit.points}"
    over = max(unit.soldiers, unit.stars, unit.courage, unit.points) > 99
    return f"{text} (over 99: note it on paper)" if over else text


# --- Pool and hands


def _pool(battle: Battle) -> None:
    scenario, pack, state = battle.scenario, battle.pack, battle.state
    specials = set(_lists(battle, "special_items"))
    if battle.options.bazooka_joe != "no":
        specials |= _of_kind(pack.item, Kind.SPECIAL)
    if battle.options.quartermasters_whim:
        specials = set()
    unclaimed = _unclaimed(battle)
    state.reserved = [n for n in dict.fromkeys(_lists(battle, "withheld")) if n not in unclaimed]
    items = _of_kind(pack.item, Kind.REGULAR) | specials if scenario.items else set()
    state.pool_items = _in_pool(battle, pack.item, items, state.reserved)
    unique = set(_lists(battle, "unique"))
    if battle.options.bazooka_joe == "all" and battle.full:
        unique = _of_kind(pack.specialist, Kind.UNIQUE)
    state.pool_specialists = _in_pool(battle, pack.specialist, unique, _lists(battle, "joined"))
    state.award_deck = [name for name in awards.deck(pack) if pack.award[name].solo or not battle.solo]


def _of_kind(cards: Mapping[str, Item | Specialist], kind: Kind) -> set[str]:
    return {name for name, card in cards.items() if card.kind is kind}


def _in_pool(
    battle: Battle, cards: Mapping[str, Item | Specialist], wanted: set[str], kept: Iterable[str]
) -> list[str]:
    """The wanted ones but those that a Sector has kept, and in a solo game those that need another Unit."""
    wanted = wanted - set(kept)
    return [name for name, card in cards.items() if name in wanted and (card.solo or not battle.solo)]


def _unclaimed(battle: Battle) -> set[str]:
    """What a Sector keeps for a Unit alone on its board (DDD-312): among several it is like any other Special
    Item that the map does not list, and Bazooka Joe and the Quartermaster's Whim can bring it.
    """
    if battle.options.bazooka_joe == "no" and not battle.options.quartermasters_whim:
        return set()
    sectors = battle.field.sectors
    alone = {name: sector.free_item_solo for name, sector in sectors.items() if sector.free_item_solo}
    return {item for name, item in alone.items() if battle.free_item(name) != item}


def _lists(battle: Battle, field: str) -> Iterable[str]:
    """A list of the scenario; Operation Deadstick joins those of both boards (DDD-316)."""
    if battle.scenario.two_boards:
        for board in battle.scenario.maps:
            yield from getattr(battle.pack.scenario[board], field)
    yield from getattr(battle.scenario, field)


def _hand(battle: Battle, unit: Unit) -> list[str]:
    """The listed Regular Specialists of the Unit's own board (DDD-010, DDD-315)."""
    if battle.options.bazooka_joe == "all" and battle.full:
        return [n for n, one in battle.pack.specialist.items() if one.kind is Kind.REGULAR]
    scenario = battle.pack.scenario[unit.home] if battle.scenario.two_boards else battle.scenario
    return list(scenario.regular)


# --- Units


def _start(battle: Battle, unit: Unit) -> Script[None]:
    """Choose a board and a start, and set the dials (DDD-013, DDD-125, DDD-315)."""
    board = ""
    if battle.scenario.two_boards:
        unit.home = yield from _home(battle, unit)
        board = initial(unit.home)
    unit.hand = _hand(battle, unit)
    starts = battle.field.starts(board)
    unit.sector = starts[0]
    if len(starts) > 1:
        options = tuple(Option(name, battle.label(name), _resources(battle, name)) for name in starts)
        text = f"{battle.tag(unit)}Start in which Sector?"
        unit.sector = yield from ask(
            Choose("dday_dice.setup.start", text, rule=("DDD-125",), options=options)
        )
    unit.visited = [unit.sector]
    sector = battle.field.sectors[unit.sector]
    unit.soldiers, unit.stars, unit.courage = sector.soldiers, sector.stars, sector.courage
    if battle.options.blind_start:
        unit.soldiers, unit.stars, unit.courage = 1, 0, 0
    elif sector.specialist and battle.full:
        unit.specialists.append(sector.specialist)
        if sector.specialist in unit.hand:
            unit.hand.remove(sector.specialist)


def _resources(battle: Battle, name: str) -> str:
    """What is printed beside a start; nothing where the Unit marker decides (DDD-209)."""
    if battle.options.blind_start:
        return ""
    sector = battle.field.sectors[name]
    more = f", {sector.specialist}" if sector.specialist else ""
    return f"Soldiers {sector.soldiers}, Stars {sector.stars}, Courage {sector.courage}{more}"


def _home(battle: Battle, unit: Unit) -> Script[str]:
    """Which of two boards a Unit starts on; each gets at least one (DDD-315)."""
    maps = battle.scenario.maps
    before = [other.home for other in battle.state.units if other is not unit and other.home]
    if unit is battle.state.units[-1] and len(set(before)) == 1:
        return next(name for name in maps if name not in before)
    options = tuple(Option(name, battle.pack.map[name].title) for name in maps)
    text = f"{battle.tag(unit)}Start on which map?"
    return (yield from ask(Choose("dday_dice.setup.map", text, rule=("DDD-315",), options=options)))


def blind_start(battle: Battle, unit: Unit) -> Script[None]:
    """Four rolls of the Unit marker (DDD-209 to DDD-213)."""
    for nth in range(4):
        text = f"{battle.tag(unit)}Roll the Unit marker ({nth + 1} of 4)"
        question = Roll("dday_dice.setup.marker", text, rule=("DDD-210",), dice=(MARKER_DIE,))
        face = (yield from ask(question))[0]
        if face.startswith("chevron"):
            unit.soldiers += int(face[-1])
        elif face.startswith("arrow"):
            unit.stars += int(face[-1])


# --- random cards


def _wild_specialists(battle: Battle) -> Script[None]:
    for unit in battle.state.units:
        unit.hand = []
        for cost, count in _WILD:
            pile = [
                name
                for name, one in battle.pack.specialist.items()
                if one.kind is Kind.REGULAR and one.cost == cost and name not in unit.specialists
            ]
            key = f"dday_dice.setup.wild.{cost}"
            text = f"{battle.tag(unit)}Draw {counted(count, 'Specialist')} of {cost} Stars"
            unit.hand += yield from _draw(
                key, text, "specialists", pile, count=count, rule=("DDD-193", "DDD-194")
            )
    pack = battle.pack.specialist
    uniques = _in_pool(battle, pack, _of_kind(pack, Kind.UNIQUE), _lists(battle, "joined"))
    count = len(battle.state.units)
    drawn = yield from _draw(
        "dday_dice.setup.wild.unique",
        f"Draw {counted(count, 'Unique Specialist')}",
        "specialists",
        uniques,
        count=count,
        rule=("DDD-195",),
    )
    battle.state.pool_specialists = list(drawn)


def _quartermasters_whim(battle: Battle) -> Script[None]:
    pack = battle.pack.item
    items = _in_pool(battle, pack, _of_kind(pack, Kind.SPECIAL), battle.state.reserved)
    count = 2 * len(battle.state.units)
    text = f"Draw {count} Special Items"
    battle.state.pool_items += yield from _draw(
        "dday_dice.setup.whim", text, "items", items, count=count, rule=("DDD-196", "DDD-197")
    )


def _draw(
    key: str, text: str, deck: str, names: Sequence[str], *, count: int, rule: tuple[str, ...]
) -> Script[tuple[str, ...]]:
    options = tuple(Option(name, name) for name in names)
    count = min(count, len(options))
    draw = Draw(key, text, "shuffle them first", rule, f"dday_dice.{deck}", count, options, settled="")
    return (yield from ask(draw))


def new_table(scenario: str, players: int) -> TableState:
    """A table with its Units, before set-up."""
    units = [Unit(name=name, home="", sector="", status=Status.FIGHTING) for name in NAMES[:players]]
    return TableState(scenario=scenario, units=units)
