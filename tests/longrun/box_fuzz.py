"""R8 for the box: garbage as the pad's lines and as the settings file; only declared errors, bounded memory.

python -m tests.longrun.box_fuzz --inputs 100000
"""

from __future__ import annotations

import argparse
import sys
from random import Random

from companion.engine.errors import BadInput
from companion.table.config import TEMPLATE, parse
from hardware.pad_link import PadLink
from hardware.pico.lines import MOST, pack

WORDS = (
    "HELLO",
    "box",
    "1",
    "E",
    "7",
    "key",
    "ok",
    "press",
    "dice",
    "d6",
    "HB",
    "NAK",
    "PONG",
    "99999999999",
    "",
    "*",
)


def spoilt(rng: Random, text: bytes) -> bytes:
    """A text with a few bytes changed, lost, doubled or put in."""
    out = bytearray(text)
    for _ in range(rng.randint(0, 6)):
        at = rng.randrange(len(out) + 1)
        if rng.random() < 0.5:
            out[at:at] = rng.randbytes(rng.randint(1, 4))
        else:
            del out[at : at + rng.randint(1, 4)]
    return bytes(out)


def line(rng: Random) -> bytes:
    """A line of words that a pad may use, mostly sound."""
    sound = (
        f"HELLO box 1 e660 {rng.randint(0, 3):04x} btn=4 oled=21x8",
        f"E {rng.randint(0, 99)} key {rng.choice(('up', 'ok', 'fire'))} press {rng.randint(0, 99)}",
        f"E {rng.randint(0, 99)} dice d6 {rng.randint(0, 9)} {rng.randint(0, 99)}",
        f"HB {rng.randint(0, 9999)} {rng.randint(0, 255):02X}",
    )
    mixed = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 6)))
    body = rng.choice((*sound, mixed))
    return pack(body) if rng.random() < 0.7 else spoilt(rng, pack(body))


def main(arguments: list[str]) -> int:
    """Feed both; a crash ends it with the seed printed."""
    parser = argparse.ArgumentParser(prog="box_fuzz")
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    print(f"seed {options.seed}")
    rng, link, refused, events = Random(options.seed), PadLink(0.0), 0, 0
    for number in range(options.inputs):
        data = rng.randbytes(rng.randint(0, 300)) if rng.random() < 0.2 else line(rng)
        events += len(link.feed(data, number / 100))
        link.tick(number / 100)
        assert len(link.take()) < 10_000
        assert len(link._lines._line) <= MOST
        if number % 20 == 0:
            try:
                parse(spoilt(rng, TEMPLATE.encode()), "x")
            except BadInput:
                refused += 1
    print(f"{options.inputs} lines: {link.damaged} dropped, {events} events")
    print(f"{(options.inputs + 19) // 20} settings files: {refused} refused")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
