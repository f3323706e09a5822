"""Values that are set by hand."""

import re
from collections.abc import Iterable

import msgspec
import pytest

from companion.engine import BadAnswer, BrokenTable, Journal, Session, Wish
from companion.engine.asks import AnyAsk, Choose, Draw, Number, Option, Pick, Roll, Script, Show, ask
from companion.engine.game import Board, Outcome, Result, setup
from companion.engine.line import Act, Item
from companion.engine.override import assign, in_words, value_at
from companion.engine.packs import build
from companion.engine.run import Run
from tests.engine.playing import opened, play
from tests.engine.toy import COUNTED, D6, GAME, PACKS, Bag, Toy, ToyPack, ToyState


def test_an_override_is_logged_and_restates_the_open_ask(journal: Journal, session: Session) -> None:
    session.override({"bag.stones": 9})
    assert "throw" in [option.id for option in opened(session).options]
    assert session.history[-1].title == "set bag.stones"
    state = session.state
    session.close()
    with Session.resume(journal, GAME, session.meta.id) as again:
        assert again.state == state
        again.undo()
        assert again.play.state.bag.stones == 0


def test_what_is_counted_in_two_places_is_set_in_both_at_once(journal: Journal) -> None:
    with Session.create(journal, COUNTED, PACKS, Wish(seed=1)) as session:
        before = session.state
        for path in ("height", "bag.stones"):
            with pytest.raises(BrokenTable, match=r"^height = 4 and bag\.stones = 6 can't be: 10 of 9"):
                session.override({"height": 4, "bag.stones": 6})
            with pytest.raises(BadAnswer, match="there is no depth"):
                session.override({path: 4, "depth": 5})
            assert session.state == before
        session.override({"height": 4, "bag.stones": 5})
        item, state = session.history[-1], session.state
        assert (item.title, item.label) == ("set height and bag.stones", "height 0 -> 4, bag.stones 0 -> 5")
    with Session.resume(journal, COUNTED, session.meta.id) as again:
        assert again.state == state
        again.undo()
        assert again.state == before
        again.redo()
        assert again.state == state


def test_of_long_values_that_were_set_by_hand_is_told_what_differs() -> None:
    cards, numbers = ["Rifleman"] * 9 + ["Scout"] + ["Gunner"] * 5, [*range(50)]
    without = cards[:9] + cards[10:]
    moved = in_words({"bag": cards, "hand": []}, {"bag": without, "hand": ["Scout"]})
    assert moved == "bag [..., 'Scout', ...] -> [...], hand [] -> ['Scout']"
    scouts = ["Scout"] * 8
    assert in_words({"bag": scouts}, {"bag": scouts[1:]}) == "[..., 'Scout'] -> [...]"
    assert in_words({"bag": cards}, {"bag": []}) == f"{str(cards)[:40]}... -> []"
    assert in_words({"bag": [1, 2]}, {"bag": [1]}) == "[1, 2] -> [1]"
    for one, other in [(None, cards), (cards, None), (cards, cards), ("x" * 50, "y" * 50)]:
        short = [repr(value) if value is None else f"{repr(value)[:40]}..." for value in (one, other)]
        assert in_words({"bag": one}, {"bag": other}) == " -> ".join(short)
    squad: list[object] = [{"name": f"Soldier {n}", "wounds": 0} for n in range(9)]
    hurt = [*squad[:7], {"name": "Soldier 7", "wounds": 2}, squad[8]]
    told = "squad.7 {'name': 'Soldier 7', 'wounds': 0} -> {'name': 'Soldier 7', 'wounds': 2}"
    assert in_words({"squad": squad}, {"squad": hurt}) == told
    assert in_words({"squad": squad}, {"squad": hurt[7:]}).endswith(
        " -> [{'name': 'Soldier 7', 'wounds': 2}, ...]"
    )
    told = in_words({"dice": numbers}, {"dice": [one + 1 for one in numbers]})
    assert told.startswith("dice.0 0 -> 1, dice.1 1 -> 2, ")
    assert told.endswith(", dice.5 5 -> 6 and 44 more")


