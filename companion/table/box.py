"""The box as it stands on a table: home menu, game after game, back to where it was after a loss of power."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import Final

import msgspec

from companion.engine.asks import Choose, Option, Show
from companion.engine.errors import CompanionError
from companion.engine.game import Game
from companion.engine.journal import Journal
from companion.engine.packs import Merged, build, find, merge
from companion.engine.records import MANUAL, SOFTWARE, Meta, RolledDie
from companion.engine.session import Session, Wish
from companion.games import load, names
from companion.screens.console import SHUT_DOWN, Console
from companion.screens.intents import Quit
from companion.screens.screen import WayIn
from companion.table.chain import DiceChain
from companion.table.devices import Devices
from companion.table.dice import CAMERA, SERIAL, DiceSource, open_source
from companion.table.events import Begun, Closed, Events, PutAway
from companion.table.late import LateSource
from companion.table.loop import Display, Left, Loop
from companion.table.menu import put
from companion.table.playing import Playing
from companion.table.table import Table

POWEROFF = "poweroff"

DICE: Final = {
    CAMERA: "it reads yours",
    SERIAL: "the tower counts yours",
    MANUAL: "you roll and enter them",
    SOFTWARE: "the box rolls",
}
CARDS: Final = {SOFTWARE: "the box draws", MANUAL: "you draw from the real decks"}
"""What the values of these two settings mean."""


MANY: Final = 5
"""Values of a setting that are chosen from a list: to turn one too far would be to go all the way round."""


class Setting(msgspec.Struct):
    """One line of the menu before a game: pressing OK takes the next of its values, or lists them if many.

    `titles` are what people call the values.
    """

    name: str
    label: str
    titles: Mapping[str, str]
    help: str = ""
    at: int = 0

    @property
    def values(self) -> list[str]:
        """What it can stand at."""
        return [*self.titles]

    @property
    def value(self) -> str:
        """What it stands at."""
        return self.values[self.at]

    def option(self) -> Option:
        """The line; a game may well call a setting `start`, as the menu's own line is called."""
        return Option(f"set:{self.name}", f"{self.label}: {self.titles[self.value]}", self.help)

    def listed(self) -> Choose:
        """The values below each other."""
        return Choose("box.value", self.label, options=tuple(starmap(Option, self.titles.items())))

    def turn(self) -> None:
        """The next value."""
        self.at = (self.at + 1) % len(self.values)


def _by_whom(name: str, meant: Mapping[str, str]) -> Setting:
    """Who rolls, or who draws: its values, and what they mean."""
    words = "; ".join(f"{value}: {what}" for value, what in meant.items())
    return Setting(name, name.title(), {value: value for value in meant}, words)


class Ways(msgspec.Struct, frozen=True):
    """What the box needs beside its devices.

    The camera's name, what puts a table on the page for phones, how they get to that page, and
    what hands over the table of a session that a phone has opened, to be played here.
    """

    camera: str | None = None
    page: Callable[[Table], AbstractContextManager[None]] = lambda _: nullcontext()
    phones: Callable[[], WayIn] = WayIn
    take: Callable[[str], Table | None] = lambda _: None


class AtBox(msgspec.Struct, frozen=True):
    """What the page needs of its box: to tell it what phones do, and to know what reads dice there now."""

    tell: Callable[[Begun | PutAway], None]
    readers: Callable[[], Sequence[str]]


