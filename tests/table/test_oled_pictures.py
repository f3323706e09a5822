"""Every kind of screen as the OLED shows it, through luma's own dummy device, against pictures kept here.

UPDATE_PICTURES=1 draws them anew; look at them before they are committed.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.importorskip("luma.core")
from luma.core.device import dummy  # after the skip
from PIL import Image, ImageChops

from companion.engine.asks import AnyAsk, Choose, Dice, Draw, Number, Option, Pick, Roll, Show
from companion.screens.console import Console
from companion.screens.intents import Button
from companion.screens.screen import WayIn
from companion.table.emulator import text_rows
from companion.table.menu import OneQuestion
from companion.table.oled_front import OledDisplay, panel_screen
from hardware.display import Display, Habits
from hardware.drawing import Screen, draw, splash

PICTURES = Path(__file__).parent / "pictures"
SCALE = 2
D6 = tuple("123456")
WAYS = tuple(Option(f"move:{n}", f"Move {n}", f"to space {n}") for n in range(1, 9))
CARDS = (Option("A", "A Rifle Squad"), Option("B", "B Light Tank"), Option("C", "C Mortar"))
LONG = "The enemy on 3 fires at your Rifle Squad: two hits, one stopped by the sandbag. " * 3

ASKS: dict[str, AnyAsk] = {
    "show": Show("t.show", "Turn 4 begins"),
    "show-long": Show("t.long", LONG),
    "choose": Choose("t.choose", "Where does the pawn go?", options=WAYS),
    "pick": Pick("t.pick", "Which dice stay?", options=CARDS, least=1, most=2),
    "number": Number("t.number", "Health left?", least=0, most=12),
    "roll": Roll(
        "t.roll", "Roll the enemy's dice", dice=(Dice("d6", 3, D6, "red"), Dice("d10", 1, D6, "black"))
    ),
    "draw": Draw("t.draw", "Which card came up?", deck="enemy", options=CARDS),
}
PRESSES: dict[str, tuple[Button, ...]] = {
    "show-long": (Button.DOWN,),
    "choose": (Button.DOWN,) * 5,
    "pick": (Button.OK,),
    "number": (Button.UP,) * 3,
    "roll": (Button.DOWN, Button.OK),
}
OVER = {"why": Button.WHY, "menu": Button.MENU}


def console(name: str) -> Console:
    made = Console(OneQuestion(ASKS[name], "Okinawa, turn 4", "camera dice, saved"), power=True)
    for button in PRESSES.get(name, ()):
        made.press(button)
    return made


def on_luma(picture: Image.Image) -> Image.Image:
    """What a luma device of the picture's size shows."""
    device = dummy(*picture.size, mode="1")
    device.display(picture)
    return device.image


def check(name: str, picture: Image.Image) -> None:
    shown = on_luma(picture)
    path = PICTURES / f"{name}.png"
    if os.environ.get("UPDATE_PICTURES"):
        PICTURES.mkdir(exist_ok=True)
        shown.resize((shown.width * SCALE, shown.height * SCALE)).save(path)
    with Image.open(path) as kept:
        small = kept.convert("1").resize(shown.size, Image.Resampling.NEAREST)
    assert ImageChops.logical_xor(shown, small).getbbox() is None, f"{name} looks otherwise than {path}"


@pytest.mark.parametrize("name", ASKS)
def test_each_kind_of_ask(name: str) -> None:
    check(name, draw(panel_screen(console(name).screen()), (128, 64)))


@pytest.mark.parametrize("name", OVER)
def test_what_lies_over_an_ask(name: str) -> None:
    made = console("choose")
    made.press(OVER[name])
    check(name, draw(panel_screen(made.screen()), (128, 64)))


@pytest.mark.parametrize(("name", "size"), [("ssd1327", (128, 128)), ("ssd1322", (256, 64))])
def test_larger_panels(name: str, size: tuple[int, int]) -> None:
    check(name, draw(panel_screen(console("choose").screen()), size))


def phones(link: str) -> Console:
    """The menu's page for phones."""
    sight = OneQuestion(ASKS["choose"], "Okinawa, turn 4", "saved")
    sight.phones = WayIn(("Page 192.168.178.123:8080", "code 409271"), link)
    made = Console(sight)
    made.press(Button.MENU)
    for button in (Button.DOWN, Button.DOWN, Button.OK):
        made.press(button)
    return made


