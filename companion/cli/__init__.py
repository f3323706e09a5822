"""The command line: one file a command, imported only when it is called."""

from __future__ import annotations

import atexit
import codecs
import contextlib
import errno
import io
import os
import sys
import threading
import time
from typing import IO, TYPE_CHECKING

import click

import companion
from companion.cli.lazy import LazyGroup
from companion.wording import plain

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

COMMANDS = {
    "games": ("games:games", "The games, their packs and what each still lacks."),
    "play": ("play:play", "Start a session of a game."),
    "resume": ("play:resume", "Go on with the unfinished session played last, or a named one."),
    "log": ("log:log", "Sessions read back: list, show, report, stats, export, backup."),
    "dice": ("dice:dice", "The camera's side: read, teach, check, bench, samples, mat, focus."),
    "pack": ("pack:pack", "What is printed on the cards: list, check, enter your own."),
    "rules": ("rules:rules", "What a rule says, in the box's words."),
    "box": ("box:box", "What the service runs: screen, buttons and all."),
    "doctor": ("doctor:doctor", "Every device: found, working, and what to do if not."),
    "serve": ("serve:serve", "The page for phones: play, enter cards, read the logbook."),
    "screens": ("screens:screens", "Every prompt of a game as the OLED shows it, as pictures."),
    "simulate": ("simulate:simulate", "Whole games without a front, and what came of them."),
}
"""Name, where it is, and its line in `companion --help`, so that help imports none of them."""

EXTRAS = {
    "PIL": ("Pillow", "oled"),
    "cv2": ("OpenCV", "vision"),
    "h11": ("h11", "web"),
    "jinja2": ("Jinja2", "web"),
    "matplotlib": ("matplotlib", "plots"),
    "numpy": ("NumPy", "vision"),
    "segno": ("segno", "web"),
    "starlette": ("Starlette", "web"),
    "threadpoolctl": ("threadpoolctl", "vision"),
    "uvicorn": ("uvicorn", "web"),
}
"""What a module that not everybody needs is called, and what of the program brings it."""

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What writing to a full disk raises; most writers say it themselves, standard output can't."""

LIKEST = str.maketrans("♥·…–—×‘’“”", "*.~--x''\"\"")  # noqa: RUF001
"""What is written for letters that a terminal lacks; hearts and dots are counted, and must differ."""


