"""From what lies in the tray to the dice of a roll: which die is which, and which of them to ask about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from companion.engine.asks import Dice, Locked, Roll
from companion.wording import kind_name
from vision import DiceSet, Die, DieKind, Marks, Reading, teach
from vision.votes import (
    PUSHED,
    SHOVED,
    Moves,
    distance,
    is_back,
    is_shoved,
    may_be_there,
    may_have_lain,
    moved_alike,
    moves,
)

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

    @property
    def look(self) -> str:
        """What tells them from the other dice: `red`."""
        return self.colour or self.kind.name

    @property
    def name(self) -> str:
        """What a person calls them: `red d10`, `action dice`."""
        dice = "" if self.kind.name[-1].isdecimal() else "dice"
        return " ".join(filter(None, (self.colour, self.kind.name, dice)))

    def locked(self, locked: Iterable[Locked]) -> list[str]:
        """The faces of those of these dice that stay in the tray."""
        return [one.face for one in locked if one.die == self.dice.die]


class Place(msgspec.Struct, frozen=True):
    """One die of a roll: the group it is of, the die in the tray taken for it, and its face.

    `doubtful` says that a person has to be asked. `seen` is None for a die that is not in the tray. `others`
    are dice that may be meant instead, where more lie in the tray than were asked for.
    """

    group: Group
    seen: Die | None
    face: str | None
    doubtful: bool
    others: tuple[Die, ...] = ()

    @property
    def confidence(self) -> float | None:
        """The reader's, where it saw the die."""
        return self.seen.confidence if self.seen else None


class Throw(msgspec.Struct, frozen=True):
    """A roll as it lies in the tray: its dice in the order of the ask, and what is odd about it.

    `swept` says that all of them, or all that came last, may be dice that lay there. `suspects` are
    those that may have lain there, or been put back, and stay in doubt for it wherever they are moved.
    `is_undone` says that a locked die which none of these can be shows another face now.
    """

    places: tuple[Place, ...]
    remark: str = ""
    swept: bool = False
    suspects: tuple[Die, ...] = ()
    is_undone: bool = False

    @property
    def doubtful(self) -> tuple[int, ...]:
        """The places that a person has to be asked about."""
        return tuple(at for at, place in enumerate(self.places) if place.doubtful)

    @property
    def is_sure(self) -> bool:
        """Whether no person has to be asked about any of the dice."""
        return not (self.is_undone or any(place.doubtful or place.others for place in self.places))


def groups(roll: Roll, sets: Sequence[DiceSet]) -> tuple[Group, ...] | None:
    """How the sets know the dice of a roll; None if they lack one, so that no camera can read it."""
    found = [Group(dice, kind) for dice in roll.dice if (kind := kind_of(dice, sets)) is not None]
    return tuple(found) if len(found) == len(roll.dice) else None


def kind_of(dice: Dice, sets: Sequence[DiceSet]) -> DieKind | None:
    """The kind with the same faces; of several the one with the game's name for it."""
    faces = set(dice.faces)
    kinds = [
        k for one in sets for k in one.kinds if {GAME_FACES.get(face, face) for face in k.faces} == faces
    ]
    same_name = [kind for kind in kinds if kind.name == kind_name(dice.die)]
    return next(iter(same_name or kinds), None)


def lacking(roll: Roll, sets: Sequence[DiceSet]) -> str:
    """Why no camera can read a roll with these sets; a face too many that one was taught is named."""
    unknown = [dice for dice in roll.dice if kind_of(dice, sets) is None]
    strange = dict.fromkeys(
        f"{one.name} was taught a face {face} that the game lacks: "
        f"companion dice samples remove {one.name} {face}"
        for dice in unknown
        for one in sets
        for kind in one.kinds
        for face in kind.faces
        if set(dice.faces) < {GAME_FACES.get(own, own) for own in kind.faces}
        and GAME_FACES.get(face, face) not in dice.faces
        and one.taught is not None
    )
    return "; ".join(strange) or f"no set here has {', '.join(dict.fromkeys(d.die for d in unknown))}"


def untaught(dice_set: DiceSet, kinds: Iterable[DieKind]) -> str:
    """Why these dice of a set can't be read, or are all asked about: symbols that are not taught in full."""
    taught = teach.complete(dice_set)
    if all(kind.marks is not Marks.SYMBOLS or kind.name in taught for kind in kinds):
        return ""
    if not teach.samples(dice_set):
        return f"{dice_set.name} has not been taught: companion dice teach {dice_set.name}"
    return f"{dice_set.name} is half taught, each die is asked about: companion dice teach {dice_set.name}"


