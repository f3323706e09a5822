"""What seeded games ask, step by step, against the booklet told a second time: from the state alone."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from companion.engine.asks import Choose, Pick, Roll
from companion.engine.autoplay import Step, policy, steps
from companion.engine.game import Setup
from companion.engine.game import setup as engine_setup
from companion.games.space_infantry import GAME
from companion.games.space_infantry.pack import InfantryPack, skill_name
from companion.games.space_infantry.play import SpaceInfantry
from companion.games.space_infantry.state import Campaign, Edge, Operation, Range
from tests.games.driver import setup
from tests.games.space_infantry.field import pack

COSTS = {6: 3, 5: 5, 4: 9, 3: 15}


class Watch:
    """One game, with what the booklet says of its asks; `seen` counts what was compared."""

    def __init__(self, given: Setup, seed: int, name: str) -> None:
        play = GAME.start(given)
        assert isinstance(play, SpaceInfantry)
        assert isinstance(given.pack, InfantryPack)
        self.play, self.pack, self.settings = play, given.pack, given.settings
        self.seen: set[str] = set()
        self.target = ""
        self.leader_commands = False
        self.joined: set[str] | None = None
        """The Special units that fight in this round; None while nobody was asked."""
        for number, one in enumerate(self.state.roster.values()):
            one.ep = (seed + number) % 20  # as after some missions more
        for step in steps(play, policy(GAME, play, name, Random(seed)), seed):
            self.compare(step)

    @property
    def state(self) -> Campaign:
        return self.play.state

    @property
    def op(self) -> Operation:
        assert self.state.operation is not None
        return self.state.operation

    def fit(self, kind: str = "") -> list[str]:
        """Who is in play, all or of one kind."""
        roster = self.state.roster
        found = [name for name, member in self.op.team.items() if member.wounds < roster[name].wounds]
        return [name for name in found if kind in ("", roster[name].kind)]

    def rhino_near(self) -> bool:
        rhino = self.op.rhino
        works = rhino is not None and rhino.wounds < self.pack.vehicle["rhino"].wounds
        return works and self.pack.mission[self.op.mission].nodes[self.op.node].outside

    def compare(self, step: Step) -> None:
        """What is asked is what the booklet lets one choose or roll."""
        key = step.ask.key.removeprefix("space_infantry.")
        if key == "turn.action":
            self.target = str(step.answer).partition(":")[2]
        elif key == "combat.leader":
            self.leader_commands = step.answer != "fight"
        elif key == "combat.range":
            self.joined = None
        elif key == "combat.specials":
            assert isinstance(step.answer, tuple)
            self.joined = set(step.answer)
        expected = getattr(self, key.replace(".", "_"), None)
        if expected is None:
            return
        if isinstance(step.ask, Choose | Pick):
            assert sorted(option.id for option in step.ask.options) == sorted(expected()), key
        else:
            assert isinstance(step.ask, Roll)
            assert step.ask.dice[0].count == len(list(expected())), key
        self.seen.add(key)

    def team_buy(self) -> Iterator[str]:
        """Whom the points are enough for, of soldiers alike the first; no Medic (SPI-038 to SPI-042)."""
        roster, cards = self.state.roster, self.pack.unit
        left = self.pack.difficulty[self.state.difficulty].points
        left -= sum(cards[roster[name].card].cost for name in self.op.team)
        yield from ("proposal", "done") if len(self.op.team) == 1 else ("done",)
        first: dict[str, str] = {}
        for name, one in roster.items():
            card = cards[one.card]
            if name not in self.op.team and not (one.lost or card.advanced) and card.cost <= left:
                first.setdefault(f"{one.card} {sorted(one.levels.items())} {one.ep}", name)
        yield from first.values()

    def node_activate(self) -> Iterator[str]:
        """Who has the skill, riders two alone; the leader to command others; or a try unskilled (SPI-059)."""
        needs = self.pack.mission[self.op.mission].nodes[self.target].needs
        skill = skill_name("advance" if self.op.places[self.target].counter == "?" else needs.split()[0])
        riding = self.rhino_near() and self.op.rhino is not None and self.op.rhino.inside
        able = [name for name in self.fit() if self.state.roster[name].levels.get(skill)]
        crew = ["rhino"] * (skill == "pilot" and self.rhino_near())
        if not able and not crew:
            yield "unskilled"
        able = crew if riding and skill != "communications" else able + crew
        yield from able
        starred = skill in self.pack.skill and self.pack.skill[skill].starred
        commands = self.settings["command_points"] == "on" and self.fit("leader")
        if commands and not starred and set(able) - set(self.fit("leader")):
            yield "command"

    def combat_leader(self) -> Iterator[str]:
        """To fight, to make Command Points, or to board or leave the Rhino (SPI-073, SPI-170)."""
        yield from ("fight", "command", "board") if self.rhino_near() else ("fight", "command")

    def combat_prepare(self) -> Iterator[str]:
        """One Grenade a round in Melee, an ambush in the first round (SPI-133, SPI-134, SPI-142)."""
        fight, rhino = self.op.fight, self.op.rhino
        assert fight is not None
        yield "go"
        on_foot = not (self.rhino_near() and rhino is not None and rhino.inside)
        if self.op.resources["G"] and self.skill() == "melee" and not fight.grenade and on_foot:
            yield "G"
        if self.op.resources["I"] and fight.round == 1 and fight.edge in (Edge.NOBODY, Edge.ENEMY):
            yield "I"

    def turn_action(self) -> Iterator[str]:
        """To linked nodes alone, into explored ones or at new ones; or stay (SPI-056, SPI-057, SPI-R22)."""
        for name in self.pack.mission[self.op.mission].nodes[self.op.node].links:
            yield f"{'move' if self.op.places[name].explored else 'try'}:{name}"
        yield "stay"
        for name in self.fit() if self.op.resources["M"] else ():
            member = self.op.team[name]
            if member.wounds and member.treated < self.state.roster[name].wounds:
                yield f"treat:{name}"

    def combat_specials(self) -> Iterator[str]:
        """Special units against many enemies, or where Basic ones are few (SPI-107, SPI-108, SPI-R07)."""
        assert self.op.fight is not None
        many = len(self.op.fight.foes) >= int(self.settings["special_units_enemy_threshold"])
        if many or len(self.fit("basic")) < 3:
            yield from self.fit("special")

    def combat_chits(self) -> Iterator[int]:
        """A die for each level of the skill at this range; of riders the Gunner alone (SPI-106, SPI-R61)."""
        near, rhino = self.rhino_near(), self.op.rhino
        riding = near and rhino is not None and rhino.inside
        assert self.op.fight is not None
        surprised = (
            self.op.fight.round == 1 and self.op.fight.edge is Edge.ENEMY
        )  # who joins was settled before
        if self.joined is None and not riding and not surprised:
            assert not list(self.combat_specials())
        fighters = {*self.fit("basic"), *(self.joined or set()).intersection(self.fit())}
        fighters |= set() if self.leader_commands else set(self.fit("leader"))
        for name in () if riding else fighters:
            yield from self.state.roster[name].levels.get(self.skill(), ())
        if near:
            yield from self.pack.vehicle["rhino"].gunnery

    def combat_enemy_chits(self) -> Iterator[int]:
        """One for each attack of each active enemy (SPI-111, SPI-112)."""
        assert self.op.fight is not None
        for foe in self.op.fight.foes:
            enemy = self.play.table.enemy(foe.kind)
            yield from enemy.melee if self.skill() == "melee" else enemy.fire

    def skill(self) -> str:
        assert self.op.fight is not None
        return "melee" if self.op.fight.range is Range.MELEE else "fire"

    def end_improve(self) -> Iterator[str]:
        """A level that can still be bettered, by who has the experience (SPI-161)."""
        yield "keep"
        for name, one in self.state.roster.items():
            for skill, levels in one.levels.items() if not one.lost else ():
                for at, level in enumerate(levels):
                    if level in COSTS and one.ep >= COSTS[level]:
                        yield f"{name}:{skill}:{at}"


@pytest.mark.rule(
    "SPI-039",
    "SPI-057",
    "SPI-060",
    "SPI-106",
    "SPI-107",
    "SPI-108",
    "SPI-110",
    "SPI-111",
    "SPI-112",
    "SPI-133",
    "SPI-134",
    "SPI-142",
    "SPI-161",
    "SPI-R22",
    "SPI-R61",
)
def test_seeded_games_ask_what_the_booklet_says() -> None:
    shipped = setup(GAME).pack
    assert isinstance(shipped, InfantryPack)
    rng, seen = Random(7), set[str]()
    for seed in range(60):
        chosen = shipped if seed % 4 else pack()
        settings = {one.name: rng.choice(one.choices) for one in GAME.settings}
        settings |= {"numbers": "dice", "dice_at_once": "all", "missions": "1", "roster": "new"}
        scenario = rng.choice(list(chosen.mission))
        name = rng.choice(["random", "steady", "rash"])
        seen |= Watch(engine_setup(GAME, chosen, settings, scenario), seed, name).seen

    assert seen == {
        "team.buy", "turn.action", "node.activate", "combat.leader", "combat.prepare", "combat.specials",
        "combat.chits", "combat.enemy_chits", "end.improve",
    }  # fmt: skip
