"""Setting the game up, step by step as the rulebook does (OKI-003 to OKI-036, OKI-253 to OKI-256)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Final

from companion.engine.asks import Draw, Option, Pick, Script, Show, ask
from companion.games.okinawa import learning, moving, rondel
from companion.games.okinawa.cards import (
    ActionDeck,
    Printed,
    by_space,
    least_trusted_first,
    most_trusted_first,
)
from companion.games.okinawa.state import Action, Space
from companion.games.okinawa.table import Table
from companion.games.okinawa.unseen import DECK
from companion.wording import counted

SPACES: Final = 10
REINFORCEMENTS: Final = 15
UNKNOWN_ENEMIES: Final = 10
RIFLEMAN: Final = "rifleman"
REPLACED: Final = 2
_EASED: Final = ("OKI-255", "OKI-R66")


def set_up(table: Table) -> Script[None]:
    """Everything before the first Objective."""
    state = table.state
    fill_decks(table)
    if not table.refereed:
        yield from _on_your_own(table)
        return
    yield from lay_basic_cards(table)
    state.resupply_die = 1
    state.sandbags = min(int(table.settings["sandbags"]), table.supply("sandbag"))
    state.adjusts = 1
    state.rerolls = 1
    yield from ask(_shown(table))
    yield from moving.refill(table, "reinforcement deck")  # as journals have named it for the first draw
    if table.settings["riflemen"] != "stay":
        yield from replace_riflemen(table)


def _on_your_own(table: Table) -> Script[None]:
    """Mode `enemy`: the player's side is the player's; the box keeps the Action Spaces alone."""
    table.state.spaces = [Space(number, Action()) for number in range(1, SPACES + 1)]
    text = "Set up your side, steps 1 to 11 of the rulebook. The box keeps the enemy."
    changes = ", ".join(_changes(table.settings))
    detail = f"But {changes}" if changes else ""
    yield from ask(Show("okinawa.setup.own", text, detail, ("OKI-003", "OKI-026", "OKI-033")))


def _changes(settings: Mapping[str, str]) -> Iterator[str]:
    """What the easier and harder options change of those steps."""
    if settings["order"] == "shuffled":
        yield "shuffle the Basic cards"
    if settings["riflemen"] != "stay":
        yield f"replace {REPLACED} Riflemen with {settings['riflemen']} Reinforcements"
    if settings["sandbags"] != "1":
        yield f"take {settings['sandbags']} sandbags"


def fill_decks(table: Table) -> None:
    """What each deck and pile holds before anything is drawn (OKI-024, OKI-025, OKI-028, OKI-029)."""
    state, pack = table.state, table.pack
    reinforcements = {card: one for card, one in pack.action.items() if one.deck is ActionDeck.REINFORCEMENT}
    state.reinforcements = _deck(reinforcements, most_trusted_first(reinforcements), REINFORCEMENTS)
    unknown = {card: one for card, one in pack.enemy.items() if not one.letter}
    state.unseen[f"{DECK}1"] = _deck(unknown, reversed(least_trusted_first(unknown)), UNKNOWN_ENEMIES)
    state.deck = len(state.unseen[f"{DECK}1"])
    state.known = [card for card in table.letters.values() for _ in range(pack.enemy[card].copies)]
    state.resupply = [kind.value for kind, one in pack.resupply.items() for _ in range(one.copies)]


def _deck(cards: Mapping[str, Printed], names: Iterable[str], size: int) -> list[str]:
    """All copies of the cards in that order, as many as the deck has room for."""
    return list(islice((name for name in names for _ in range(cards[name].copies)), size))


def lay_basic_cards(table: Table) -> Script[None]:
    """Ten Basic Action cards, as printed in the picture or shuffled (OKI-003 to OKI-010)."""
    at = by_space(table.pack)
    _lay(table, tuple(at[space] for space in range(1, SPACES + 1)))
    if table.settings["order"] == "shuffled":
        _lay(table, (yield from ask(_shuffled(table))))


def _lay(table: Table, cards: Iterable[str]) -> None:
    table.state.spaces = [Space(number, Action(card)) for number, card in enumerate(cards, start=1)]


def _shuffled(table: Table) -> Draw:
    text = "Shuffle the Basic cards, lay them on 1 to 10"
    options = tuple(table.drawable(by_space(table.pack).values()))
    rule = ("OKI-007",)
    return Draw("okinawa.setup.order", text, rule=rule, deck="basic actions", count=SPACES, options=options)


def _shown(table: Table) -> Show:
    state = table.state
    laid = [(space.number, table.action(space.action.card)) for space in state.spaces]
    lines = [f"{number} {card.name}{'*' if card.is_stand_in else ''}" for number, card in laid]
    lines += ["* stand-in card"] * any(card.is_stand_in for _, card in laid)
    lines += [
        "1 to 5 above from the left, 6 to 10 below them from the right, all on their basic side",
        "A Number Token at each",
        "Room for the Enemy Row between them",
        "Left, at 1 and 10: the Objective Deck, one each of 1, 2 and 3, Hill 89 under them, face down",
        "Flag and Flag Pole beside it",
        "Reinforcements, Unknown Enemies and Resupply tokens shuffled, Known Enemies open",
        "Right, at 5 and 6: the Resupply Card, a die showing 1 on it",
        "All other dice and tokens near by, as supplies",
        f"4 health, {counted(state.sandbags, 'sandbag')}, 1 adjust, 1 re-roll",
        "The pawn on 1",
    ]
    text = "Lay out the Battlefield. Action cards from 1 to 10:"
    rule = ("OKI-003", "OKI-005", "OKI-008", "OKI-015", "OKI-017", "OKI-021", "OKI-030", "OKI-032")
    return Show("okinawa.setup.table", text, "\n".join(lines), rule)


def replace_riflemen(table: Table) -> Script[None]:
    """The easier option: two Riflemen make place for Reinforcements (OKI-255, OKI-R66)."""
    if not any(space.action.card == RIFLEMAN for space in table.state.spaces):
        table.news("No Rifleman is laid out: none is replaced")
        return
    if not _singles(table):
        table.news("No Reinforcement for a Rifleman is left: none is replaced")
        return
    left = list((yield from ask(partial(_riflemen, table))))
    while left:
        cards = yield from ask(partial(_for_them, table, left))
        listed = [card for card in cards if card != learning.NEW.id]
        for card in listed:
            _replace_rifleman(table, left.pop(0), card)
        for place in learning.places(len(cards) - len(listed)):
            entered = yield from learning.action(table, place)
            table.state.reinforcements.pop()  # the deck is as thick as before: a stand-in makes place
            table.state.reinforcements.insert(0, entered)
            if table.action(entered).replaces == 1:
                _replace_rifleman(table, left.pop(0), entered)


def _replace_rifleman(table: Table, number: str, card: str) -> None:
    moving.take_off(table, card)
    moving.replace(table, rondel.space_of(table.state, int(number)), card)
    table.news(f"{table.action(card).name} in place of the Rifleman on {number}")


def _riflemen(table: Table) -> Pick:
    options = tuple(
        Option(str(space.number), f"{space.number} Rifleman")
        for space in table.state.spaces
        if space.action.card == RIFLEMAN
    )
    count = min(REPLACED, len(options), len(_singles(table)))
    text = f"Replace which {counted(count, 'Rifleman', 'Riflemen')}?"
    return Pick("okinawa.setup.riflemen", text, rule=_EASED, options=options, least=count, most=count)


def _singles(table: Table) -> list[str]:
    """The Reinforcements in the deck that take the place of one card (OKI-R67)."""
    return [card for card in table.state.reinforcements if table.action(card).replaces == 1]


def _for_them(table: Table, places: list[str]) -> Draw | Pick:
    more = [option for option in moving.one_more(table) if table.action(option.id).replaces == 1]
    return learning.or_one_more(_listed(table, places), more)


def _listed(table: Table, places: list[str]) -> Draw | Pick:
    count = len(places)
    options = (*table.drawable(sorted(_singles(table))), learning.NEW)
    text = f"{counted(count, 'Reinforcement')} for the Riflemen"
    if table.settings["riflemen"] == "chosen":
        detail = f"As listed here, to {', then '.join(places)}. Others can be picked after these."
        return Pick("okinawa.setup.chosen", text, detail, _EASED, options=options, least=1, most=count)
    detail = "One that would replace two cards is drawn again."
    return Draw(
        "okinawa.setup.replaced",
        text,
        detail,
        _EASED,
        deck="reinforcements",
        count=count,
        options=options,
        settled="",
    )
