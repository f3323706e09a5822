"""The full-screen terminal's texts."""

from companion.table.terminal import fitting

LINES = [f"{n} Card" for n in range(1, 11)]


def test_a_text_that_fits_is_shown_as_it_is() -> None:
    assert fitting(LINES, 10, end=False) == LINES


def test_a_long_text_says_that_more_follows_and_ends_with_its_last_line() -> None:
    assert fitting(LINES, 4, end=False) == ["1 Card", "2 Card", "3 Card", "v more"]
    assert fitting(LINES, 4, end=True) == ["^ more", "8 Card", "9 Card", "10 Card"]


def test_in_a_terminal_of_a_few_lines_one_of_them_is_shown() -> None:
    assert fitting(LINES, -1, end=False) == ["1 Card", "v more"]
    assert fitting(LINES, 0, end=True) == ["^ more", "10 Card"]
