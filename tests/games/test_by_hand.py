"""Values set by hand, in every game: what no table can have is refused, with what there can be."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.engine import Journal, Session, Wish, autoplay, chance
from companion.engine.asks import AnyAsk
from companion.engine.errors import BadAnswer, BadInput, BrokenTable
from companion.engine.game import Game
from companion.engine.packs import find, merge, numbers
from companion.engine.run import Run
from companion.games import load, names
from tests.games.driver import setup

OF_NO_TABLE = ("stir",)
"""Numbers that are made of dice, and count nothing."""


@pytest.mark.parametrize("name", names())
def test_nothing_is_counted_below_none(name: str, tmp_path: Path) -> None:
    game = load(name)
    packs = merge(name, find(game.folder, tmp_path))
    with Journal(tmp_path) as journal, Session.create(journal, game, packs, Wish(seed=5)) as session:
        while session.ask is not None and len(session.history) < 40:
            advised = session.play.advise(session.ask, "cautious")
            session.answer(session.n, advised or autoplay.at_first(session.ask))
        if session.ask is None:
            session.undo()
        state = session.state
        counts = [path for path, value in numbers(state) if not isinstance(value, bool)]
        assert counts
        for path in counts:
            if path not in OF_NO_TABLE:
                with pytest.raises(BadAnswer, match="can't be"):
                    session.override({path: -1})
        assert session.state == state


@pytest.mark.parametrize("name", ["dday_dice", "flag_war"])
def test_a_number_larger_than_anything_on_a_table_is_refused(name: str, tmp_path: Path) -> None:
    """Nothing could be worked out from it: what an army advises, or a picture in the report."""
    game = load(name)
    packs = merge(name, find(game.folder, tmp_path))
    with Journal(tmp_path) as journal, Session.create(journal, game, packs, Wish(seed=5)) as session:
        for value in (10**400, -(10**400), 10**15 + 1):
            with pytest.raises(BadAnswer, match="turn: the number is larger than anything on a table"):
                session.override({"turn": value})


@pytest.mark.parametrize(
    ("name", "path", "value", "words"),
    [
        ("okinawa", "soldiers", {"beige": 0, "redd": 1}, "soldiers: there is no redd, only: beige, red"),
        ("okinawa", "row", [[{"card": "A", "upp": True}], [], [], []], "row: there is no upp, only: card, "),
        ("dday_dice", "units.0.turn", {"skull": 1}, r"units\.0\.turn: there is no skull, only: skulls, "),
    ],
)
def test_a_name_that_the_state_does_not_know_is_refused(
    name: str, path: str, value: object, words: str, tmp_path: Path
) -> None:
    """The value would be another than was set: what was meant would stand at its default."""
    game = load(name)
    packs = merge(name, find(game.folder, tmp_path))
    with Journal(tmp_path) as journal, Session.create(journal, game, packs, Wish(seed=5)) as session:
        before = msgspec.json.encode(session.state)
        with pytest.raises(BadAnswer, match=words):
            session.override({path: value})
        assert msgspec.json.encode(session.state) == before


@pytest.mark.parametrize(
    ("name", "path", "value", "words"),
    [
        ("okinawa", "flag", 99, "flag: 99 is not from 0 to 9"),
        ("okinawa", "captured", 5, "captured: 5 is not from 0 to 4"),
        ("okinawa", "allowance", 8, "allowance: 8 is not from 0 to 7"),
        ("okinawa", "activation.left", 10**9, "activation.left: 1000000000 is not from 0 to 4"),
        ("okinawa", "soldiers.beige", 99, "in Enemy Space 1 and fallen back, of 26"),
        ("okinawa", "fallback_soldiers.red", -1, r"can't be: soldiers: .*red=-1"),
        (
            "undaunted",
            "sides.ge.counters.scout-a.hits",
            10**12,
            "carries 1000000000000 control markers: 0 to 3 can lie there",
        ),
    ],
)
def test_more_than_there_can_be_is_refused_with_the_range(
    name: str, path: str, value: int, words: str, tmp_path: Path
) -> None:
    game = load(name)
    packs = merge(name, find(game.folder, tmp_path))
    with Journal(tmp_path) as journal, Session.create(journal, game, packs, Wish(seed=5)) as session:
        while len(session.history) < 40:
            assert session.ask is not None
            session.answer(session.n, autoplay.at_first(session.ask))
        with pytest.raises(BadAnswer, match=words):
            session.override({path: value})


def leaves(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Every path of a state that holds a plain value, and every list."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}" if path else key)
    else:
        yield path, value
        for index, inner in enumerate(value if isinstance(value, list) else ()):
            yield from leaves(inner, f"{path}.{index}")


def another(value: object, words: list[str], rng: Random) -> object:
    """Some other value of that kind, sensible or not."""
    match value:
        case bool():
            return not value
        case int():
            return rng.choice([value - 1, value + 1, rng.randint(-1, 11)])
        case str():
            return rng.choice(words)
        case list():
            return rng.choice([[], value[:-1], value * 2, value[::-1]])
    return None


def anyhow(game: Game, rng: Random) -> Run:
    """A game with any scenario and settings that go together."""
    while True:
        settings = {one.name: rng.choice(one.choices) for one in game.settings}
        scenario = rng.choice([*game.scenarios(setup(game).pack), ""])
        try:
            return Run(game.start(setup(game, scenario, **settings)), rng.randrange(1000))
        except BadInput:
            continue


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", names())
def test_any_value_can_be_set_by_hand_at_any_ask_or_is_refused(name: str, seed: int) -> None:
    """The game goes on with a table that can be, whatever was taken."""
    rng = Random(seed)
    run = anyhow(load(name), rng)
    taken = 0
    for _ in range(300):
        if run.ask is None or not run.ask.answerable():
            run = anyhow(load(name), rng)
        assert run.ask is not None
        if rng.random() < 0.7:
            answer = run.chance() if run.ask.is_chance else autoplay.at_random(run.ask, rng)
            run.answer(run.ask.accept(answer))
        else:
            told = list(leaves(msgspec.to_builtins(run.play.state, str_keys=True)))
            words = [value for _, value in told if isinstance(value, str)]
            path, value = rng.choice(told)
            try:
                run.override({path: another(value, ["", "nonsense", *words], rng)})
                taken += 1
            except BadAnswer:
                pass
        assert list(run.play.check()) == []
    assert taken


def moved(told: list[tuple[str, object]], rng: Random) -> dict[str, object]:
    """Something moved from one list to another, as a card that lies in the wrong pile is put right."""
    piles = [(path, value) for path, value in told if isinstance(value, list)]
    source, there = rng.choice([one for one in piles if one[1]] or piles)
    target, here = rng.choice(piles)
    assert isinstance(there, list)
    assert isinstance(here, list)
    at = rng.randrange(len(there)) if there else 0
    return {source: there[:at] + there[at + 1 :], target: [*here, *there[at : at + 1]]}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", names())
def test_after_any_values_set_by_hand_a_session_can_be_played_on(
    name: str, seed: int, tmp_path: Path
) -> None:
    """Each question has an answer, each answer leads on, and the session replays to the same table."""
    rng = Random(seed)
    game = load(name)
    packs = merge(name, find(game.folder, tmp_path))
    wish = Wish(seed=seed, dice=rng.choice(["software", "table"]))
    with Journal(tmp_path) as journal:
        with Session.create(journal, game, packs, wish) as session:
            for step in range(250):
                if session.ask is None:
                    break
                assert session.ask.answerable()
                if step < 150 and rng.random() < 0.3:
                    told = list(leaves(session.state))
                    words = [value for _, value in told if isinstance(value, str)]
                    path, value = rng.choice(told)
                    changes = rng.choice([{path: another(value, words, rng)}, moved(told, rng)])
                    with suppress(BadAnswer):
                        session.override(changes)
                else:
                    session.answer(session.n, answered(session.ask, rng))
                assert list(session.play.check()) == []
            state, meta = session.state, session.meta
        with Session.resume(journal, game, meta.id) as again:
            assert again.state == state


def answered(question: AnyAsk, rng: Random) -> object:
    """Any answer that it takes."""
    return chance.decide(question, rng) if question.is_chance else autoplay.at_random(question, rng)


def test_the_last_card_is_not_taken_away_as_a_bid_is_asked_for(tmp_path: Path) -> None:
    game = load("undaunted")
    packs = merge(game.name, find(game.folder, tmp_path))
    with Journal(tmp_path) as journal, Session.create(journal, game, packs, Wish(seed=1)) as session:
        while session.ask is not None and session.ask.key != "undaunted.bid":
            session.answer(session.n, True)
        side = session.play.state.players["us"]  # type: ignore[attr-defined]
        hand, discard = list(side.hand), dict(side.discard)
        gone = {"players.us.hand": [], "players.us.discard": {card: hand.count(card) for card in hand}}
        with pytest.raises(BrokenTable, match=r"nothing answers 'Round 1: .*at another question, such as"):
            session.override(gone)
        side = session.play.state.players["us"]  # type: ignore[attr-defined]
        assert (side.hand, side.discard) == (hand, discard)
