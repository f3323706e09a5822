"""The pad's own OLED: an SSD1306 on I2C, 21 columns of box6x8.hex, the font of the box itself.

It need not stay there: while it doesn't answer it is tried again each second. One that lost its power for
a moment answers all the while and shows nothing, so it is initialised anew each minute too.
"""

INIT = b"\xae\xd5\x80\xa8\x3f\xd3\x00\x40\x8d\x14\x20\x00\xa1\xc8\xda\x12\x81\xcf\xd9\xf1\xdb\x40\xa4\xa6\xaf"
WIDTH = 128
ROWS = 8
RETRY = 1000
RENEW = 60000


class Oled:
    """Shows rows of (style, text), one changed row at a time, so that no key press is missed meanwhile."""

    def __init__(self, i2c, address=0x3C, font="box6x8.hex"):
        self._i2c = i2c
        self._address = address
        self._columns = {}
        with open(font) as table:  # noqa: PTH123  # MicroPython has no pathlib
            for line in table:
                if not line.startswith("#"):
                    code, rows = line.strip().split(":")
                    self._columns[chr(int(code, 16))] = _columns(bytes.fromhex(rows))
        self._start(0)

    def _start(self, now):
        self._command(INIT)
        self._answers, self._start_at = True, now + RENEW
        self._shown = [None] * ROWS

    def _command(self, content):
        self._i2c.writeto(self._address, b"\x00" + content)

    def show_one(self, rows, now):
        """Send the first row that differs from what stands on the glass; without a panel, nothing."""
        try:
            if now >= self._start_at:
                self._start(now)
            if self._answers:
                self._send_one(rows)
        except OSError:
            self._answers, self._start_at = False, now + RETRY

    def _send_one(self, rows):
        for number, row in enumerate(rows):
            if row != self._shown[number]:
                self._command(bytes([0x21, 0, WIDTH - 1, 0x22, number, number]))
                self._i2c.writeto(self._address, b"\x40" + self._page(*row))
                self._shown[number] = row
                return

    def _page(self, style, text):
        page = bytearray(WIDTH)
        blank = self._columns[" "]
        for place, character in enumerate(text):
            page[1 + place * 6 : 7 + place * 6] = self._columns.get(character, blank)
        if style in ("title", "selected"):
            page = bytearray(byte ^ 0xFF for byte in page)
        return page


def _columns(rows):
    """A glyph's rows as six bytes, one a column, the top pixel lowest."""
    return bytes(sum((rows[y] >> (7 - x) & 1) << y for y in range(8)) for x in range(6))
