"""`companion dice teach`: a set learns its dice, from labelled pictures or at the tray."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from companion.cli.common import Place, data_option, draws
from companion.cli.dice import sets_folder
from companion.cli.dice_camera import camera_option, opened, placed, tried
from companion.engine.errors import BadInput, DeviceMissing
from companion.engine.records import names_in
from companion.wording import counted

if TYPE_CHECKING:
    from vision import DiceSet, Die, DieKind
    from vision.camera import Camera
    from vision.frames import Frame as Image
    from vision.teach import Sample

STOP, SKIP, TAKE_BACK = "q", "s", "u"

KEYS = "Enter takes the picture, s skips a face, u takes the last face back, q ends"

DIE_COLUMNS = 24
"""Characters of a terminal's width that a die is shown in."""


@click.command()
@click.argument("set_name", metavar="SET")
@click.option(
    "--from",
    "folder",
    metavar="FOLDER",
    type=Place(),
    help="Learn from FOLDER/labels.jsonl instead.",
)
@click.option("--replace", is_flag=True, help="Forget what was taught before, with the first new sample.")
@click.option("--die", help="For a new set: what its die is called (else as the set).")
@click.option("--faces", default="", help="For a new set: its faces, with commas between.")
@click.option("--colours", default="", help="For a new set: its dice's colours, with commas between.")
@camera_option
@data_option
def teach(
    set_name: str,
    folder: Path | None,
    replace: bool,
    die: str | None,
    faces: str,
    colours: str,
    source: str | None,
    data: Path | None,
) -> None:
    """Teach the dice of SET: each face in turn under the camera, then a few throws.

    Two pictures of a face are enough. What is typed: Enter takes the picture, s skips a face, u takes the
    last face back, q ends.
    """
    from vision import Marks, VisionError
    from vision import teach as teaching

    home = sets_folder(data)
    try:
        if folder is not None:
            given = {"--die": die, "--faces": faces, "--colours": colours, "--camera": source}
            if idle := next((option for option, value in given.items() if value), None):
                raise BadInput(f"{idle}: with --from the labels say what the dice are: leave one of them out")
            lesson = teaching.from_folder(set_name, folder, home, replace=replace)
            click.echo(f"{set_name}: {counted(len(lesson.samples), 'sample')} from {folder}")
            tell(lesson.dice_set)
            tell_confused(lesson.dice_set)
            return
        dice_set = the_set(set_name, home, die, words(faces), words(colours), replace=replace)
        if all(kind.marks is Marks.PIPS and len(kind.colours) < 2 for kind in dice_set.kinds):
            raise BadInput(f"pips are read untaught: companion dice check --set {set_name} tries how well")
        with opened(source) as camera:
            Lesson(camera, dice_set, home, replace=replace).run()
    except VisionError as error:
        raise BadInput(str(error)) from error
    except BrokenPipeError:  # of whoever read what is said here
        raise
    except OSError as error:  # of the disk
        raise BadInput(f"{home}: samples can't be kept: {error.strerror}") from error


def words(text: str) -> tuple[str, ...]:
    """`red, white` as its words, each once."""
    return tuple(dict.fromkeys(names_in(text)))


def the_set(
    name: str, home: Path, die: str | None, faces: tuple[str, ...], colours: tuple[str, ...], *, replace: bool
) -> DiceSet:
    """The set of that name as taught in `home` or built in, or a new one of one kind of die.

    One that is to be taught anew may have other faces, or is as it was before anything was taught; so may an
    own one of which there is no sample, such as after a slip in its faces.
    """
    from vision import DiceSet, DieKind, Marks, Supply, sets, teach

    is_reset = replace and (faces or name in sets.names())
    known = sets.names(None if is_reset else home)
    marks = Marks.SYMBOLS
    if name in known:
        dice_set = sets.load(name, None if is_reset else home)
        is_own = name not in sets.names()
        kind, *others = dice_set.kinds
        is_blank = is_own and not others and not teach.samples(dice_set)
        if not (is_blank and (die or faces or colours)):
            dice = [(kind.name,) for kind in dice_set.kinds]
            require_same("--die", (die,) if die else (), dice, name, is_own=is_own)
            require_same("--faces", faces, [kind.faces for kind in dice_set.kinds], name, is_own=is_own)
            require_same("--colours", colours, [kind.colours for kind in dice_set.kinds], name, is_own=is_own)
            return msgspec.structs.replace(dice_set, taught=None) if replace else dice_set
        if set(faces or kind.faces) == set(kind.faces):
            marks, faces = kind.marks, kind.faces
        die, colours = die or kind.name, colours or kind.colours
    die = die or name
    sets.folder_of(name, home)
    if not faces:
        raise BadInput(
            f"{name} is a new set: say what is on its dice, such as --faces skull,star,tool; "
            f"known are {', '.join(known)}"
        )
    supply = tuple(Supply(colour) for colour in colours) or (Supply(),)
    return DiceSet(name, (sets.checked(DieKind(die, marks, faces, supply)),))


