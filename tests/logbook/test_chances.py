"""Whether dice are fair is said by a textbook's figures, and not before there is enough to say."""

import pytest

from companion.logbook.chances import Fairness, fairness, noncentrality, rolls_needed, tail

D6 = ("1", "2", "3", "4", "5", "6")


@pytest.mark.parametrize(
    ("freedom", "limit"), [(1, 3.841), (2, 5.991), (3, 7.815), (5, 11.070), (9, 16.919), (19, 30.144)]
)
def test_the_tail_of_chi_square_is_that_of_the_tables(freedom: int, limit: float) -> None:
    assert tail(limit, freedom) == pytest.approx(0.05, abs=2e-5)


@pytest.mark.parametrize(
    ("freedom", "centre"), [(1, 7.849), (2, 9.635), (3, 10.903), (5, 12.828), (9, 15.650)]
)
def test_the_noncentrality_for_power_is_that_of_cohens_tables(freedom: int, centre: float) -> None:
    assert noncentrality(freedom) == pytest.approx(centre, abs=2e-3)


def test_a_d6_needs_about_a_thousand_rolls_and_a_d10_twice_that() -> None:
    assert rolls_needed(6, 1 / 6) == 1027
    assert rolls_needed(10, 1 / 10) == 2254


def test_with_few_rolls_nothing_is_said_against_the_dice() -> None:
    verdict = fairness({"6": 29}, D6)
    assert verdict.p < 1e-20
    assert str(verdict).startswith("29 rolls can't tell: about 1027 are needed")


def test_what_is_plain_is_said_before_there_are_rolls_enough_for_the_rest() -> None:
    words = str(fairness({"6": 300}, D6))
    assert words.startswith("Uneven: fair dice would look like this in fewer than 0.01% of such series.")
    assert "One in 1000 fair dice is called so by luck alone" in words
    some = fairness({**dict.fromkeys(D6, 30), "6": 52}, D6)
    assert 0.001 < some.p < 0.05
    assert str(some).startswith("202 rolls can't tell")


@pytest.mark.parametrize(
    ("p", "share", "figure"),
    [
        (0.0123, "only 1.23%", "p 0.012"),
        (0.0004, "only 0.04%", "p < 0.001"),
        (1e-30, "fewer than 0.01%", "p < 0.001"),
    ],
)
def test_a_chance_that_is_too_small_to_be_written_is_not_called_none(
    p: float, share: str, figure: str
) -> None:
    verdict = Fairness(rolls=2000, chi_square=20, p=p, least=30, needed=1027)
    assert f" in {share} of such series" in str(verdict)
    assert f", {figure}, " in verdict.figures


def test_even_dice_are_cleared() -> None:
    assert str(fairness(dict.fromkeys(D6, 200), D6)).startswith("Nothing speaks against these dice")


def test_only_dice_without_any_difference_are_as_even_as_all_series() -> None:
    even = dict.fromkeys(D6, 200)
    assert " in 100% of such series" in str(fairness(even, D6))
    assert " in 99% of such series" in str(fairness(even | {"1": 201, "2": 199}, D6))


def test_loaded_dice_are_called_uneven_with_how_often_luck_does_that() -> None:
    words = str(fairness(dict.fromkeys(D6, 200) | {"6": 300}, D6))
    assert words.startswith("Uneven: fair dice would look like this in fewer than 0.01%")
    assert "One in 20 fair dice" in words


def test_a_face_that_is_on_a_die_twice_may_come_twice_as_often() -> None:
    sides = ("hit", "hit", "miss")
    assert fairness({"hit": 400, "miss": 200}, sides).chi_square == 0
    assert fairness({"hit": 300, "miss": 300}, sides).p < 1e-10


def test_a_face_that_never_came_counts_against_a_die() -> None:
    assert fairness(dict.fromkeys(D6[:5], 240), D6).p < 1e-10


def test_no_rolls_are_no_evidence() -> None:
    assert fairness({}, D6).p == 1


def test_a_die_of_which_one_face_is_known_is_not_blamed() -> None:
    """As of a game that is gone, where only the faces that came up are known."""
    assert "Nothing speaks against" in str(fairness({"hit": 30}, ("hit",)))
