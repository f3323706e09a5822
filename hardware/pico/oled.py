"""The pad's own OLED: an SSD1306 on I2C, 21 columns of box6x8.hex, the font of the box itself.

It need not stay there, nor be there at the start: while it doesn't answer it is tried again each second.
One that lost its power for a moment answers all the while and shows nothing, so it is initialised anew each
minute too. Where nobody acts it dims and goes dark, as the box's own does.
"""

INIT = b"\xae\xd5\x80\xa8\x3f\xd3\x00\x40\x8d\x14\x20\x00\xa1\xc8\xda\x12\xd9\xf1\xdb\x40\xa4\xa6"
OFF, ON, CONTRAST = 0xAE, 0xAF, 0x81
BRIGHT, DIM, DARK = 0xCF, 0x10, -1
WIDTH = 128
ROWS = 8
RETRY = 1000
RENEW = 60000
DIM_AFTER = 120000
DARK_AFTER = 1800000


class Oled:
    """Shows rows of (style, text), one changed row at a time, so that no key press is missed meanwhile.

    `found` says whether it has answered since the pad's start.
    """

    def __init__(self, i2c, address=0x3C, font="box6x8.hex"):
        self._i2c = i2c
        self._address = address
        self._columns = {}
        with open(font) as table:  # noqa: PTH123  # MicroPython has no pathlib
            for line in table:
                if not line.startswith("#"):
                    code, rows = line.strip().split(":")
                    self._columns[chr(int(code, 16))] = _columns(bytes.fromhex(rows))
        self._level = BRIGHT
        self._woken = 0
        self._body = []
        self._shown = [None] * ROWS
        self.found = False
        try:
            self._start(0)
        except OSError:
            self._lose(0)

    def wake(self, now):
        """Somebody is there: be bright. False if it was dark: nobody could see what was asked.

        Also where it came loose meanwhile: the box takes it for lit.
        """
        self._woken = now
        return self._level != DARK

    def _start(self, now):
        self._command(INIT + bytes([CONTRAST, self._level, ON]))
        self._answers, self._start_at = True, now + RENEW
        self._shown = [None] * ROWS
        self.found = True

    def _lose(self, now):
        self._answers, self._start_at = False, now + RETRY

    def _command(self, content):
        self._i2c.writeto(self._address, b"\x00" + content)

    def show_one(self, rows, now):
        """Send the first row that differs from what stands on the glass; without a panel, nothing.

        A title or foot that goes by in parts does not light it.
        """
        if rows[1:-1] != self._body or not self.found:
            self._body = rows[1:-1]
            self.wake(now)
        try:
            self._light(now)
            if self._answers and self._level != DARK:
                self._send_one(rows)
        except OSError:
            self._lose(now)

    def _light(self, now):
        before, idle = self._level, now - self._woken
        self._level = DARK if idle >= DARK_AFTER else DIM if idle >= DIM_AFTER else BRIGHT
        if self._level == DARK:
            if before != DARK:
                self._command(bytes([OFF]))
        elif before == DARK or now >= self._start_at:
            self._start(now)
        elif before != self._level and self._answers:
            self._command(bytes([CONTRAST, self._level]))

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