def require_same(
    option: str, said: tuple[str, ...], own: Sequence[tuple[str, ...]], name: str, *, is_own: bool
) -> None:
    """Refuse what a person says of dice that are known and are otherwise."""
    if said and set(said) not in map(set, own):
        there = " or ".join(dict.fromkeys(",".join(words) for words in own if words)) or "none"
        what = "dice" if option == "--die" else option[2:]
        anew = "; --replace with --faces teaches this one anew" if is_own else ""
        raise BadInput(
            f"{name} is known, its {what} are {there}: leave {option} out, or name another set{anew}"
        )


def tell(dice_set: DiceSet) -> None:
    """How many samples there are of each face, and which faces lack any."""
    from vision import Marks, teach

    counts = Counter((one.die, one.colour or "", one.face) for one in teach.samples(dice_set))
    for (die, colour, face), count in sorted(counts.items()):
        short = "" if count >= teach.ENOUGH else f", {teach.ENOUGH - count} more would help"
        click.echo(f"  {' '.join(word for word in (die, colour, face) if word)}: {count}{short}")
    for kind in dice_set.kinds:
        shown = {face for die, _, face in counts if die == kind.name}
        lacking = [face for face in kind.faces if face not in shown]
        if lacking and (kind.marks is Marks.SYMBOLS or (shown and kind.marks is Marks.NUMERALS)):
            click.echo(f"  {kind.name}: still to be taught: {', '.join(lacking)}")


def tell_confused(dice_set: DiceSet) -> None:
    """Which faces the samples do not tell apart yet."""
    from vision import teach

    confusions = teach.confusions(dice_set)
    for one in confusions:
        click.echo(
            f"  still confused: {one.die} {one.face} is taken for {one.said} "
            f"in {one.times} of {one.samples} samples"
        )
    if confusions:
        click.echo(
            f"  teach more of these, or find a wrong picture (companion dice samples list {dice_set.name} "
            f"--files) and remove it (companion dice samples remove {dice_set.name} FILE)"
        )


