"""Forms out of types: whatever a record holds comes back from its form as it was."""

import json
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from typing import Annotated, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import games
from companion.engine.forms import Field, Kind, fields_of, record_of, with_row, without_row
from companion.engine.packs import Record, find, merge, record_type


class Gain(msgspec.Struct, frozen=True, tag="gain"):
    stars: int = 0


class Roll(msgspec.Struct, frozen=True, tag="roll"):
    face: str
    more: tuple[str, ...] = ()


class Card(msgspec.Struct, frozen=True):
    name: str
    source: str = "owner"
    health: int = 1
    fast: bool = False
    odd: int | None = None
    names: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    pair: tuple[int, int] | None = None
    table: dict[str, int] = msgspec.field(default_factory=dict)
    effects: tuple[Gain | Roll, ...] = ()


def filled(fields: Sequence[Field]) -> dict[str, list[str]]:
    """What a browser sends for a form as it stands."""
    sent: dict[str, list[str]] = {}
    for field in _all(fields):
        if field.kind is Kind.FLAG:
            sent |= {field.path: ["on"]} if field.value else {}
        elif field.kind not in (Kind.GROUP, Kind.ROWS):
            sent[field.path] = [field.value.replace("\n", "\r\n")]
        for row in field.children if field.kind is Kind.ROWS else ():
            sent[row.path] = [row.value]
    return sent


def _all(fields: Sequence[Field]) -> Iterator[Field]:
    for field in fields:
        yield field
        yield from _all(field.children)


def there_and_back(kind: type, record: Record) -> Record:
    sent = filled(fields_of(kind, record))
    return record_of(kind, lambda path: sent.get(path, []))


def shipped() -> Iterator[object]:
    """Every record of every game's packs."""
    for name in games.names():
        game = games.load(name)
        merged = merge(name, find(game.folder, game.folder / "nothing"))
        for table, records in merged.tables.items():
            yield pytest.param(record_type(table, game.pack_type), records, id=f"{name}.{table}")


@pytest.mark.parametrize(("kind", "records"), list(shipped()))
def test_every_record_that_ships_comes_back_from_its_form_as_it_was(
    kind: type, records: dict[str, Record]
) -> None:
    for record in records.values():
        bare = {field: value for field, value in record.items() if field != "source"}
        again = msgspec.convert(there_and_back(kind, bare), kind)
        assert again == msgspec.convert(bare, kind)


words = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8)
gains = st.builds(lambda stars: {"type": "gain", "stars": stars}, st.integers(-5, 5))
rolls = st.builds(
    lambda face, more: {"type": "roll", "face": face, "more": more}, words, st.lists(words, max_size=3)
)
cards = st.fixed_dictionaries(
    {"name": words},
    optional={
        "health": st.integers(-(10**6), 10**6),
        "fast": st.booleans(),
        "odd": st.integers(),
        "names": st.lists(words, max_size=4),
        "numbers": st.lists(st.integers(-99, 99), max_size=4),
        "pair": st.tuples(st.integers(0, 9), st.integers(0, 9)).map(list),
        "table": st.dictionaries(words, st.integers(-(2**31), 2**31), max_size=3),
        "effects": st.lists(gains | rolls, max_size=4),
    },
)


@given(cards)
@settings(max_examples=300)
def test_any_record_comes_back_from_its_form_as_it_was(record: Record) -> None:
    assert msgspec.convert(there_and_back(Card, record), Card) == msgspec.convert(record, Card)


@given(st.dictionaries(st.sampled_from([*(field.path for field in fields_of(Card, {})), "effects.0"]), words))
@settings(max_examples=300)
def test_whatever_is_typed_is_refused_by_the_type_and_nothing_else(typed: dict[str, str]) -> None:
    record = record_of(Card, lambda path: [typed[path]] if path in typed else [])
    try:
        msgspec.convert(record, Card)
    except msgspec.ValidationError:
        return


def test_a_row_of_no_kind_that_there_is_is_one_of_the_first() -> None:
    typed = {"effects.0": ["nonsense"], "effects.0.stars": ["2"]}
    record = record_of(Card, lambda path: typed.get(path, []))
    assert record["effects"] == [{"type": "gain", "stars": 2}]


def test_text_of_several_lines_comes_back_from_a_browser_as_it_was() -> None:
    assert there_and_back(Card, {"name": "one\ntwo"})["name"] == "one\ntwo"


