"""R20: wounds on enemies against a search through every way to give them (SPI-117, SPI-118, SPI-R34)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import pytest

from companion.games.space_infantry.enemy_wounds import enemy_plans, kills
from companion.games.space_infantry.sharing import (
    Spread,
    Struck,
    at_most_three,
    pierced,
    piercing_lost,
    shares,
    spreads,
)

TABLE = {
    (1, 1): {"1"},
    (7, 1): {"7"},
    (1, 2): {"1,0"},
    (2, 2): {"1,1"},
    (3, 2): {"2,1"},
    (5, 2): {"3,2"},
    (4, 3): {"2,1,1"},
    (5, 3): {"2,2,1"},
    (6, 4): {"3,1,1,1", "2,2,1,1"},
    (3, 5): {"1,1,1,0,0"},
}
"""Table SPI-TB14, each way with its shares from the most to the least."""


def every_way(wounds: int, enemies: int) -> Iterator[tuple[int, ...]]:
    """All ways to split `wounds`."""
    return (way for way in product(range(wounds + 1), repeat=enemies) if sum(way) == wounds)


def is_legal(way: tuple[int, ...]) -> bool:
    """The rule as it is written down: half rounded down, the rest equally, relaxed as little as can be."""
    wounds, enemies = sum(way), len(way)
    if enemies == 1:
        return True
    limit = max(wounds // 2, -(-wounds // enemies))
    if max(way) > limit:
        return False
    for chosen in range(enemies):
        others = [share for at, share in enumerate(way) if at != chosen]
        if way[chosen] >= max(others) and max(others) - min(others) <= 1:
            return True
    return False


def offered(wounds: int, enemies: int) -> set[tuple[int, ...]]:
    """Every way that the game can end up with."""
    return {
        tuple(shares(spread, enemies, chosen, odd))
        for spread in spreads(wounds, enemies)
        for chosen in range(enemies)
        for odd in combinations([at for at in range(enemies) if at != chosen], spread.odd)
    }


@pytest.mark.rule("SPI-117", "SPI-118", "SPI-R34")
@pytest.mark.parametrize("enemies", range(1, 6))
@pytest.mark.parametrize("wounds", range(1, 9))
def test_the_game_offers_all_legal_ways_and_no_other(wounds: int, enemies: int) -> None:
    assert offered(wounds, enemies) == {way for way in every_way(wounds, enemies) if is_legal(way)}


@pytest.mark.rule("SPI-R34")
@pytest.mark.parametrize(("group", "ways"), TABLE.items())
def test_the_ledgers_table(group: tuple[int, int], ways: set[str]) -> None:
    found = {",".join(map(str, sorted(way, reverse=True))) for way in offered(*group)}

    assert found == ways


@pytest.mark.parametrize("wounds", range(1, 8))
def test_the_first_plan_offered_kills_most(wounds: int) -> None:
    left = [1, 1, 2, 4]
    plans = enemy_plans(left, ["a", "a", "b", "c"], wounds)

    assert kills(left, *plans[0]) == max(
        sum(share >= has for share, has in zip(way, left, strict=True)) for way in offered(wounds, len(left))
    )


def test_alike_enemies_are_offered_once() -> None:
    assert enemy_plans([1, 1, 1], ["a", "a", "a"], 4) == [(Spread(2, 1, 0), 0)]


@pytest.mark.rule("SPI-117", "SPI-R34")
def test_of_a_kind_a_wounded_enemy_and_a_fresh_one_can_each_be_given_the_most() -> None:
    assert set(enemy_plans([3, 1, 3], ["a", "a", "a"], 3)) == {(Spread(1, 1, 0), 0), (Spread(1, 1, 0), 1)}
    assert set(enemy_plans([3, 1], ["a", "a"], 3)) == {(Spread(2, 1, 0), 0), (Spread(2, 1, 0), 1)}


@pytest.mark.rule("SPI-191")
@pytest.mark.parametrize(
    "units", [(1, 1, 1, 1), (2, 1, 1), (3, 3), (2, 2, 1, 1, 1), (3, 2, 1, 1, 1), (3, 3, 1, 1, 1), (1,) * 6]
)
@pytest.mark.parametrize("enemies", [1, 2, 3])
def test_at_most_three_units_fight_one_enemy(units: tuple[int, ...], enemies: int) -> None:
    for wanted in offered(sum(units), enemies):
        given = at_most_three(list(wanted), units)

        assert all(0 <= part <= share for part, share in zip(given, wanted, strict=True))
        assert can_be_dealt(tuple(given), units)
        assert sum(given) == most_dealt(wanted, units)


@pytest.mark.rule("SPI-191")
@pytest.mark.parametrize(
    ("units", "shares"),
    [
        ((2, 2, 2, 1, 1, 1), [5, 4]),
        ((3, 2, 1, 1, 1), [4, 4]),
        ((3, 3, 1, 1, 1), [5, 4]),
        ((4, 4), [2, 4, 2]),
        ((2, 4, 4), [5, 5]),
    ],
)
def test_what_units_can_share_out_is_not_lost(units: tuple[int, ...], shares: list[int]) -> None:
    assert at_most_three(shares, units) == shares


@pytest.mark.rule("SPI-191")
def test_of_ten_units_nine_at_most_fight_three_enemies() -> None:
    units = (1, 1, 1, 1, 2, 2, 2, 3, 3, 3)

    assert sum(at_most_three([7, 6, 6], units)) == sum(units) - 1


@pytest.mark.rule("SPI-191")
def test_wounds_that_are_no_units_fill_what_units_leave_open() -> None:
    assert at_most_three([5], (1, 1, 1, 2), 1) == [5]
    assert at_most_three([3, 2], (1,) * 4, 1) == [3, 2]
    assert at_most_three([4, 3], (1,) * 6, 1) == [4, 3]
    assert at_most_three([5, 5], (1,) * 8, 2) == [5, 3]


@pytest.mark.rule("SPI-191", "SPI-R69")
@pytest.mark.parametrize(("shares", "dealt"), [([2, 2, 4], [2, 2, 3]), ([1, 5, 3], [1, 3, 3])])
def test_what_is_lost_is_lost_on_the_enemy_that_more_than_three_would_fight(
    shares: list[int], dealt: list[int]
) -> None:
    assert at_most_three(shares, (1,) * sum(shares)) == dealt


def most_dealt(wanted: tuple[int, ...], units: tuple[int, ...]) -> int:
    """The most that can be dealt of the wanted shares, by a search through all smaller ones."""
    every = sorted(product(*(range(share + 1) for share in wanted)), key=sum, reverse=True)
    return next(sum(way) for way in every if can_be_dealt(way, units))


def can_be_dealt(given: tuple[int, ...], units: tuple[int, ...], at: int = 0) -> bool:
    """Is there a way to share out the units' hits with at most three units on each enemy?"""
    if at == len(given):
        return True
    for many in range(4):
        for trio in combinations(range(len(units)), many):
            for parts in product(*(range(units[one] + 1) for one in trio)):
                if sum(parts) == given[at]:
                    left = list(units)
                    for one, part in zip(trio, parts, strict=True):
                        left[one] -= part
                    if can_be_dealt(given, tuple(left), at + 1):
                        return True
    return False


