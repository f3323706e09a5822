"""The flag war: two to four armies, four bases, and all flags to be brought home.

The published name of the game is not known, nor its board: see the ledger's gaps and rulings.
"""

from __future__ import annotations

from pathlib import Path

from companion.engine.game import Game, Setting
from companion.games.flag_war.pack import SEAT_NAMES, FlagWarPack, problems, scenarios, titled
from companion.games.flag_war.play import start
from companion.games.flag_war.policies import NAMES
from companion.games.flag_war.state import War, glance

_LEADERS = ("raider", "guard", "random", "person")
_WHEN = {"E": ", of 3 armies or 4", "S": "", "W": ", of 4 armies"}

GAME = Game(
    name="flag_war",
    title="The flag war",
    folder=Path(__file__).parent,
    pack_type=FlagWarPack,
    state_type=War,
    start=start,
    scenarios=scenarios,
    titled=titled,
    problems=problems,
    policies=("cautious", *NAMES),
    glance=glance,
    draws=False,
    settings=(
        Setting(
            "armies",
            "how many armies: North and South, East as the third, West as the fourth",
            ("2", "3", "4"),
            ("FLG-002", "FLG-R11"),
        ),
        Setting("north", f"who leads {SEAT_NAMES['N']}", ("person", *_LEADERS[:-1]), ("FLG-001",)),
        *(
            Setting(
                SEAT_NAMES[seat].lower(),
                f"who leads {SEAT_NAMES[seat]}{when}: the box, after flags (raider), by its base (guard) "
                "or at random, or a person",
                _LEADERS,
                ("FLG-001",),
            )
            for seat, when in _WHEN.items()
        ),
        Setting(
            "empty_flags",
            "empty bases have flags too: both, or East's or West's alone",
            ("no", "yes", "east", "west"),
            ("FLG-005", "FLG-R13"),
            label="flags in empty bases",
        ),
        Setting(
            "combined_move",
            "both dice for one man: one count of the sum, or two counts that both land",
            ("sum", "sequential"),
            ("FLG-021", "FLG-R17"),
        ),
        Setting(
            "start",
            "men start in the layout, or are placed freely",
            ("layout", "free"),
            ("FLG-R12",),
            label="men start in",
        ),
        Setting(
            "bunker_pairs",
            "a pair on a bunker can be attacked, or is safe",
            ("open", "safe"),
            ("FLG-036", "FLG-R30"),
            label="pairs on bunkers",
        ),
        Setting(
            "agreed_end",
            "the generals agree to stop after that many turns",
            ("never", "100", "300", "1000", "3000"),
            ("FLG-R61",),
            label="agreed end after",
        ),
    ),
)
