"""The options of the game: how it is played, how hard it is, and the rulings that a player may turn."""

from __future__ import annotations

from companion.engine.game import Setting

SETTINGS = (
    Setting(
        "mode",
        "referee: the box guides your turn; enemy: you play your turn alone and report it",
        ("referee", "enemy"),
    ),
    Setting(
        "sandbags",
        "Sandbag tokens at the start (2 easier, 0 harder)",
        ("1", "2", "0"),
        ("OKI-253", "OKI-256"),
    ),
    Setting(
        "extra_die",
        "easier: one more action die in Objectives 1 and 2",
        ("no", "yes"),
        ("OKI-254", "OKI-R76"),
        label="extra action die",
    ),
    Setting(
        "riflemen",
        "easier: 2 Riflemen become random Reinforcements, or ones that you choose",
        ("stay", "random", "chosen"),
        ("OKI-255", "OKI-R66"),
    ),
    Setting(
        "extra_unknown",
        "harder: Unknown Enemies added to each Objective",
        ("0", "1", "2", "3"),
        ("OKI-257", "OKI-R66"),
        label="extra Unknown Enemies",
    ),
    Setting(
        "extra_under",
        "where those are tucked: where fewest lie, or all under the leftmost",
        ("fewest", "leftmost"),
        ("OKI-R66",),
        label="extras tucked under",
    ),
    Setting(
        "order",
        "harder: shuffle the Basic Action cards",
        ("picture", "shuffled"),
        ("OKI-006", "OKI-007"),
        label="Basic Action cards",
    ),
    Setting(
        "reroll",
        "what the re-roll token re-rolls: one die or any number",
        ("one", "any"),
        ("OKI-R64",),
        label="re-roll token",
    ),
    Setting(
        "swap_pawn",
        "a card swapped away from under the pawn: the pawn stays in its space or goes along",
        ("stays", "goes"),
        ("OKI-R20",),
        label="pawn on a swapped card",
    ),
    Setting(
        "planes_block",
        "planes count as undefeated Enemies for a capture",
        ("yes", "no"),
        ("OKI-R26",),
        label="planes block a capture",
    ),
    Setting(
        "planes_leave",
        "planes leave when an Objective is completed, or fall back",
        ("yes", "no"),
        ("OKI-R27",),
    ),
    Setting(
        "wounds",
        "wounded soldiers that fall back stay wounded",
        ("stay", "heal"),
        ("OKI-R41",),
        label="wounds on falling back",
    ),
    Setting(
        "missing_known",
        "a Known Enemy that is not in the pile: an Unknown one instead, or none",
        ("unknown", "none"),
        ("OKI-R43",),
        label="missing Known Enemy",
    ),
    Setting(
        "limits",
        "Suppressed and soldier tokens can run out",
        ("yes", "no"),
        ("OKI-R52",),
        label="tokens can run out",
    ),
)
