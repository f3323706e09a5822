"""The full-screen terminal's texts."""

from rich.text import Text

from companion.table.terminal import fitting, side_by_side

LINES = [f"{n} Card" for n in range(1, 11)]


def test_a_text_that_fits_is_shown_as_it_is() -> None:
    assert fitting(LINES, 10, end=False) == LINES


def test_a_long_text_says_that_more_follows_and_ends_with_its_last_line() -> None:
    assert fitting(LINES, 4, end=False) == ["1 Card", "2 Card", "3 Card", "v more"]
    assert fitting(LINES, 4, end=True) == ["^ more", "8 Card", "9 Card", "10 Card"]


def test_in_a_terminal_of_a_few_lines_one_of_them_is_shown() -> None:
    assert fitting(LINES, -1, end=False) == ["1 Card", "v more"]
    assert fitting(LINES, 0, end=True) == ["^ more", "10 Card"]


def column(*widths: int) -> list[Text]:
    return [Text("x" * width) for width in widths]


def test_columns_stand_side_by_side_as_wide_as_they_are() -> None:
    words, board = column(22, 10), column(24, 20)
    assert side_by_side([words, board], 51) == [(words, 22), (board, 24)]


def test_a_map_without_room_is_cut_where_that_still_says_something() -> None:
    words, board, more = column(22), column(40), column(5)
    assert side_by_side([words, board, more], 51) == [(words, 22), (board, 27)]
    assert side_by_side([words, board, more], 40) == [(words, 22)]
    assert side_by_side([board, words], 30) == [(board, 30)]


def test_a_short_column_needs_little_room() -> None:
    assert side_by_side([column(40), column(9)], 51) == [(column(40), 40), (column(9), 9)]