@pytest.mark.parametrize("answer", [4, [4], [4, 5, 6]])
def test_of_values_that_are_not_as_many_as_their_paths_none_is_set(answer: object) -> None:
    toy = Toy(setup(GAME, build(PACKS, ToyPack), {}))
    item = Item(Act.OVERRIDE, "override", "height\nbag.stones", "", answer, "player")
    with pytest.raises(BadAnswer, match="2 values were set, and others are kept"):
        Run(toy, 1).replay(item)
    assert toy.state == ToyState(deck=["a", "b", "c"], turn=1)


@pytest.mark.parametrize("value", [3, 3.0, 10**25, {"stones": 1}, {"stones": 2.0}])
def test_whatever_was_set_by_hand_is_read_back_sound(
    journal: Journal, session: Session, value: object
) -> None:
    path = "bag" if isinstance(value, dict) else "bag.stones"
    try:
        session.override({path: value})
    except BadAnswer:
        return
    state = session.state
    session.close()
    with Session.resume(journal, GAME, session.meta.id) as again:
        assert again.state == state
    assert journal.salvaged is None


def test_what_is_set_as_a_whole_is_still_what_a_script_may_hold() -> None:
    state = ToyState(deck=["a", "b"], bag=Bag(2), picked={"a": 1})
    deck, bag, picked = state.deck, state.bag, state.picked
    assign(state, "deck", ["c"])
    assign(state, "bag", {"stones": 5})
    assign(state, "picked", {"b": 2})

    assert (state.deck, state.bag, state.picked) == (["c"], Bag(5), {"b": 2})
    assert state.deck is deck
    assert state.bag is bag
    assert state.picked is picked


@pytest.mark.parametrize(
    ("stones", "places"),
    [
        ([2, 3], [1, 2]),
        ([3], [2]),
        ([1, 3], [0, 2]),
        ([1, 2], [0, 1]),
        ([9, 1, 2, 3], [None, 0, 1, 2]),
        ([7, 2, 3], [0, 1, 2]),
        ([7, 8, 9, 6], [0, 1, 2, None]),
        ([], []),
    ],
)
def test_what_is_taken_out_of_a_list_or_put_in_moves_none_of_the_others(
    stones: list[int], places: list[int | None]
) -> None:
    class Bags(msgspec.Struct):
        bags: list[Bag]

    old = [Bag(1), Bag(2), Bag(3)]
    state = Bags(list(old))
    assign(state, "bags", [{"stones": count} for count in stones])

    assert [bag.stones for bag in state.bags] == stones
    found = [next((at for at, one in enumerate(old) if one is bag), None) for bag in state.bags]
    assert found == places


def test_what_can_not_be_set_alone_stays_as_it_was() -> None:
    class Tied(msgspec.Struct, frozen=True):
        bags: list[Bag]

    class Table(msgspec.Struct):
        tied: Tied

    state = Table(Tied([Bag(1)]))
    with pytest.raises(BadAnswer, match=r"tied\.bags: can't be set alone; set what holds it"):
        assign(state, "tied.bags", [{"stones": 9}])
    assert state.tied.bags == [Bag(1)]


class Stores(msgspec.Struct):
    """Things by names and by numbers, some of them optional."""

    named: dict[str, Bag] = msgspec.field(default_factory=dict)
    spaces: dict[int, int] = msgspec.field(default_factory=dict)
    spare: dict[str, int] | None = None
    order: list[int] | None = None


@pytest.mark.parametrize(
    ("path", "value"), [("named.a.stones", 7), ("spaces.12", 7), ("spare.gold", 7), ("order.1", 7)]
)
def test_what_lies_in_a_table_or_may_be_missing_is_set_by_its_name(path: str, value: object) -> None:
    state = Stores({"a": Bag(1)}, {3: 1, 12: 1}, {"gold": 1}, [1, 1])
    take_back = assign(state, path, value)
    assert value_at(state, path) == value
    assert state.spaces.keys() == {3, 12}
    assert value_at(state, "spaces").keys() == {"3", "12"}
    with pytest.raises(BadAnswer, match=f"{path}: a whole number is wanted, not a text"):
        assign(state, path, "many")
    take_back()
    assert state == Stores({"a": Bag(1)}, {3: 1, 12: 1}, {"gold": 1}, [1, 1])


