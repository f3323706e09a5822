"""Bitmap fonts for small panels, read from the .hex tables beside this file."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

from hardware.errors import HardwareError

if TYPE_CHECKING:
    from PIL.Image import Image

REPLACEMENT: Final = "\ufffd"

PLAIN: Final = str.maketrans("▲▼←→✓✗•♥×·–—…‘’“”", "^v<>y-**x.---''\"\"")  # noqa: RUF001  # what a font or a line may lack


class Font:
    """Glyphs of one size: `width` and `height` are a character cell's, in pixels."""

    def __init__(self, table: str) -> None:
        self._rows: dict[str, bytes] = {}
        self._glyphs: dict[str, Image] = {}
        for line in table.splitlines():
            if line.startswith("#"):
                continue
            code, _, rows = line.partition(":")
            self._rows[chr(int(code, 16))] = bytes.fromhex(rows)
        size = table.split("\n", 1)[0].removeprefix("#").strip()
        self.width, self.height = (int(part) for part in size.split("x"))

    def __contains__(self, character: str) -> bool:
        return character in self._rows

    def glyph(self, character: str) -> "Image":
        """One character as a 1-bit picture of `width` x `height`; something like it if there is none."""
        if character not in self._glyphs:
            from PIL import Image

            cell = Image.frombytes("1", (8, self.height), self._rows[self._like(character)])
            self._glyphs[character] = cell.crop((0, 0, self.width, self.height))
        return self._glyphs[character]

    def _like(self, character: str) -> str:
        """What stands for a character: where the font lacks it, the letter without its marks, as on the pad.

        A box with a cross stands for one that nothing is like.
        """
        likes = (character, character.translate(PLAIN), normalize("NFD", character)[0], REPLACEMENT)
        return next((like for like in likes if like in self._rows), "?")


@cache
def load(name: str) -> Font:
    """The font of that name: box6x8, spleen6x12 or spleen8x16.

    Raises HardwareError if there is none.
    """
    table = Path(__file__).parent / "fonts" / f"{name}.hex"
    if not table.is_file():
        raise HardwareError(f"no font {name!r} in hardware/fonts")
    return Font(table.read_text(encoding="ascii"))
