"""The table protocol: any program can sit at the table, and no line of it does harm."""

import io
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine import BadAnswer, Journal, Session, Wish, autoplay
from companion.engine.asks import Choose, Dice, Draw, Locked, Number, Option, Pick, Roll, Show
from companion.engine.game import Game
from companion.engine.salvage import Salvage
from companion.table.events import Events, Seen, Typed
from companion.table.lines import LinesFront
from companion.table.protocol import JsonFront, ask_message, parse
from companion.table.serial_dice import SerialDice
from companion.table.table import Table
from companion.table.typed import MOST_WAITING, lines_from, post
from tests.engine.toy import COUNTED, GAME, PACKS
from tests.longrun.fuzz import LINES, mangled
from tests.table.conftest import Begin

Message = dict[str, object]


class Partner:
    """What the front said to the program at the other end."""

    def __init__(self) -> None:
        self.out = io.StringIO()

    def messages(self) -> list[Message]:
        return [json.loads(line) for line in self.out.getvalue().splitlines()]

    def of(self, kind: str) -> list[Message]:
        return [one for one in self.messages() if one["type"] == kind]


def sit(tmp_path: Path, lines: list[object], wish: Wish | None = None, game: Game = GAME) -> Partner:
    """A whole run of the front over these lines."""
    partner = Partner()
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    with (
        Journal(tmp_path) as journal,
        Session.create(journal, game, PACKS, wish or Wish(seed=7)) as session,
    ):
        JsonFront(Table(session, tmp_path), texts, partner.out).run()
    return partner


def test_it_says_hello_and_asks(tmp_path: Path) -> None:
    hello, ask = sit(tmp_path, []).messages()
    assert hello["type"] == "hello"
    assert (hello["protocol"], hello["game"], hello["seed"], hello["dice"]) == (1, "toy", 7, "software")
    assert (ask["type"], ask["n"], ask["kind"], ask["key"]) == ("ask", 1, "choose", "toy.way")
    assert {"id": "dice", "label": "Dice"} in ask["options"]


def test_a_journal_that_was_mended_is_a_notice_before_the_first_ask(table: Table) -> None:
    partner, journal = Partner(), table.session.journal
    journal.store.salvaged = Salvage(journal.path, sessions=2, kept=30, lost=1)
    lines = [json.dumps({"n": 1, "answer": "stones"})]
    JsonFront(table, lines, partner.out).run()
    assert [one["type"] for one in partner.messages()] == ["hello", "notice", "ask", "said", "ask"]
    assert partner.of("notice")[0]["text"] == str(journal.salvaged)


@pytest.mark.parametrize("front", [JsonFront, LinesFront])
def test_a_notice_that_comes_while_another_is_written_is_told_too(
    table: Table, front: type[JsonFront | LinesFront]
) -> None:
    class SlowPipe(io.StringIO):
        def write(self, text: str) -> int:
            if "no pad" in text:
                table.notice = "still in your pack"
            return super().write(text)

    out = SlowPipe()
    table.notice = "no pad"
    front(table, ['{"why":true}' if front is JsonFront else "why"], out).run()
    assert [out.getvalue().count(told) for told in ("no pad", "still in your pack")] == [1, 1]


def test_an_answer_is_said_and_the_next_ask_put(tmp_path: Path) -> None:
    partner = sit(tmp_path, [{"n": 1, "answer": "stones"}, {"n": 2, "answer": 2}])
    assert [one["n"] for one in partner.of("said")] == [1, 2]
    assert [one["kind"] for one in partner.of("ask")] == ["choose", "number", "show"]


def test_an_answer_that_the_game_broke_down_after_is_not_said_to_be_applied(tmp_path: Path) -> None:
    partner = sit(tmp_path, [{"n": 1, "answer": "crash"}, {"n": 3, "answer": "stones"}])
    told = [(one["type"], one.get("n")) for one in partner.messages()]
    assert told == [("hello", None), ("ask", 1), ("error", 1), ("ask", 3), ("said", 3), ("ask", 4)]