def test_a_text_of_several_lines_in_a_list_stays_one() -> None:
    names = ["one\ntwo", "three", '"four"', "5"]
    assert there_and_back(Card, {"name": "A", "names": names})["names"] == names


def test_a_table_that_is_none_is_refused_and_not_left_out() -> None:
    sent = {"name": ["Ann"], "table": ["a is 1"]}
    record = record_of(Card, lambda path: sent.get(path, []))
    with pytest.raises(msgspec.ValidationError, match="table"):
        msgspec.convert(record, Card)


def test_space_around_a_text_is_not_meant_and_where_a_record_comes_from_is_not_asked() -> None:
    assert record_of(Card, lambda path: [" Ann \r\n"] if path == "name" else [])["name"] == "Ann"
    assert "source" not in [field.path for field in fields_of(Card, {"source": "rulebook"})]


@pytest.mark.parametrize(("said", "comes_back"), [("false", False), ("true", True), ("no", "no"), (3, "3")])
def test_a_flag_that_is_none_is_shown_as_it_is_and_never_ticked(said: object, comes_back: object) -> None:
    (flag,) = (field for field in fields_of(Card, {"name": "A", "fast": said}) if field.path == "fast")
    assert (flag.kind, flag.value, flag.choices) == (Kind.CHOICE, str(said), ("true", "false"))
    assert there_and_back(Card, {"name": "A", "fast": said})["fast"] == comes_back


class Print(msgspec.Struct, frozen=True):
    source: str


class Sheet(msgspec.Struct, frozen=True):
    side_of_war: Literal["ge", "us"]
    squad: Annotated[int, msgspec.Meta(ge=1, le=9)]
    sides: tuple[Literal["ge", "us"], ...]
    effects: tuple[Gain | Roll, ...]
    print: Print
    name: str = "none"


def test_a_form_shows_what_may_be_entered() -> None:
    side, squad, sides, effects, printed, _ = fields_of(Sheet, {})
    assert side == Field(Kind.CHOICE, "side_of_war", "side of war", "", True, ("ge", "us"))
    assert squad == Field(Kind.NUMBER, "squad", "squad", "", True, least=1, most=9)
    assert sides == Field(Kind.LINES, "sides", "sides", choices=("ge", "us"))
    assert effects == Field(Kind.ROWS, "effects", "effects", choices=("gain", "roll"))
    assert printed.children == (Field(Kind.TEXT, "print.source", "source", "", True),)


def test_a_text_that_a_form_did_not_ask_for_is_not_made_empty() -> None:
    assert "name" not in record_of(Sheet, lambda _: [])


def test_what_is_nested_without_an_end_stays_text() -> None:
    typed = {"odd": "[" * 100_000, "table": "x = " + "[" * 100_000}
    record = record_of(Card, lambda path: [typed[path]] if path in typed else [])
    assert {path: record[path] for path in typed} == typed


def test_rows_are_added_by_kind_and_removed() -> None:
    record: Record = {"name": "x", "effects": []}
    with_row(Card, record, "effects", "roll")
    with_row(Card, record, "effects", "gain")
    assert record["effects"] == [{"type": "roll"}, {"type": "gain"}]
    without_row(Card, record, "effects.0")
    assert record["effects"] == [{"type": "gain"}]


def test_rows_of_a_row_are_added_and_removed() -> None:
    class Deck(msgspec.Struct):
        cards: tuple[Card, ...] = ()

    record: Record = {"cards": [{"name": "a"}, {"name": "b", "effects": []}]}
    with_row(Deck, record, "cards.1.effects", "gain")
    assert record["cards"] == [{"name": "a"}, {"name": "b", "effects": [{"type": "gain"}]}]
    without_row(Deck, record, "cards.1.effects.0")
    assert record["cards"] == [{"name": "a"}, {"name": "b", "effects": []}]


LONG = "effects." + "9" * 5000


@pytest.mark.parametrize(
    "path",
    [
        *("", "nothing", "name", "effects.7", "effects.x", "health.0", "effects.0.x"),
        pytest.param(LONG, id="long"),
        pytest.param(f"{LONG}.x", id="long.x"),
    ],
)
def test_a_row_where_there_is_none_changes_nothing(path: str) -> None:
    record: Record = {"name": "x", "effects": []}
    assert with_row(Card, deepcopy(record), path, "gain") == record
    assert without_row(Card, deepcopy(record), path) == record