@pytest.mark.parametrize("path", ["spare", "order"])
def test_what_may_be_missing_can_be_set_missing_and_there_again(path: str) -> None:
    state = Stores(spare={"gold": 1}, order=[1, 1])
    before = value_at(state, path)
    assign(state, path, None)
    assert value_at(state, path) is None
    assign(state, path, before)
    assert value_at(state, path) == before


def test_what_can_only_be_set_as_a_whole_is_replaced_and_taken_back() -> None:
    class Card(msgspec.Struct, frozen=True):
        steps: int

    class Hand(msgspec.Struct):
        card: Card

    state = Hand(Card(1))
    take_back = assign(state, "card", {"steps": 2})
    assert state.card == Card(2)
    take_back()
    assert state.card == Card(1)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("named.b", "there is no b, only: a"),
        ("spaces.4", "there is no 4, only: 3, 12"),
        ("spare.gold", "there is no gold, only: nothing"),
        ("order.x", "there is no x, only 0 to 1"),
        ("order.-1", "there is no -1, only 0 to 1"),
        ("order." + "0" * 5000, "there is no 0"),
    ],
)
def test_a_path_that_leads_nowhere_is_told_what_there_is(path: str, said: str) -> None:
    state = Stores({"a": Bag(1)}, {3: 1, 12: 1}, {}, [1, 1])
    with pytest.raises(BadAnswer, match=re.escape(f"{path}: {said}")):
        assign(state, path, 1)


def test_a_value_of_lists_in_lists_is_refused_however_deep() -> None:
    deep = msgspec.json.decode(b"[" * 900 + b"]" * 900)
    with pytest.raises(BadAnswer, match="deck"):
        assign(ToyState(), "deck", deep)


def test_what_takes_a_set_value_back_gives_all_their_contents_again() -> None:
    class Bags(msgspec.Struct):
        bags: list[Bag]
        named: dict[str, Bag]

    one, two, three = Bag(1), Bag(2), Bag(3)
    state = Bags([one, two], {"c": three})
    for path, value in (
        ("bags", [{"stones": 9}]),
        ("bags.0", {"stones": 9}),
        ("bags.1.stones", 9),
        ("named", {"d": {"stones": 9}, "c": {"stones": 8}}),
        ("named", {}),
    ):
        take_back = assign(state, path, value)
        assert state != Bags([Bag(1), Bag(2)], {"c": Bag(3)})
        take_back()

        assert (state.bags[0], state.bags[1], state.named["c"]) == (Bag(1), Bag(2), Bag(3))
        assert state.bags[0] is one
        assert state.bags[1] is two
        assert state.named["c"] is three


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("height", "high", "a whole number is wanted"),
        ("height", 1000, "between 0 and 100"),
        ("", 1, "no path is named"),
        ("depth", 1, "there is no depth, only: height"),
        ("bag.gold", 1, "there is no gold"),
        ("deck.7", "a", "only 0 to 2"),
        ("deck." + "9" * 5000, "a", "only 0 to 2"),
        ("height.x", 1, "not inside anything"),
    ],
)
def test_an_override_that_does_not_fit_changes_nothing(
    session: Session, path: str, value: object, message: str
) -> None:
    before = (session.n, session.state)
    with pytest.raises(BadAnswer, match=message):
        session.override({path: value})
    assert (session.n, session.state) == before


def test_a_short_list_has_few_places_to_set(session: Session) -> None:
    session.override({"deck": ["a"]})
    with pytest.raises(BadAnswer, match=r"deck\.1: there is no 1, only 0$"):
        session.override({"deck.1": "a"})
    session.override({"deck": []})
    with pytest.raises(BadAnswer, match=r"deck\.1: there is no 1, only an empty list, to be set as a whole"):
        session.override({"deck.1": "a"})


class Stricter(Toy):
    """Has come to want a low hill."""

    def check(self) -> Iterable[str]:
        if self.state.height > 10:
            yield "height is 10 at most"


