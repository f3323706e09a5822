"""The page of the table protocol is true: its conversation is had, all messages and commands are on it."""

import inspect
import io
import json
import re
from pathlib import Path

import pytest

from companion.engine import Journal, Session, Wish
from companion.engine.asks import Ask, Text
from companion.engine.packs import find, merge
from companion.games import load
from companion.table import protocol
from companion.table.table import Table

PAGE = Path(protocol.__file__).with_name("README.md").read_text(encoding="utf-8")
LINES = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)[1].splitlines()
TABLE_LINES = re.findall(r"^\| `(\{.*?)` \|", PAGE.replace("`, `", "` |\n| `"), re.MULTILINE)


def test_the_conversation_on_the_page_is_had_as_it_stands_there(tmp_path: Path) -> None:
    game, out = load("dday_dice"), io.StringIO()
    packs = merge("dday_dice", find(game.folder, tmp_path))
    sent = [line[2:] for line in LINES if line.startswith("> ")]
    with (
        Journal(tmp_path) as journal,
        Session.create(journal, game, packs, Wish(dice="manual")) as session,
    ):
        protocol.JsonFront(Table(session, tmp_path), sent, out).run()

    told = [line[2:] for line in LINES if line.startswith("< ")]
    for line, shown in zip(out.getvalue().splitlines(), told, strict=True):
        assert re.fullmatch(".*".join(map(re.escape, shown.split("..."))), line), (line, shown)


@pytest.mark.parametrize("line", TABLE_LINES)
def test_each_line_that_can_be_sent_is_a_command(line: str) -> None:
    assert set(json.loads(line)) <= set(protocol.parse(line).__struct_fields__)


def test_all_commands_messages_and_asks_are_on_the_page() -> None:
    commands = {name for line in TABLE_LINES for name in json.loads(line)} | {"teach"}
    assert commands == set(protocol.Command.__struct_fields__)
    types = set(re.findall(r'"type": "(\w+)"', inspect.getsource(protocol)))
    assert types > {"hello", "ask", "seen", "end"}
    kinds = {ask.kind for ask in Ask.__subclasses__()} - {Text.kind}
    assert {name for name in types | kinds if f"`{name}`" not in PAGE} <= {"hello", "ask"}