class Box:
    """Runs until somebody shuts it down. `watch` is drawn to at every turn: the watchdog."""

    def __init__(
        self,
        data: Path,
        journal: Journal,
        devices: Devices,
        events: Events,
        watch: Sequence[Display],
        ways: Ways | None = None,
    ) -> None:
        self._data = data
        self._journal = journal
        self._devices = devices
        self._events = events
        self._watch = watch
        self._ways = ways or Ways()
        self._playing = Playing(data)

    def run(self) -> Quit | Closed:
        """Until the end; a session that was interrupted is on the table again at once.

        What a phone begins while none is played here is on the table too.
        """
        name = self._playing.interrupted()
        done = self._resume(name) if name else None
        while True:
            if isinstance(done, Closed) or (isinstance(done, Quit) and done.power_off):
                return done
            try:
                done = self._take_over(done.session) if isinstance(done, Begun) else self._home()
            except CompanionError as error:  # a disk that gives nothing may do so again
                done = self._say(str(error))

    def _ask(
        self, asked: Callable[[], Choose | Show], at: int = 0, back: str = "", *, again: bool = False
    ) -> object | Left:
        displays, phones = [*self._watch, *self._devices.displays()], self._ways.phones
        return put(asked, "COMPANION", self._foot, phones, self._events, displays, at, back, again=again)

    def _foot(self) -> str:
        """Until a key is pressed how a phone can play, else what is not there; and a journal that was mended.

        Every Pi has pins: whether keys are wired to them shows when one is pressed.
        """
        way_on = "" if self._devices.pressed else ", ".join(self._ways.phones().lines)
        salvaged = str(self._journal.salvaged or "")
        return ", ".join(filter(None, (way_on or self._devices.present.notice(), salvaged)))

    def _home(self) -> Left | None:
        games = [Option(f"play:{name}", load(name).title) for name in names()]
        answer = self._ask(lambda: self._choices(games))
        if isinstance(answer, Left):
            return answer
        what, _, name = str(answer).partition(":")
        if what == "off":
            sure = self._ask(lambda: SHUT_DOWN, back="no")
            if sure == "off":
                return Quit(power_off=True)
            return sure if isinstance(sure, Left) else None
        return self._resume(name) if what == "resume" else self._begin(load(name))

    def _choices(self, games: Sequence[Option]) -> Choose:
        """The home menu with these games; a phone may have begun a session meanwhile.

        A session of a game that is not here (any more) is kept, but can't go on.
        """
        options = [*games, Option("off", "Shut down")]
        titles = {option.id.removeprefix("play:"): option.label for option in games}
        unfinished = [meta for meta in self._journal.played() if not meta.outcome and meta.game in titles]
        if unfinished:
            open_one = unfinished[-1]
            options.insert(0, Option(f"resume:{open_one.id}", f"Go on: {titles[open_one.game]}"))
        return Choose("box.home", "What shall it be?", options=tuple(options))

    def _begin(self, game: Game) -> Left | None:
        owned = self._data / "packs" / game.name
        try:
            packs = merge(game.name, find(game.folder, owned))
            settings = self._settings(game, packs)
        except CompanionError as error:
            return self._say(str(error))
        while isinstance(wish := self._wish(game, settings), Wish):
            try:
                session = Session.create(self._journal, game, packs, wish)
            except CompanionError as error:
                said = self._say(str(error))  # other settings may do
                if said is not None:
                    return said
            else:
                return self._play(self._table(session))
        return self._resume(wish.id) if isinstance(wish, Meta) else wish

    def _settings(self, game: Game, packs: Merged) -> Sequence[Setting]:
        """The lines of the menu before a game."""
        pack = build(packs, game.pack_type)
        scenarios = {one: game.titled(pack, one) for one in game.scenarios(pack)}
        settings = [Setting(one.name, one.title, one.titles, one.help) for one in game.settings]
        if len(scenarios) > 1:
            settings.insert(0, Setting("scenario", "Scenario", scenarios))
        settings.append(
            _by_whom("dice", {name: DICE[name] for name in (*self._devices.readers, MANUAL, SOFTWARE)})
        )
        if game.draws:
            settings.append(_by_whom("cards", CARDS))
        self._set_as_last(game, settings)
        return settings

    def _set_as_last(self, game: Game, settings: Sequence[Setting]) -> None:
        """As that game was begun the last time, as far as there are such values now.

        Dice that were entered by hand then may have been for want of the reader that is there now.
        """
        last = next((meta for meta in reversed(self._journal.sessions()) if meta.game == game.name), None)
        if last is None:
            return
        values = {**last.settings, "scenario": last.scenario, "dice": last.dice, "cards": last.cards}
        for one in settings:
            if (value := values.get(one.name)) in one.values and (one.name, value) != ("dice", MANUAL):
                one.at = one.values.index(value)

    def _wish(self, game: Game, settings: Sequence[Setting]) -> Wish | Meta | Left | None:
        """Let the player turn the settings of a new game, or go on with one; None if they went back."""
        at, again = 0, False
        begun = [meta for meta in self._journal.played() if meta.game == game.name and not meta.outcome]
        ways = [Option("start", "Start"), *([Option("resume", "Go on")] if begun else [])]
        while True:
            options = (*ways, *(one.option() for one in settings), Option("home", "Back"))
            asked = partial(Choose, "box.new", game.title, options=options)
            answer, again = self._ask(asked, at, "home", again=again), False
            if isinstance(answer, Left):
                return answer
            if answer == "resume":
                if (old := self._which(begun, settings)) is not None:
                    return old
                continue
            if answer in ("start", "home"):
                break
            at = next(place for place, option in enumerate(options) if option.id == answer)
            setting = settings[at - len(ways)]
            if len(setting.values) < MANY:
                setting.turn()
                again = True
                continue
            value = self._ask(setting.listed, setting.at, back=setting.value)
            if isinstance(value, Left):
                return value
            setting.at = setting.values.index(str(value))
        chosen = {one.name: one.value for one in settings}
        dice, scenario = chosen.pop("dice"), chosen.pop("scenario", "")
        cards = chosen.pop("cards", SOFTWARE)
        return Wish(chosen, scenario, None, dice, cards) if answer == "start" else None

    def _which(self, begun: Sequence[Meta], settings: Sequence[Setting]) -> Meta | Left | None:
        """The session to go on with, the one played last first; None if they went back."""
        if len(begun) == 1:
            return begun[0]
        metas = {meta.id: meta for meta in reversed(begun)}
        titles = next((one.titles for one in settings if one.name == "scenario"), {})
        days = [Option(one.id, one.began, titles.get(one.scenario, one.scenario)) for one in metas.values()]
        options = (*days, Option("back", "Back"))
        answer = self._ask(lambda: Choose("box.which", "Which one?", options=options), back="back")
        return answer if isinstance(answer, Left) else metas.get(str(answer))

    def _resume(self, name: str) -> Left | None:
        try:
            meta = self._journal.session(name)
            table = self._ways.take(meta.id) or self._table(
                Session.resume(self._journal, load(meta.game), meta.id)
            )
        except CompanionError as error:
            self._playing.left()
            return self._say(str(error))
        return self._play(table)

    def _take_over(self, name: str) -> Left | None:
        """Play what a phone has begun, unless it was put away meanwhile."""
        table = self._ways.take(name)
        return self._play(table, by_phone=True) if table is not None else None

    def _table(self, session: Session) -> Table:
        return Table(session, self._data / "packs" / session.game.name)

    def _play(self, table: Table, *, by_phone: bool = False) -> Left | None:
        """Play it until somebody leaves; what went wrong is said, and leads home.

        A box that is told to stop waits for nobody who reads it: only what software says again was not kept.
        """
        done, session = None, table.session
        journal = nullcontext() if session.journal is self._journal else session.journal
        try:
            with journal, session, self._ways.page(table):
                done = self._play_at(table, by_phone=by_phone)
        except CompanionError as error:
            return done if isinstance(done, Closed) else self._say(str(error)) or done
        return done

    def _play_at(self, table: Table, *, by_phone: bool) -> Left:
        meta = table.session.meta
        source = self._source(meta.dice, table.session.misread())
        displays = [*self._watch, *self._devices.displays(table)]
        self._playing.begin(meta.id)
        table.settle()
        loop = Loop(table, self._events, displays, source, console=Console(table, power=True))
        done = loop.run(by_others=by_phone)
        if not isinstance(done, Closed):
            self._playing.left()
        return done

    def _source(self, dice: str, misread: Sequence[RolledDie] = ()) -> DiceSource | None:
        """What reads the dice; without it they are entered by hand, and the screen says so."""
        if dice in (MANUAL, SOFTWARE):
            return None
        tower = self._devices.dice
        if dice != CAMERA:
            return tower
        camera = LateSource(CAMERA, lambda: open_source(CAMERA, self._ways.camera, self._data, misread))
        return DiceChain([camera, tower])

    def _say(self, text: str) -> Left | None:
        answer = self._ask(lambda: Show("box.say", text))
        return answer if isinstance(answer, Left) else None


def shut_down(runtime: Path) -> None:
    """Ask the system to power off: a file that companion-poweroff.path watches for.

    Without the service's runtime folder (a laptop) nothing happens.
    """
    with suppress(OSError):
        (runtime / POWEROFF).touch()
