"""How numbers of things are said to people."""

from __future__ import annotations


def counted(many: int, word: str, several: str = "") -> str:
    """Such as `1 wound` and `2 wounds`; with `several`, `2 dice`."""
    return f"{many} {word}" if many == 1 else f"{many} {several or word + 's'}"
