"""Cards that no pack knows: entered as they come up, known from then on, kept for the owner's pack."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Final, TypeVar

import msgspec

from companion.engine.asks import Draw, Option, Pick, Script, ask
from companion.engine.errors import BadInput
from companion.engine.owner_pack import MADE_UP
from companion.engine.packs import Source, Tables, said_of, unsourced
from companion.games.okinawa import entering
from companion.games.okinawa.cards import ActionDeck, EnemyCard, Objective, Pack, Printed
from companion.games.okinawa.state import LAST, Learned
from companion.games.okinawa.table import Table
from companion.wording import counted

P = TypeVar("P", bound=Printed)
Q = TypeVar("Q", bound=Draw | Pick)

NEW: Final = Option("new", "Another card", "Enter what it shows; it is known from then on", copies=0)


def if_stand_in(printed: Printed, shows: str) -> str:
    """What is said of a card in a draw that only a stand-in describes: what to look for on the real one."""
    return f"{shows} (stand-in)" if printed.is_stand_in else ""


def on_enemy(printed: EnemyCard) -> str:
    """What an Enemy card shows, beside what is written on it."""
    words = [printed.type, f"health {printed.health}" if printed.health else "no health"]
    words += [f"fog {printed.fog}", f"damage {printed.damage}"]
    arrows = ", ".join(printed.arrows).replace("-", " ")
    words += [f"arrows {arrows}"] * bool(arrows)
    words += [f"{printed.dice} D10"] * bool(printed.dice)
    words += ["plane"] * printed.plane + ["protects soldiers"] * printed.shields_soldiers
    return "; ".join(words)


def on_objective(printed: Objective) -> str:
    """What an Objective card shows, its Enemy Spaces from 2 on."""
    row = []
    for post in printed.row:
        under = [*post.under, *[f"{post.unknown} Unknown"] * bool(post.unknown)]
        row.append(" on ".join(filter(None, (post.top, *under))) or "-")
    words = [f"Scenario {printed.scenario}", f"flag {printed.laps}", f"{printed.dice} dice"]
    words += [counted(printed.soldiers, "soldier"), ", ".join(row)]
    words += [f"{printed.random_unknown} random Unknown"] * bool(printed.random_unknown)
    words += ["Upgrade"] * printed.upgrade
    return "; ".join(filter(None, words))


def may_be_new(table: Table, candidates: Iterable[str]) -> list[str]:
    """Those in whose place a card may turn up that nobody has entered: Unknown ones and stand-ins."""
    return [card for card in candidates if not table.letter(card) or table.enemy(card).is_stand_in]


def entered(printed: Mapping[str, P], known: Mapping[str, P]) -> list[str]:
    """The cards that the owner entered, before this session and in it."""
    cards = {**printed, **known}
    return [name for name, card in cards.items() if card.source is Source.OWNER]


def or_one_more(question: Q, more: Iterable[Option]) -> Q:
    """The draw or choice of a card, which may also be one more of those that the box counts as all drawn."""
    offered = tuple(more) if NEW in question.options else ()
    if not offered:
        return question
    return msgspec.structs.replace(question, options=(*question.options[:-1], *offered, NEW))


def one_more(record: str, label: str, detail: str, known: Container[str]) -> Option:
    """One more of a card that was entered before, as an option; `count` counts it only if it is `known`."""
    card = record.partition(".")[2]
    pack = "" if card in known else f" than your pack has: pack edit okinawa.{record}"
    return Option(card, label, f"One more of it{pack}; {detail}", copies=0)


def count(card: str, known: dict[str, P]) -> None:
    """Count one more copy of a card that was entered in this session; others are the owner's to count."""
    if card in known:
        known[card] = msgspec.structs.replace(known[card], copies=known[card].copies + 1)


def _keep(card: P, printed: Mapping[str, P], known: dict[str, P]) -> str:
    """Keep a card that was entered, under an id that no other has; returns that."""
    base = f"{MADE_UP}-{card.name.lower().replace(' ', '-')}"
    ids = (base, *(f"{base}-{n}" for n in range(2, 99)))
    name = next(one for one in ids if one not in printed and one not in known)
    known[name] = card
    return name


# At the table


def enemy(table: Table, candidates: Iterable[str]) -> Script[str]:
    """An Enemy that was turned up; the id that it is known by from then on.

    Where it may also be a Known one that only a stand-in describes, it is asked for its letter.
    """
    known = table.state.learned.enemy
    letters = sorted({table.letter(card) for card in may_be_new(table, candidates)})
    letter = (yield from entering.letter(letters)) if any(letters) else ""
    if letter:
        card = table.letters[letter]
        known[card] = yield from entering.enemy_card(letter, table.enemy(card).copies)
        return card
    return _keep((yield from entering.enemy_card()), table.pack.enemy, known)


def places(many: int) -> list[str]:
    """Which of the new cards is asked about, one after the other, where there are several."""
    return [f"new card {at} of {many}" if many > 1 else "" for at in range(1, many + 1)]


def action(table: Table, place: str) -> Script[str]:
    """A Reinforcement that was drawn; the id that it is known by from then on."""
    card = yield from entering.action_card(ActionDeck.REINFORCEMENT, place=place)
    return _keep(card, table.pack.action, table.state.learned.action)


