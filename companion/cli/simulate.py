"""`companion simulate`: whole games without a front, and what came of them."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path
from random import Random
from statistics import fmean
from typing import NamedTuple

import click

from companion.cli.common import (
    data_option,
    game_argument,
    merged_packs,
    packs_option,
    pairs_option,
    scenario_option,
    settings,
)
from companion.engine.autoplay import LONGEST, Endless, check_policy, play_out, policy
from companion.engine.errors import GameFault
from companion.engine.game import Game, Setup, setup
from companion.engine.packs import build
from companion.games import load
from companion.wording import counted

BATCH = 20
"""Games that a process plays in one go, at most: Ctrl-C waits for them."""


class Plan(NamedTuple):
    """What every game of a simulation is played with."""

    game: str
    data: Path | None
    packs: tuple[str, ...]
    scenario: str
    wishes: dict[str, str]
    policy: str


ENDLESS = "endless"
"""The result of a game that has none after as many asks as a game may have; its asks are not counted."""

SEEDS = 12
"""Seeds of such games that are named, at most."""


class Played(NamedTuple):
    """One game: how it ended, its asks and how many of them want a press."""

    result: str
    reason: str
    asks: int
    presses: int
    score: dict[str, int]
    cpu: float


@click.command()
@game_argument()
@click.option(
    "--games",
    "count",
    type=click.IntRange(1, 1_000_000),
    default=100,
    show_default=True,
    help="How many games.",
)
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="How many processes.")
@click.option(
    "--policy",
    default="random",
    show_default=True,
    help="random, first, cautious, or another of the game's own (see companion games GAME).",
)
@click.option("--seed", default=1, show_default=True, help="Seed of the first game; the next has one more.")
@scenario_option
@pairs_option
@packs_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of the table.")
@data_option
def simulate(
    game: str,
    count: int,
    jobs: int,
    policy: str,
    seed: int,
    scenario: str,
    pairs: tuple[str, ...],
    packs: tuple[str, ...],
    as_json: bool,
    data: Path | None,
) -> None:
    """Play GAME many times by itself: wins, length, causes of loss, presses, games a CPU second."""
    sys.stdout.write("")  # a closed one says so, before all is played
    plan = Plan(game, data, packs, scenario, settings(load(game), pairs), policy)
    _prepared(plan)  # what can't be played is said before a bar is there
    seeds = range(seed, seed + count)
    games = _in_processes(plan, seeds, jobs) if jobs > 1 else _one_by_one(plan, seeds)
    with click.progressbar(games, length=count, label=game, file=sys.stderr) as bar:
        played = list(bar)
    report = summary(plan, played)
    click.echo(json.dumps(report) if as_json else _table(report))
    if endless := [one for one, game in zip(seeds, played, strict=True) if game.result == ENDLESS]:
        some = ", ".join(map(str, endless[:SEEDS])) + (", ..." if len(endless) > SEEDS else "")
        raise GameFault(f"{counted(len(endless), 'game')} without an end: --seed {some}")


def _prepared(plan: Plan) -> tuple[Game, Setup]:
    """The game and what each play starts from; `BadInput` or `PackError` if it can't be played so."""
    game = load(plan.game)
    check_policy(game, plan.policy)
    pack = build(merged_packs(game, plan.data, plan.packs), game.pack_type)
    start = setup(game, pack, plan.wishes, plan.scenario)
    game.start(start)
    return game, start


def _one_by_one(plan: Plan, seeds: range) -> Iterator[Played]:
    game, start = _prepared(plan)
    for seed in seeds:
        begun = time.process_time()
        play = game.start(start)
        decide = policy(game, play, plan.policy, Random(seed))
        try:
            outcome, asks, presses = play_out(play, decide, seed)
            ended = (outcome.result.value, outcome.reason, asks, presses, outcome.score)
        except Endless:
            ended = (ENDLESS, f"after {LONGEST} asks", 0, 0, {})
        except GameFault as error:
            raise GameFault(f"{error} (--seed {seed})") from error
        yield Played(*ended, time.process_time() - begun)


def _batch(plan: Plan, seeds: range) -> list[Played]:
    return list(_one_by_one(plan, seeds))


def _in_processes(plan: Plan, seeds: range, jobs: int) -> Iterator[Played]:
    from concurrent.futures import ProcessPoolExecutor

    from companion.table.keys import uninterrupted

    size = min(BATCH, max(1, len(seeds) // (jobs * 8)))
    batches = [seeds[at : at + size] for at in range(0, len(seeds), size)]
    pool = ProcessPoolExecutor(min(jobs, len(batches)))
    try:
        # Ctrl-C in a terminal is sent to all of them; it is for this one, once it has begun all others.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            played = pool.map(_batch, repeat(plan), batches)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        yield from chain.from_iterable(played)
    finally:
        with uninterrupted():
            pool.shutdown(cancel_futures=True)


def summary(plan: Plan, played: list[Played]) -> dict[str, object]:
    """Shares, means and causes over all games; no share of wins where nobody could win, as among people."""
    count = len(played)
    ended = [one for one in played if one.result != ENDLESS]
    results = Counter(one.result for one in played)
    names = sorted({name for one in ended for name in one.score})
    cpu = sum(one.cpu for one in played)
    return {
        "game": plan.game,
        "policy": plan.policy,
        "games": count,
        "won": results["won"],
        "won_percent": round(100 * results["won"] / count, 1) if results.keys() & {"won", "lost"} else None,
        "results": dict(results),
        "reasons": dict(Counter(f"{one.result}: {one.reason}" for one in played).most_common(12)),
        "asks_mean": round(fmean(one.asks for one in ended), 1) if ended else 0,
        "presses_mean": round(fmean(one.presses for one in ended), 1) if ended else 0,
        "asks_longest": max((one.asks for one in ended), default=0),
        "score_mean": {name: round(fmean(one.score.get(name, 0) for one in ended), 2) for name in names},
        "games_per_cpu_second": round(count / cpu, 1) if cpu else 0,
    }


def _table(report: dict[str, object]) -> str:
    lines = []
    for name, value in report.items():
        if isinstance(value, dict):
            lines.append(f"{name.replace('_', ' ')}:")
            lines += [f"  {inner:>8}  {key}" for key, inner in value.items()]
        else:
            lines.append(f"{name.replace('_', ' ')}: {'-' if value is None else value}")
    return "\n".join(lines)