class Earlier(msgspec.Struct, frozen=True):
    """Dice that lay in the tray `before` it was thrown, and what of them may be among those that came.

    `missing` are those of `before` without which the tray was not seen since, `aside` those that may have
    been seen elsewhere, when more dice lay there than were asked for or all might be old. `held` and `gone`
    were taken out since and may have been put back where they lay, `held` before the tray was last seen at
    rest; `out` were taken out in earlier rolls, and may be put back so in this one, and so may `spent` where
    more came than left: in those rolls others came for them, maybe spare ones. `asked` were asked about,
    and have left their places since; `unanswered` were too, and lie there yet. `relit` says that another
    light may have shown some. `late` are those that came since the tray was last seen at rest, and `moved_on`
    those of this roll that left their places since. `outside` counts, by what a person calls them, those that
    the last roll had too many or lacked, and that did not lie there as this one was asked for. `named` are
    those of `missing` that a person named otherwise than they were read, as they were named.
    """

    before: Sequence[Die] = ()
    missing: Sequence[Die] = ()
    aside: Sequence[Die] = ()
    held: Sequence[Die] = ()
    gone: Sequence[Die] = ()
    out: Sequence[Die] = ()
    spent: Sequence[Die] = ()
    asked: Sequence[Die] = ()
    unanswered: Sequence[Die] = ()
    relit: bool = False
    late: Sequence[Die] = ()
    moved_on: Sequence[Die] = ()
    outside: Mapping[str, int] = {}
    named: Sequence[Die] = ()

    @property
    def taken(self) -> tuple[Die, ...]:
        """Those that were taken out in this roll."""
        return (*self.held, *self.gone)


def match(
    roll: Roll, wanted: Sequence[Group], reading: Reading, earlier: Earlier | None = None
) -> Throw | None:
    """The dice of a roll in a tray at rest; None if nothing was thrown.

    Only dice that were not there earlier are taken for rolled; without `earlier`, of a picture by itself, all
    are. Where there are more of them than were asked for, and it matters which, a person has to say, and so
    where all of them may be dice that lay there.
    """
    alone, earlier = earlier is None, earlier or Earlier()
    changes = moves(earlier.before, [die for die in reading.dice if not die.foreign])
    if moved_alike(changes) is not None:
        return None
    unknown = any(die.die is None for die in changes.came)
    left = changes._replace(went=(*changes.went, *earlier.taken))
    shoved = [old for old in changes.went if any(is_shoved(old, new) for new in changes.came)]
    aside = (*earlier.aside, *shoved)
    candidates = [rolled(group, left, roll.locked, aside, alone=alone) for group in wanted]
    if not unknown and not any(each.dice for each in candidates):
        return None
    swept = all_swept(changes, wanted, earlier)
    old, late = earlier.relit or swept, asked_for(earlier.late, wanted)
    is_late_swept = not old and late_swept(changes, late, earlier)
    swept_late = late if is_late_swept else ()
    remarks = ["a hand in the tray, or shadows of a low lamp?"] if reading.hand else []
    undone = list(turned_otherwise(roll, wanted, changes))
    remarks += undone
    places: list[Place] = []
    suspects: list[Die] = []
    for group, each in zip(wanted, candidates, strict=True):
        back = put_back(group, each, changes.went, earlier)
        moved = only_moved(group, each, earlier, changes.went, swept_late)
        each.suspects += back + moved
        suspects += each.suspects
        suspects += [die for die in (*each.dice, *each.others) if old and die.sure and die not in suspects]
        remarks += [*each.remarks, *_miscounted(group, each), *(["thrown, or put back?"] if back else [])]
        remarks += ["thrown, or only moved?"] if moved else []
        places += places_of(group, each, late, certain=not (reading.hand or unknown or old))
    if old and remarks == undone:
        remarks += ["thrown, or unseen before?" if earlier.relit else "thrown, or only moved?"]
    remark = "; ".join(dict.fromkeys(remarks))
    return Throw(tuple(places), remark, swept or is_late_swept, tuple(suspects), bool(undone))


def asked_for(dice: Iterable[Die], wanted: Sequence[Group]) -> tuple[Die, ...]:
    """Those of the dice that may be some of the roll's; what else moved tells nothing of them."""
    return tuple(die for die in dice if any(group.holds(die) for group in wanted))


def nothing_of(wanted: Sequence[Group]) -> Throw:
    """A throw of which no die was found."""
    places = tuple(place for group in wanted for place in places_of(group, Rolled(), certain=False))
    return Throw(places, "none of these dice")


def all_swept(changes: Moves, wanted: Sequence[Group], earlier: Earlier) -> bool:
    """Whether all dice that came, but for those put back where they lay, may be some that lay there.

    What is seen gone only now may have been turned over as they moved.
    """
    came, out = asked_for(changes.came, wanted), (*earlier.taken, *earlier.out)
    not_back = tuple(die for die in came if not any(is_back(old, die) for old in out))
    went = (*changes.went, *earlier.gone)
    return may_have_lain(changes._replace(came=not_back or came, went=went), earlier.missing, earlier.named)


