"""A Raspberry Pi Pico as the box's pad: four buttons, perhaps an OLED, perhaps a dice tower on UART 1.

Copy this folder's .py files and ../fonts/box6x8.hex to the Pico; README.md has the wiring.
"""

import os
import select
import sys
import time

import machine
import micropython
from keys import Key
from pad import Pad
from uptime import Uptime

BUTTONS = {"up": 2, "down": 3, "ok": 4, "back": 5}
SDA, SCL = 16, 17
TOWER_TX, TOWER_RX = 8, 9
TOWER_RESTS = 50  # ms for which its line, which is high at rest, was not low: the pin pulls a loose one down
CTRL_C = b"\x03"
SCREEN = "oled=21x8"

# On CPython the buffered reader would read ahead of poll.
stdin = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
stdout = sys.stdout.buffer


def open_oled():
    """The OLED, there or not: a pad without one is a pad too. None if it can't be driven."""
    try:
        from oled import Oled

        return Oled(machine.I2C(0, sda=machine.Pin(SDA), scl=machine.Pin(SCL), freq=400000))
    except (ImportError, OSError):
        return None


def open_tower():
    """The UART on which a tower's reader says `d6 3 5`, or None."""
    try:
        return machine.UART(1, 9600, tx=machine.Pin(TOWER_TX), rx=machine.Pin(TOWER_RX), timeout=0)
    except (AttributeError, OSError, ValueError):
        return None


def tower_words(tower, kept):
    """The words of a finished line of the tower, and what is left of an unfinished one."""
    kept = (kept + (tower.read() or b""))[-80:]
    line, newline, rest = kept.partition(b"\n")
    if not newline:
        return [], kept
    words = line.split()
    sound = len(words) >= 2 and all(32 < byte < 127 for word in words for byte in word)
    return [word.decode() for word in words] if sound else [], rest


def run():
    """Turn until a Ctrl-C comes while no box is there, as mpremote sends; a round takes about 2 ms.

    In a damaged line of the box a Ctrl-C means nothing.
    """
    micropython.kbd_intr(-1)
    uid = machine.unique_id().hex()
    oled, tower = open_oled(), None
    pad = Pad(uid, os.urandom(2).hex(), "btn=4 " + SCREEN if oled and oled.found else "btn=4")
    tower_line, low_at = machine.Pin(TOWER_RX, machine.Pin.IN, machine.Pin.PULL_DOWN), 0
    pins = [
        (Key(name), machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP)) for name, pin in BUTTONS.items()
    ]
    incoming, uptime, kept = select.poll(), Uptime(time.ticks_ms(), time.ticks_diff), b""
    incoming.register(stdin, select.POLLIN)
    while True:
        now = uptime.at(time.ticks_ms())
        data = b""
        while len(data) < 64 and incoming.poll(0 if data else 2):
            byte = stdin.read(1)
            interrupted = byte == CTRL_C and data in (b"", b"\r") and pad.alone(now)
            if interrupted or not byte:
                micropython.kbd_intr(ord(CTRL_C))
                return
            data += byte
        if data:
            pad.receive(data, now)
        for key, pin in pins:
            gesture = key.look(not pin.value(), now)
            if gesture and (oled is None or oled.wake(now)):
                pad.key(key.name, gesture, key.down_at, now)
        if tower:
            words, kept = tower_words(tower, kept)
            if words:
                pad.dice(words[0], words[1:], now)
        elif not tower_line.value():
            low_at = now
        elif now - low_at >= TOWER_RESTS:
            tower, low_at = open_tower(), now
            if tower:
                pad.gain("tower=1")
        pad.tick(now, [key.name for key, _ in pins if key.stuck(now)])
        out = pad.take()
        if out:
            stdout.write(out)
            if hasattr(stdout, "flush"):
                stdout.flush()
        if oled:
            was_found = oled.found
            oled.show_one(pad.view(now), now)
            if oled.found and not was_found:
                pad.gain(SCREEN)


run()