class Lesson:
    """A set being taught at the tray; everything it learns is on disk at once.

    With `replace`, what was taught before is forgotten with the first new sample.
    """

    def __init__(self, camera: Camera, dice_set: DiceSet, home: Path, *, replace: bool = False) -> None:
        from vision import sets, teach
        from vision.tray import TrayView

        self.camera = camera
        self.view = TrayView()
        self.home = home
        self.replace = replace
        self.dice_set = dice_set if replace else sets.save(dice_set, home)
        self.confused: Counter[tuple[str, str]] = Counter()
        self.last: Image | None = None  # the picture of the face before
        known = self._counts()
        self.steps = [(kind, face) for kind in self.dice_set.kinds for face in kind.faces]
        # What is lacking comes first.
        self.steps.sort(key=lambda step: known[step[0].name, step[1]] >= teach.ENOUGH)
        self.kept: list[tuple[int, list[Sample]]] = []  # of each step: what, and how many steps there were

    def run(self) -> None:
        """Each face of each kind, then throws, until person or film ends; then what is still confused."""
        click.echo(f"{KEYS}.")
        try:
            with contextlib.suppress(click.Abort):  # from where a colour or a die is chosen
                while self._faces() and self._throws():
                    self._take_back()
        except DeviceMissing as error:
            click.echo(f"  {error}")
        self._report()

    def _faces(self) -> bool:
        """False if the person wants to stop."""
        from vision import teach

        while len(self.kept) < len(self.steps):
            kind, face = self.steps[len(self.kept)]
            progress = f"[{len(self.kept) + 1}/{len(self.steps)}]"
            count = self._counts()[kind.name, face]
            so_far = f" ({counted(count, 'sample')} so far)" if count else ""
            said = ask(f"{progress} lay the {kind.name} dice with {face} up, then Enter{so_far}")
            if said == STOP:
                return False
            if said == TAKE_BACK:
                self._take_back()
            elif said == SKIP:
                self.kept.append((len(self.steps), []))
            elif said:
                click.echo(f"  {said!r}: nothing kept; {KEYS}")
            elif (learnt := self._learn_face(kind, face)) is not None:
                self.kept.append((len(self.steps), learnt))
                if self._counts()[kind.name, face] < teach.ENOUGH:
                    click.echo(f"  one picture more of {face} is needed: it is asked for again")
                    self.steps.append((kind, face))
        return True

    def _counts(self) -> Counter[tuple[str, str]]:
        """How many samples there are of each face of each die."""
        from vision import teach

        return Counter((one.die, one.face) for one in teach.samples(self.dice_set))

    def _learn_face(self, kind: DieKind, face: str) -> list[Sample] | None:
        """What was learnt of the face; None where it has to be laid again, which is said."""
        from vision import teach
        from vision.settle import is_same_scene

        seen = tried(self.camera, self.view, self.dice_set)
        if seen is None:
            return None
        reading, image = seen
        if self.last is not None and is_same_scene(self.last, image):
            click.echo("  nothing has moved since the face before: nothing kept")
            return None
        if not reading.dice:
            click.echo("  no die seen: nothing kept")
            return None
        most = sum(supply.count or len(reading.dice) for supply in kind.supply)
        if len(reading.dice) > most:
            click.echo(
                f"  {len(reading.dice)} dice seen, but there are {most}: take out the rest; nothing kept"
            )
            return None
        self.last = image
        is_taught = kind.name in teach.complete(self.dice_set)  # else no reading of it is sure
        colours = self._colours(kind, reading.dice, image)
        known = teach.changed(self.dice_set)
        kept = [  # whatever they look like to a reader untaught
            self._keep(image, die, kind, colour, face)
            for die, colour in zip(reading.dice, colours, strict=True)
        ]
        counts = Counter(colour for colour in colours if colour is not None)
        told = ", ".join(f"{count} {colour}" for colour, count in counts.items())
        click.echo(f"  {counted(len(kept), 'die', 'dice')} seen and kept{': ' if told else ''}{told}")
        looks = [(die.die, die.face) for die in reading.dice if die.sure]
        for (other, shown), count in Counter(looks).items():
            if (other, shown) != (kind.name, face):
                click.echo(
                    f"  {count} of them read as {other} {shown}: if that is right, u takes the face back"
                )
        for other in [] if is_taught else self._alike(kind, face):
            click.echo(f"  they look like {other} did: if that is right, u takes the face back")
        return [sample for sample in kept if sample.file not in known]

    def _alike(self, kind: DieKind, face: str) -> list[str]:
        """Faces that the samples do not tell from this one."""
        from vision import teach

        pairs = [{one.face, one.said} for one in teach.confusions(self.dice_set) if one.die == kind.name]
        return list(dict.fromkeys(other for pair in pairs if face in pair for other in pair - {face}))

    def _take_back(self) -> None:
        """Forget what the last step taught, and the step that it led to."""
        from vision import teach

        end, samples = self.kept.pop() if self.kept else (len(self.steps), [])
        del self.steps[end:]
        self.last = None
        for sample in dict.fromkeys(samples):  # the same picture twice is one sample
            teach.remove(sample)
        click.echo(f"  {counted(len(samples), 'sample')} taken back")

    def _colours(self, kind: DieKind, dice: Sequence[Die], image: Image) -> list[str | None]:
        """The colours of dice: as read, if the set has as many of them, else as the person says."""
        if len(kind.colours) < 2:
            return [next(iter(kind.colours), None)] * len(dice)
        most = {supply.colour: supply.count or len(dice) for supply in kind.supply}

        def may_be(seen: Sequence[str | None]) -> bool:
            return all(colour in most and count <= most[colour] for colour, count in Counter(seen).items())

        read = [die.colour for die in dice]
        if may_be(read):
            return read
        like = [die.colour or looks_like(kind, die, image) for die in dice]
        if len(dice) > 1 and may_be(like):
            words = ", ".join(f"{placed(die, image)} {one}" for die, one in zip(dice, like, strict=True))
            if not (said := ask(f"  {words}: Enter if right, else n")):
                return like
            if said == STOP:
                raise click.Abort
        return [self._colour(kind, die, image, one) for die, one in zip(dice, like, strict=True)]

    def _colour(self, kind: DieKind, die: Die, image: Image, like: str | None) -> str:
        """The colour of a die as the person says; Enter if it is the one that it looks like."""
        show(die, image)
        return chosen(f"  the die {placed(die, image)}: which colour?", kind.colours, like)

    def _throws(self) -> bool:
        """False at the end, True if the last face is to be taken back."""
        while (said := thrown(TAKE_BACK)) != STOP:
            if said == TAKE_BACK:
                return True
            seen = tried(self.camera, self.view, self.dice_set)
            if seen is None:
                continue
            reading, image = seen
            if not reading.dice:
                click.echo("  no die seen")
                continue
            for number, die in enumerate(reading.dice, start=1):
                click.echo(f"  {number}. {in_words(die)}, {placed(die, image)}")
            answer = ask("  Enter if right, else such as 2=star or 2=red")
            if answer == STOP:
                return False
            right: dict[int, list[str]] = {}
            for number, word in corrections(answer, len(reading.dice)):
                right.setdefault(number, []).append(word)
            for number, words in right.items():
                self._correct(image, reading.dice[number - 1], words)
        return False

    def _correct(self, image: Image, die: Die, said: Sequence[str]) -> None:
        """Keep a die as a sample of the face that a person names, or of the colour, or of both."""
        known = self.dice_set.kinds
        told = [word for word in said if any(word in kind.colours for kind in known)]
        colour = next(reversed(told), None)
        face = next((word for word in reversed(said) if word not in told), die.face)
        if face is None:
            click.echo(f"  {colour}: no face was read there, write it too")
            return
        kinds = [kind for kind in known if face in kind.faces and colour in (None, *kind.colours)]
        if not kinds:
            click.echo(f"  no die here has a face or colour {' and '.join(said)!r}")
            return
        read = next((kind for kind in kinds if kind.name == die.die), None)
        kind = read or self._kind(kinds, die, image)
        if face != die.face:
            self.confused[die.face or "nothing", face] += 1
        (colour,) = [colour] if colour is not None else self._colours(kind, [die], image)
        self._keep(image, die, kind, colour, face)

    def _kind(self, kinds: Sequence[DieKind], die: Die, image: Image) -> DieKind:
        """Which of several kinds a die is that was taken for none of them."""
        if len(kinds) == 1:
            return kinds[0]
        show(die, image)
        names = [kind.name for kind in kinds]
        return kinds[names.index(chosen(f"  the die {placed(die, image)}: which die?", names))]

    def _keep(self, image: Image, die: Die, kind: DieKind, colour: str | None, face: str) -> Sample:
        from vision import sets, teach

        def keep(home: Path) -> Sample:
            folder = sets.folder_of(self.dice_set.name, home)
            return teach.keep(image, die.bbox, kind.name, colour, face, set_folder=folder)

        if self.replace:
            with teach.anew(self.dice_set.name, self.home) as room:
                keep(room)
                sets.save(self.dice_set, room)
            self.dice_set = sets.save(self.dice_set, self.home)
            self.replace = False
        return keep(self.home)

    def _report(self) -> None:
        tell(self.dice_set)
        tell_confused(self.dice_set)
        for (read, face), count in self.confused.most_common():
            click.echo(f"  {face} was read as {read}: {counted(count, 'time')}")