def late_swept(changes: Moves, late: Sequence[Die], earlier: Earlier) -> bool:
    """Whether all that came last may be dice that lay there.

    What was pushed of this roll counts among those where others came beside it.
    """
    lay = [*earlier.missing, *earlier.asked]
    is_more = len(late) > len(earlier.moved_on)
    pushed = [die for die in earlier.moved_on if die.sure or is_more]  # else thrown anew
    if len(late) > len(pushed):
        lay += pushed
    return bool(late) and may_have_lain(changes._replace(came=tuple(late)), lay, earlier.named)


class Rolled(msgspec.Struct):
    """The dice of a group that were thrown, as far as can be told.

    `others` are taken for locked dice that moved, but may be the thrown ones; `suspects` the other way round.
    """

    dice: list[Die] = []
    others: list[Die] = []
    suspects: list[Die] = []
    remarks: list[str] = []


def rolled(
    group: Group, changes: Moves, locked: Sequence[Locked], aside: Sequence[Die] = (), *, alone: bool
) -> Rolled:
    """The dice that were thrown, without locked ones that were moved.

    Locked dice may lie where they lay or be put aside. Where the face of one is missed among the dice that
    stayed, a die in its place or of its face may be it, the latter where it may have been put `aside`; a
    picture `alone` tells no places.
    """
    found = Rolled([die for die in changes.came if group.holds(die)])
    went = [die for die in changes.went if group.holds(die)]
    stayed = [die for _, die in changes.stayed if group.holds(die)]
    missed, to_throw = unlike(group, stayed, locked)
    if alone:
        leave_out_locked(group, found, missed)
        return found
    moved = {group.face(die) for die in aside if group.holds(die)}
    for face in missed:
        same = [die for die in found.dice if group.face(die) == face]
        too_many = len(found.dice) > group.dice.count
        put_back = [
            die
            for die in same
            if to_throw or any(is_back(old, die) for old in went) or (not too_many and lies_at_any(die, went))
        ]
        turned = [
            die for die in found.dice if lies_at_any(die, (old for old in went if group.face(old) == face))
        ]
        if put_back:
            found.dice.remove(put_back[0])
        elif turned:
            (found.others if too_many else found.suspects).append(turned[0])
            found.remarks.append(f"the locked {group.look} {face} shows {group.face(turned[0]) or 'no face'}")
        elif too_many:
            found.others += same[:1]
            found.remarks.append(f"the locked {group.look} {face} has moved")
        elif to_throw:
            found.suspects += found.dice
            found.remarks.append(f"{group.look} {face} is locked, but {to_throw[0]} lies there")
        elif same and face in moved:
            found.suspects += same
            found.remarks.append(f"{group.look} {face}: thrown, or locked?")
        found.dice = [die for die in found.dice if die not in found.others]
    return found


def unlike(group: Group, stayed: Sequence[Die], locked: Sequence[Locked]) -> tuple[list[str], list[str]]:
    """The faces of locked dice that none of those which stayed shows, and those that some show beside them.

    One that is read in doubt may show any of the former.
    """
    staying = Counter(group.locked(locked))
    lying = Counter(group.face(die) or "" for die in stayed if die.sure)
    missed = list((staying - lying).elements())[sum(not die.sure for die in stayed) :]
    return missed, list((lying - staying).elements())


def turned_otherwise(roll: Roll, wanted: Sequence[Group], changes: Moves) -> Iterator[str]:
    """Which locked dice, of colours that the roll doesn't ask for, have come to show another face.

    Those that are put aside, or were moved as they lay, are nothing to speak of.
    """
    asked = {group.dice.die for group in wanted}
    for locked in dict.fromkeys(one.die for one in roll.locked if one.die not in asked):
        colour = kind_name(locked)
        known = next((group for group in wanted if colour in group.kind.colours), None)
        if known is None:
            continue
        group = Group(msgspec.structs.replace(known.dice, die=locked, count=0, colour=colour), known.kind)
        missed, _ = unlike(group, [die for _, die in changes.stayed if group.holds(die)], roll.locked)
        gone = Counter(missed)
        new = Counter(group.face(die) or "no face" for die in changes.came if group.holds(die))
        # more of the one were put aside, more of the other are spare dice
        for face, shown in zip((gone - new).elements(), (new - gone).elements(), strict=False):
            yield f"the locked {group.look} {face} shows {shown}"