def test_the_page_for_phones_has_a_code_to_be_scanned_beside_its_words() -> None:
    check(
        "phones",
        draw(panel_screen(phones("http://192.168.178.123:8080/pair?code=409271").screen()), (128, 64)),
    )


@pytest.mark.parametrize("size", [(128, 64), (128, 128), (256, 64)])
@pytest.mark.parametrize("shift", [(0, 0), (1, 1)])
@pytest.mark.parametrize("host", ["10.0.0.3:8080", "255.255.255.255:65535"])
def test_what_a_phone_scans_is_the_link(host: str, shift: tuple[int, int], size: tuple[int, int]) -> None:
    cv2, np = pytest.importorskip("cv2"), pytest.importorskip("numpy")
    link = f"http://{host}/pair?code=409271"
    picture = draw(panel_screen(phones(link).screen()), size, shift)
    grey = np.array(picture.convert("L").resize((size[0] * 4, size[1] * 4)))
    assert cv2.QRCodeDetector().detectAndDecode(grey)[0] == link


def test_the_code_is_gone_with_its_page() -> None:
    made = phones("http://10.0.0.3:8080/pair?code=409271")
    assert panel_screen(made.screen()).code
    made.press(Button.OK)
    assert not panel_screen(made.screen()).code
    made.press(Button.WHY)
    assert not panel_screen(made.screen()).code


@pytest.mark.parametrize(
    ("name", "headline", "lines"),
    [
        ("start", "COMPANION", ("", "one moment")),
        ("safe-mode", "SAFE MODE", ("GPIO13 is taken", "", "restart to try")),
        ("shut-down", "GOOD NIGHT", ("saved", "unplug when the", "green light is off")),
    ],
)
def test_start_safe_mode_and_shutdown(name: str, headline: str, lines: tuple[str, ...]) -> None:
    check(name, splash(headline, lines, (128, 64)))


@pytest.mark.parametrize(
    ("columns", "lines", "width", "height"),
    [(140, 40, 128, 32), (140, 28, 64, 16), (80, 22, 64, 16), (60, 18, 60, 16)],
)
def test_the_emulated_panel_fits_a_terminal(columns: int, lines: int, width: int, height: int) -> None:
    rows = text_rows(draw(panel_screen(console("choose").screen()), (128, 64)), columns, lines)
    assert (len(rows), {len(row) for row in rows}) == (height, {width})


def test_the_emulated_panel_shows_every_pixel() -> None:
    picture = draw(panel_screen(console("roll").screen()), (128, 64))
    braille = "".join(text_rows(picture, 80, 24))
    assert sum((ord(cell) - 0x2800).bit_count() for cell in braille) == sum(picture.histogram()[1:])


class Glass:
    """A panel that knows how bright it is, under a display that is told the time."""

    size = (128, 64)

    def __init__(self) -> None:
        self.level = 0
        self.now = 0.0
        self._display = Display(lambda: self, Habits(bright=200, dim=10, dim_after=120))

    def show(self, screen: Screen) -> None:
        self._display.show(screen, self.now)

    def turn(self, screen: Screen) -> None:
        self._display.turn(screen, self.now)

    def contrast(self, level: int) -> None:
        self.level = level

    def display(self, image: Image.Image) -> None:
        self.newest = image

    def answers(self) -> bool:
        return True

    is_back = answers

    def close(self) -> None:
        """It holds nothing."""

    def restart(self) -> None:
        """It needs none."""


def test_a_foot_that_goes_by_in_parts_does_not_keep_the_display_bright() -> None:
    glass, sight = (
        Glass(),
        OneQuestion(ASKS["choose"], "Okinawa", "Not found: pad (companion doctor says more)"),
    )
    shown, oled, pictures = Console(sight), OledDisplay(glass), set()  # as a thread
    for second in range(125):
        glass.now = float(second)
        shown.tick()
        oled.draw(shown)
        pictures.add(glass.newest.tobytes())
    assert len(pictures) > 3
    assert glass.level == 10
    shown.press(Button.DOWN)
    oled.draw(shown)
    assert glass.level == 200
