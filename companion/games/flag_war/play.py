"""A play of the flag war: set up, scripted, checked, drawn."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping

from companion.engine.asks import AnyAsk, Choose, Script
from companion.engine.errors import BadInput
from companion.engine.game import Board, Outcome, Setup
from companion.engine.packs import Tables
from companion.games.flag_war import drawing, policies, script
from companion.games.flag_war.pack import SEAT_NAMES, FlagWarPack, is_vast, laid_out, problems
from companion.games.flag_war.state import (
    Army,
    Man,
    Player,
    War,
    in_the_midst,
    names_of,
    start_flags,
    violations,
)
from companion.games.flag_war.table import HouseRules, Table
from companion.games.flag_war.terrain import field_square, terrain

SEATS_OF = {"2": ("N", "S"), "3": ("N", "E", "S"), "4": ("N", "E", "S", "W")}
"""Which bases are used, clockwise (FLG-R11)."""


def start(setup: Setup) -> FlagWar:
    """A fresh war; `BadInput` if it can't be played on its board, for one that is not begun yet."""
    pack = setup.pack
    assert isinstance(pack, FlagWarPack)
    only_this = FlagWarPack(pack.piece, {setup.scenario: pack.board[setup.scenario]})
    for problem in () if setup.begun else problems(only_this):
        raise BadInput(f"{problem.path}: {problem.message} ({problem.rule})")
    if is_vast(only_this):
        raise BadInput(f"board.{setup.scenario}: a board or an army as large can't be played")
    return FlagWar(pack, setup.scenario, setup.settings)


class FlagWar:
    """One war on the table."""

    def __init__(self, pack: FlagWarPack, board: str, settings: Mapping[str, str]) -> None:
        self.pack = pack
        self.ground = pack.board[board]
        seats = SEATS_OF[settings["armies"]]
        flags = start_flags(seats, settings["empty_flags"])
        armies = {seat: self._army(seat, Player(settings[SEAT_NAMES[seat].lower()])) for seat in seats}
        war, rules = War(armies, flags), HouseRules.of(settings)
        for army in armies.values() if rules.free_start else ():
            for man in army.men.values() if army.player is Player.PERSON else ():
                man.at = ""
        self._begun = copy.deepcopy(war)
        self.table = Table(war, terrain(self.ground), pack.piece, rules)

    def _army(self, seat: str, player: Player) -> Army:
        free = {kind: names_of(kind, piece.count) for kind, piece in self.pack.piece.items()}
        men = {
            free[kind].pop(0): Man(kind, field_square(seat, square)) for kind, square in laid_out(self.ground)
        }
        order = [name for kind, piece in self.pack.piece.items() for name in names_of(kind, piece.count)]
        return Army(player, {name: men[name] for name in order})

    @property
    def state(self) -> War:
        """All that is on the table."""
        return self.table.war

    def script(self) -> Script[Outcome]:
        """The war from its opening roll to its outcome."""
        return script.war(self.table)

    def check(self) -> Iterable[str]:
        """Every invariant that does not hold: soldiers, spaces, flags, dice."""
        yield from violations(self.state, self.pack, self.table.terrain, self._begun)
        if self.table.is_under_way and not self.state.on_turn:
            yield "on_turn: somebody has the turn, the war is under way"
        if self.state.on_turn and not self.table.is_moving and in_the_midst(self.state):
            yield "dice, moved, leg, tao, in_hand: nobody moves before the next roll: set them after it"

    def board(self) -> Board:
        """The table as text."""
        return drawing.board(self.table)

    def svg(self) -> str:
        """The table as a picture."""
        return drawing.svg(self.table)

    def learned(self) -> Tables:
        """Nothing: this game has no cards to enter at the table."""
        return {}

    def advise(self, question: AnyAsk, policy: str) -> object | None:
        """What the `raider` or the `guard` would do; `cautious` is the guard."""
        if not isinstance(question, Choose):
            return None
        return policies.advise(self.table, question, "guard" if policy == "cautious" else policy)
