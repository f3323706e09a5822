"""The Pico's machine module for a host: pins are a file of pressed pin numbers, I2C a file of transfers."""

import os

FOLDER = os.getenv("PAD_FOLDER")


def unique_id():
    return b"\xe6\x60\x01"


class Pin:
    IN = PULL_UP = 1
    PULL_DOWN = 2

    def __init__(self, number, mode=0, pull=0):
        self._number, self._pull = number, pull

    def value(self):
        if self._pull == self.PULL_DOWN:  # a tower's line, high at rest
            return int("tower" in os.listdir(FOLDER))
        with open(FOLDER + "/pins") as pins:
            return 0 if str(self._number) in pins.read().split() else 1


class I2C:
    def __init__(self, bus, sda, scl, freq):
        pass

    def writeto(self, address, content):
        try:
            os.stat(FOLDER + "/oled")
        except OSError as error:
            raise OSError(5) from error
        with open(FOLDER + "/oled", "ab") as glass:
            glass.write(bytes([len(content) // 256, len(content) % 256]) + bytes(content))


class UART:
    def __init__(self, bus, baud, tx, rx, timeout):
        self._read = 0

    def read(self):
        try:
            with open(FOLDER + "/tower", "rb") as tower:
                tower.seek(self._read)
                data = tower.read()
        except OSError:
            return None
        self._read += len(data)
        return data or None
