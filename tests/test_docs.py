"""What README and docstrings show is true: their commands exist, their examples run."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import tomllib
from importlib import import_module
from pathlib import Path

import click
import pytest

from companion import games
from companion.cli import group

ROOT = Path(__file__).parents[1]
PAGES = [path for path in ROOT.rglob("*.md") if not {".venv", "node_modules"} & {*path.parts}]
MODULES = [
    path
    for package in ("companion", "hardware", "vision")
    for path in (ROOT / package).rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
]
COMMAND = re.compile(r"^(?:\S*/)?companion ([^#\n]*)", re.MULTILINE)
BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)


def commands() -> list[str]:
    """Every `companion ...` line of a shell block in our pages."""
    blocks = [block for page in PAGES for block in BLOCK.findall(page.read_text(encoding="utf-8"))]
    return sorted({line.strip() for block in blocks for line in COMMAND.findall(block)})


@pytest.mark.parametrize("line", commands())
def test_a_command_in_our_pages_exists_with_its_options(line: str) -> None:
    words = shlex.split(line)
    command: click.Command = group
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(click.Context(command), words[0])
        assert found is not None, f"no command {words[0]!r}"
        command, words = found, words[1:]
    known = {name for option in command.params for name in option.opts} | {"--help", "--version"}
    assert {word for word in words if word.startswith("--")} <= known


def test_there_are_commands_to_check() -> None:
    assert len(commands()) > 10


@pytest.mark.parametrize("name", games.names())
def test_readme_calls_a_game_as_the_program_does(name: str) -> None:
    assert f"| `{name}` | {games.load(name).title}" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_examples_in_docstrings_run(path: Path) -> None:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    results = doctest.testmod(import_module(name))
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_files_that_a_page_points_to_are_there(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_licence_in_the_packages_is_among_those_that_a_wheel_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    inside = [
        path for package in ("companion", "hardware", "vision") for path in (ROOT / package).rglob("LICENSE*")
    ]
    assert project["license-files"] == ["LICENSE", *(str(path.relative_to(ROOT)) for path in inside)]


def test_the_gate_runs_nothing_where_readme_shows_no_command_for_it(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("<!-- play -->\n")
    (tmp_path / "id").write_text("#!/bin/sh\necho 1000\n")  # who is not root installs no tools
    (tmp_path / "id").chmod(0o755)
    (tmp_path / ".ci").mkdir()
    gate = shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", gate], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
