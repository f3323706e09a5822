"""Entering what a card prints: gone on with after a break, corrected, taken back."""

import io
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from companion.engine.asks import Choose, Number, Option, Pick, Script, Show, Text, ask
from companion.engine.errors import BadInput
from companion.engine.packs import Tables
from companion.table.entering import GO_ON, HELP, Draft, draft_file, enter, looked_over
from companion.table.typed import lines_to_come

HIT = Pick("entry.hit", "Hit by?", options=(Option("gun", "a gun"), Option("knife", "a knife")), most=2)

DEEP = b'{"ask":"","text":"","answer":' + b"[" * 9000 + b"]" * 9000 + b"}"
NO_TEXT = b'{"ask":"","text":"\xff","answer":1}\n'


def entry_script() -> Script[Tables]:
    """Asks an owner for two numbers and what hits."""
    health = yield from ask(Number("entry.number", "Health?", least=1, most=9))
    attack = yield from ask(Number("entry.number", "Attack?", least=1, most=9))
    hit = yield from ask(HIT)
    return {"enemy": {"A": {"health": health, "attack": attack, "hit": hit}}}


def entered(file: Path, *lines: str) -> tuple[object, str]:
    """The record that these lines enter, None if they end too soon, and what was said."""
    out = io.StringIO()
    tables = enter(entry_script, lines, out, Draft(file))
    return tables["enemy"]["A"] if tables else None, out.getvalue()


def test_a_card_is_entered_question_by_question(tmp_path: Path) -> None:
    record, _ = entered(tmp_path / "draft", "12", "x", "4", "1", "knife")
    assert record == {"health": 4, "attack": 1, "hit": ("knife",)}


def test_on_a_terminal_lines_end_between_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    enter(entry_script, (), terminal, Draft(tmp_path / "draft"))
    assert max(map(len, terminal.getvalue().splitlines())) <= 30
    assert " ".join(terminal.getvalue().split()).startswith(HELP)


def test_the_rest_of_a_paste_at_a_terminal_answers_no_question_that_comes_after() -> None:
    ours, theirs = os.openpty()
    told: list[str] = []
    with open(ours, "wb", 0) as hand, open(theirs) as terminal:  # noqa: PTH123 - these are open already
        lines = lines_to_come(terminal, told.append)
        threading.Timer(0.2, hand.write, [b"4\n1\n2\n"]).start()
        assert next(lines) == "4\n"
        assert not told
        threading.Timer(0.2, hand.write, [b"gun\n"]).start()
        assert next(lines) == "gun\n"
    assert told == ["! What was typed or pasted before this was asked is left out."]


def test_leaving_before_the_end_enters_nothing(tmp_path: Path) -> None:
    assert entered(tmp_path / "draft", "quit")[0] is None
    assert entered(tmp_path / "draft")[0] is None


def test_an_entry_that_was_broken_off_goes_on(tmp_path: Path) -> None:
    entered(tmp_path / "draft", "4", "1")
    record, said = entered(tmp_path / "draft", "", "", "")
    assert record == {"health": 4, "attack": 1, "hit": ()}
    assert "(empty line: 4, as before)" in said
    assert "(empty line: 1, as before)" in said


def test_one_answer_of_an_entry_is_corrected_and_leaving_keeps_the_others(tmp_path: Path) -> None:
    entered(tmp_path / "draft", "4", "1", "gun knife")
    entered(tmp_path / "draft", "5")
    record, said = entered(tmp_path / "draft", "", "", "")
    assert record == {"health": 5, "attack": 1, "hit": ("gun", "knife")}
    assert "(empty line: a gun, a knife, as before)" in said
    record, _ = entered(tmp_path / "draft", "", "", "none")
    assert record == {"health": 5, "attack": 1, "hit": ()}


def test_what_has_none_of_the_options_is_entered_by_that_word_the_first_time_too(tmp_path: Path) -> None:
    record, said = entered(tmp_path / "draft", "4", "1", "none")
    assert record == {"health": 4, "attack": 1, "hit": ()}
    assert "`none`: none of them)" in said


