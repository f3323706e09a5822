"""R20 for the flag war: legal destinations of a roll from random positions, against every path walked.

python -m tests.longrun.flag_war_destinations --positions 1000
"""

from __future__ import annotations

import argparse
import sys
from random import Random

from companion.games.flag_war.play import FlagWar
from tests.games.flag_war import brute
from tests.games.flag_war.field import fresh


def differences(play: FlagWar, rng: Random, most_men: int = 12) -> list[str]:
    """What game and brute force disagree on, in one random position with one random roll."""
    war, terrain = play.state, play.table.terrain
    brute.scatter(war, rng)
    war.on_turn = rng.choice(list(war.armies))
    dice = [rng.randint(1, 6), rng.randint(1, 6)]
    position = play.table.position()
    found = []
    for name in rng.sample(list(war.armies[war.on_turn].men), most_men):
        for count in {*dice, sum(dice)}:
            bits = play.table.ends(name, count, position)
            ours = {space for space, bit in terrain.bit.items() if bits & bit}
            theirs = brute.legal(war, war.on_turn, name, count)
            if ours != theirs:
                start = war.armies[war.on_turn].men[name].at
                found.append(f"{name} on {start} by {count}: {sorted(ours ^ theirs)}")
    return found


def main(arguments: list[str]) -> int:
    """Compare as many positions as asked; 1 at the first difference."""
    parser = argparse.ArgumentParser(prog="flag_war_destinations")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    rng = Random(options.seed)
    plays = [fresh(armies=armies) for armies in "234"]
    for number in range(options.positions):
        found = differences(plays[number % len(plays)], rng)
        if found:
            print(f"position {number}: {'; '.join(found)}", file=sys.stderr)
            return 1
    print(f"flag_war: {options.positions} positions from seed {options.seed}, all destinations agree")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
