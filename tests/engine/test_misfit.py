"""What does not fit its type is said in words."""

from enum import Enum
from typing import Annotated, Literal

import msgspec
import pytest

from companion.engine.misfit import misfit, misfits


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Move(msgspec.Struct, tag="move", forbid_unknown_fields=True):
    hexes: int


class Fire(msgspec.Struct, tag="fire"):
    at: Colour


class Thing(msgspec.Struct):
    count: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    letter: Annotated[str, msgspec.Meta(pattern="^[A-H]$")] = "A"
    maybe: Annotated[str, msgspec.Meta(pattern="^[A-H]?$")] = ""
    odd: Annotated[str, msgspec.Meta(pattern="^x+$")] = "x"
    name: Annotated[str, msgspec.Meta(min_length=1)] = "x"
    is_out: bool = False
    pair: tuple[int, Colour] = (0, Colour.RED)
    most: Annotated[list[str], msgspec.Meta(max_length=2)] = []
    words: dict[Colour, Literal["yes", "no"] | None] = {}
    acts: tuple[Move | Fire, ...] = ()


@pytest.mark.parametrize(
    ("said", "place", "words"),
    [
        ({"count": "x"}, ".count", "a whole number is wanted, not a text"),
        ({"count": 5}, ".count", "a whole number is wanted, at most 4"),
        ({"count": 0}, ".count", "a whole number is wanted, at least 1"),
        ({"count": 1.5}, ".count", "a whole number is wanted, not a number with a point"),
        ({"letter": "Z"}, ".letter", "a letter from A to H is wanted"),
        ({"maybe": "Z"}, ".maybe", "a letter from A to H or nothing is wanted"),
        ({"name": ""}, ".name", "a text is wanted, not an empty one"),
        ({"is_out": None}, ".is_out", "true or false is wanted, not nothing"),
        ({"pair": [1]}, ".pair", "a list of 2 is wanted, not of 1"),
        ({"pair": [1, "green"]}, ".pair[1]", "'green' does not fit, only: red, blue"),
        ({"most": ["a", "b", "c"]}, ".most", "a list is wanted, of at most 2"),
        ({"most": {}}, ".most", "a list is wanted, not a table"),
        ({"words": {"green": "yes"}}, ".words", "'green' does not fit, only: red, blue"),
        ({"words": {"red": "perhaps"}}, ".words[...]", "'perhaps' does not fit, only: no, yes"),
        ({"words": {"red": 1}}, ".words[...]", "a text or nothing is wanted, not a whole number"),
        ({"acts": [{"type": "fly"}]}, ".acts[0].type", "'fly' does not fit, only: move, fire"),
        ({"acts": [{"type": "move"}]}, ".acts[0]", "hexes is missing"),
        ({"acts": [{"type": "move", "hexes": 1, "x": 1}]}, ".acts[0]", "there is no field x"),
        ({"acts": [{"type": "fire", "at": "green"}]}, ".acts[0].at", "'green' does not fit, only: red, blue"),
        (3, "", "a table is wanted, not a whole number"),
    ],
)
def test_what_is_wanted_is_said_in_words_and_where(said: object, place: str, words: str) -> None:
    with pytest.raises(msgspec.ValidationError) as wrong:
        msgspec.convert(said, Thing)
    assert misfit(wrong.value, Thing) == (words, place)


def test_what_has_no_words_is_said_as_it_is() -> None:
    with pytest.raises(msgspec.ValidationError) as wrong:
        msgspec.convert({"odd": "y"}, Thing)
    assert misfit(wrong.value, Thing) == ("Expected `str` matching regex '^x+$'", ".odd")


def test_of_a_name_that_no_record_has_the_names_are_told() -> None:
    with pytest.raises(msgspec.ValidationError) as wrong:
        msgspec.convert("green", Colour)
    assert misfit(wrong.value, Colour) == ("'green' does not fit, only: red, blue", "")


class Post(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    things: dict[str, Thing] = {}
    counts: dict[str, int] = {}
    act: Move | None = None
    acts: Annotated[tuple[Move | Fire, ...], msgspec.Meta(max_length=3)] = ()
    pairs: tuple[tuple[int, Colour], ...] = ()


def test_all_that_is_wrong_with_a_value_is_told_with_its_place() -> None:
    said = {
        "nmae": "A",
        "things": {"a": {"count": 9, "is_out": 3}, "b": 1, "c": {"unread": 1}},
        "counts": 3,
        "act": {"type": "move", "hexes": "x", "at": 1},
        "acts": [{"type": "fly"}, {"type": "fire", "at": "green", "x": 1}, {"type": "move"}],
        "pairs": [[1, "red"], ["x", "green"], [1, 2, 3], "x"],
    }
    assert list(misfits(said, Post)) == [
        (".things.a.count", "a whole number is wanted, at most 4"),
        (".things.a.is_out", "true or false is wanted, not a whole number"),
        (".things.b", "a table is wanted, not a whole number"),
        (".counts", "a table is wanted, not a whole number"),
        (".act.hexes", "a whole number is wanted, not a text"),
        (".act.at", "there is no such field"),
        (".acts[0].type", "'fly' does not fit, only: move, fire"),
        (".acts[1].at", "'green' does not fit, only: red, blue"),
        (".acts[2]", "hexes is missing"),
        (".pairs[1][0]", "a whole number is wanted, not a text"),
        (".pairs[1][1]", "'green' does not fit, only: red, blue"),
        (".pairs[2]", "a list of 2 is wanted, not of 3"),
        (".pairs[3]", "a list is wanted, not a text"),
        ("", "name is missing"),
        (".nmae", "there is no such field"),
    ]
    assert not list(misfits({"name": "A"}, Post))
