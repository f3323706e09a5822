"""What README and docstrings show is true: their commands exist, their examples run."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import textwrap
import tomllib
from importlib import import_module
from pathlib import Path

import click
import pytest

from companion import games
from companion.cli import group
from companion.cli.serve import PORT
from companion.table.loop import LOCKOUT
from companion.table.starts import FAILURES
from companion.web import access, guard, live, server
from vision import focus, settle, votes
from vision.camera import PATIENCE
from vision.cameras import live as camera
from vision.cameras import usb

ROOT = Path(__file__).parents[1]
PAGES = [path for path in ROOT.rglob("*.md") if not {".venv", "node_modules"} & {*path.parts}]
OURS = [page for page in PAGES if "golden" not in page.parts]
MODULES = [
    path
    for package in ("companion", "hardware", "vision")
    for path in (ROOT / package).rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
]
COMMAND = re.compile(r"^(?:sudo -u companion )?(?:\S*/)?companion ([^#\n]*)", re.MULTILINE)
BLOCK = re.compile(r"```sh\n(.*?)```|((?:^ {4,}[^\n]*\n)+)|`([^`\n]+)`", re.DOTALL | re.MULTILINE)
HINT = re.compile(rf"companion ((?:{'|'.join(group.list_commands(click.Context(group)))})\b[-\w ]*)")
WIDTH = 120
NUMBERS = {0.75: "three quarters", 2: "two", 2.5: "two and a half", 3: "three", 5: "five"}
FIGURES = [
    ("README.md", f"http://127.0.0.1:{PORT}/"),
    ("companion/web/README.md", f"{NUMBERS[access.TRIES_A_MINUTE]} tries a minute each"),
    ("companion/web/README.md", f"{guard.LARGEST_BODY >> 20} MB a request"),
    (
        "companion/web/README.md",
        f"{guard.LARGEST_OF_STRANGERS >> 10} kB of who may not act, {guard.A_SECOND}",
    ),
    ("companion/web/README.md", f"which it says every {live.HEARTBEAT:.0f}"),
    (
        "companion/web/README.md",
        f"{server.MOST_CONNECTIONS} connections at once, and {server.REQUEST_WITHIN:.0f} sec",
    ),
    ("hardware/README.md", f"within {LOCKOUT} s of a changed prompt"),
    ("systemd/README.md", f"After {NUMBERS[FAILURES]} starts that fail in a row"),
    ("vision/CAMERA.md", f"| sharpness | {focus.SHARP} and more |"),
    ("vision/CAMERA.md", f"| glare | under {focus.GLARING:.0%} |".replace("%", " %")),
    ("vision/CAMERA.md", f"| brightness | {focus.DARK * 100:.0f} to {focus.BRIGHT * 100:.0f} % |"),
    ("vision/CAMERA.md", f"| tray | {focus.SMALL * 100:.0f} % of the picture and more |"),
    ("vision/CAMERA.md", f"still for {settle.REST} s, {NUMBERS[settle.VOTES]} pictures are read"),
    ("vision/CAMERA.md", f"what stays for {NUMBERS[settle.HAND_LEAVES]} seconds"),
    ("vision/CAMERA.md", f"further than {NUMBERS[votes.PUSHED]} of their side"),
    ("vision/CAMERA.md", f"by no more than {NUMBERS[votes.SHOVED]} of their sides"),
    ("vision/CAMERA.md", "as MJPG at {}x{}".format(*usb.SIZE)),
    ("vision/CAMERA.md", f"focus get {usb.SETTLE} s"),
    ("vision/CAMERA.md", f"| no new picture | {PATIENCE} s |"),
    ("vision/CAMERA.md", f"mean level under {camera.BLACK_LEVEL:.0f} of 255"),
    ("vision/CAMERA.md", f"or above {camera.TOO_BRIGHT:.0f} | {camera.RELIT:.0f} s;"),
    ("vision/CAMERA.md", f"after {camera.FIRST_DELAY} to {camera.LONGEST_DELAY:.0f} s"),
]
"""What a page says of what the program goes by."""


def commands() -> list[str]:
    """Every `companion ...` that our pages show, and every one that the program hints at."""
    pages = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    blocks = [textwrap.dedent("".join(block)) for block in BLOCK.findall(pages)]
    hints = [
        hint
        for package in ("companion", "hardware", "vision")
        for path in (ROOT / package).rglob("*")
        if path.suffix in (".py", ".html")
        for hint in HINT.findall(path.read_text(encoding="utf-8"))
    ]
    lines = [*(line for block in blocks for line in COMMAND.findall(block)), *hints]
    return sorted({line.strip() for line in lines})


@pytest.mark.parametrize("line", commands())
def test_a_command_that_we_name_exists_with_its_options(line: str) -> None:
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
    links = re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)", page.read_text(encoding="utf-8"))
    assert [link for link, _ in links if not (page.parent / link).exists()] == []
    assert [
        head for link, head in links if head and head not in headings(page.parent / link if link else page)
    ] == []


def headings(page: Path) -> set[str]:
    """What links call the headings of a page."""
    heads = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^-\w ]", "", head).lower().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_modules_that_a_page_names_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    files = [f"/{path.relative_to(ROOT)}" for path in ROOT.rglob("*.*") if ".venv" not in path.parts]
    names = re.findall(r"`([\w/.]+\.(?:py|toml|sh|js|css|svg|service|path))\b[^`]*`", text)
    modules = [name.replace(".", "/") for name in re.findall(r"python -m (tests[.\w]*)", text)]
    places = [(name,) for name in names] + [(f"{name}.py", f"{name}/__main__.py") for name in modules]
    ends = [tuple(f"/{end.removeprefix('/')}" for end in place) for place in places if not outside(place[0])]
    assert [end for end in ends if not any(path.endswith(end) for path in files)] == []


def outside(name: str) -> bool:
    """Whether a file belongs to the machine."""
    return name.startswith(("/etc", "/usr"))


@pytest.mark.parametrize("page", OURS, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_line_of_a_page_but_a_row_of_a_table_is_too_wide(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > WIDTH and not line.startswith("|")] == []


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


@pytest.mark.parametrize(("page", "figure"), FIGURES)
def test_a_page_gives_the_figure_that_the_program_goes_by(page: str, figure: str) -> None:
    assert figure in " ".join((ROOT / page).read_text(encoding="utf-8").split())