def test_an_empty_line_is_told_to_answer_one_thing_only(tmp_path: Path) -> None:
    def script() -> Script[Tables]:
        title = yield from ask(Text("entry.title", "Its name?", start="Unit 1"))
        wounds = yield from ask(Number("entry.wounds", "Wounds?", most=9, start=2))
        return {"enemy": {"A": {"title": title, "wounds": wounds}}}

    def run(*lines: str) -> str:
        out = io.StringIO()
        enter(script, lines, out, Draft(tmp_path / "draft"))
        return out.getvalue()

    first, again = run("Queen", "3"), run("", "quit")
    assert "Its name?\n  (empty line: Unit 1; -: nothing)\n" in first
    assert "Wounds?\n  (0 to 9, empty line: 2)\n" in first
    assert "Its name?\n  (-: nothing)\n  (empty line: Queen, as before)\n" in again
    assert "Wounds?\n  (0 to 9)\n  (empty line: 3, as before)\n" in again


def test_none_is_a_word_like_others_where_a_text_is_asked_again(tmp_path: Path) -> None:
    def script() -> Script[Tables]:
        name = yield from ask(Text("entry.name", "Its name?"))
        return {"enemy": {name: {}}}

    for line in ("Max", "None"):
        assert enter(script, [line], io.StringIO(), Draft(tmp_path / "draft")) == {"enemy": {line: {}}}


def test_more_options_than_a_screen_has_lines_stand_side_by_side(tmp_path: Path) -> None:
    tiles = tuple(Option(f"t{n}", f"{n}A") for n in range(1, 49))

    def script() -> Script[Tables]:
        yield from ask(Choose("entry.tile", "Which tile?", options=tiles))
        return {}

    out = io.StringIO()
    enter(script, ["20"], out, Draft(tmp_path / "draft"))
    told = out.getvalue().splitlines()[1:]
    assert told[:2] == [
        "Which tile?",
        "  1. 1A    2. 2A    3. 3A    4. 4A    5. 5A    6. 6A    7. 7A    8. 8A",
    ]
    assert len(told) < 20
    assert max(map(len, told)) < 80


def test_the_last_answer_of_an_entry_is_taken_back(tmp_path: Path) -> None:
    record, said = entered(tmp_path / "draft", "undo", "4", "1", "Undo", "undo", "5", "", "gun")
    assert record == {"health": 5, "attack": 1, "hit": ("gun",)}
    assert "! nothing was answered yet" in said


def picked_script() -> Script[Tables]:
    """Something to read, and what hits."""
    yield from ask(Show("entry.note", "Take card A.", "It lies in the box.\nIts back is green."))
    hit = yield from ask(HIT)
    return {"enemy": {"A": {"hit": hit}}}


def test_each_question_is_put_with_what_can_be_typed_and_what_was_answered_before(tmp_path: Path) -> None:
    note = "Take card A.\n    It lies in the box.\n    Its back is green.\n  (Enter)\n"
    hit = "Hit by?\n  1. a gun\n  2. a knife\n  (pick 0-2, with spaces between, `none`: none of them)\n"
    begun = False
    for line, before in (
        ("some\n", "! a number from 1 to 2 is wanted, not 'some'\n"),
        ("\n", ""),
        ("2 1\n", "  (empty line: none, as before)\n"),
        ("2\n", "  (empty line: a gun, a knife, as before)\n"),
        ("None\n", "  (empty line: a knife, as before)\n"),
        ("Quit\n", "  (empty line: none, as before)\n"),
    ):
        out = io.StringIO()
        enter(picked_script, ["\n", line], out, Draft(tmp_path / "draft"))
        said = f"{HELP}\n{GO_ON}" if begun else HELP
        assert out.getvalue() == f"{said}\n{note}{hit}{before}"
        begun = line != "some\n"


@pytest.mark.parametrize("word", ["help", "Help", "?"])
def test_help_says_the_words_again_where_a_card_is_entered(tmp_path: Path, word: str) -> None:
    record, said = entered(tmp_path / "draft", word, "4", "1", "gun")
    assert record == {"health": 4, "attack": 1, "hit": ("gun",)}
    assert said.count(HELP) == 2
    assert said.count("Health?") == 1, "its menu would push the words off the screen"
    assert "!" not in said


def test_after_undo_the_question_before_is_put_again(tmp_path: Path) -> None:
    record, said = entered(tmp_path / "draft", "4\n", "1\n", "undo\n", "2\n", "gun\n")
    assert record == {"health": 4, "attack": 2, "hit": ("gun",)}
    assert [line for line in said.splitlines() if line.endswith("?")] == [
        "Health?",
        "Attack?",
        "Hit by?",
        "Attack?",
        "Hit by?",
    ]