def test_a_value_that_was_in_order_when_it_was_set_is_set_again(journal: Journal, session: Session) -> None:
    session.override({"height": 15})
    session.override({"height": 3})
    state = session.state
    session.close()
    with Session.resume(journal, msgspec.structs.replace(GAME, start=Stricter), session.meta.id) as again:
        assert again.state == state
        with pytest.raises(BadAnswer, match="10 at most"):
            again.override({"height": 15})


def test_what_breaks_a_rule_already_keeps_no_other_value_from_being_set(
    journal: Journal, session: Session
) -> None:
    session.override({"height": 20})
    session.close()
    with Session.resume(journal, msgspec.structs.replace(GAME, start=Stricter), session.meta.id) as again:
        again.override({"deck": ["a"]})
        assert again.play.state.deck == ["a"]


class Fussy(Toy):
    """Trips over some decks: in its checks, when it asks, or when the table is shown."""

    def check(self) -> Iterable[str]:
        self.trips("check")
        return super().check()

    def ways(self) -> Choose:
        self.trips("ask")
        return super().ways()

    def board(self) -> Board:
        self.trips("board")
        return super().board()

    def svg(self) -> str:
        self.trips("svg")
        return super().svg()

    def trips(self, over: str) -> None:
        if over in self.state.deck:
            raise KeyError(over)


@pytest.mark.parametrize("over", ["check", "ask", "board", "svg"])
def test_a_value_that_the_game_trips_over_is_refused_and_not_journaled(journal: Journal, over: str) -> None:
    fussy = msgspec.structs.replace(GAME, start=Fussy)
    with Session.create(journal, fussy, PACKS, Wish(seed=7)) as session:
        play(session, "stones", 2, True)
        before = (session.n, session.state, opened(session), journal.entries(session.meta.id))
        with pytest.raises(BadAnswer, match=rf"deck = \['{over}'\] can't be: .*{over}"):
            session.override({"deck": [over]})
        assert (session.n, session.state, opened(session), journal.entries(session.meta.id)) == before
        session.override({"deck": ["a"]})
        play(session, "card", True, "stones", 1)
        state = session.state
    with Session.resume(journal, fussy, session.meta.id) as again:
        assert again.state == state


def test_a_refusal_tells_of_long_values_and_of_much_that_is_wrong_the_beginning(journal: Journal) -> None:
    class Strict(Toy):
        def check(self) -> Iterable[str]:
            return (f"{card} is no card" for card in self.state.deck if card > "c")

    strict = msgspec.structs.replace(GAME, start=Strict)
    with Session.create(journal, strict, PACKS, Wish(seed=7)) as session:
        with pytest.raises(BadAnswer) as refused:
            session.override({"deck": [f"d{number}" for number in range(99)]})
        wrong = "; ".join(f"d{number} is no card" for number in range(6))
        assert str(refused.value) == (
            f"deck = ['d0', 'd1', 'd2', 'd3', 'd4', 'd5', 'd6... can't be: {wrong} and 93 more"
        )
    fussy = msgspec.structs.replace(GAME, start=Fussy)
    with Session.create(journal, fussy, PACKS, Wish(seed=7)) as session:
        for over in ("check", "board"):
            with pytest.raises(BadAnswer, match=r"be: the game can't make sense of it \(KeyError: '" + over):
                session.override({"deck": [over]})


def test_a_value_that_the_game_has_come_to_trip_over_is_put_right_again_on_resuming(
    journal: Journal, session: Session
) -> None:
    session.override({"deck": ["check"]})
    session.override({"deck": ["a"]})
    state = session.state
    session.close()
    with Session.resume(journal, msgspec.structs.replace(GAME, start=Fussy), session.meta.id) as again:
        assert again.state == state


class Narrow(Toy):
    """Has no way at all without cards."""

    def ways(self) -> Choose:
        options = tuple(Option(card, f"Card {card}") for card in self.state.deck)
        return Choose("toy.way", "Which way?", options=options)


