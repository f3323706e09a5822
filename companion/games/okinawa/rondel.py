"""The Action Spaces as a ring: who is next, where the lines are, what lies in which column."""

from __future__ import annotations

from companion.games.okinawa.state import Space, State

LAST_OF_TOP = 5


def is_top(number: int) -> bool:
    """Whether an Action Space is in the top row (OKI-009)."""
    return number <= LAST_OF_TOP


def column(number: int) -> int:
    """The column of an Action Space, 1 to 5 from the left: 6 lies under 5, 10 under 1 (OKI-010)."""
    return number if is_top(number) else 11 - number


def numbers(state: State) -> list[int]:
    """The Action Spaces that are left, in the order of the pawn's way."""
    return [space.number for space in state.spaces]


def space_of(state: State, number: int) -> Space:
    """The Action Space of that number; `KeyError` if it is removed."""
    for space in state.spaces:
        if space.number == number:
            return space
    raise KeyError(number)


def after(state: State, number: int) -> int:
    """The space that a step from `number` leads to; removed ones are not counted (OKI-079, OKI-084)."""
    left = numbers(state)
    return next((one for one in left if one > number), left[0])


def first_of_top(state: State) -> int:
    """Where the pawn goes on a capture (OKI-240)."""
    return state.spaces[0].number


def passes_resupply(start: int, end: int) -> bool:
    """Whether a step goes from the last top space to the first bottom one (OKI-085, OKI-R19)."""
    return is_top(start) and not is_top(end)


def passes_objective(start: int, end: int) -> bool:
    """Whether a step goes from the last space to the first, which is a lap (OKI-228, OKI-R19)."""
    return not is_top(start) and is_top(end)


def ahead(state: State, number: int, steps: int) -> int:
    """Where a move of so many steps ends on the ring as it is now."""
    left = numbers(state)
    return left[(left.index(number) + steps) % len(left)]


def goes_round(state: State, number: int, steps: int) -> bool:
    """Whether a move of so many steps is a lap on the ring as it is now (OKI-228)."""
    left = numbers(state)
    return left.index(number) + steps >= len(left)
