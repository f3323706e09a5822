"""Views for chance: dice that were rolled and cards that came up, entered or as a reader saw them.

The dice of a roll stand in one row. Up turns the die under the cursor to its next face and down to the one
before, OK goes to the next one, and OK after the last hands them in: n dice of which none needs turning are
n + 1 presses. The next die of a kind starts at the face of the one before it, so that alike dice, said in
the order of their faces, need few turns; cards are named from where the bar stands.
Of a roll that was read, OK at the last doubtful die hands it in; with none, one OK does.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from companion.engine.asks import Draw, Option, Roll
from companion.screens.intents import MORE, STEPS, Button
from companion.screens.screen import Style, wrapped
from companion.screens.views import Line, moved, option_lines, text_lines

READY = "OK: take these"


def by_place(faces: Sequence[str]) -> dict[str, str]:
    """The faces by their places from 1 as they may be typed; none where faces are digits themselves."""
    named = not any(face.isdecimal() for face in faces)
    return {str(at): face for at, face in enumerate(faces, start=1)} if named else {}


class RollView:
    """Dice one after the other; what a reader saw for sure needs no press of its own."""

    def __init__(self, question: Roll, kept: Sequence[str] = ()) -> None:
        self.question = question
        self._dice = question.each
        self._kept = list(kept)
        self._faces: list[str | None] = [*kept] if kept else [None] * len(self._dice)
        self._read: list[str | None] = [None] * len(self._dice)
        self._unsure: Sequence[int] = ()
        self._others: Sequence[Sequence[str | None]] = ()
        self._at = len(self._dice) if kept else 0

    @property
    def at(self) -> int | None:
        """The place of the die under the cursor; None when all have been said."""
        return self._at if self._at < len(self._dice) else None

    def offer(
        self,
        faces: Sequence[str | None],
        unsure: Sequence[int],
        others: Sequence[Sequence[str | None]] = (),
    ) -> None:
        """Show what a reader saw; the cursor stands on the first die that it is unsure of.

        `others` are, die by die, the faces of dice that may be meant instead.
        """
        self._faces = list(faces)
        self._read = list(faces)
        self._at = unsure[0] if unsure else len(self._dice)
        self._unsure = unsure
        self._others = others

    def lines(self, columns: int) -> list[Line]:
        lines = text_lines(self.question, columns)
        lines += [Line(f" stays {die.words}"[:columns]) for die in self.question.locked]
        return lines + self.so_far(columns)

    def so_far(self, columns: int) -> list[Line]:
        """The dice as they stand, and what OK takes."""
        dice = " ".join(map(self._token, range(len(self._dice))))
        lines = [Line(text) for text in wrapped(dice, columns)]
        for faces in dict.fromkeys(tuple(faces) for faces in self._others if faces):
            others = " ".join(face or "-" for face in faces)
            lines += [Line(text) for text in wrapped(f"others: {others}", columns)]
        return [*lines, Line(self._now()[:columns].ljust(columns), Style.BAR, focus=True)]

    def _token(self, place: int) -> str:
        face = self._faces[place] or "-"
        return f"[{face}]" if place == self._at else face

    def _now(self) -> str:
        """The die under the cursor with the face that OK would take."""
        if self._at == len(self._dice):
            return READY
        return f"{self._at + 1}/{len(self._dice)} {self._dice[self._at].name}: {self._face()}"

    def _face(self) -> str:
        """What the die under the cursor stands at: until it is said, at the face of one like it before it."""
        dice = self._dice[self._at]
        goes_on = self._at and self._dice[self._at - 1] == dice and not any(self._read)
        before = self._faces[self._at - 1] if goes_on else None
        return self._faces[self._at] or before or dice.faces[0]

    def press(self, button: Button) -> object | None:
        if self._at == len(self._dice):
            if button is Button.OK:
                return self._answer()
            self._at = len(self._dice) - 1 if STEPS.get(button) == -1 else 0
            return None
        if button is not Button.OK:
            self._turn(button)
            return None
        self._accept()
        is_read = bool(self._unsure) and None not in self._read and not any(self._others)
        return self._answer() if is_read and self._at == len(self._dice) else None

    def _answer(self) -> list[str]:
        return [face for face in self._faces if face is not None]

    def say(self, key: str) -> bool:
        """Name the face of the die under the cursor by a key; False for a key that names none.

        Where the dice stand as they were kept, it begins the roll anew: they are to be put right.
        """
        is_over = self._at == len(self._dice)
        if is_over and self._faces != self._kept:
            return False
        at = 0 if is_over else self._at
        faces = self._dice[at].faces
        face = by_place(faces).get(key, key)
        if face not in faces:
            return False
        if is_over:
            self._faces = [None] * len(self._dice)
        self._at, self._faces[at] = at, face
        self._accept()
        return True

    def _accept(self) -> None:
        self._faces[self._at] = self._face()
        self._at = next(
            (place for place in range(self._at + 1, len(self._dice)) if self._needs(place)), len(self._dice)
        )

    def _needs(self, place: int) -> bool:
        return self._faces[place] is None or place in self._unsure

    def _turn(self, button: Button) -> None:
        faces = self._in_turn(self._at)
        place = faces.index(self._face()) + MORE.get(button, 0)
        self._faces[self._at] = faces[place % len(faces)]

    def _in_turn(self, place: int) -> Sequence[str]:
        """The faces as up goes through them: first those that lie in the tray, where more do."""
        lying = self._others[place] if self._others else ()
        if not lying:
            return self._dice[place].faces
        faces = (self._read[place], *lying, *self._dice[place].faces)
        return tuple(dict.fromkeys(face for face in faces if face))

    def back(self) -> bool:
        if self._at == 0:
            return False
        self._at -= 1
        return True


class DrawView:
    """Cards that came up, one after the other."""

    def __init__(self, question: Draw, kept: Sequence[str] = ()) -> None:
        self.question = question
        self._kept = list(kept)
        self._cards = list(kept)
        self._at = 0

    def lines(self, columns: int) -> list[Line]:
        lines = text_lines(self.question, columns)
        labels = {option.id: option.label for option in self.question.options}
        for card in self._cards:  # told from those that may still come
            named = wrapped(labels[card], columns - 1)
            lines += [Line(f"{mark}{text}") for mark, text in zip_longest("+", named, fillvalue=" ")]
        if self._complete:
            return [*lines, Line(READY, Style.BAR, focus=True)]
        options = self._left
        return lines + option_lines(options, self._at, columns, [" "] * len(options))

    @property
    def at(self) -> int | None:
        """The place of the card under the bar among all that may come; None when all have been named."""
        left = () if self._complete else self._left
        return self.question.options.index(left[self._at]) if left else None

    @property
    def picked(self) -> Sequence[str]:
        """The ids of what has been named, one for each that came up."""
        return tuple(self._cards)

    @property
    def _complete(self) -> bool:
        return len(self._cards) == self.question.count

    @property
    def _left(self) -> tuple[Option, ...]:
        return tuple(
            option
            for option in self.question.options
            if self._cards.count(option.id) < (option.copies or self.question.count)
        )

    def press(self, button: Button) -> object | None:
        if self._complete:
            return list(self._cards) if button is Button.OK else None
        if button is not Button.OK:
            self._at = moved(self._at, button, len(self._left))
            return None
        self._cards.append(self._left[self._at].id)
        self._at = moved(self._at, button, len(self._left))  # round the end where it was the last one
        return list(self._cards) if self.question.count == 1 else None

    def say(self, key: str) -> bool:
        """Name the next card by its place from 1 among all that may come; kept ones give way to it."""
        options, place = self.question.options, int(key) - 1
        if self._cards == self._kept and 0 <= place < len(options):
            self._cards = []
        if self._complete or not 0 <= place < len(options) or options[place] not in self._left:
            return False
        self._cards.append(options[place].id)
        self._at = moved(self._at, Button.OK, len(self._left))
        return True

    def back(self) -> bool:
        if not self._cards:
            return False
        card = self._cards.pop()
        self._at = [option.id for option in self._left].index(card)
        return True