def test_there_is_an_end_to_rows() -> None:
    record: Record = {"name": "x", "effects": [{"type": "gain"}] * 64}
    assert len(with_row(Card, record, "effects", "gain")["effects"]) == 64


def test_more_rows_than_a_form_adds_come_back_from_it_all() -> None:
    record: Record = {"name": "x", "effects": [{"type": "gain", "stars": at} for at in range(70)]}
    assert there_and_back(Card, record)["effects"] == record["effects"]


class Map(msgspec.Struct, frozen=True):
    nodes: dict[str, Card]
    boss: Card | None = None


def test_rows_of_a_table_are_added_named_and_removed() -> None:
    record = with_row(Map, with_row(Map, {"nodes": {}}, "nodes", ""), "nodes", "")
    assert record == {"nodes": {"new": {}, "new 2": {}}}
    sent = filled(fields_of(Map, record)) | {"nodes.0.@": ["hill"], "nodes.1.@": ["hill"]}
    record = record_of(Map, lambda path: sent.get(path, []))
    assert list(record["nodes"]) == ["hill", "hill 2"]  # neither is lost
    assert list(without_row(Map, record, "nodes.0")["nodes"]) == ["hill 2"]


def test_a_group_that_need_not_be_there_is_left_out_when_nothing_is_said_of_it() -> None:
    class Node(msgspec.Struct, frozen=True):
        class Effect(msgspec.Struct, frozen=True):
            kind: str
            amount: int = 0

        effect: Effect | None = None
        always: Effect = Effect("x", 2)

    kept: Record = {"effect": {"kind": "x", "amount": 0}, "always": {"kind": "", "amount": 0}}
    assert there_and_back(Node, {}) == {"always": {"kind": "x", "amount": 2}}
    assert there_and_back(Node, kept) == kept


def test_a_row_is_neither_added_to_a_group_nor_taken_from_one() -> None:
    class Deck(msgspec.Struct):
        top: Card

    record: Record = {"top": {"name": "a", "health": 2}}
    assert with_row(Deck, deepcopy(record), "top", "") == record
    assert without_row(Deck, deepcopy(record), "top.0") == record


def examples(fields: Iterable[Field]) -> Iterator[Field]:
    for field in fields:
        if field.example:
            yield field
        yield from examples(field.children)


@pytest.mark.parametrize("name", games.names())
def test_what_is_no_plain_value_is_shown_by_an_example_that_can_be_typed(name: str) -> None:
    pack_type = games.load(name).pack_type
    for table in msgspec.structs.fields(pack_type):
        for field in examples(fields_of(record_type(table.name, pack_type), {})):
            assert (tomllib.loads if field.kind is Kind.TOML else json.loads)(field.example)


def test_an_example_has_the_shape_of_what_is_asked_for() -> None:
    pack_type = games.load("flag_war").pack_type
    shown = {one.path: one.example for one in fields_of(record_type("board", pack_type), {})}
    assert shown["main"] == "[1, 2]"
    assert shown["entries"] == "[[1, 2], [1, 2], [1, 2], [1, 2]]"
    pack_type = games.load("undaunted").pack_type
    shown = {one.path: one.example for one in fields_of(record_type("scenario", pack_type), {})}
    assert shown["joint"] == "name = [{deck = {name = 1}}, {deck = {name = 1}}]"
    assert shown["scouted"] == 'name = ["word", "word"]'
    assert shown["title"] == ""


def test_a_word_where_a_list_is_wanted_is_the_first_line_of_it() -> None:
    sent = filled(fields_of(Card, {"name": "Medic", "names": "doctor", "effects": "none"}))
    record = record_of(Card, lambda path: sent.get(path, ()))
    assert (record["names"], record["effects"]) == (["doctor"], [])


@pytest.mark.parametrize("field", ["table", "pair"])
@pytest.mark.parametrize("typed", ["gun crew = 3\r\nrifle = 2", "[1, 2", "2"])
def test_what_is_typed_wrong_stands_in_the_form_to_be_put_right(field: str, typed: str) -> None:
    record = record_of(Card, lambda path: {field: [typed]}.get(path, ()))
    assert filled(fields_of(Card, record))[field] == [typed]
