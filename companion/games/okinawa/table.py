"""The table that the modules of this game share: the state, the cards, and which rulings are in force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from companion.engine.asks import Option, Script, Show, ask
from companion.engine.game import Outcome, Result
from companion.games.okinawa.cards import (
    ActionCard,
    ActionIcon,
    EnemyCard,
    Icon,
    Objective,
    Pack,
    Scenario,
    TokenKind,
    by_letter,
)
from companion.games.okinawa.state import Action, Enemy, State


class Captured(Exception):
    """All enemies are gone before the laps were used up: whatever turn it is ends at once (OKI-227)."""


class GameOver(Exception):
    """The game is decided, in whatever phase (OKI-040, OKI-R39)."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.reason)
        self.outcome = outcome


class Table:
    """One game being played."""

    def __init__(self, pack: Pack, settings: Mapping[str, str]) -> None:
        self.pack = pack
        self.settings = settings
        self.state = State()
        self.refereed = settings["mode"] == "referee"
        self.letters = by_letter(pack)
        self._sides: dict[tuple[str, bool], str] = {}
        self.planes_block = settings["planes_block"] == "yes"

    def action(self, card: str) -> ActionCard:
        """The Action card of that id."""
        return self.state.learned.action.get(card) or self.pack.action[card]

    def enemy(self, card: str) -> EnemyCard:
        """The Enemy card of that id."""
        return self.state.learned.enemy.get(card) or self.pack.enemy[card]

    def token(self, kind: str) -> str:
        """What the Resupply token of that kind is called; a card of the row may have got none."""
        return self.pack.resupply[TokenKind(kind)].name if kind else "no token"

    @property
    def objective(self) -> Objective:
        """The active Objective card."""
        card = self.state.objective
        return self.state.learned.objective.get(card) or self.pack.objective[card]

    @property
    def scenario(self) -> Scenario | None:
        """The active Scenario card, if its letter is known to any pack."""
        card = self.state.scenario
        return self.state.learned.scenario.get(card) or self.pack.scenario.get(card)

    def icons(self, action: Action) -> tuple[Icon, ...]:
        """The lower half of the side that lies up."""
        card = self.action(action.card)
        return card.veteran if action.veteran else card.basic

    def side_text(self, action: Action) -> str:
        """What the side of an Action card that lies up does, in few words."""
        side = (action.card, action.veteran)
        if side not in self._sides:
            self._sides[side] = side_text(self.action(action.card), veteran=action.veteran)
        return self._sides[side]

    def drawable(self, deck: Iterable[str]) -> Iterator[Option]:
        """The Action cards of a deck as options, each with how many there are of it."""
        for card, copies in Counter(deck).items():
            yield Option(card, self.action(card).name, self.side_text(Action(card)), copies)

    def has_stand_ins(self) -> bool:
        """Whether any card of the game is our own design."""
        cards = (*self.pack.action.values(), *self.pack.enemy.values())
        return any(card.is_stand_in for card in cards)

    def supply(self, token: str) -> int:
        """How many of a token the box holds."""
        return self.pack.supply[token].copies

    def letter(self, card: str) -> str:
        """The letter of a Known Enemy, "" for an Unknown one."""
        return self.enemy(card).letter

    def name_of(self, enemy: Enemy) -> str:
        """An enemy in few words, and where it lies if another that looks like it is on the table."""
        label = self.look_of(enemy)
        alike = sum(self.look_of(one) == label for _, one in self.exposed() if one.up)
        place = self.place_of(enemy) if alike > 1 else ""
        return f"{label} ({place_name(place)})" if place else label

    def look_of(self, enemy: Enemy) -> str:
        """An enemy's letter and name, or that it lies face down."""
        return self.label_of(enemy.card) if enemy.up else "face-down card"

    def label_of(self, card: str) -> str:
        """An Enemy card's letter, if it is a Known one, and its name."""
        printed = self.enemy(card)
        return f"{printed.letter} {printed.name}".lstrip()

    def posts(self) -> Iterator[tuple[str, list[Enemy]]]:
        """Every place an Enemy card can lie, left to right, with its stack: "2" to "5", "top", "bottom"."""
        state = self.state
        for index, stack in enumerate(state.row):
            yield POSTS[index], stack
        yield "top", state.beside_top
        yield "bottom", state.beside_bottom

    def exposed(self) -> Iterator[tuple[str, Enemy]]:
        """The Enemy cards that nothing lies on, left to right (OKI-211, OKI-R29), and where."""
        state = self.state
        for index, stack in enumerate(state.row):
            if stack:
                yield POSTS[index], stack[0]
        for number, mover in enumerate(state.beside_top):
            yield f"top{number + 1}", mover
        for number, mover in enumerate(state.beside_bottom):
            yield f"bottom{number + 1}", mover

    def at(self, place: str) -> Enemy:
        """The exposed Enemy card at a place that `exposed` named."""
        return next(enemy for where, enemy in self.exposed() if where == place)

    def place_of(self, wanted: Enemy) -> str:
        """Where an Enemy card lies exposed; "" if it is gone or covered."""
        return next((where for where, enemy in self.exposed() if enemy is wanted), "")

    def shielded(self) -> bool:
        """Whether a face-up Pill Box keeps soldiers from being attacked (OKI-174, OKI-R74)."""
        return any(enemy.up and self.enemy(enemy.card).shields_soldiers for _, enemy in self.exposed())

    def stores(self, action: Action) -> bool:
        """Whether a die can be stored on the card (OKI-124)."""
        return action.veteran and self.action(action.card).stores_die

    def lose(self, reason: str) -> GameOver:
        """The end of a lost game, to be raised."""
        return self._over(Result.LOST, reason)

    def win(self, reason: str) -> GameOver:
        """The end of a won game, to be raised."""
        return self._over(Result.WON, reason)

    def _over(self, result: Result, reason: str) -> GameOver:
        state = self.state
        score = {
            "objective": state.number,
            "captured": state.captured,
            "health": state.health,
            "turns": state.turn,
        }
        return GameOver(Outcome(result, reason, score))

    def news(self, words: str) -> None:
        """Note what just happened, to be told with the next `tell`."""
        self.state.news.append(words)

    def take_news(self) -> str:
        """What happened since it was last told, a line each."""
        news = "\n".join(self.state.news)
        self.state.news.clear()
        return news

    def tell(self, key: str, rule: tuple[str, ...], text: str = "") -> Script[None]:
        """Show what happened since the last time, if anything did."""
        lines = self.take_news().splitlines()
        if not lines:
            return
        told = f"{text}: {lines.pop(0)}" if text else lines.pop(0)
        while text and lines and len(told) + len(lines[0]) < _LONGEST:
            told = f"{told}. {lines.pop(0)}"
        rest = "\n".join(lines)
        yield from ask(Show(key, told, rest, rule, news=rest if text else f"{told}\n{rest}"))


_LONGEST = 75
"""Characters of a text that the small screen still shows well."""
POSTS = ("2", "3", "4", "5")


def place_name(place: str) -> str:
    """A place that `Table.exposed` names, in the player's words."""
    return f"Space {place}" if place.isdigit() else f"Right of {place.rstrip('123456789')} row"


def side_text(printed: ActionCard, *, veteran: bool) -> str:
    """One side of an Action card in few words, marked if a stand-in."""
    words = [_icon_text(icon) for icon in (printed.veteran if veteran else printed.basic)]
    words += ["destroy planes"] * printed.destroys_planes
    words += ["gas can"] * printed.refuel
    words += ["stores a die"] * (veteran and printed.stores_die)
    return ", ".join(words) + (" (stand-in)" if printed.is_stand_in else "")


def _icon_text(icon: Icon) -> str:
    words = icon.icon.words.replace(" damage", "")
    return f"{words} {icon.amount}" if icon.amount > 1 or icon.icon in _COUNTED else words


_COUNTED = (ActionIcon.SOLDIER_DAMAGE, ActionIcon.ARMOR_DAMAGE)
