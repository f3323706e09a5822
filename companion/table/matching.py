"""From what lies in the tray to the dice of a roll: which die is which, and which of them to ask about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from companion.engine.asks import Dice, Locked, Roll
from vision import DiceSet, Die, DieKind, Reading
from vision.votes import moves

GAME_FACES = {"soldier": "soldier1", "soldiers": "soldier2"}
"""What games call faces that the dice sets name otherwise."""


class Group(msgspec.Struct, frozen=True):
    """Dice of a roll that look alike: of one kind and, where the set tells them apart, one colour."""

    dice: Dice
    kind: DieKind

    @property
    def colour(self) -> str | None:
        """The colour to look for, None where it means nothing."""
        return self.dice.colour if self.dice.colour in self.kind.colours else None

    def holds(self, die: Die) -> bool:
        """Whether a die in the tray may be one of these."""
        return die.die == self.kind.name and (self.colour is None or die.colour == self.colour)

    def face(self, die: Die) -> str | None:
        """The die's face as the game calls it; None if it is none of the game's."""
        if die.face in self.dice.faces:
            return die.face
        named = GAME_FACES.get(die.face or "")
        return named if named in self.dice.faces else None

    def face_in_set(self, face: str) -> str | None:
        """A face of the game's as the set calls it; None if it has none such."""
        return next((own for own in self.kind.faces if face in (own, GAME_FACES.get(own))), None)

    def locked(self, locked: Iterable[Locked]) -> list[str]:
        """The faces of those of these dice that stay in the tray."""
        return [one.face for one in locked if one.die == self.dice.die]


class Place(msgspec.Struct, frozen=True):
    """One die of a roll: the group it is of, the die in the tray taken for it, and its face.

    `doubtful` says that a person has to be asked. `seen` is None for a die that is not in the tray.
    """

    group: Group
    seen: Die | None
    face: str | None
    doubtful: bool

    @property
    def confidence(self) -> float | None:
        """The reader's, where it saw the die."""
        return self.seen.confidence if self.seen else None


class Throw(msgspec.Struct, frozen=True):
    """A roll as it lies in the tray: its dice in the order of the ask, and what is odd about it."""

    places: tuple[Place, ...]
    remark: str = ""

    @property
    def doubtful(self) -> tuple[int, ...]:
        """The places that a person has to be asked about."""
        return tuple(at for at, place in enumerate(self.places) if place.doubtful)


def groups(roll: Roll, sets: Sequence[DiceSet]) -> tuple[Group, ...] | None:
    """How the sets know the dice of a roll; None if they lack one, so that no camera can read it."""
    found = [(dice, kind_of(dice, sets)) for dice in roll.dice]
    if any(kind is None for _, kind in found):
        return None
    return tuple(Group(dice, kind) for dice, kind in found if kind is not None)


def kind_of(dice: Dice, sets: Sequence[DiceSet]) -> DieKind | None:
    """The kind with the same faces; of several the one with the game's name for it."""
    faces = set(dice.faces)
    kinds = [
        k for one in sets for k in one.kinds if {GAME_FACES.get(face, face) for face in k.faces} == faces
    ]
    same_name = [kind for kind in kinds if kind.name == dice.die.rpartition(".")[2]]
    return next(iter(same_name or kinds), None)


def match(roll: Roll, wanted: Sequence[Group], reading: Reading, before: Sequence[Die]) -> Throw | None:
    """The dice of a roll in a tray that held `before` until it was thrown; None if nothing was thrown.

    Only dice that were not there before are taken for rolled. Where there are not as many of them as the
    ask wants, all that look like them are doubtful.
    """
    seen = [die for die in reading.dice if not die.foreign]
    changes = moves(before, seen)
    if not any(group.holds(die) or die.die is None for group in wanted for die in changes.came):
        return None
    unknown = any(die.die is None for die in changes.came)
    disputed = not reading.sure and all(die.sure for die in seen)  # the pictures count differently
    places: list[Place] = []
    remarks = ["a hand in the tray"] if reading.hand else []
    for group in wanted:
        came = [die for die in changes.came if group.holds(die)]
        stayed = [die for die, _ in changes.stayed if group.holds(die)]
        rolled, moved = without_locked(group, came, stayed, roll.locked)
        remarks += remarks_on(group, rolled, moved)
        certain = not (reading.hand or unknown or disputed or moved) and len(rolled) == group.dice.count
        places += places_of(group, rolled, certain)
    return Throw(tuple(places), "; ".join(remarks))


def nothing_of(wanted: Sequence[Group]) -> Throw:
    """A throw of which no die was found."""
    places = tuple(place for group in wanted for place in places_of(group, [], certain=False))
    return Throw(places, "none of these dice")


def without_locked(
    group: Group, came: list[Die], stayed: list[Die], locked: Sequence[Locked]
) -> tuple[list[Die], list[str]]:
    """The dice that were rolled, and the faces of locked ones that must have been moved with them."""
    missing = Counter(group.locked(locked)) - Counter(group.face(die) or "" for die in stayed)
    rolled, moved = list(came), []
    for face in missing.elements():
        if len(rolled) <= group.dice.count:
            break  # the others were taken out of the tray
        same = next((die for die in rolled if group.face(die) == face), None)
        if same is not None:
            rolled.remove(same)
        moved.append(face)
    return rolled, moved


def remarks_on(group: Group, rolled: Sequence[Die], moved: Sequence[str]) -> Iterator[str]:
    """What a person should know: dice that are missing or too many, locked ones that were moved."""
    name = " ".join(word for word in (group.colour, group.kind.name) if word)
    yield from (f"the locked {group.colour or group.kind.name} {face} has moved" for face in moved)
    if len(rolled) != group.dice.count:
        yield f"{len(rolled)} of {group.dice.count} {name}"


def places_of(group: Group, rolled: Sequence[Die], certain: bool) -> Iterator[Place]:
    """As many places as the ask wants; those that no die was found for have no face."""
    surest = sorted(rolled, key=lambda die: not die.sure)[: group.dice.count]
    for die in sorted(surest, key=lambda die: (die.bbox.y, die.bbox.x)):
        face = group.face(die)
        yield Place(group, die, face, doubtful=face is None or not (certain and die.sure))
    for _ in range(group.dice.count - len(surest)):
        yield Place(group, None, None, doubtful=True)
