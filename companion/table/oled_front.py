"""The OLED as a display of the table: the console's screen, drawn on a panel or on a picture of one."""

from __future__ import annotations

from functools import lru_cache

from companion.screens.console import Console
from companion.screens.screen import Screen, Style, wrapped
from hardware import drawing
from hardware.display import DisplayThread


def panel_screen(screen: Screen) -> drawing.Screen:
    """A console's screen as the rows of a panel: title above, foot in the last row; a link as a QR code."""
    if screen.link:
        return _with_code(screen)
    rows = [drawing.Row(screen.title, drawing.Style.TITLE)]
    for row in screen.rows:
        style = drawing.Style.SELECTED if row.style is Style.BAR else drawing.Style.PLAIN
        rows.append(drawing.Row(row.text, style))
    rows += [drawing.Row("")] * (drawing.ROWS - 1 - len(rows))
    rows.append(drawing.Row(screen.foot, drawing.Style.FOOTER))
    return drawing.Screen(tuple(rows), scroll_of(screen))


def _with_code(screen: Screen) -> drawing.Screen:
    """The words below each other, beside the code: they are few, and no foot has room there."""
    words = " ".join(row.text for row in screen.rows if row.style is Style.TEXT).split()
    parts = [part for word in words for part in wrapped(word, drawing.BESIDE_CODE)]
    rows = [*map(drawing.Row, parts), drawing.Row("OK", drawing.Style.SELECTED)]
    return drawing.Screen(tuple(rows), code=_modules(screen.link))


@lru_cache(maxsize=1)
def _modules(link: str) -> tuple[bytes, ...]:
    """The link's QR code, made once: its page is handed over anew at every turn of its foot."""
    import segno

    return tuple(map(bytes, segno.make_qr(link).matrix))


def scroll_of(screen: Screen) -> drawing.Scroll | None:
    """The mark at the edge: there is more above, below, or both."""
    if not (screen.above or screen.below):
        return None
    shown = drawing.ROWS - 2
    hidden = shown // 2
    return drawing.Scroll(hidden * screen.above, shown, shown + hidden * (screen.above + screen.below))


class OledDisplay:
    """Shows the console on a display's own thread; a screen that did not change is not handed over."""

    def __init__(self, thread: DisplayThread) -> None:
        self._thread = thread
        self._shown: Screen | None = None

    def draw(self, console: Console) -> None:
        """Show it as it is now; a title or foot that goes by in parts does not light the display."""
        before, screen = self._shown, console.screen()
        if screen == before:
            return
        self._shown = screen
        if before is not None and screen.rows == before.rows:
            self._thread.turn(panel_screen(screen))
        else:
            self._thread.show(panel_screen(screen))
