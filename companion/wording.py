"""How numbers of things are said to people."""

from __future__ import annotations


def counted(many: int, word: str) -> str:
    """Such as `1 wound` and `2 wounds`."""
    return f"{many} {word}" if many == 1 else f"{many} {word}s"