@pytest.mark.rule("SPI-126", "SPI-191", "SPI-R36", "SPI-R69")
@pytest.mark.parametrize(
    "units",
    [
        ((3, 0), (3, 0), (3, 0), (1, 1)),
        ((1, 1), (1, 1), (1, 0), (1, 0)),
        ((2, 1), (2, 2), (1, 0), (1, 1), (1, 1)),
        ((3, 3), (2, 0), (1, 1), (1, 0), (1, 0)),
        ((3, 1), (3, 2), (1, 0), (1, 1), (1, 1)),
        ((5, 5), (3, 0)),
    ],
)
@pytest.mark.parametrize("enemies", [1, 2, 3])
def test_as_few_piercing_hits_as_can_be_are_lost(units: tuple[tuple[int, int], ...], enemies: int) -> None:
    hits = tuple(many for many, _ in units)
    for wanted in offered(sum(hits), enemies):
        given = at_most_three(list(wanted), hits)
        dealt = sum(piercing for _, piercing in units) - piercing_lost(wanted, units)

        assert dealt == most_piercing(tuple(given), units)


def most_piercing(given: tuple[int, ...], units: tuple[tuple[int, int], ...], at: int = 0) -> int:
    """How many of the hits given out can be piercing, by a search through all ways; -1 if there is none."""
    if at == len(given):
        return 0
    best = -1
    for many in range(4):
        for trio in combinations(range(len(units)), many):
            for parts in product(*(range(units[one][0] + 1) for one in trio)):
                if sum(parts) == given[at]:
                    left, used = list(units), 0
                    for one, part in zip(trio, parts, strict=True):
                        through = min(part, units[one][1])
                        left[one] = (units[one][0] - part, units[one][1] - through)
                        used += through
                    rest = most_piercing(given, tuple(left), at + 1)
                    best = max(best, rest + used if rest >= 0 else -1)
    return best


