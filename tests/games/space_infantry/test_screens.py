"""What a person sees: board, map, and the presses of a combat round."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest

from companion.engine import ledger
from companion.engine.asks import Choose, Number, Pick, Roll, Show
from companion.engine.game import setup as engine_setup
from companion.games.space_infantry import GAME
from companion.games.space_infantry.pack import Effect, EffectKind, InfantryPack, Skill
from companion.games.space_infantry.state import Campaign, Foe, Member, Report
from companion.screens.screen import COLUMNS, ROWS
from companion.screens.views import NumberView
from tests.games.driver import Driver, setup
from tests.games.space_infantry.field import (
    GRUNTS,
    as_proposed,
    attack,
    attempt,
    briefed,
    calm,
    campaign,
    drill_with,
    fight,
    fresh,
    ids,
    in_combat,
    nodes_with,
    op,
    pack,
    put_on,
    roll,
    through_setup,
    wounds,
)

GOLDEN = Path(__file__).parent / "golden"


def test_the_table_in_words() -> None:
    driver = in_combat("grunt", "tank")
    roll(driver, "2")
    op(driver).team["assault-1"].wounds = 2
    op(driver).team["shotgun-1"].treated = 1

    assert driver.board() == (GOLDEN / "combat.txt").read_text(encoding="utf-8")


def test_no_box_is_named_before_the_time_marker_has_one_and_no_turn_before_the_first() -> None:
    driver = Driver(fresh())
    driver.until("space_infantry.enemy.sheet")
    assert driver.board().startswith("Drill (drill mission)\n[Mission]\nNormal\n")
    driver.answer(["grunts"])
    driver.answer("done")
    assert "mission)\n[Mission]\nBox 30, Normal\nAt Start\n" in driver.board()
    assert "[Mission]\nBox 30, turn 1, Normal\nAt Start\n" in briefed().board()


def test_enemies_that_are_alike_share_a_line() -> None:
    driver = in_combat("grunt", "grunt", "grunt", "tank")
    fight(driver).foes[3:] = [Foe("tank", wounds=1), Foe("tank")]
    shown = next(panel.lines for panel in driver.play.board().panels if panel.title == "Combat")

    assert shown[1:] == ("3 x Grunt 0/1", "Tank 1/4", "Tank 0/4")


def put_right(driver: Driver, change: Callable[[], None]) -> dict[str, tuple[str, ...]]:
    """What is told after an undo of what lay there before that."""
    before = driver.play.board()
    change()
    told = driver.play.board().since(before)
    return {panel.title: panel.lines for panel in told.panels} if told else {}


def test_who_is_not_in_the_team_that_an_undo_brings_back_is_told_also_where_another_copy_is() -> None:
    driver = in_combat("grunt", team=("assault-1",))

    def other() -> None:
        op(driver).team = {"leader": Member(), "assault-2": Member(wounds=1)}

    assert put_right(driver, other) == {"Team": ("Assault 2: 1/2", "no more: Assault 1")}


def test_enemies_of_another_fight_are_told_as_gone_after_an_undo() -> None:
    driver = in_combat("grunt", "grunt")

    def other() -> None:
        fight(driver).foes = [Foe("tank"), Foe("tank")]

    assert put_right(driver, other) == {"Combat": ("Tank: 2 x 0/4", "no more: Grunt")}


def test_of_enemies_of_a_kind_all_that_have_to_stand_there_are_told_after_an_undo() -> None:
    driver = in_combat("tank", "tank", "grunt")

    def wounded() -> None:
        fight(driver).foes[0] = Foe("tank", wounds=1)

    assert put_right(driver, wounded) == {"Combat": ("Tank: 1/4, 0/4",)}


def test_resources_that_are_gone_after_an_undo_are_told_so_though_others_are_left() -> None:
    driver = briefed(resources={"G": 2, "M": 2})
    assert put_right(driver, lambda: op(driver).resources.pop("M")) == {"Mission": ("no more: MediKits 2",)}


@pytest.mark.parametrize(
    ("found", "lines"),
    [
        (["survivor"], ["Found: survivor"]),
        (["survivor"] * 5, ["Found: 5 survivor"]),
        (
            ["the reactor's core", "the archive", "a survivor"],
            ["Found: the reactor's core, the archive,", "  a survivor"],
        ),
    ],
)
def test_everything_found_is_told(found: list[str], lines: list[str]) -> None:
    driver = briefed()
    op(driver).found = found
    shown = next(panel.lines for panel in driver.play.board().fitted().panels if panel.title == "Mission")

    assert list(shown[-len(lines) :]) == lines


@pytest.mark.parametrize("name", GAME.scenarios(setup(GAME).pack)[1:])
def test_boards_are_at_most_40_columns_wide_and_say_stand_in(name: str) -> None:
    driver = Driver(GAME.start(setup(GAME, name)))
    driver.until("space_infantry.enemy.sheet")
    driver.answer(["cybers"])
    driver.answer("proposal")
    board = driver.play.board().fitted()

    assert "stand-in" in board.title
    assert max(len(line) for panel in board.panels for line in panel.lines) <= 40


def test_the_map_shows_every_node_and_refers_to_nothing() -> None:
    svg = briefed().play.svg()
    root = ET.fromstring(svg)
    words = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]

    assert {"Start", "Cliff", "Exit"} <= set(words)
    nodes = [one.attrib["class"] for one in root.iter("{http://www.w3.org/2000/svg}rect")]
    assert (nodes[0], nodes[1]) == ("node explored here outside", "node")
    assert len(list(root.iter("{http://www.w3.org/2000/svg}line"))) == 10
    assert "href" not in svg


def test_a_skill_is_called_as_people_call_it() -> None:
    driver = Driver(fresh(drill_with(nodes=nodes_with("cliff", needs="zero_g 2"))))
    driver.until("space_infantry.enemy.sheet")
    assert ">zero-g 2<" in driver.play.svg()
    through_setup(driver, ("zero_g",), {})
    assert "0/2 zero-g" in driver.board()
    assert ">0/2 zero-g<" in driver.play.svg()
    assert isinstance(driver.ask, Choose)
    assert (
        next(one.detail for one in driver.ask.options if one.id == "try:cliff") == "zero-g 0/2 Success Levels"
    )
    driver.answer("try:cliff")
    assert driver.ask.text == "Cliff: who tries zero-g?"


@pytest.mark.parametrize(("title", "word"), [("EVA Walk", "EVA walk"), ("Zero-G", "zero-g")])
def test_a_skill_that_the_owner_writes_in_capitals_is_told_so(title: str, word: str) -> None:
    changed = msgspec.structs.replace(pack(), skill=pack().skill | {"climb": Skill(title)})
    driver = briefed(("explorer",), {}, changed)

    assert driver.ids()[0] == "try:cliff"
    assert f"0/2 {word}" in driver.board()
    driver.answer("try:cliff")
    assert driver.ask.text == f"Cliff: who tries {word}?"


def test_before_a_mission_the_picture_tells_how_the_campaign_stands() -> None:
    play = fresh()
    root = ET.fromstring(play.svg())

    drawn = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert drawn == ["Campaign", *play.board().panels[0].lines]


def test_how_the_campaign_stands_is_drawn_no_wider_than_a_telephone_shows_it_readable() -> None:
    """360 pixels make letters of ten in a picture of 450 too small."""
    long = "The Long Way Home from the Furthest Outpost"
    play = fresh(drill_with(title=long))
    play.state.reports.append(Report("drill", "normal", success=True, survivors=5, turns=9))
    root = ET.fromstring(play.svg())

    drawn = [one.text or "" for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert root.attrib["viewBox"].split()[2] == "300"
    assert max(map(len, drawn)) <= 40
    assert " ".join(map(str.strip, drawn)).count(f"{long}: done, 5 back") == 1


def test_a_round_that_went_well_is_told_in_one_press() -> None:
    driver = in_combat("grunt", "grunt", resources={})
    roll(driver, "2")
    roll(driver, "1", "1", "1", "1")
    roll(driver, "1", "1")
    assert isinstance(driver.ask, Show)

    assert driver.ask.key == "space_infantry.combat.round"
    assert driver.ask.text == "2 of the enemy left; range Melee; no hits"
    driver.answer()
    assert driver.ask.key == "space_infantry.combat.leader"


def test_what_goes_onto_the_map_is_told_before_the_first_turn() -> None:
    driver = Driver(fresh())
    driver.until("space_infantry.enemy.sheet")
    driver.answer(["grunts"])
    driver.answer("done")
    driver.answer(8)
    told = f"{driver.ask.text}; {driver.ask.detail}"

    assert "Team A counter on Start, the Time marker on box 30" in told
    assert "special counters face down on Mark" in told


@pytest.mark.parametrize(
    ("streak", "text", "detail"),
    [
        (1, "Which mission?", "Normal: 110 points, at most 8 resources"),
        (2, "Three successes: now Hard. Which mission?", "Hard: 90 points, at most 6 resources"),
    ],
)
def test_a_step_up_is_told_with_the_next_mission(streak: int, text: str, detail: str) -> None:
    driver = briefed(missions="2")
    campaign(driver).streak = streak
    op(driver).places["exit"].explored = True
    driver.answer("stay")
    driver.until("space_infantry.end.bonus")
    driver.answer("leader")
    driver.answer("keep")

    assert driver.ask.key == "space_infantry.mission.choose"
    assert (driver.ask.text, driver.ask.detail.partition(";")[0]) == (text, detail)


@pytest.mark.rule("SPI-003", "SPI-130")
def test_what_comes_off_between_two_missions_is_told_with_the_next() -> None:
    told = "all counters of the last mission come off cards, map and Turn Track"
    driver = Driver(GAME.start(engine_setup(GAME, pack(), {"missions": "2"}, "choose")))
    assert driver.ask.key == "space_infantry.mission.choose"
    assert told not in driver.ask.detail
    driver.answer("drill")
    through_setup(driver, ("assault-1",), {"M": 2})
    op(driver).team["assault-1"].wounds = op(driver).team["assault-1"].treated = 1
    op(driver).places["exit"].explored = True
    driver.answer("stay")
    driver.until("space_infantry.end.bonus")
    driver.answer("leader")

    assert driver.ask.key == "space_infantry.mission.choose"
    assert told in driver.ask.detail
    driver.answer("drill")
    through_setup(driver, ("assault-1",), {})
    assert op(driver).team["assault-1"] == Member()
    assert not any(op(driver).resources.values())


def test_whom_the_team_wounded_and_who_heals_is_told() -> None:
    driver = in_combat("grunt", "troll", resources={})
    attack(driver, "M", ["1", "4", "1", "4"], ["1", "1"])
    assert ids(driver) == ["0:1", "1:1"]
    driver.answer("0:1")

    assert driver.ask.key == "space_infantry.combat.round"
    told = f"{driver.ask.text}; {driver.ask.detail}"
    assert "2 hits, 1 out: 1 Grunt" in told
    assert "Troll 1/3 wounds; Troll heals a wound, 0/3 now" in told


@pytest.mark.parametrize(
    ("ambush", "first", "gained"),
    [((), "", "strike first"), (("A",), "; they strike first", "both strike at once")],
)
def test_who_strikes_first_is_told_with_what_intelligence_changes_of_it(
    ambush: tuple[str, ...], first: str, gained: str
) -> None:
    sly = msgspec.structs.replace(pack(), enemy={"grunts": msgspec.structs.replace(GRUNTS, ambush=ambush)})
    driver = briefed(changed=sly)
    put_on(driver, "hall")
    driver.answer("stay")
    roll(driver, "2")
    assert driver.ask.detail == f"Grunts (drill){first}"
    assert driver.ask.news == first.removeprefix("; "), "what the log tells of it"
    driver.answer()
    driver.answer("fight")
    roll(driver, "4")

    assert isinstance(driver.ask, Choose)
    assert driver.ask.options[1].detail == f"one Intelligence off the Turn Track: {gained}"


@pytest.mark.parametrize(
    ("effect", "told"),
    [
        (Effect(EffectKind.NOTHING), "Nothing happens"),
        (Effect(EffectKind.NOTHING, text="A false alarm"), "A false alarm"),
        (Effect(EffectKind.TURNS, -2), "Time marker to box 28"),
        (Effect(EffectKind.LOSE, 5, "G"), "Grenades: 2 lost, off the Turn Track"),
        (Effect(EffectKind.OPEN, what="lab"), "Lab is open"),
        (Effect(EffectKind.FOUND, what="A"), "Found: A"),
        (Effect(EffectKind.FOUND, what="A", text="A map"), "A map"),
    ],
)
def test_what_an_event_does_is_told_also_where_the_sheet_has_no_words_for_it(
    effect: Effect, told: str
) -> None:
    driver = briefed(changed=drill_with(nodes=nodes_with("den", effect=effect, events=("4+/E",))))
    put_on(driver, "den")
    driver.answer("stay")
    roll(driver, "4")

    assert driver.ask.text == told


def test_an_override_of_the_state_restates_the_choices() -> None:
    driver = briefed()
    op(driver).node = "cliff"
    driver.restate()

    assert ids(driver) == ["move:start", "try:top", "stay"]


def test_hits_that_three_units_at_most_may_not_deal_are_told_as_lost() -> None:
    driver = in_combat("tank", team=("assault-1", "assault-2", "assault-3"), resources={}, difficulty="hard")
    attack(driver, "M", ["4", "3", "3", "3"], ["1", "1"])
    roll(driver, "1", "1")

    assert "1 hit lost: 3 units at most on one enemy" in f"{driver.ask.text}; {driver.ask.detail}"


@pytest.mark.parametrize(("level", "lost"), [("normal", ""), ("hard", "; 1 lost")])
def test_hits_that_a_way_to_give_them_would_lose_are_told_with_it(level: str, lost: str) -> None:
    team = ("assault-1", "assault-2", "assault-3", "assault-4", "shotgun-1", "shotgun-2", "shotgun-3")
    driver = in_combat("tank", "tank", "tank", team=team, resources={}, difficulty=level)
    attack(driver, "M", ["4", *["3"] * 7], ["1"] * 6)

    assert isinstance(driver.ask, Choose)
    assert [(option.label, option.detail) for option in driver.ask.options] == [
        ("4 on Tank", f"4 left; others 2 each{lost}"),
        ("3 on Tank", "4 left; others 2-3 each"),
    ]


@pytest.mark.parametrize(
    ("casualties", "fate"),
    [
        ("return", "out of combat: Leader, Shotgun 1"),
        ("lost", "lost, with what they had learned: Leader, Shotgun 1"),
    ],
)
def test_who_did_not_survive_is_told_with_what_becomes_of_them(casualties: str, fate: str) -> None:
    driver = briefed(("assault-1", "shotgun-1"), casualties=casualties)
    for name in ("leader", "shotgun-1"):
        op(driver).team[name].wounds = 2
    op(driver).places["exit"].explored = True
    driver.answer("stay")
    driver.until("space_infantry.mission.end")

    assert (driver.ask.text, driver.ask.detail) == ("Mission completed, 1 survivor", fate)


def before_a_grenade() -> Driver:
    driver = in_combat("grunt", "grunt", resources={"G": 1})
    roll(driver, "2")
    return driver


def before_a_stymo_pack() -> Driver:
    driver = in_combat("grunt", "grunt", resources={"S": 1})
    roll(driver, "2")
    roll(driver, "1", "1", "1", "1")
    return driver


def before_a_medikit() -> Driver:
    driver = in_combat("grunt", "grunt", resources={"M": 1})
    attack(driver, "M", ["1", "1", "1", "1"], ["4", "1"])
    as_proposed(driver)
    return driver


def before_intelligence() -> Driver:
    driver = briefed(resources={"I": 1})
    attempt(driver, "cliff", "explorer")
    roll(driver, "4")
    return driver


@pytest.mark.parametrize(
    ("stand", "kind", "left"),
    [
        (before_a_grenade, "G", "go"),
        (before_a_stymo_pack, "S", "none"),
        (before_a_medikit, "M", "none"),
        (before_intelligence, "I", "accept"),
    ],
)
def test_what_an_override_takes_away_is_not_offered_any_more(
    stand: Callable[[], Driver], kind: str, left: str
) -> None:
    driver = stand()
    assert len(ids(driver)) > 1
    op(driver).resources[kind] = 0
    driver.restate()

    assert ids(driver) == [left]


def test_command_points_that_an_override_takes_away_are_not_offered_any_more() -> None:
    driver = briefed()
    attempt(driver, "hall", "assault-1", "command")
    roll(driver, "5", "2")
    assert ids(driver) == ["keep", "0"]
    op(driver).command = 0
    driver.restate()

    assert ids(driver) == ["keep"]


def wounds_on(*foes: str) -> Driver:
    """Four wounds of ours on these, to be given out; theirs miss."""
    driver = in_combat(*foes, team=("assault-1", "assault-2", "assault-3"), resources={})
    attack(driver, "M", ["4", "3", "3", "3"], ["1"] * (len(foes) + foes.count("tank")))
    return driver


@pytest.mark.parametrize(
    ("now", "words"),
    [
        (["grunt", "tank"], "4 wounds on 2 of the enemy"),
        (["grunt", "grunt", "tank", "grunt", "tank"], "4 wounds on 5 of the enemy"),
        (["tank"], "4 wounds on 1 of the enemy"),
        ([], "4 wounds on 0 of the enemy"),
    ],
)
def test_wounds_are_given_to_the_enemies_that_an_override_leaves(now: list[str], words: str) -> None:
    driver = wounds_on("tank", "grunt", "grunt")
    assert driver.ask.text == "4 wounds on 3 of the enemy"
    fight(driver).foes = [Foe(kind) for kind in now]
    driver.restate()
    assert driver.ask.text == words
    driver.answer(ids(driver)[0])
    if isinstance(driver.ask, Pick):
        driver.answer(ids(driver)[: driver.ask.least])
    while isinstance(driver.ask, Roll):
        roll(driver, *["1"] * driver.ask.dice[0].count)

    assert driver.ask.key == "space_infantry.combat.round"


@pytest.mark.parametrize("now", [[], ["grunt"], ["tank", "grunt", "grunt", "grunt"]])
def test_wounds_are_given_out_anew_if_the_enemies_change_under_their_armor(now: list[str]) -> None:
    driver = wounds_on("tank", "grunt", "grunt")
    driver.answer(ids(driver)[0])
    assert driver.ask.key == "space_infantry.combat.armor"
    fight(driver).foes = [Foe(kind) for kind in now]
    roll(driver, "1", "1")
    if len(now) > 1:
        assert driver.ask.text == "4 wounds on 4 of the enemy"
    else:
        assert driver.ask.key == "space_infantry.combat.round"
        assert fight(driver).foes == []


@pytest.mark.parametrize("now", [[], ["grunt"], ["tank", "grunt"], ["tank"] * 6])
def test_wounds_are_given_out_anew_if_the_enemies_change_as_the_odd_ones_are_given(now: list[str]) -> None:
    driver = wounds_on("tank", "grunt", "grunt", "tank")
    driver.answer("0:2")
    assert driver.ask.key == "space_infantry.combat.odd"
    fight(driver).foes = [Foe(kind) for kind in now]
    driver.restate()
    driver.answer(ids(driver)[-2:])
    if len(now) > 1:
        assert driver.ask.text == f"4 wounds on {len(now)} of the enemy"
    else:
        assert driver.ask.key == "space_infantry.combat.round"
        assert fight(driver).foes == []


def hurt() -> Driver:
    driver = in_combat("grunt", "grunt", resources={"M": 1})
    attack(driver, "M", ["1", "1", "1", "1"], ["4", "4"])
    calm(driver, "space_infantry.wounds.accept")
    return driver


def test_the_proposal_for_wounds_is_for_the_team_as_an_override_leaves_it() -> None:
    driver = hurt()
    assert driver.ask.options[0].label == "As proposed: 1 on Assault 1, 1 on Fire Team 1"
    op(driver).team["assault-1"].wounds = 1
    driver.restate()
    assert driver.ask.options[0].label == "As proposed: 1 on Fire Team 1, 1 on Shotgun 1"
    for name, member in op(driver).team.items():
        member.wounds = campaign(driver).roster[name].wounds
    driver.restate()

    assert ids(driver) == ["accept"]
    as_proposed(driver)
    assert driver.ask.text.startswith("The team is defeated;")


@pytest.mark.parametrize("answers", [["hand", "assault-1", "leader"], ["hand", "assault-1"], ["accept"]])
def test_who_is_taken_out_of_the_team_by_hand_is_not_wounded(answers: list[str]) -> None:
    driver = hurt()
    for answer in answers:
        driver.answer(answer)
    del op(driver).team["assault-1"]
    driver.restate()
    if driver.ask.key == "space_infantry.wounds.place":
        driver.answer("leader")
    assert driver.ask.key == "space_infantry.wounds.medikit"
    assert "assault-1" not in ids(driver)
    driver.answer("none")

    assert driver.ask.key == "space_infantry.combat.round"


def at_a_full_cache() -> Driver:
    """A cache holds more than the team can carry."""
    driver = briefed(resources={"G": 4, "M": 4})
    put_on(driver, "store")
    driver.answer("stay")
    driver.answer("look")
    roll(driver, "3")
    assert driver.ask.text == "Leave 2 behind: which?"
    return driver


def test_an_override_of_too_many_resources_leaves_nothing_more_to_drop() -> None:
    driver = at_a_full_cache()
    op(driver).resources["M"] = 3
    assert driver.restate().text == "Leave 1 behind: which?"
    op(driver).resources["M"] = 2
    assert driver.restate().text == "Nothing more to leave behind"
    assert ids(driver) == ["none"]
    driver.answer("none")

    assert op(driver).resources == {"G": 6, "M": 2, "I": 0, "S": 0, "D": 0}
    assert op(driver).surplus == 0


def test_resources_set_by_hand_while_they_are_chosen_count() -> None:
    driver = Driver(fresh())
    while driver.ask.key != "space_infantry.resources.G":
        draws = {"space_infantry.enemy.sheet": ["grunts"], "space_infantry.team.buy": "done"}
        driver.answer(draws.get(driver.ask.key, True))
    op(driver).resources["S"] = 5
    assert driver.restate().text == "Grenades? 3 to take"
    assert driver.ask.detail == "Then MediKits, Intelligence, Stymo-Packs, Charges"
    assert isinstance(driver.ask, Number)
    assert len(NumberView(driver.ask).lines(COLUMNS)) <= ROWS - 2
    driver.answer(3)
    assert driver.ask.text == "Stymo-Packs? 5 to take"
    driver.answer(5)

    assert list(driver.play.check()) == []


def test_a_team_set_elsewhere_during_an_event_check_has_the_event_that_was_checked() -> None:
    driver = briefed()
    put_on(driver, "den")
    driver.answer("stay")
    assert driver.ask.text == "Den: event check 4+/E"
    op(driver).node = "start"
    roll(driver, "4")

    assert driver.ask.text == "1 wound on the team: as proposed?"


def test_an_enemy_sheet_without_who_has_just_come_is_refused() -> None:
    shipped = setup(GAME).pack
    assert isinstance(shipped, InfantryPack)
    sheets = shipped.enemy | pack().enemy
    driver = briefed(changed=msgspec.structs.replace(pack(), enemy=sheets))
    put_on(driver, "hall")
    op(driver).news.append("Team A counter to Hall")
    driver.answer("stay")
    roll(driver, "2")
    assert driver.ask.key == "space_infantry.event.told"
    assert list(driver.play.check()) == []
    op(driver).sheet = "cybers"

    assert "the enemy has no grunt" in list(driver.play.check())


def test_the_proposal_copes_with_a_skill_without_levels() -> None:
    driver = Driver(fresh())
    while driver.ask.key != "space_infantry.team.buy":
        driver.answer(["grunts"] if driver.ask.is_chance else True)
    campaign(driver).roster["sniper-1"].levels["search"] = []
    driver.answer("proposal")

    assert "sniper-1" in op(driver).team


def test_start_stays_explored() -> None:
    driver = briefed()
    put_on(driver, "cliff")
    op(driver).places["start"].explored = False

    assert list(driver.play.check()) != []


def test_a_soldiers_number_is_told_apart_from_wounds_and_points() -> None:
    driver = in_combat("tank", "tank", team=("heavy-1", "assault-1"), resources={})
    attack(driver, "M", ["1"] * 3, ["4", "1", "3", "1"])
    assert driver.ask.options[0].label == "As proposed: 1 on Heavy 1, 1 on Assault 1"
    as_proposed(driver)
    roll(driver, "1")
    assert "1 wound on Heavy 1" in f"{driver.ask.text}; {driver.ask.detail}"
    driver = in_combat("tank", team=("heavy-1",), resources={"S": 1})
    attack(driver, "M", ["3", "2"], [])
    assert driver.ask.key == "space_infantry.combat.stimulate"
    assert driver.ask.detail.endswith("; Leader: 3/4, Heavy 1: 2/5")
    driver = Driver(fresh())
    while driver.ask.key != "space_infantry.team.buy":
        driver.answer(["grunts"] if driver.ask.is_chance else True)

    assert isinstance(driver.ask, Choose)
    assert "Heavy 1 (18)" in [option.label for option in driver.ask.options]


def test_the_state_is_whole_and_plain_json() -> None:
    driver = in_combat("grunt")
    state = campaign(driver)

    assert msgspec.json.decode(msgspec.json.encode(state), type=Campaign) == state
    assert GAME.glance(state).figures["soldiers"] == 7
    assert GAME.glance(fresh().state).turn == ""
    assert fight(driver).round == 1


def test_chits_lie_on_the_units_until_they_are_resolved() -> None:
    driver = briefed()
    attempt(driver, "hall", "assault-1", "command")
    roll(driver, "5", "2")
    assert "Assault 1     0/2 AP 2" in driver.board()
    driver.answer("keep")

    assert op(driver).chits == []


def test_a_map_of_which_a_terminal_of_80_columns_cuts_the_end_tells_how_much_is_gathered() -> None:
    shown = next(panel.lines for panel in briefed().play.board().panels if panel.title == "Map")
    assert " Yard         0/2 communica" in [line[:27] for line in shown]


def test_what_a_node_asks_for_is_told_in_whole_where_its_name_is_long() -> None:
    nodes = nodes_with("yard", title="Communications Tower", events=("4+/B+1",) * 6)
    driver = briefed(changed=drill_with(nodes=nodes))
    lines = driver.board().splitlines()

    shown = next(panel.lines for panel in driver.play.board().panels if panel.title == "Map")
    assert max(map(len, shown)) <= 40
    assert " Communications Tower 0/2 communications" in " ".join(lines)
    assert " ".join(lines).count("4+/B+1") == 7
    assert max(map(len, lines)) <= 40


def test_the_line_of_a_soldier_with_all_that_can_lie_on_one_fits_the_width() -> None:
    driver = in_combat("grunt", team=("heavy-1",), resources={})
    attack(driver, "F", ["3"] * 3, [])
    op(driver).team["heavy-1"] = Member(wounds=1, treated=1, stymo=True)
    line = "Heavy 1       1/2 treated 1 stymo AP 3 3"

    assert line in driver.board().splitlines()
    assert len(line) <= 40


def test_where_one_soldier_is_left_nobody_chooses_who_is_wounded() -> None:
    driver = in_combat("grunt", team=(), resources={})
    attack(driver, "M", ["1"], ["4"])
    calm(driver, "space_infantry.wounds.accept")
    assert ids(driver) == ["accept"]
    driver.answer("accept")
    assert wounds(driver) == {"leader": 1}


def test_a_report_follows_who_is_left_their_wounds_and_the_resources() -> None:
    driver = in_combat("grunt", team=("assault-1", "shotgun-1"), resources={"G": 2, "M": 1})
    op(driver).team["assault-1"].wounds = 2
    op(driver).team["shotgun-1"].wounds = 1
    seen = GAME.glance(campaign(driver))

    assert seen.turn == "Drill, turn 1"
    assert seen.figures == {"turns in all": 30, "soldiers": 2, "wounds": 3, "resources": 3}


def test_a_report_follows_the_turns_that_are_regained_not_those_that_pass() -> None:
    driver = briefed()
    driver.answer("stay")
    driver.until("space_infantry.turn.action")
    assert (op(driver).turn, op(driver).marker) == (2, 29)
    assert GAME.glance(campaign(driver)).figures["turns in all"] == 30

    put_on(driver, "cliff")
    driver.answer("move:start")
    roll(driver, "6")
    assert op(driver).marker == 30
    assert GAME.glance(campaign(driver)).figures["turns in all"] == 31


def test_of_a_cache_that_holds_too_much_a_report_counts_what_is_not_left_behind() -> None:
    driver = at_a_full_cache()
    figures = []
    for kind in ("G", "M"):
        figures.append(GAME.glance(campaign(driver)).figures["resources"])
        driver.answer(kind)

    assert [*figures, GAME.glance(campaign(driver)).figures["resources"]] == [8, 8, 8]


def test_a_report_counts_none_as_left_behind_that_were_taken_away_by_hand() -> None:
    driver = at_a_full_cache()
    op(driver).resources["G"] = 3
    driver.restate()

    assert GAME.glance(campaign(driver)).figures["resources"] == 7


def test_what_a_rule_abbreviates_is_told_below_it() -> None:
    book = ledger.load(GAME.folder / "ledger.toml")
    rule, *terms = (entry.words for entry in book.why(["SPI-155"]))
    assert rule == "The number of resources found is RN minus 1."
    assert [one.partition(":")[0] for one in terms] == ["Random number (RN)", "Action Points (AP)"]
