"""The game's own options: optional rules of the book, and rulings that a group may read otherwise."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.engine.game import Setting

_NO_YES = ("no", "yes")
_YES_NO = ("yes", "no")

SETTINGS = (
    Setting("players", "Units at the table", ("1", "2", "3", "4"), ("DDD-001", "DDD-176")),
    # Optional rules of the book.
    Setting(
        "bazooka_joe",
        "all Special Items; all Specialists too",
        ("no", "items", "all"),
        ("DDD-187", "DDD-188"),
        label="Bazooka Joe",
    ),
    Setting(
        "soldier_mulligan",
        "one opening roll without Soldiers again",
        _NO_YES,
        ("DDD-189", "DDD-190"),
        label="Soldier Mulligan",
    ),
    Setting("well_equipped", "start with 10 Item Points", _NO_YES, ("DDD-191",), label="Well Equipped"),
    Setting(
        "wild_specialists", "random Specialists", _NO_YES, ("DDD-192", "DDD-195"), label="Wild Specialists"
    ),
    Setting(
        "quartermasters_whim",
        "random Special Items",
        _NO_YES,
        ("DDD-196", "DDD-197"),
        label="Quartermaster's Whim",
    ),
    Setting(
        "blind_start", "starting resources by the Unit marker", _NO_YES, ("DDD-209",), label="Blind Start"
    ),
    # Rulings.
    Setting(
        "cancel_before_rwb",
        "a cancelled die forms no RWB, nor four of a kind",
        _YES_NO,
        ("DDD-R15",),
        label="cancelled dice form no RWB",
    ),
    Setting(
        "start_marker_skip_first_upkeep",
        "the marker stays at 1 chevron in turn 1",
        _NO_YES,
        ("DDD-R30",),
        label="marker stays in turn 1",
    ),
    Setting(
        "special_find_extra",
        "Special Find beside the one Item a turn",
        _NO_YES,
        ("DDD-R28",),
        label="Special Find extra",
    ),
    Setting(
        "special_find_reserved",
        "Special Find takes used Items of one Sector",
        _YES_NO,
        ("DDD-R29",),
        label="Special Find reserved",
    ),
    Setting(
        "shoulder_patch_extra",
        "Shoulder Patch beside the one Specialist a turn",
        _NO_YES,
        ("DDD-R50",),
        label="Shoulder Patch extra",
    ),
    Setting(
        "vehicle_discount",
        "Item discounts hold for Vehicles",
        _NO_YES,
        ("DDD-R52",),
        label="discounts for Vehicles",
    ),
    Setting(
        "practice_rwb",
        "RWBs count in the Practice Run",
        _YES_NO,
        ("DDD-R72",),
        label="RWB in the Practice Run",
    ),
    Setting(
        "left_out_die",
        "who picks the die that stays out of a roll of 5",
        ("player", "blue"),
        ("DDD-R11",),
        label="die left out by",
    ),
    Setting(
        "virtual_skulls_cancel",
        "Skulls that no die shows cancel dice",
        _YES_NO,
        ("DDD-R16",),
        label="Skulls without a die cancel",
    ),
    Setting(
        "straights",
        "of several straights the weakest Unit's Award comes first, or in the Units' order",
        ("weakest", "order"),
        ("DDD-174", "DDD-175"),
        before="order",
        label="straights first by",
    ),
    Setting(
        "safe_receive",
        "a safe Unit can be the 'other Unit'",
        _NO_YES,
        ("DDD-R23",),
        label="safe Units receive",
    ),
    Setting(
        "def_by",
        "which DEF of several: by Combats or by chevrons",
        ("combats", "chevrons"),
        ("DDD-R31",),
        label="DEF by",
    ),
    Setting("guard_required", "mines spare the Specialist that a Sector asks for", _YES_NO, ("DDD-R37",)),
    Setting("paratrooper_counts", "the Paratrooper for VP and at the Bunker", ("1", "6"), ("DDD-R39",)),
    Setting(
        "safe_abilities",
        "General, Engineer, Lieutenant and Quartermaster work from the Bunker",
        _NO_YES,
        ("DDD-R45",),
    ),
    Setting("engineer_for_all", "the Engineer helps every Unit in a Bunker", _YES_NO, ("DDD-R46",)),
    Setting("copy_without_sector", "a copied tally brings no Sector results along", _YES_NO, ("DDD-R48",)),
    Setting("vehicle_for_all", "a Vehicle works for every Unit in its Sector", _YES_NO, ("DDD-R54",)),
    Setting(
        "mortar_fire",
        "Mortar Fire on top of the loss, or instead of it",
        ("extra", "instead"),
        ("DDD-R65",),
        label="Mortar Fire",
    ),
    Setting("exchange_resets", "a War Correspondent's exchange is a fresh stay", _NO_YES, ("DDD-R71",)),
    Setting("black_shields_in_training", "black shields hold in Basic Training", _YES_NO, ("DDD-R73",)),
    Setting("virtual_of_a_kind", "results without a die count for four of a kind", _YES_NO, ("DDD-R77",)),
    Setting(
        "gold_solo_stay",
        "the solo Unit may stay in the first Gold Bunker",
        _YES_NO,
        ("DDD-R79",),
        label="solo Unit stays on Gold",
    ),
    Setting(
        "random_tables",
        "which table Sword's Sectors 6, 7 and 11 use",
        ("1-2-3", "1-3-2", "2-1-3", "2-3-1", "3-1-2", "3-2-1"),
        ("DDD-R80",),
        label="Sword's random tables",
    ),
    Setting(
        "retreat_costs_courage",
        "the retreat from a Climb costs 1 Courage",
        _NO_YES,
        ("DDD-R83",),
        label="retreat costs Courage",
    ),
    Setting("bulldozer_opens", "a Bulldozer opens Sectors that ask for Wirecutters", _NO_YES, ("DDD-R84",)),
    Setting(
        "awards_lower_fixed_def",
        "Awards lower a DEF that nothing else can",
        _YES_NO,
        ("DDD-R85",),
        label="Awards lower a fixed DEF",
    ),
    Setting(
        "deadstick_both",
        "Deadstick: each Bunker has to be taken",
        _NO_YES,
        ("DDD-R87",),
        label="both Deadstick Bunkers",
    ),
)


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The settings in types; the names are those of `SETTINGS`."""

    players: int
    bazooka_joe: str
    soldier_mulligan: bool
    well_equipped: bool
    wild_specialists: bool
    quartermasters_whim: bool
    blind_start: bool
    cancel_before_rwb: bool
    start_marker_skip_first_upkeep: bool
    special_find_extra: bool
    special_find_reserved: bool
    shoulder_patch_extra: bool
    vehicle_discount: bool
    practice_rwb: bool
    left_out_die: str
    virtual_skulls_cancel: bool
    straights: str
    safe_receive: bool
    def_by: str
    guard_required: bool
    paratrooper_counts: int
    safe_abilities: bool
    engineer_for_all: bool
    copy_without_sector: bool
    vehicle_for_all: bool
    mortar_fire: str
    exchange_resets: bool
    black_shields_in_training: bool
    virtual_of_a_kind: bool
    gold_solo_stay: bool
    random_tables: str
    retreat_costs_courage: bool
    bulldozer_opens: bool
    awards_lower_fixed_def: bool
    deadstick_both: bool


def options(settings: Mapping[str, str]) -> Options:
    """The options from `--set` values; what is not given is the default."""
    given = {setting.name: settings.get(setting.name, setting.default) for setting in SETTINGS}
    words = {"yes": True, "no": False}
    values = {
        name: value if name == "bazooka_joe" else words.get(value, value) for name, value in given.items()
    }
    return msgspec.convert(values, Options, strict=False)