@pytest.mark.rule("SPI-126")
@pytest.mark.parametrize("saving", [False, True])
def test_piercing_wounds_fall_where_they_serve_their_side_best(saving: bool) -> None:
    best = max if saving else min
    for given, icons in product(product(range(4), repeat=3), product(range(3), repeat=3)):
        wounds = list(zip(given, icons, strict=True))
        chances: dict[int, set[int]] = {}
        for parts in product(*(range(many + 1) for many in given)):
            left = sum(min(many - part, icon) for (many, icon), part in zip(wounds, parts, strict=True))
            chances.setdefault(sum(parts), set()).add(left)
        for piercing in range(sum(given) + 2):
            struck = [Struck(many, icon, many + 1) for many, icon in wounds]
            parts = tuple(pierced(struck, piercing, saving=saving))
            left = sum(min(many - part, icon) for (many, icon), part in zip(wounds, parts, strict=True))
            used = min(piercing, sum(given))

            assert sum(parts) == used
            assert left == best(chances[used]), (wounds, piercing, parts)


@pytest.mark.rule("SPI-126", "SPI-R35")
def test_piercing_wounds_are_not_wasted_on_who_is_out_without_them() -> None:
    for given, icons, left in product(
        product(range(4), repeat=2), product(range(3), repeat=2), product((1, 2, 3), repeat=2)
    ):
        struck = [Struck(*one) for one in zip(given, icons, left, strict=True)]
        for piercing in range(sum(given) + 1):
            ways = [way for way in product(*(range(many + 1) for many in given)) if sum(way) == piercing]
            parts = tuple(pierced(struck, piercing, saving=False))

            assert sum(parts) == piercing
            assert outcome_of(struck, parts) == max(outcome_of(struck, way) for way in ways)


def outcome_of(struck: list[Struck], parts: tuple[int, ...]) -> tuple[float, float]:
    """Wounds that count and enemies out, on average over all numbers that may be drawn for armor."""
    count = out = 0.0
    for one, part in zip(struck, parts, strict=True):
        throws = list(product((False, True), repeat=min(one.many - part, one.icons)))
        through = [one.many - sum(saves) for saves in throws]
        count += sum(min(many, one.left) for many in through) / len(throws)
        out += sum(many >= one.left for many in through) / len(throws)
    return count, out


def test_of_hits_that_are_too_many_the_unit_that_fits_best_keeps_some() -> None:
    units = ((2, 2), (2, 2), (2, 0), (1, 1), (2, 1), (2, 1))

    assert piercing_lost([4, 7], units) == 0