def objective(table: Table, number: int) -> Script[str]:
    """An Objective that was turned up; the id that it is known by from then on."""
    card = yield from entering.objective(number)
    return _keep(card, table.pack.objective, table.state.learned.objective)


def check_known(table: Table, card: str, place: str, why: str) -> Script[None]:
    """Let a Known Enemy that only a stand-in describes be entered as the table shows it.

    `why` says what uncovered it, if that has not been told.
    """
    printed = table.enemy(card)
    text = f"Turn up card {printed.letter} in Enemy Space {place}"
    option = Option(card, printed.name, if_stand_in(printed, on_enemy(printed)))
    if (yield from _is_new("okinawa.reveal.known", text, "known enemies", option, printed, "OKI-056", why)):
        entered = yield from entering.enemy_card(printed.letter, printed.copies)
        table.state.learned.enemy[card] = entered


def check_scenario(table: Table, shows: str) -> Script[None]:
    """The same for the Scenario card of the active Objective, which `shows` that."""
    letter, printed = table.state.scenario, table.scenario
    if printed is not None:
        option = Option(letter, printed.name, if_stand_in(printed, shows))
        text = f"Turn up Scenario {letter}"
        if not (yield from _is_new("okinawa.scenario.card", text, "scenarios", option, printed, "OKI-050")):
            return
    table.state.learned.scenario[letter] = yield from entering.scenario(letter)


def check_last(table: Table, card: str) -> Script[None]:
    """The same for Hill 89, which is never drawn at random (OKI-018)."""
    printed = table.pack.objective[card]
    text = "Turn up Hill 89"
    option = Option(card, printed.name, if_stand_in(printed, on_objective(printed)))
    if (yield from _is_new("okinawa.objective.last", text, "objective 4", option, printed, "OKI-018")):
        table.state.learned.objective[card] = yield from entering.objective(printed.number)


def _is_new(
    key: str, text: str, deck: str, option: Option, printed: Printed, rule: str, detail: str = ""
) -> Script[bool]:
    """Whether a person says that the card is not as the stand-in has it; software never does."""
    if not printed.is_stand_in:
        return False
    drawn = yield from ask(Draw(key, text, detail, (rule,), deck=deck, options=(option, NEW)))
    return drawn[0] == NEW.id


# What the owner keeps


def learned(cards: Learned) -> Tables:
    """The cards entered in a session, as tables of the owner's pack."""
    return {
        table: {name: unsourced(record) for name, record in records.items()}
        for table, records in msgspec.to_builtins(cards).items()
        if records
    }


# Apart from a game


_NAMES: Final = (
    "enter enemy.X, action.NAME, objective.NAME, scenario.I to scenario.R, resupply.NAME or supply.NAME"
)


def enter(pack: msgspec.Struct, name: str, mine: Tables | None = None) -> Script[Tables]:
    """Enter the card of a record such as `enemy.A` for the owner's pack; `BadInput` for no such table.

    Nothing of it is what a stand-in of that name says: the owner is asked for all that the box prints. But
    the name stays that the owner's pack has already, by what `mine` says.
    """
    assert isinstance(pack, Pack)
    table, _, card = name.partition(".")
    entered, called = Learned(), str(said_of(mine, table, card).get("name", ""))
    if not card or card == NEW.id:
        raise BadInput(f"{name}: {_NAMES}, with a name of its own")
    if table == "enemy":
        if card.upper() in entering.LETTERS and card not in (*entering.LETTERS, *pack.enemy):
            raise BadInput(f"{name}: a Known Enemy is entered as enemy.{card.upper()}")
        is_letter = card in entering.LETTERS
        letter = card if is_letter else (yield from entering.letter(("", *entering.LETTERS)))
        known = pack.enemy.get(card)
        enemy = yield from entering.enemy_card(letter, known=called)
        entered.enemy[card] = yield from _counted(enemy, known)
    elif table == "action":
        spaces = yield from entering.basic_spaces()
        deck = ActionDeck.BASIC if spaces else ActionDeck.REINFORCEMENT
        action = yield from entering.action_card(deck, max(1, len(spaces)), spaces, called)
        entered.action[card] = action if spaces else (yield from _counted(action, pack.action.get(card)))
    elif table == "objective":
        was = pack.objective.get(card)
        number = LAST if was and was.number == LAST else (yield from entering.objective_number())
        objective = yield from entering.objective(number)
        is_named = was is not None and was.name != entering.objective_name(was.number, was.scenario)
        entered.objective[card] = _named(objective, called) if is_named else objective
    elif table == "scenario" and card in entering.SCENARIOS:
        entered.scenario[card] = _named((yield from entering.scenario(card)), called)
    else:
        raise BadInput(f"{name}: {_NAMES}")
    return learned(entered)


def _named(card: P, name: str) -> P:
    """The card by the name that its owner wrote, which nobody is asked for."""
    return msgspec.structs.replace(card, name=name) if name else card


def _counted(card: P, was: P | None) -> Script[P]:
    """The card with as many copies as the owner counts of it; what was entered or found before is said."""
    so_far = was.copies if was and was.source is Source.OWNER else None
    return msgspec.structs.replace(card, copies=(yield from entering.copies(so_far)))
