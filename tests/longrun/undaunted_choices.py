"""R20 for Undaunted: the bot's choice for random cards in random positions, against brute force.

python -m tests.longrun.undaunted_choices --positions 1000
"""

from __future__ import annotations

import argparse
import sys
from random import Random

from tests.games.undaunted.test_brute_force import disagreements

CARDS = 20
"""Random solo cards tried in each position."""


def main(arguments: list[str]) -> int:
    """Compare as many positions as asked; 1 at the first difference."""
    parser = argparse.ArgumentParser(prog="undaunted_choices")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    for seed in range(options.seed, options.seed + options.positions):
        found = disagreements(Random(seed), CARDS)
        if found:
            print(f"seed {seed}: {found[0]}", file=sys.stderr)
            return 1
    print(f"undaunted: {options.positions} positions from seed {options.seed}, {CARDS} cards each, all agree")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