def only_moved(
    group: Group, found: Rolled, earlier: Earlier, went: Iterable[Die], swept: Sequence[Die]
) -> list[Die]:
    """Dice that may have lain there and only been moved: the thrown ones lie out of the tray or on others.

    Where all to be thrown were held already, what left its place as they fell was in no hand: it was pushed,
    and near by may lie on another face now. Else it may have been shoved near by, unless just as many left
    their places as were asked for: those were picked up and thrown. Or it is one of those seen aside: where
    one of them was taken out, as a cocked one is to be thrown anew, the others need not be the roll; nor need
    what was only moved, where one of those thrown beside it has left the tray; nor those `swept`, all that
    came last; nor one that was asked about, and lies there yet or moved on. Where more lie there than were
    asked for, a person is asked all the same, and only these last two are told.
    """
    count = group.dice.count
    too_many = len(found.dice) > count
    late = [old for old in (*went, *earlier.gone) if group.holds(old) and not too_many]
    aside = [old for old in earlier.aside if group.holds(old) and not too_many]
    all_held = sum(map(group.holds, earlier.held)) >= count
    moved = []
    for die in found.dice:
        near = [old for old in late if distance(old, die) < SHOVED]
        pushed = all_held and (near or any(may_be_there(old, [die]) for old in late))
        elsewhere = aside if len(late) == count else (*near, *aside)
        moved_on = die in earlier.late and any(
            may_be_there(old, [die]) or lies_at_any(die, [old]) for old in filter(group.holds, earlier.asked)
        )
        was_moved = die in swept or moved_on or any(may_be_there(old, [die]) for old in elsewhere)
        if pushed or die in earlier.unanswered or (was_moved and die not in found.suspects):
            moved.append(die)
    return moved


def put_back(group: Group, found: Rolled, went: Iterable[Die], earlier: Earlier) -> list[Die]:
    """Dice that may have been taken out, in this roll or an earlier one, and put back.

    Where more came than left, that holds for those of earlier rolls too for which others came; and for all,
    where no more came than it had too many or lacked, and none left.
    """
    outside = 0 if any(map(group.holds, went)) else earlier.outside.get(group.name, 0)
    is_spare = len(found.dice) > sum(map(group.holds, (*went, *earlier.taken)))
    out = (*earlier.taken, *earlier.out, *(earlier.spent if is_spare else ()))
    is_all = len(found.dice) <= outside
    return [die for die in found.dice if is_all or any(is_back(old, die) for old in out)]


def leave_out_locked(group: Group, found: Rolled, locked: Sequence[str]) -> None:
    """Leave the locked dice out of a picture that shows them all beside as many others as were asked for.

    Sure ones first: a doubtful die that stays in the roll is asked about. In one that shows no more dice than
    were asked for, the locked ones may be put aside, or lie there while thrown ones are missing.
    """
    left = sorted(found.dice, key=lambda die: not die.sure)
    for face in locked:
        same = next((die for die in left if group.face(die) == face), None)
        if same is not None:
            left.remove(same)
    if len(left) == len(found.dice) - len(locked) == group.dice.count:
        found.dice = left
    elif len(found.dice) <= group.dice.count:
        found.suspects = [die for die in found.dice if die not in left]
        found.remarks += [f"{group.look} {group.face(die)}: thrown, or locked?" for die in found.suspects]


def lies_at_any(die: Die, places: Iterable[Die]) -> bool:
    """Whether a die lies where one of these lay, or was pushed no further than its own length."""
    return any(distance(place, die) < PUSHED for place in places)


def places_of(group: Group, found: Rolled, late: Sequence[Die] = (), *, certain: bool) -> Iterator[Place]:
    """As many places as the ask wants, for the surest dice and those that came last.

    Places that no die was found for have no face.
    """
    taken = sorted(found.dice, key=lambda die: (not die.sure, die not in late))[: group.dice.count]
    others = [die for die in (*found.dice, *found.others) if die not in taken]
    candidates = (*taken, *others)
    if len({group.face(die) for die in candidates}) == 1 and all(die.sure for die in candidates):
        others = []  # it makes no difference which of them it was
    for die in sorted(taken, key=lambda die: (die.bbox.y, die.bbox.x)):
        face = group.face(die)
        doubtful = face is None or not (certain and die.sure) or die in found.suspects
        yield Place(group, die, face, doubtful, tuple(others))
    for _ in range(group.dice.count - len(taken)):
        yield Place(group, None, None, doubtful=True)


def _miscounted(group: Group, found: Rolled) -> Iterator[str]:
    """What a person should know of how many dice there are."""
    seen, count = len(found.dice), group.dice.count
    if seen < count:
        yield f"{seen} of {count} {group.name}"
    elif seen > count:
        yield f"{seen} {group.name} for {count}: {'this one' if count == 1 else 'these'}?"