@click.group(cls=LazyGroup, elsewhere=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(companion.__version__, prog_name="companion")
@click.option("--debug", is_flag=True, expose_value=False, help="Show where an error came from.")
def group() -> None:
    """A box beside a war game: reads the dice, runs the enemy, keeps the state, writes the session down.

    \b
    First game:    companion play okinawa
    After a pause: companion resume
    """


def main() -> None:
    """Run the command line; every error is a line that a person can act on, and an exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        codecs.register_error(likest.__name__, likest)
        sys.stdout.reconfigure(errors=likest.__name__)  # a terminal without a dash is no reason to stop
    if sys.stderr is None or is_for_reading(sys.stderr):
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115 - pathlib takes time to import; it stays open
    elif isinstance(sys.stderr, io.TextIOWrapper):
        there = io.BufferedWriter(Spillable(sys.stderr.fileno(), "w", closefd=False))
        sys.stderr = io.TextIOWrapper(there, sys.stderr.encoding, sys.stderr.errors, line_buffering=True)
    for name in ("COLUMNS", "LINES"):
        if os.environ.get(name) == "0":  # a serial line knows no size; rich would take that for one
            del os.environ[name]
    code = 1

    def end() -> None:
        if cameras_at_work():
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:
                    stream.flush()
            os._exit(code)

    atexit.register(end)  # before all others, so that it comes last: they may let cameras go
    code = run(sys.argv[1:])
    sys.exit(code)


def likest(error: UnicodeError) -> tuple[str, int]:
    """What stands for letters that can't be written, `?` where none is like it; and where to go on."""
    assert isinstance(error, UnicodeEncodeError)
    text = error.object[error.start : error.end].translate(LIKEST)
    return "".join(letter if letter.isascii() else "?" for letter in text), error.end


def cameras_at_work(patience: float = 3.0) -> bool:
    """Whether a camera's thread is still at work `patience` seconds after it was told to end.

    Python cuts off threads at its own end, and one that it finds in OpenCV's C++ aborts the process.
    """
    end = time.monotonic() + patience
    cameras = [thread for thread in threading.enumerate() if thread.name.startswith("camera ")]
    for thread in cameras:
        thread.join(max(0.0, end - time.monotonic()))
    return any(thread.is_alive() for thread in cameras)


def run(arguments: list[str]) -> int:
    """Run with these arguments; returns the exit code.

    0 done, 1 a fault of ours, 2 wrong usage or bad input, 3 a demanded device is missing, 130 interrupted.
    """
    if sys.stdout is None or is_for_reading(sys.stdout):
        sys.stdout = Closed()
    try:
        code = group.main(arguments, prog_name="companion", standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt) as error:
        torn = torn_module(error)
        return told_torn(torn) if torn else 130
    except click.ClickException as error:
        told_usage(error)
        return 2
    except SystemExit:  # as Click ends what nobody reads any more
        return 0
    except Exception as error:
        if "--debug" in arguments:
            raise
        return told(error)
    return code if isinstance(code, int) else 0


def is_for_reading(stream: IO[str]) -> bool:
    """Whether nothing can be written to a stream, as after `1</dev/null`; even nothing is refused there."""
    try:
        os.write(stream.fileno(), b"")
    except OSError as error:
        return error.errno == errno.EBADF
    return False


class Spillable(io.FileIO):
    """Standard error: what a full disk has no room for is lost, and ends no command."""

    def write(self, data: ReadableBuffer) -> int:
        try:
            return super().write(data)
        except OSError as error:
            if error.errno in FULL:
                return memoryview(data).nbytes
            raise


class Closed(io.TextIOBase):
    """Standard output that was closed before the start; Click would drop what is said there."""

    def write(self, _: object) -> int:
        raise click.ClickException("nothing can be told: standard output is closed")


def torn_module(error: BaseException) -> str:
    """The compiled module that a full disk has cut short, and Python can't load; empty for any other end."""
    if not isinstance(error.__cause__, EOFError):  # Ctrl-C may come amid the reading of a whole one
        return ""
    step = error.__cause__.__traceback__
    while step and step.tb_next:
        step = step.tb_next
    return (step and step.tb_frame.f_locals.get("bytecode_path")) or ""


def told_torn(module: str) -> int:
    """Delete it, for Python compiles it anew, and say so; returns the exit code."""
    with contextlib.suppress(OSError):
        os.unlink(module)  # noqa: PTH108 - pathlib takes time to import
    said = "was cut short, as on a full disk: call again, and delete it if that doesn't help"
    click.echo(plain(f"companion: {module} {said}"), err=True)
    return 1


def told_usage(error: click.ClickException) -> None:
    """Say what is wrong in a command, and where its help is; a group alone is told its commands instead."""
    said = error.format_message()
    if said.startswith("Usage:"):
        error.show()
        return
    click.echo(plain(f"companion: {said}"), err=True)
    if isinstance(error, click.UsageError) and error.ctx is not None:
        own = ""
        if isinstance(error, click.NoSuchOption) and _takes_settings(error.ctx.command):
            own = "; a game's own options go by --set KEY=VALUE"
        click.echo(f"{error.ctx.command_path} --help tells what it takes{own}", err=True)


def _takes_settings(command: click.Command) -> bool:
    shown = (one for one in command.params if isinstance(one, click.Option) and not one.hidden)
    return any("--set" in one.opts for one in shown)


def to_install(error: Exception) -> str:
    """What to install where a module that not everybody needs is missing; empty for any other error."""
    from companion.engine.errors import pip

    module = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    name, extra = EXTRAS.get(module, ("", ""))
    return name and f"this needs {name}: {pip('install', f'companion[{extra}]')}"


def told(error: Exception) -> int:
    """Say in a line what went wrong; returns the exit code."""
    from companion.cli.common import mending_all
    from companion.engine.errors import BadInput, CompanionError, DeviceMissing, JournalError

    said, code = str(error), 2
    match error:
        case ModuleNotFoundError() if needed := to_install(error):
            said = needed
        case OSError(errno=number) if number in FULL:
            sys.stdout = None  # what it holds yet would be written at the end
            said = f"not all could be written: {error.strerror}"
        case OSError(errno=errno.EMFILE | errno.ENFILE):
            said = f"{error.strerror}: allow more (ulimit -n 1024), or end another program"
        case DeviceMissing():
            code = 3
        case BadInput() | JournalError():
            said += mending_all(error)
        case CompanionError():
            code = 1
        case _:
            said, code = f"a fault of ours, {type(error).__name__}: {error}; companion --debug tells where", 1
    click.echo(plain(f"companion: {said}"), err=True)
    return code
