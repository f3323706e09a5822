"""`companion rules`: rules, rulings, gaps and tables are found and told."""

import re

import pytest

from companion.cli import run
from companion.engine.ledger import Rule
from companion.engine.ledger import load as load_ledger
from companion.games import load
from tests.cli.conftest import Says

pytestmark = pytest.mark.usefixtures("own_data")


def test_rules_are_found_by_several_words_with_and_without_quotes(says: Says) -> None:
    quoted = says("rules", "okinawa", "mine field")
    assert "Mine Field" in quoted
    assert says("rules", "okinawa", "mine", "field") == quoted
    assert "OKI-034 " in says("rules", "okinawa", "token", "sandbag"), "words that are nowhere side by side"


@pytest.mark.parametrize(
    ("game", "ruling", "words"),
    [
        ("okinawa", "R50", "? No."),
        ("space_infantry", "R34", "Wounds on enemies when halves do not fit: "),
        ("undaunted", "R21", "A bot card of a suppressed unit is resolved. "),
    ],
)
def test_a_ruling_is_told_with_its_question(game: str, ruling: str, words: str, says: Says) -> None:
    assert words in " ".join(says("rules", game, ruling).split())


def test_a_rule_is_headed_by_its_number_and_its_section(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "okinawa", "067"]) == 0
    rule = load_ledger(load("okinawa").folder / "ledger.toml").search("OKI-067")[0]
    assert isinstance(rule, Rule)
    assert capsys.readouterr().out.startswith(f"OKI-067  {rule.section}\n")


def test_a_gap_is_told_as_missing(says: Says) -> None:
    said = " ".join(says("rules", "okinawa", "G24").split())
    assert said.startswith("OKI-G24 Missing: The six faces of an action die: how often each of 1, 2, ")
    assert ". Found: Rulebook: values 1 to 4. " in said


@pytest.mark.parametrize(
    ("game", "name", "words"),
    [
        ("space_infantry", "TB08", "SPI-TB08 EP cost from 6, to 5, ep 3 from 5, to 4, ep 5 "),
        ("space_infantry", "SPI-TB14", "SPI-TB14 Wound allocation on enemies, our ruling applied (derived "),
        ("flag_war", "TB9", "FLG-TB09 "),
        ("space_infantry", "T26", "SPI-T26 Armor Piercing: Weapon trait that switches armor off"),
    ],
)
def test_a_table_or_a_term_that_a_rule_names_can_be_read(
    game: str, name: str, words: str, says: Says
) -> None:
    assert " ".join(says("rules", game, name).split()).startswith(words)


@pytest.mark.parametrize("said", ["OKI-067", "067", "67", "oki-67", "OKI-67 "])
def test_a_rule_is_found_by_its_number_alone(said: str, says: Says) -> None:
    assert re.findall(r"^[A-Z]+-\w+", says("rules", "okinawa", said), re.MULTILINE) == ["OKI-067"]