def test_the_state_that_is_shown_and_its_number_are_of_one_moment(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = threading.Thread(target=table.override, args=("bag.stones", 5, "phone"))

    def shown() -> Message:
        partner = Partner()
        JsonFront(table, (), partner.out)._do(parse(json.dumps({"state": True})))
        return partner.messages()[0]

    def n(table: Table) -> int:
        """The number; the phone is faster than the next look."""
        n = table.session.n
        if phone.ident is None:
            phone.start()
            phone.join(0.2)
        return n

    before = shown()
    monkeypatch.setattr(Table, "n", property(n))
    assert shown() == before
    phone.join()
    assert shown() != before


def test_cards_that_software_draws_are_told_as_drawn(tmp_path: Path) -> None:
    partner = sit(tmp_path, [{"n": 1, "answer": "card"}])
    (drawn,) = partner.of("drawn")
    assert (drawn["n"], drawn["key"], len(drawn["answer"])) == (2, "toy.card", 1)
    assert not partner.of("rolled")


def test_empty_lines_are_passed_over(tmp_path: Path) -> None:
    partner = sit(tmp_path, ["", " \n", {"n": 1, "answer": "stones"}])
    assert [one["type"] for one in partner.messages()] == ["hello", "ask", "said", "ask"]


def test_an_error_has_the_number_of_the_answer_or_of_the_open_ask(tmp_path: Path) -> None:
    lines = [{"n": 1, "answer": "stones"}, {"n": 1, "answer": "dice"}, {"undo": 0}]
    assert [one["n"] for one in sit(tmp_path, lines).of("error")] == [1, 2]


@pytest.mark.parametrize("word", ["undo", "redo"])
def test_an_undo_or_redo_of_none_says_so_and_one_that_is_off_is_none(tmp_path: Path, word: str) -> None:
    partner = sit(tmp_path, [{"n": 1, "answer": "stones", word: False}, {word: 0}, {word: -1}, {word: False}])
    *none, empty = [one["message"] for one in partner.of("error")]
    assert len(none) == 2
    assert all("1 decision or more" in one for one in none)
    assert empty.startswith("an empty command")


def test_after_quit_nothing_more_is_heard(tmp_path: Path) -> None:
    partner = sit(tmp_path, [{"quit": True}, {"n": 1, "answer": "stones"}])
    assert [one["type"] for one in partner.messages()] == ["hello", "ask"]


def test_dice_that_were_read_for_sure_are_only_told_as_taken(begin: Begin) -> None:
    partner, table = Partner(), begin(dice="camera")
    front = JsonFront(table, (), partner.out)
    stop = table.observe(front._news)
    table.answer(1, "dice", "front")
    front._handle(Seen(1, ("1", "2"), "camera", (1,)))
    front._handle(Seen(2, ("3", "5"), "camera"))
    stop()
    assert not partner.of("seen")
    assert partner.of("said")[-1]["answer"] == ["3", "5"]


def test_at_the_end_of_its_lines_it_lets_the_dice_go(begin: Begin) -> None:
    closed: list[bool] = []
    dice = SerialDice(lambda: closed.append(True))
    JsonFront(begin(dice="serial"), (), io.StringIO(), dice).run()
    assert closed == [True]


def test_after_what_a_phone_answers_the_next_ask_is_put(table: Table) -> None:
    partner = Partner()

    def wait_for(asks: int) -> None:
        end = time.monotonic() + 10
        while partner.out.getvalue().count('"type":"ask"') < asks and time.monotonic() < end:
            time.sleep(0.01)

    def lines() -> Iterator[str]:
        wait_for(1)
        table.answer(1, "stones", "phone")
        wait_for(2)
        yield '{"n": 2, "answer": 3}'

    JsonFront(table, lines(), partner.out).run()
    assert [(one["n"], one["by"]) for one in partner.of("said")] == [(1, "phone"), (2, "front")]
    assert [one["n"] for one in partner.of("ask")] == [1, 2, 3]


def test_no_question_is_put_that_a_phone_has_answered_meanwhile(table: Table) -> None:
    phone = threading.Thread(target=table.answer, args=(1, "stones", "phone"))

    class SlowPipe(io.StringIO):
        def write(self, text: str) -> int:
            if '"type":"ask"' in text and phone.ident is None:
                phone.start()
                phone.join(0.2)
            return super().write(text)

    def lines() -> Iterator[str]:
        while partner.out.getvalue().count('"type":"ask"') < 2:
            time.sleep(0.01)
        yield '{"quit": true}'

    partner = Partner()
    partner.out = SlowPipe()
    JsonFront(table, lines(), partner.out).run()
    told = [(one["type"], one.get("n")) for one in partner.messages()]
    assert told == [("hello", None), ("ask", 1), ("said", 1), ("ask", 2)]


def test_software_dice_are_only_reported(tmp_path: Path) -> None:
    partner = sit(tmp_path, [{"n": 1, "answer": "dice"}])
    (rolled,) = partner.of("rolled")
    assert len(rolled["answer"]) == 2
    assert [one["kind"] for one in partner.of("ask")] == ["choose", "show"]


def test_manual_dice_are_asked_with_their_kinds_and_counts(tmp_path: Path) -> None:
    partner = sit(tmp_path, [{"n": 1, "answer": "dice"}], Wish(seed=7, dice="manual"))
    ask = partner.of("ask")[-1]
    assert ask["kind"] == "roll"
    assert ask["dice"] == [{"die": "d6", "count": 2, "faces": ["1", "2", "3", "4", "5", "6"]}]
    assert ask["locked"] == []


@pytest.mark.parametrize(
    "line",
    [
        "",
        "nonsense",
        "[]",
        "null",
        "{}",
        '{"n": 1}',
        '{"answer": "dice"}',
        '{"n": 1, "answer": "up"}',
        '{"n": 1, "answer": ["dice"]}',
        '{"n": 99, "answer": "dice"}',
        '{"n": "1", "answer": "dice"}',
        '{"n": 1, "answer": "dice", "more": 1}',
        '{"n": 1, "answer": "dice", "answer": "stones"}',
        '{"n": 1, "n": 1, "answer": "dice"}',
        '{"override": {"path": "depth", "path": "bag.stones", "value": 1}}',
        '{"teach": true}',
        '{"undo": 1}',
        '{"redo": 1}',
        '{"undo": -3}',
        '{"redo": -3}',
        '{"n": 1, "answer": "stones", "override": {"path": "depth", "value": 1}}',
        '{"n": 1, "answer": "stones", "undo": 1}',
        '{"override": {"path": "height", "value": 4}, "redo": 1}',
        '{"override": {"path": "height"}}',
        '{"override": {"path": "depth", "value": 1}}',
        '{"n": 1, "answer": ' + "[" * 2000 + "]" * 2000 + "}",
        '{"n": 1, "answer": "' + "x" * 70000 + '"}',
        "\ud800",
        "\x00\x01",
    ],
)
def test_a_line_that_cannot_be_used_gets_an_error_and_changes_nothing(tmp_path: Path, line: str) -> None:
    partner = sit(tmp_path, [line, {"state": True}])
    errors, (state,) = partner.of("error"), partner.of("state")
    assert len(errors) == (1 if line else 0)
    assert (state["n"], state["state"]["turn"]) == (1, 1)
    assert len(partner.of("ask")) == 1


@pytest.mark.parametrize("n", [9, 0, -1])
def test_an_error_has_the_number_of_the_answer_and_names_the_ask_that_still_stands(
    tmp_path: Path, n: int
) -> None:
    (error,) = sit(tmp_path, [{"n": n, "answer": "dice"}]).of("error")
    assert (error["n"], error["message"]) == (n, f"answer {n} is for an ask that is gone; 1 is open")


def test_undo_puts_the_ask_again_under_a_new_number(tmp_path: Path) -> None:
    partner = sit(tmp_path, [{"n": 1, "answer": "stones"}, {"undo": 1}, {"n": 1, "answer": "stones"}])
    first, _, again = partner.of("ask")
    assert first["key"] == again["key"]
    assert again["n"] > first["n"]
    assert len(partner.of("error")) == 1


def test_redo_goes_forward_as_far_as_was_undone_and_no_error_follows(tmp_path: Path) -> None:
    answers = [{"n": 1, "answer": "stones"}, {"n": 2, "answer": 2}, {"n": 3, "answer": True}]
    partner = sit(tmp_path, [*answers, {"undo": 9}, {"redo": 9}, {"state": True}])
    assert partner.of("error") == []
    assert partner.of("state")[0]["state"]["bag"] == {"stones": 2}


def test_what_an_undo_or_redo_changes_on_the_table_is_told_before_the_ask(tmp_path: Path) -> None:
    lines = [{"n": 1, "answer": "dice"}, {"undo": 1}, {"redo": 1}, {"board": True}]
    partner = sit(tmp_path, lines)
    kinds = [one["type"] for one in partner.messages()]
    assert kinds[4:] == ["ask", "changed", "ask", "changed", "ask", "board"]
    back, again = partner.of("changed")
    assert back["board"] == {"title": "", "panels": [{"title": "Hill", "lines": ["Height 0"]}]}
    assert again["board"] == partner.of("board")[0]["board"] | {"title": ""}
    assert [back["n"], again["n"]] == [one["n"] for one in partner.of("ask")[-2:]]


def test_an_undo_that_changes_nothing_on_the_table_tells_nothing_of_it(tmp_path: Path) -> None:
    partner = sit(tmp_path, [{"n": 1, "answer": "stones"}, {"undo": 1}])
    assert [one["type"] for one in partner.messages()] == ["hello", "ask", "said", "ask", "ask"]


def test_why_board_and_state_are_told(tmp_path: Path) -> None:
    ledger = tmp_path / "toy"
    ledger.mkdir()
    (ledger / "ledger.toml").write_text(
        'game = "toy"\ntitle = "Toy"\nprefix = "TOY"\n'
        '[[rule]]\nid = "TOY-1"\nsection = "Climb"\nsays = "Climb."\n'
    )
    game = msgspec.structs.replace(GAME, folder=ledger)
    partner = Partner()
    lines = [json.dumps(one) for one in ({"why": True}, {"board": True}, {"state": True})]
    with Journal(tmp_path) as journal, Session.create(journal, game, PACKS) as session:
        JsonFront(Table(session, tmp_path), lines, partner.out).run()
    assert partner.of("why")[0]["rules"] == []
    assert partner.of("board")[0]["board"]["panels"][0]["lines"] == ["Height 0"]
    assert partner.of("state")[0]["state"]["deck"] == ["a", "b", "c"]


def test_why_tells_what_led_to_the_ask(begin: Begin) -> None:
    table, partner = begin(game="undaunted", seed=3), Partner()
    while not (table.ask and table.ask.because):
        table.answer(table.n, autoplay.at_first(table.ask))
    because = list(table.ask.because)
    JsonFront(table, ['{"why": true}'], partner.out).run()
    assert [one["because"] for one in partner.of("why")] == [because]


def test_an_override_is_applied_and_the_ask_put_anew(tmp_path: Path) -> None:
    partner = sit(tmp_path, [{"override": {"path": "bag.stones", "value": 9}}])
    first, again = partner.of("ask")
    assert "throw" not in [one["id"] for one in first["options"]]
    assert "throw" in [one["id"] for one in again["options"]]


def test_overrides_in_a_list_are_set_together_or_not_at_all(tmp_path: Path) -> None:
    wrong, right = ([{"path": "height", "value": 4}, {"path": "bag.stones", "value": n}] for n in (6, 5))
    lists = (wrong[0], wrong, [], [*right, wrong[0]], right)
    partner = sit(tmp_path, [{"override": one} for one in lists], game=COUNTED)
    alone, broken, empty, twice = (error["message"] for error in partner.of("error"))
    assert alone == "height = 4 can't be: 4 of 9 are there"
    assert broken == "height = 4 and bag.stones = 6 can't be: 10 of 9 are there"
    assert "length >= 1" in empty
    assert twice == "one value for each path"
    assert [ask["n"] for ask in partner.of("ask")] == [1, 2]


def test_a_whole_game_ends_with_its_outcome(tmp_path: Path) -> None:
    wish = Wish({"top": "5"}, seed=3)
    lines: list[object] = []
    with Journal(tmp_path) as journal, Session.create(journal, GAME, PACKS, wish) as probe:
        while probe.ask is not None:
            given = True if probe.ask.kind == "show" else "dice"
            lines.append({"n": probe.n, "answer": given})
            probe.answer(probe.n, given)
    last = sit(tmp_path / "again", lines, wish).messages()[-1]
    turns = len(lines) // 2
    assert last == {"type": "end", "outcome": "won", "reason": "the top", "score": {"turns": turns}}


def test_resuming_stands_at_the_same_ask(tmp_path: Path) -> None:
    before = sit(tmp_path, [{"n": 1, "answer": "stones"}, {"quit": True}, {"n": 2, "answer": 1}])
    after = Partner()
    with Journal(tmp_path) as journal:
        meta = journal.last_open()
        with Session.resume(journal, GAME, meta.id) as session:
            JsonFront(Table(session, tmp_path), [], after.out).run()
    assert after.of("ask") == before.of("ask")[-1:]


@pytest.mark.parametrize(
    ("question", "fields"),
    [
        (Show("k", "Text", "More", ("R-1",)), {"kind": "show", "detail": "More", "rule": ["R-1"]}),
        (Number("k", "Text", least=0, most=3), {"kind": "number", "least": 0, "most": 3, "rule": []}),
        (Number("k", "Text", most=3, start=2), {"kind": "number", "least": 0, "most": 3, "start": 2}),
        (
            Pick("k", "Text", options=(Option("a", "A"),), least=0, most=1),
            {"kind": "pick", "least": 0, "most": 1, "options": [{"id": "a", "label": "A"}]},
        ),
        (Pick("k", "Text", options=(Option("a", "A", copies=2),)), {"options": [{"id": "a", "label": "A"}]}),
        (Choose("k", "T", options=(Option("a", "A", copies=0),)), {"options": [{"id": "a", "label": "A"}]}),
        (
            Draw("k", "Text", deck="unknown", options=(Option("a", "A", copies=2),)),
            {"kind": "draw", "deck": "unknown", "count": 1},
        ),
        (
            Draw("k", "Text", options=(Option("a", "A", copies=2),)),
            {"options": [{"id": "a", "label": "A", "copies": 2}]},
        ),
        (
            Roll("k", "Text", dice=(Dice("d6", 1, ("1", "2")),), locked=(Locked("d6", "2"),)),
            {"kind": "roll", "locked": [{"die": "d6", "face": "2"}]},
        ),
        (Choose("k", "Text"), {"kind": "choose", "options": []}),
        (Show("k", "Text", "More", news="More", because=("Why",)), {"detail": "More"}),
        (Choose("k", "Text", former=Choose("k", "Text", options=(Option("a", "A"),))), {"options": []}),
    ],
)
def test_every_kind_of_ask_has_its_fields(question: Show, fields: Message) -> None:
    message = json.loads(json.dumps(ask_message(12, question)))
    assert message["n"] == 12
    assert message | fields == message
    assert not {"former", "news", "because"} & set(message)


@given(
    (st.text() | st.binary().map(lambda data: data.decode("latin-1"))).filter(lambda text: "{" not in text)
)
@settings(max_examples=300)
def test_no_text_does_more_than_be_refused(text: str) -> None:
    with pytest.raises(BadAnswer, match=r"\w"):
        parse(text)


def test_random_json_never_breaks_the_front(tmp_path: Path) -> None:
    rng = Random(8)
    values = [None, True, 0, 1, -1, 2**70, 1e300, "", "dice", "x" * 99, [], ["dice"], [1], {}, {"a": []}]
    names = ["n", "answer", "undo", "redo", "state", "why", "board", "override", "zzz"]
    lines = [{name: rng.choice(values) for name in rng.sample(names, rng.randint(1, 3))} for _ in range(400)]
    partner = sit(tmp_path, [*lines, {"state": True}])
    assert partner.of("state")[-1]["state"]["height"] >= 0
    assert all(one["message"] for one in partner.of("error"))


@pytest.mark.parametrize("seed", range(5))
def test_r8_mangled_bytes_never_break_the_front(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    data = b"\n".join(mangled(rng.choice(LINES), rng.choice(LINES), rng) for _ in range(200))
    stream = io.TextIOWrapper(io.BytesIO(data + b'\n{"state":true}'), encoding="utf-8", errors="strict")
    partner = sit(tmp_path, list(lines_from(stream)))
    assert partner.of("state") or partner.of("end")


def test_r8_lines_that_come_faster_than_they_are_heard_wait_at_the_other_end() -> None:
    events: Events = SimpleQueue()
    given: list[int] = []

    def lines() -> Iterator[str]:
        for number in range(1000):
            given.append(number)
            yield f"{number}\n"

    reader = threading.Thread(target=post, args=[lines(), events], daemon=True)
    reader.start()
    end = time.monotonic() + 20
    while len(given) <= MOST_WAITING and time.monotonic() < end:
        time.sleep(0.01)
    reader.join(timeout=0.1)
    assert len(given) == events.qsize() + 1 == MOST_WAITING + 1, "one is in its hand"
    heard = 0
    while isinstance(events.get(timeout=10), Typed):
        heard += 1
    assert heard == 1000