def test_what_was_answered_to_one_question_is_not_offered_for_another(tmp_path: Path) -> None:
    def longer() -> Script[Tables]:
        yield from ask(Number("entry.number", "Range?", least=1, most=9))
        return (yield from entry_script())

    entered(tmp_path / "draft", "4", "1", "gun")
    out = io.StringIO()
    enter(longer, ["", "7", "", "", ""], out, Draft(tmp_path / "draft"))
    assert "Range?\n  (1 to 9)\n! a whole number is wanted\n" in out.getvalue()
    assert "Health?\n  (1 to 9)\n  (empty line: 4, as before)\n" in out.getvalue()


def test_answers_that_cannot_be_kept_are_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "full").write_bytes(b"")
    with pytest.raises(BadInput, match="full/answers: not saved: "):
        entered(tmp_path / "full" / "draft", "4", "1", "gun")


@pytest.mark.parametrize("torn", [b"", b"\xff", NO_TEXT, DEEP, b'{"ask": 3}\n', b"null\n"])
def test_answers_that_cannot_be_read_are_not_offered(tmp_path: Path, torn: bytes) -> None:
    (tmp_path / "draft").write_bytes(torn)
    record, said = entered(tmp_path / "draft", "4", "1", "")
    assert record == {"health": 4, "attack": 1, "hit": ()}
    assert "as before" not in said


def test_answers_that_no_longer_do_are_not_offered(tmp_path: Path) -> None:
    entered(tmp_path / "draft", "4", "1", "")
    file = tmp_path / "draft"
    file.write_bytes(file.read_bytes().replace(b'"answer":4', b'"answer":44'))
    _, said = entered(file, "")
    assert "as before" not in said
    assert "! a whole number is wanted" in said


@pytest.mark.parametrize("line", ["--5", "9" * 5000, "x" * 70000])
def test_r8_a_line_that_means_nothing_is_refused_where_a_card_is_entered(tmp_path: Path, line: str) -> None:
    record, said = entered(tmp_path / "draft", line, "4", "1", "gun")
    assert record == {"health": 4, "attack": 1, "hit": ("gun",)}
    assert "\n! " in said
    assert said.count("Health?") == 1, "its menu would push the reason off the screen"


def test_an_entry_that_was_saved_offers_only_what_the_pack_still_says(tmp_path: Path) -> None:
    tables = enter(entry_script, ("4", "1", "gun"), io.StringIO(), draft := Draft(tmp_path / "draft"))
    assert tables is not None
    elsewhere: Tables = {"enemy": {"A": {"health": 7, "attack": 1, "hit": ["gun"]}}}
    assert not Draft(tmp_path / "draft").forget_outdated(entry_script, elsewhere)  # it was never saved
    draft.save()
    stored: Tables = {"enemy": {"A": {"health": 4, "attack": 1, "hit": ["gun"]}}}
    assert not Draft(tmp_path / "draft").forget_outdated(entry_script, stored)
    assert entered(tmp_path / "draft", "", "", "")[0] == {"health": 4, "attack": 1, "hit": ("gun",)}
    draft.save()
    outdated = Draft(tmp_path / "draft")
    assert outdated.forget_outdated(entry_script, elsewhere)
    assert outdated.offered(next(entry_script())) is None


def shots_script() -> Script[Tables]:
    """Asks the same twice."""
    first = yield from ask(Number("entry.number", "Shots?", least=1, most=9))
    second = yield from ask(Number("entry.number", "Shots?", least=1, most=9))
    return {"enemy": {"A": {"shots": [first, second]}}}


def test_what_is_asked_twice_is_offered_in_the_order_of_its_answers(tmp_path: Path) -> None:
    pack = enter(shots_script, ("4", "1"), io.StringIO(), draft := Draft(tmp_path / "draft"))
    assert pack == {"enemy": {"A": {"shots": [4, 1]}}}
    draft.save()
    again = Draft(tmp_path / "draft")
    assert not again.forget_outdated(shots_script, pack)
    assert enter(shots_script, ("", ""), io.StringIO(), again) == pack


def test_an_entry_that_was_saved_and_is_corrected_is_not_saved_any_more(tmp_path: Path) -> None:
    pack = enter(shots_script, ("4", "1"), io.StringIO(), draft := Draft(tmp_path / "draft"))
    assert pack is not None
    draft.save()
    assert enter(shots_script, ("5",), io.StringIO(), Draft(tmp_path / "draft")) is None
    left = Draft(tmp_path / "draft")
    assert not left.forget_outdated(shots_script, pack)
    assert enter(shots_script, ("", ""), io.StringIO(), left) == {"enemy": {"A": {"shots": [5, 1]}}}