def test_a_value_that_leaves_a_question_without_an_answer_is_refused(journal: Journal) -> None:
    narrow = msgspec.structs.replace(GAME, start=Narrow)
    with Session.create(journal, narrow, PACKS, Wish(seed=7)) as session:
        before = (session.n, session.state, opened(session), journal.entries(session.meta.id))
        with pytest.raises(BrokenTable) as refused:
            session.override({"deck": []})
        assert str(refused.value) == (
            "deck = [] can't be: nothing answers 'Which way?' then; "
            "set it at another question, such as after an undo"
        )
        assert (session.n, session.state, opened(session), journal.entries(session.meta.id)) == before


def test_a_question_without_an_answer_is_left_by_as_many_values_as_it_takes(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sessions from before such values were refused may stand at one."""
    narrow = msgspec.structs.replace(GAME, start=Narrow)
    with Session.create(journal, narrow, PACKS, Wish(seed=7)) as session:
        deck = list(session.play.state.deck)
        with monkeypatch.context() as before:
            before.setattr("companion.engine.asks.Choose.answerable", lambda _: True)
            session.override({"deck": []})
        session.override({"height": 1})
        session.override({"deck": deck})
        assert session.ask.answerable()
        with pytest.raises(BadAnswer, match="nothing answers"):
            session.override({"deck": []})


@pytest.mark.parametrize(
    ("question", "answerable"),
    [
        (Show("a", "a"), True),
        (Choose("a", "a", options=(Option("a", "A"),)), True),
        (Choose("a", "a"), False),
        (Pick("a", "a", options=(Option("a", "A"),), least=1, most=1), True),
        (Pick("a", "a", options=(Option("a", "A"),), least=2, most=2), False),
        (Pick("a", "a"), True),
        (Number("a", "a", least=0, most=0), True),
        (Number("a", "a", least=0, most=-1), False),
        (Draw("a", "a", count=2, options=(Option("a", "A", copies=2),)), True),
        (Draw("a", "a", count=2, options=(Option("a", "A", copies=0),)), True),
        (Draw("a", "a", count=2, options=(Option("a", "A"),)), False),
    ],
)
def test_whether_a_question_has_an_answer(question: AnyAsk, answerable: bool) -> None:
    assert question.answerable() is answerable


def test_a_value_after_which_the_dice_of_software_break_the_game_is_refused(journal: Journal) -> None:
    class Hurried(Toy):
        """The toy game, where nobody is asked who has nine stones: then dice are rolled, and it breaks."""

        def one_turn(self) -> Script[None]:
            while (yield from ask(self.way)) != "pick":
                raise ZeroDivisionError("by design")

        def way(self) -> AnyAsk:
            return Roll("toy.climb", "Roll", dice=(D6,)) if self.state.bag.stones == 9 else self.ways()

    with Session.create(journal, msgspec.structs.replace(GAME, start=Hurried), PACKS) as session:
        play(session, "pick")
        before = (session.n, session.state, opened(session), journal.entries(session.meta.id))
        with pytest.raises(BadAnswer, match="ZeroDivisionError"):
            session.override({"bag.stones": 9})
        assert (session.n, session.state, opened(session), journal.entries(session.meta.id)) == before
        session.override({"bag.stones": 8})


class Sudden(Toy):
    """The toy game, which one roll ends when there are nine stones."""

    def script(self) -> Script[Outcome]:
        while (yield from ask(self.way)) == "pick":
            pass
        return Outcome(Result.WON, "stones enough")

    def way(self) -> AnyAsk:
        return Roll("toy.climb", "Roll", dice=(D6,)) if self.state.bag.stones == 9 else self.ways()


def test_a_value_after_which_the_dice_of_software_end_the_game_is_written_with_them(journal: Journal) -> None:
    game = msgspec.structs.replace(GAME, start=Sudden)
    with Session.create(journal, game, PACKS) as session:
        session.override({"bag.stones": 9})
        assert [entry.item.kind for entry in journal.entries(session.meta.id)] == ["override", "roll"]
        end = (session.ask, session.outcome, session.n)
    assert journal.session(session.meta.id).outcome == "won"
    with Session.resume(journal, game, session.meta.id) as again:
        assert (again.ask, again.outcome, again.n) == end
