"""Which rules of a ledger the tests claim, read from the source like a linter does."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from companion.engine import ledger
from companion.engine.game import Game

TESTS = Path(__file__).parents[1]
_MARK = "pytest.mark.rule"


@cache
def claimed() -> frozenset[str]:
    """All ids in `@pytest.mark.rule(...)` and `pytestmark` anywhere under tests/."""
    return frozenset(one for path in TESTS.rglob("test_*.py") for one in _marks(path))


def _marks(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Attribute(attr="rule") as called) if ast.unparse(called) == _MARK:
                yield from map(ast.literal_eval, node.args)  # anything but a plain id fails


def physical_only(game: Game) -> dict[str, str]:
    """The rules that live on the table alone, with the reason for each."""
    path = TESTS / "games" / game.name / "physical_only.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def unclaimed(game: Game) -> list[str]:
    """Rule ids that no test checks and that are not physical only."""
    rules = ledger.load(game.folder / "ledger.toml").rule
    excused = physical_only(game)
    return [rule.id for rule in rules if rule.id not in claimed() and rule.id not in excused]


def unclaimed_rulings(game: Game) -> list[str]:
    """Ids of rulings that no test checks."""
    return [one.id for one in ledger.load(game.folder / "ledger.toml").ruling if one.id not in claimed()]


def unknown(game: Game) -> list[str]:
    """Claimed or excused ids of this game that its ledger doesn't have."""
    book = ledger.load(game.folder / "ledger.toml")
    known = {entry.id for entry in book}
    mine = {one for one in claimed() if one.startswith(f"{book.prefix}-")}
    return sorted((mine | set(physical_only(game))) - known)