def looks_like(kind: DieKind, die: Die, image: Image) -> str | None:
    """The colour of its kind that a die is nearest to; None where one has no common name."""
    from vision import colours

    return colours.nearest(colours.tone(image, die.bbox), colours.named(kind.colours))[0]


def show(die: Die, image: Image) -> None:
    """The die as a picture, where there is a terminal to see it."""
    if not draws(sys.stdout):
        return
    from vision import teach
    from vision.focus import half_blocks

    click.echo("\n".join(half_blocks(teach.cut(image, die.bbox), DIE_COLUMNS)))


def ask(text: str) -> str:
    """What the person types, a key in small; the end of the input means stop, and so does none."""
    try:
        said: str = click.prompt(text, default="", show_default=False, prompt_suffix=": ").strip()
    except (click.Abort, RuntimeError):  # the latter where standard input or output is closed
        return STOP
    return said.lower() if said.lower() in (STOP, SKIP, TAKE_BACK) else said


def thrown(*keys: str) -> str:
    """Empty once the dice are thrown, else the key that was typed; other words would be lost unsaid."""
    while (said := ask("throw the dice, then Enter (q ends)")) not in ("", STOP, *keys):
        click.echo(f"  {said!r}: nothing done; it is asked for after a throw is read")
    return said


def chosen(text: str, words: Sequence[str], default: str | None = None) -> str:
    """One of these words as the person says; `click.Abort` for the key that ends, or the end of the input."""
    said: str = click.prompt(text, type=click.Choice([*words, STOP]), default=default)
    if said == STOP:
        raise click.Abort
    return said


def corrections(said: str, count: int) -> Iterator[tuple[int, str]]:
    """`2=star 3=tool` as places and faces; what can't be meant is said and left out."""
    for word in said.split():
        place, _, face = word.partition("=")
        if place in map(str, range(1, count + 1)) and face:
            yield int(place), face
        else:
            click.echo(f"  {word!r}: write it as PLACE=FACE, the place from 1 to {count}")


def in_words(die: Die) -> str:
    """`red star`, or `red star?` where the reader can't vouch for it."""
    name = " ".join(word for word in (die.colour, die.face or "no face") if word)
    return name if die.sure else f"{name}?"
