"""A table laid out for one test: the Battlefield as after set-up, enemies and cards as the test wants."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from companion.engine import game, packs
from companion.engine.asks import AnyAsk, Choose, Draw, Pick, Script, Show
from companion.games.okinawa import GAME, player_turn, setup
from companion.games.okinawa.cards import (
    ActionCard,
    ActionDeck,
    ActionIcon,
    EnemyCard,
    EnemyType,
    Happening,
    Icon,
    Pack,
    Scenario,
    Timing,
)
from companion.games.okinawa.state import Action, Enemy, Soldiers
from companion.games.okinawa.table import Table


@cache
def shipped() -> Pack:
    """The packs that ship, merged."""
    return packs.build(packs.merge("okinawa", packs.find(GAME.folder, Path("/nowhere"))), Pack)


def table(**settings: str) -> Table:
    """Kakazu Ridge in its first turn: ten Riflemen, two soldiers, no Enemy card, no die rolled."""
    laid = Table(shipped(), game.setup(GAME, shipped(), settings).settings)
    state = laid.state
    setup.fill_decks(laid)
    run(setup.lay_basic_cards(laid), *([["rifleman"] * 10] if settings.get("order") == "shuffled" else []))
    for space in state.spaces:
        space.action = Action("rifleman" if laid.refereed else "")
    state.number, state.objective, state.flag, state.allowance = 1, "kakazu-ridge", 2, 5
    state.soldiers = Soldiers(2)
    return laid


def card(
    laid: Table,
    space: int,
    *icons: tuple[str, int],
    veteran: tuple[tuple[str, int], ...] = (),
    **printed: object,
) -> Action:
    """A made-up Action card in an Action Space."""
    name = f"test-{space}"
    laid.state.learned.action[name] = ActionCard(
        name=f"Test {space}",
        deck=ActionDeck.BASIC,
        basic=tuple(Icon(ActionIcon(icon), amount) for icon, amount in icons),
        veteran=tuple(Icon(ActionIcon(icon), amount) for icon, amount in veteran),
        **printed,
    )
    action = Action(name)
    next(one for one in laid.state.spaces if one.number == space).action = action
    return action


def enemy(
    laid: Table, space: int, name: str = "test", *, fog: int = 0, up: bool = True, **printed: object
) -> Enemy:
    """A made-up Enemy card on top of an Enemy Space; a Soldier of 3 health unless told otherwise."""
    fields: dict[str, object] = {"type": EnemyType.SOLDIER, "health": 3, "damage": 1, **printed}
    laid.state.learned.enemy[name] = EnemyCard(name=name.title(), fog=fog, **fields)
    one = Enemy(name, up=up, fog=fog if up else 0)
    laid.state.row[space - 2].insert(0, one)
    return one


def scenario(laid: Table, timing: Timing, *effects: Happening) -> None:
    """A made-up Scenario card in play."""
    laid.state.scenario = "I"
    laid.state.learned.scenario["I"] = Scenario(name="Test", timing=timing, effects=effects)


def run(script: Script[object], *answers: object) -> list[AnyAsk]:
    """Run a part to its end: shows are acknowledged, the rest answered in order; every ask it put."""
    asked, rest = [], list(answers)
    try:
        question = script.send(None)
        while True:
            asked.append(question)
            answer = True if isinstance(question, Show) else question.accept(_next(rest, question))
            question = script.send(answer)
    except StopIteration:
        assert not rest, f"not asked for: {rest}"
        return asked


def _next(rest: list[object], question: AnyAsk) -> object:
    assert rest, f"no answer for: {question}"
    return rest.pop(0)


def choose(laid: Table, option: str, *answers: object) -> list[AnyAsk]:
    """Do one thing of the Player Turn's menu; what the menu does not offer fails."""
    assert option in [one.id for one in player_turn.choices(laid)]
    return run(player_turn.act(laid, option), *answers)


def stop_at(script: Script[object], key: str, *answers: object) -> AnyAsk:
    """Run a part up to the ask of that key, and leave it open."""
    rest = list(answers)
    question = script.send(None)
    while question.key != key:
        answer = True if isinstance(question, Show) else question.accept(_next(rest, question))
        question = script.send(answer)
    return question


def ids(question: AnyAsk) -> list[str]:
    """The ids of an ask's options."""
    assert isinstance(question, Choose | Pick | Draw)
    return [option.id for option in question.options]


def texts(asked: list[AnyAsk]) -> str:
    """All that was said, to look for a word in."""
    return "\n".join(f"{one.text}\n{one.detail}" for one in asked)
