"""A game of D-Day Dice: five phases a turn, until all are safe or somebody is lost."""

from __future__ import annotations

from collections.abc import Iterable

from companion.engine.asks import AnyAsk, Choose, Option, Script, Show, ask
from companion.engine.errors import BadInput, PackError
from companion.engine.game import Board, Outcome, Setup
from companion.engine.packs import Tables
from companion.games.dday_dice import advice, awards, panels, picture
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.battlefield import battlefield
from companion.games.dday_dice.changes import all_changes
from companion.games.dday_dice.combat import combat, leave_play, lost, staying_safe
from companion.games.dday_dice.ending import counted_up, ended_by, over
from companion.games.dday_dice.invariants import broken
from companion.games.dday_dice.moving import abandon, move_units
from companion.games.dday_dice.options import options
from companion.games.dday_dice.problems import unplayable
from companion.games.dday_dice.records import DdayPack
from companion.games.dday_dice.recruiting import recruiting
from companion.games.dday_dice.rolling import roll_the_dice
from companion.games.dday_dice.setup import new_table, set_up
from companion.games.dday_dice.state import Phase, Status, TableState, Turn, Unit
from companion.games.dday_dice.upkeep import upkeep


class DdayPlay:
    """One game on the table."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle

    @property
    def state(self) -> TableState:
        """All that is on the table."""
        return self.battle.state

    def script(self) -> Script[Outcome]:
        """From set-up to the end."""
        battle = self.battle
        yield from set_up(battle)
        while True:
            outcome = yield from turn(battle)
            if outcome is not None:
                battle.state.phase = Phase.OVER
                text = f"{outcome.result.value.title()}: {outcome.reason}. {outcome.score['vp']} VP"
                rule, counted = ended_by(battle, outcome), counted_up(battle)
                yield from ask(Show("dday_dice.over", text, counted, rule, news=counted))
                return outcome

    def check(self) -> Iterable[str]:
        """Every invariant that does not hold."""
        return broken(self.battle)

    def board(self) -> Board:
        """The table as text."""
        return panels.board(self.battle)

    def svg(self) -> str:
        """The beach as a picture."""
        return picture.svg(self.battle)

    def advise(self, question: AnyAsk, policy: str) -> object | None:
        """What the cautious policy would do."""
        return advice.advise(self.battle, question) if policy == "cautious" else None

    def learned(self) -> Tables:
        """The Awards that the owner entered, for a pack."""
        return awards.learned(self.battle)


def start(setup: Setup) -> DdayPlay:
    """A fresh play of the scenario; raises `BadInput` or `PackError` if it can't be set up."""
    assert isinstance(setup.pack, DdayPack)
    for problem in () if setup.begun else unplayable(setup.pack, setup.scenario):
        raise PackError(f"{problem.path}: {problem.message}; see companion pack check dday_dice")
    scenario = setup.pack.scenario[setup.scenario]
    chosen = options(setup.settings)
    if chosen.players < scenario.players_least:
        raise BadInput(f"{scenario.title} is for {scenario.players_least} to 4: set players=2 (DDD-313)")
    field = battlefield(setup.pack, scenario, chosen.random_tables, begun=setup.begun)
    return DdayPlay(Battle(setup.pack, scenario, field, chosen, new_table(setup.scenario, chosen.players)))


# --- a turn (DDD-015, DDD-016)


def turn(battle: Battle) -> Script[Outcome | None]:
    """Five phases, each finished by all before the next; the outcome, if the game is over."""
    state = battle.state
    _new_turn(battle)
    state.phase = Phase.ROLL
    for unit in battle.fighting():
        yield from roll_the_dice(battle, unit)
    yield from all_changes(battle)
    for phase, steps in _PHASES:
        state.phase = phase
        yield from steps(battle)
        if (outcome := over(battle)) is not None:
            return outcome
    return None


def _upkeep(battle: Battle) -> Script[None]:
    yield from upkeep(battle, *battle.fighting())


def _combat(battle: Battle) -> Script[None]:
    yield from combat(battle)
    for unit in [] if lost(battle) else battle.fighting():
        if unit.sector in unit.taken and battle.scenario.two_boards:
            yield from _deadstick_choice(battle, unit)


_PHASES = (
    (Phase.UPKEEP, _upkeep),
    (Phase.RECRUIT, recruiting),
    (Phase.MOVE, move_units),
    (Phase.COMBAT, _combat),
)


def _deadstick_choice(battle: Battle, unit: Unit) -> Script[None]:
    """Safe in Merville's Bunker, or on to Sword's (DDD-324, DDD-325)."""
    choice = (staying_safe(battle, unit), Option("on", "on to Sword"))
    text = f"{battle.tag(unit)}The Bunker is taken. And now?"
    question = Choose("dday_dice.combat.deadstick", text, rule=("DDD-324", "DDD-325"), options=choice)
    if (yield from ask(question)) == "safe":
        leave_play(battle, unit)


def _new_turn(battle: Battle) -> None:
    """What was for one turn only is over, and the Vehicle of a Unit that was lost is out of the game."""
    state = battle.state
    state.turn += 1
    for unit in state.units:
        if unit.status is Status.LOST and unit.vehicle:
            abandon(battle, unit)
        unit.turn = Turn()
    for once in (state.silent, state.zeroed, state.lowered, state.lowered_by_award, state.guns):
        once.clear()
