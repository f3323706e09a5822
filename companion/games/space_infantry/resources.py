"""Resources and their caches (chapter 6)."""

from __future__ import annotations

from functools import partial

from companion.engine.asks import Choose, Option, Script, ask
from companion.games.space_infantry.numbers import number
from companion.games.space_infantry.pack import RESOURCE_NAMES, Resource
from companion.games.space_infantry.ranges import span
from companion.games.space_infantry.table import Table

RANDOM_RESOURCES = (
    ("0-2", Resource.GRENADE),
    ("3-4", Resource.INTELLIGENCE),
    ("5", Resource.MEDIKIT),
    ("6+", Resource.STYMO),
)
"""What a cache of unknown kind holds (SPI-183, SPI-R52)."""

OFF_THE_TRACK = "its counter off the Turn Track"
_NOTHING = Option("none", "Go on")
_LOOK = (Option("look", "Search the cache"), Option("leave", "Not now"))


def spend(table: Table, kind: str) -> None:
    """One resource used up."""
    table.op.resources[kind] -= 1


def treatments(table: Table) -> list[Option]:
    """Whose old wounds a MediKit can negate (SPI-132, SPI-138, SPI-139)."""
    if not table.op.resources[Resource.MEDIKIT]:
        return []
    return [
        Option(
            f"treat:{name}",
            f"MediKit {soldier.title}",
            f"{member.wounds}/{soldier.wounds} wounds, one becomes a Treated Wound; {OFF_THE_TRACK}",
        )
        for name, soldier, member in table.members()
        if 0 < member.wounds < soldier.wounds and member.treated < soldier.wounds
    ]


def treat(table: Table, name: str) -> None:
    """A MediKit on a wound taken earlier (SPI-132, SPI-138, SPI-140)."""
    spend(table, Resource.MEDIKIT)
    member = table.op.team[name]
    member.wounds -= 1
    member.treated += 1


def check_cache(table: Table) -> Script[None]:
    """At the end of a turn on a node with a cache that is not empty (SPI-097, SPI-152 to SPI-157)."""
    place = table.place
    if not table.node.cache or place.emptied:
        return
    kind = yield from cache_kind(table)
    wish = yield from ask(
        Choose(
            "space_infantry.cache.look",
            f"Resource Cache here ({RESOURCE_NAMES[kind]})",
            table.pending(),
            rule=("SPI-097", "SPI-157", "SPI-R50"),
            options=_LOOK,
        )
    )
    if wish != "look":
        return
    rn = yield from number(table, "space_infantry.cache.rn", "Resources found: number minus 1", ("SPI-155",))
    place.emptied = True
    table.note("mark the cache as depleted", "SPI-157")
    yield from gain(table, kind, max(rn - 1, 0))


def cache_kind(table: Table) -> Script[str]:
    """What the cache holds: its letter, or by chance with random resources (SPI-153, SPI-182, SPI-R53)."""
    place = table.place
    if not table.rules.random_resources:
        return table.node.cache
    if not place.resource:
        rn = yield from number(
            table, "space_infantry.cache.kind", "What the cache holds", ("SPI-182", "SPI-183")
        )
        place.resource = next(kind.value for text, kind in RANDOM_RESOURCES if span(text).holds(rn))
    return place.resource


def gain(table: Table, kind: str, many: int) -> Script[None]:
    """Resources taken; above the maximum the player keeps any choice of all (SPI-131, SPI-156, SPI-R51)."""
    op, held = table.op, table.op.resources
    held[kind] += many
    found = f"{RESOURCE_NAMES[kind]} found: {many}"
    table.note(found + ", onto the Turn Track" * bool(many), "SPI-046")
    while too_many(table):
        wish = yield from ask(partial(drop_question, table))
        op.news[-1:] = [found]  # the question has said where to, and some may be off the track again
        verb, _, whom = wish.partition(":")
        if verb == "treat":
            treat(table, whom)
        elif wish != _NOTHING.id:
            held[wish] -= 1
    op.surplus = 0


def too_many(table: Table) -> int:
    """How many resources are held beyond the maximum."""
    return max(sum(table.op.resources.values()) - table.level.resources, 0)


def drop_question(table: Table) -> Choose:
    """What the team leaves behind, having too much, or a MediKit that is used instead (SPI-132)."""
    op = table.op
    op.surplus = surplus = too_many(table)
    held = tuple(
        Option(kind, f"Leave {RESOURCE_NAMES[kind]} ({many})") for kind, many in op.resources.items() if many
    )
    wounded = treatments(table) if surplus else []
    return Choose(
        "space_infantry.cache.drop",
        f"Leave {surplus} behind: which?" if surplus else "Nothing more to leave behind",
        "".join(op.news[-1:]),
        rule=("SPI-131", "SPI-152", "SPI-156", *("SPI-132",) * bool(wounded)),
        options=(*held, *wounded) if surplus else (_NOTHING,),
    )