def test_a_saved_answer_that_would_not_do_any_more_is_outdated(tmp_path: Path) -> None:
    pack = enter(shots_script, ("4", "1"), io.StringIO(), draft := Draft(tmp_path / "draft"))
    assert pack is not None
    draft.save()
    file = tmp_path / "draft"
    file.write_bytes(file.read_bytes().replace(b'"answer":4', b'"answer":44'))
    assert Draft(file).forget_outdated(shots_script, pack)


def test_what_was_entered_is_read_before_it_is_saved_and_can_be_taken_back(tmp_path: Path) -> None:
    def run(*lines: str) -> tuple[Tables | None, str]:
        out = io.StringIO()
        return enter(
            partial(looked_over, entry_script), lines, out, Draft(tmp_path / "draft")
        ), out.getvalue()

    tables, said = run("4", "1", "gun")
    assert tables is None, "nobody has said that it is right"
    assert said.endswith(
        "It reads so. Enter saves it, `undo` goes back.\n"
        "    A\n      health: 4\n      attack: 1\n      hit: gun\n  (Enter)\n"
    )
    tables, said = run("", "", "", "undo", "undo", "undo", "5", "", "", "")
    assert tables == {"enemy": {"A": {"health": 5, "attack": 1, "hit": ("gun",)}}}
    assert "      health: 5\n" in said


def test_what_a_script_has_asked_to_save_is_not_asked_about_once_more(tmp_path: Path) -> None:
    def asking() -> Script[Tables]:
        options = (Option("save", "save"), Option("again", "go on editing"))
        yield from ask(Choose("entry.save", "Save it?", options=options))
        return {"enemy": {"A": {"health": 1}}}

    out = io.StringIO()
    assert enter(partial(looked_over, asking), ("save",), out, Draft(tmp_path / "draft"))
    assert "It reads so" not in out.getvalue()


def test_what_was_answered_before_is_taken_at_once_but_for_the_last_of_it(tmp_path: Path) -> None:
    entered(tmp_path / "draft", "4", "1", "knife")
    record, said = entered(tmp_path / "draft", "go on", "gun")
    assert record == {"health": 4, "attack": 1, "hit": ("gun",)}
    assert said.count("Health?") == 1
    assert said.count("Attack?") == 0
    record, _ = entered(tmp_path / "draft", "go on", "undo", "2", "")
    assert record == {"health": 4, "attack": 2, "hit": ("gun",)}


def test_two_answers_at_once_are_both_taken(tmp_path: Path) -> None:
    file = tmp_path / "answers" / "one.jsonl"
    question = next(entry_script())
    for _ in range(20):
        drafts = [Draft(file) for _ in range(3)]
        with ThreadPoolExecutor() as taps:
            list(taps.map(lambda draft: draft.add(question, 4), drafts))
    assert Draft(file).offered(question) == 4


def test_answers_about_a_thing_of_a_long_name_are_kept(tmp_path: Path) -> None:
    names = [f"enemy.{letter * 60}{end}" for letter in ("\N{KATAKANA LETTER A}", "a", "../") for end in "12"]
    files = [draft_file(tmp_path, name) for name in names]
    question = next(entry_script())
    for at, file in enumerate(files, start=1):
        Draft(file).add(question, at)
    assert [Draft(file).offered(question) for file in files] == [1, 2, 3, 4, 5, 6]
    assert {file.parent for file in files} == {tmp_path / "answers"}
    longest = f"enemy.{'a' * 144}"
    assert draft_file(tmp_path, longest).name == f"{longest}.jsonl"


def test_an_entry_saved_before_there_were_words_to_enter_is_offered_again(tmp_path: Path) -> None:
    def asks_a_name() -> Script[Tables]:
        tables = yield from entry_script()
        tables["enemy"]["A"]["name"] = yield from ask(Text("entry.name", "Its name?", start="Rifles"))
        return tables

    draft = Draft(tmp_path / "draft")
    assert enter(entry_script, ["4", "1", "gun"], io.StringIO(), draft)
    draft.save()
    pack = {"enemy": {"A": {"health": 4, "attack": 1, "hit": ["gun"], "name": "Rifles"}}}
    assert not Draft(tmp_path / "draft").forget_outdated(asks_a_name, pack)
    pack["enemy"]["A"]["name"] = "Guns"
    assert Draft(tmp_path / "draft").forget_outdated(asks_a_name, pack)
