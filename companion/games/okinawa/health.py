"""The player's health and what blocks damage (OKI-208 to OKI-216)."""

from __future__ import annotations

from functools import partial

from companion.engine.asks import Number, Script, ask
from companion.games.okinawa.cards import TokenKind
from companion.games.okinawa.state import FULL_HEALTH
from companion.games.okinawa.table import Table


def heal(table: Table) -> None:
    """Turn one Health token back, if one is damaged (OKI-112, OKI-114, OKI-154)."""
    state = table.state
    if state.health < FULL_HEALTH:
        state.health += 1
        table.news(f"1 health back: {state.health}")


def lose(table: Table, amount: int, source: str, text: str = "") -> None:
    """Turn Health tokens over; at none the game is lost on the spot (OKI-040, OKI-215).

    `source` is who did it, `text` says more of it.
    """
    state = table.state
    state.health = max(0, state.health - amount)
    if not state.health:
        raise table.lose(f"{source} took the last health")
    table.news(f"{text or source}: {amount} damage, {state.health} health left")


def sandbags(table: Table) -> int:
    """Everything that can block a point of damage now: tokens of both kinds (OKI-162)."""
    state = table.state
    return state.sandbags + state.tokens.count(TokenKind.SANDBAGS)


def _spent_ones(table: Table) -> str:
    """Where spent sandbags go, and which go first, where the player has of both kinds (OKI-103, OKI-152)."""
    common, tokens = table.state.sandbags, TokenKind.SANDBAGS in table.state.tokens
    if common and tokens:
        return f"First your {common} from the supply, back there; then Resupply tokens, which leave the game."
    if not common and not tokens:
        return ""
    return "Back to the supply." if common else "The Resupply token leaves the game."


def block(table: Table, amount: int, source: str) -> Script[int]:
    """Ask how many sandbags are spent on one source of damage; what is left of it (OKI-216, OKI-R68).

    The common ones go first: they return to their supply and can be gained again (OKI-152, OKI-103).
    """
    if not _usable(table, amount):
        return amount
    used = yield from ask(partial(_how_many, table, amount, source))
    if table.refereed:
        for _ in range(used):
            spend_sandbag(table)
    return amount - used


def _usable(table: Table, amount: int) -> int:
    """How many sandbags can go against so much damage; in mode `enemy` the box does not know of them."""
    return min(amount, sandbags(table)) if table.refereed else amount


def _how_many(table: Table, amount: int, source: str) -> Number:
    """It starts at what keeps the player alive, where that is known to be there."""
    health, most = table.state.health, _usable(table, amount)
    need = amount - health + 1
    blocks = f"You have {health} health. Each blocks 1 damage."
    return Number(
        "okinawa.enemy.sandbags",
        f"{source}: {amount} damage. Sandbags?",
        "\n".join(filter(None, (*table.state.news, blocks, _spent_ones(table)))),
        ("OKI-216", "OKI-R68"),
        least=0,
        most=most,
        start=need if table.refereed and 0 < need <= most else None,
    )


def spend_sandbag(table: Table) -> None:
    """Discard one: a common one back to the supply, else a Resupply token out of the game."""
    state = table.state
    if state.sandbags:
        state.sandbags -= 1
    else:
        state.tokens.remove(TokenKind.SANDBAGS)
        state.removed_tokens.append(TokenKind.SANDBAGS)
