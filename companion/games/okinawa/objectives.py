"""Objectives: setting one up, completing or capturing it, and Hill 89 (OKI-044 to 065, OKI-225 to 252)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from companion.engine.asks import Draw, Option, Script, Show, ask
from companion.games.okinawa import dice, effects, enemies, learning, moving, rondel, scenarios, tokens
from companion.games.okinawa.cards import Post
from companion.games.okinawa.state import FIRST_POST, LAST, Activation, Enemy, Soldiers
from companion.games.okinawa.table import Table
from companion.games.okinawa.unseen import HILL, mix_up, reshuffle_empty
from companion.wording import counted

EASED: Final = 2  # the extra die of the easier option is for Objectives 1 and 2


# Setting up


def set_up_objective(table: Table) -> Script[None]:
    """Turn up the next Objective and set it up, item by item (OKI-044, OKI-045)."""
    state = table.state
    state.setting_up = True
    state.objective = yield from _turn_up(table, state.number + 1)
    state.number += 1
    card = table.objective
    state.flag = card.laps
    eased = table.settings["extra_die"] == "yes" and state.number <= EASED
    state.allowance = card.dice + eased
    state.scenario = card.scenario
    _lay_soldiers(table, card.soldiers)
    if state.number == LAST:
        _fallback_returns(table)
    lay_enemies(table, card.row)
    _extra_unknown(table, int(table.settings["extra_unknown"]))
    mix_up(table)
    yield from ask(_shown(table))
    yield from scenarios.comes_in(table)
    if card.upgrade:
        yield from tokens.upgrade(table)
        yield from table.tell("okinawa.upgrade.shown", ("OKI-063",))
    state.setting_up = False


def _turn_up(table: Table, number: int) -> Script[str]:
    may_be = {name: card for name, card in table.pack.objective.items() if card.number == number}
    if number == LAST:
        (last,) = may_be
        yield from learning.check_last(table, last)
        return last
    options = tuple(
        Option(card, one.name, learning.if_stand_in(one, learning.on_objective(one)))
        for card, one in may_be.items()
    )
    drawn = yield from ask(
        Draw(
            "okinawa.objective.card",
            f"Turn up Objective {number}",
            rule=("OKI-012", "OKI-013", "OKI-044"),
            deck=f"objective {number}",
            options=(*options, learning.NEW),
        )
    )
    return drawn[0] if drawn[0] != learning.NEW.id else (yield from learning.objective(table, number))


def _lay_soldiers(table: Table, wanted: int) -> None:
    """Soldiers into Enemy Space 1, as many as there are tokens (OKI-053, OKI-R52)."""
    laid = effects.room_for(table, wanted)
    table.state.soldiers.beige += laid
    if laid < wanted:
        table.news(f"No token left for {counted(wanted - laid, 'soldier')}")


def lay_enemies(table: Table, row: tuple[Post, ...]) -> None:
    """Known Enemies by letter from Enemy Space 2 on, then others under them (OKI-056 to OKI-061)."""
    state = table.state
    for stack, post in zip(state.row, row, strict=False):
        top = _known(table, post.top) if post.top else []
        under = [enemy for letter in post.under for enemy in _known(table, letter)]
        stack[:0] = [*top, *under]
    for stack, post in zip(state.row, row, strict=False):
        stack.extend(_unknown(table, post.unknown))


def _known(table: Table, letter: str) -> list[Enemy]:
    """The card of that letter from the pile, or what stands in for it (OKI-R42, OKI-R43)."""
    state = table.state
    card = table.letters[letter]
    if card in state.known:
        state.known.remove(card)
        return [Enemy(card)]
    if table.settings["missing_known"] == "none":
        table.news(f"No {letter} left: none is laid")
        return []
    if not (state.deck or state.discard):
        table.news(f"No {letter} and no Unknown Enemy left: none is laid")
        return []
    table.news(f"No {letter} left: an Unknown Enemy instead")
    return _unknown(table, 1)


def _unknown(table: Table, count: int) -> list[Enemy]:
    """Cards from the Unknown Enemy Deck, not looked at (OKI-061, OKI-R44)."""
    state = table.state
    taken = []
    for _ in range(count):
        reshuffle_empty(table)
        if not state.deck:
            break
        state.deck -= 1
        taken.append(Enemy(pool=_deck(table)))
    reshuffle_empty(table)
    return taken


def _deck(table: Table) -> str:
    """The pool of the deck as it was last shuffled: those before are of cards that lie tucked."""
    return [pool for pool in table.state.unseen if pool != HILL][-1]


def _extra_unknown(table: Table, count: int) -> None:
    """The harder option: each under the leftmost Known Enemy that has fewest under it (OKI-257, OKI-R66).

    Where a Known one is missing and nothing lies in its place, only if there is none elsewhere (OKI-R43).
    """
    held = [stack for stack in table.state.row if stack]
    if table.settings["missing_known"] == "none":
        held = [stack for stack in held if stack[0].card] or held
    for _ in range(count if held else 0):
        fewest = table.settings["extra_under"] == "fewest"
        stack = min(held, key=len) if fewest else held[0]
        stack.extend(_unknown(table, 1))


def _shown(table: Table) -> Show:
    state = table.state
    card = table.objective
    red = f", {state.soldiers.red} red" if state.soldiers.red else ""
    lines = [
        f"Flag at {state.flag}, {counted(dice.allowance(table), 'action die', 'action dice')} in all",
        f"Scenario {state.scenario}",
        f"{counted(len(state.soldiers), 'soldier')} in Enemy Space 1{red}",
        *state.news,
    ]
    state.news.clear()
    for number, stack in enumerate(state.row, start=FIRST_POST):
        if stack:
            lines.append(f"Enemy Space {number}: {' on '.join(_laid(table, stack))}")
    lines += ["Enemy cards face down, Unknown ones unseen"] * any(state.row)
    text = f"Objective {state.number}: {card.title}{' (stand-in)' if card.is_stand_in else ''}"
    rule = ("OKI-045", "OKI-047", "OKI-048", "OKI-050", "OKI-053", "OKI-056", "OKI-060")
    return Show("okinawa.objective.setup", text, "\n".join(lines), rule)


def _laid(table: Table, stack: list[Enemy]) -> Iterator[str]:
    """A stack from the top, in words: letters, and how many cards nobody has seen."""
    for kind, cards in groupby(_laid_card(table, enemy) for enemy in stack):
        count = len(list(cards))
        yield from [kind] * count if kind in table.letters else [f"{count} {kind}"]


def _laid_card(table: Table, enemy: Enemy) -> str:
    if enemy.card:
        return table.letter(enemy.card)
    return "dealt" if enemy.pool == HILL else "Unknown"


# Hill 89


def _fallback_returns(table: Table) -> None:
    """Soldiers and cards of the Fallback Area come back, the cards mixed with random Unknown ones.

    OKI-246 to OKI-249; the letters that go on top are set aside first (OKI-R42). Decks that were used up
    before lay in the Fallback Area with all that is unseen of them, so it surely is among the mixed cards.
    """
    state = table.state
    card = table.objective
    if returning := len(state.fallback_soldiers):
        table.news(f"{returning} of the soldiers from the Fallback Area")
    state.soldiers.beige += state.fallback_soldiers.beige
    state.soldiers.red += state.fallback_soldiers.red
    state.fallback_soldiers = Soldiers()
    letters = Counter(letter for post in card.row for letter in (post.top, *post.under) if letter)
    for letter, count in letters.items():
        _set_aside(table, table.letters[letter], count)
    fallen = len(state.fallback)
    mixed = [*state.fallback, *_unknown(table, card.random_unknown)]
    state.fallback = []
    shuffle = f"Shuffle the Fallback cards ({fallen}) with" if fallen else "Take"
    table.news(
        f"{shuffle} Unknown Enemies ({len(mixed) - fallen}) and deal all face down to Enemy Spaces "
        "2, 3, 4, 5, 2 and so on. The letters go on top"
    )
    sure = [enemy.card for enemy in mixed if enemy.card]
    for pool in list(state.unseen)[:-1]:
        sure += state.unseen[pool]
        state.unseen[pool] = []
    state.unseen[HILL] = sure
    for index in range(len(mixed)):
        state.row[index % len(state.row)].append(Enemy(pool=HILL))


def _set_aside(table: Table, wanted: str, count: int) -> None:
    """Take out of the Fallback Area what the pile lacks of a Known Enemy (OKI-R42)."""
    state = table.state
    fallen = [enemy for enemy in state.fallback if enemy.card == wanted]
    for enemy in fallen[: max(0, count - state.known.count(wanted))]:
        state.fallback.remove(enemy)
        state.known.append(wanted)
        table.news(f"Take {table.letter(wanted)} out of the Fallback Area first: no other is left")


# Ending


def complete(table: Table) -> Script[None]:
    """The laps are used up: what is left falls back, the next Objective comes (OKI-231 to OKI-236)."""
    state = table.state
    if state.number == LAST:
        raise table.lose("Hill 89 was not taken in time")
    fall_back(table)
    table.news("The pawn stays where it is")
    scenarios.goes_out(table)
    yield from table.tell(
        "okinawa.objective.completed", ("OKI-231", "OKI-232", "OKI-236"), "Objective completed"
    )
    yield from set_up_objective(table)


def fall_back(table: Table) -> None:
    """Cards lose their tokens and turn face down, soldiers keep their side (OKI-232 to OKI-234, OKI-R41)."""
    state = table.state
    moved = len(state.soldiers)
    if any(enemy.up and not _leaves(table, enemy) for _, enemy in table.exposed()):
        table.news("All tokens off the Enemy cards, then face down")
    for _, stack in table.posts():
        for enemy in stack:
            if _leaves(table, enemy):
                enemies.put_away(table, enemy, "leaves")
            else:
                state.fallback.append(Enemy(enemy.card, enemy.pool))
                moved += 1
        stack.clear()
    healed = table.settings["wounds"] == "heal"
    if healed and state.soldiers.red:
        table.news("Flip red soldiers back to beige")
    state.fallback_soldiers.beige += len(state.soldiers) if healed else state.soldiers.beige
    state.fallback_soldiers.red += 0 if healed else state.soldiers.red
    state.soldiers = Soldiers()
    if not moved:
        return
    cards, soldiers = len(state.fallback), len(state.fallback_soldiers)
    table.news(f"To the Fallback Area: {counted(cards, 'card')}, {counted(soldiers, 'soldier')} in all")


def _leaves(table: Table, enemy: Enemy) -> bool:
    """Whether an Enemy card goes with its Objective: a plane that is face up (OKI-R27)."""
    return enemy.up and table.settings["planes_leave"] == "yes" and table.enemy(enemy.card).plane


def capture(table: Table) -> Script[None]:
    """All are defeated in time: the next Objective is set up, then a Resupply (OKI-239 to OKI-244)."""
    state = table.state
    state.captured += 1
    state.enemy_turn = False
    state.activation = Activation()
    state.pool = []
    state.strikes = []
    fall_back(table)  # planes alone can be left, if they don't block a capture (OKI-R26)
    state.pawn = rondel.first_of_top(state)
    table.news(f"Pawn to {state.pawn}. Dice go back, stored ones stay")
    scenarios.goes_out(table)
    yield from table.tell("okinawa.objective.captured", ("OKI-239", "OKI-240", "OKI-R37"), "Captured")
    if not table.refereed:
        table.news("After the set-up: take a Resupply and ready your cards")
        if any(moving.neighbours(table)):
            table.news("An Action Space that the Machine Gun Team removes is reported in your turn")
    yield from set_up_objective(table)
    if table.refereed:
        yield from moving.pass_resupply(table)
