"""Fake devices at the lowest level that Python sees: an I2C bus that counts, refuses and forgets."""

from __future__ import annotations

import errno
from typing import ClassVar, Self


class Message:
    """smbus2.i2c_msg, as far as luma uses it."""

    def __init__(self, address: int, content: list[int]) -> None:
        self.address = address
        self.content = content

    @classmethod
    def write(cls, address: int, content: list[int]) -> Message:
        return cls(address, list(content))


class Ssd1306Memory:
    """An SSD1306's or SH1106's memory and the commands that address it (datasheets, chapter 10)."""

    ARGUMENTS: ClassVar = {
        0x21: 2,
        0x22: 2,
        0x20: 1,
        0x81: 1,
        0x8D: 1,
        0xA8: 1,
        0xD3: 1,
        0xD5: 1,
        0xD9: 1,
        0xDA: 1,
        0xDB: 1,
    }

    def __init__(self, paged: bool = False) -> None:
        self.paged = paged
        self.power_cycle()

    def power_cycle(self) -> None:
        self.on = False
        self.contrast = 0x7F
        self.memory = [bytearray(b"\x55" * 132) for _ in range(8)]
        self.columns, self.pages = (0, 127), (0, 7)
        self.column = self.page = 0
        self.ready = False

    def command(self, content: list[int]) -> None:
        stream = iter(content)
        for code in stream:
            wanted = 0 if self.paged and code in (0x20, 0x21, 0x22) else self.ARGUMENTS.get(code, 0)
            self._one(code, [next(stream) for _ in range(wanted)])

    def _one(self, code: int, arguments: list[int]) -> None:
        if code in (0xAE, 0xAF):
            self.on = code == 0xAF
        elif code == 0x81:
            self.contrast = arguments[0]
        elif code == 0x8D:
            self.ready = True
        elif code == 0x21:
            assert arguments[0] <= arguments[1] < 128
            self.columns = (arguments[0], arguments[1])
            self.column = arguments[0]
        elif code == 0x22:
            self.pages = (arguments[0], arguments[1])
            self.page = arguments[0]
        elif self.paged and 0xB0 <= code <= 0xB7:
            self.page = code & 7
        elif self.paged and code <= 0x0F:
            self.column = self.column & 0xF0 | code
        elif self.paged and 0x10 <= code <= 0x1F:
            self.column = self.column & 0x0F | (code & 0x0F) << 4

    def data(self, content: list[int]) -> None:
        for byte in content:
            self.memory[self.page][self.column] = byte
            self.column += 1
            if not self.paged and self.column > self.columns[1]:
                self.column = self.columns[0]
                self.page = self.pages[0] if self.page == self.pages[1] else self.page + 1

    def pixel(self, x: int, y: int) -> bool:
        return bool(self.memory[y // 8][x + (2 if self.paged else 0)] >> (y % 8) & 1)


class Bus:
    """One I2C bus with at most one panel: counts bytes, can be cut, cut after n transfers, or absent."""

    def __init__(self) -> None:
        self.panel: Ssd1306Memory | None = None
        self.address = 0x3C
        self.bytes = 0
        self.transfers = 0
        self.cut_after: int | None = None
        self.error = errno.EREMOTEIO
        self.open_error: OSError | None = None
        self.opened = 0

    def smbus(self, port: int) -> Bus:
        if self.open_error is not None:
            raise self.open_error
        self.opened += 1
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self.opened -= 1

    def _transfer(self, address: int, length: int) -> Ssd1306Memory:
        if self.cut_after is not None and self.transfers >= self.cut_after:
            self.panel = None
        if self.panel is None or address != self.address:
            raise OSError(self.error, "no acknowledgement")
        self.transfers += 1
        self.bytes += 1 + length
        return self.panel

    def write_i2c_block_data(self, address: int, register: int, content: list[int]) -> None:
        panel = self._transfer(address, 1 + len(content))
        if register == 0x00:
            panel.command(content)
        else:
            panel.data(content)

    def read_byte_data(self, address: int, register: int) -> int:
        return 0x48 if self._transfer(address, 2).paged else 0x46

    def i2c_rdwr(self, message: Message) -> None:
        self._transfer(message.address, len(message.content)).data(message.content[1:])
