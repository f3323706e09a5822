"""How numbers of things are said to people, and how a sentence begins."""

from __future__ import annotations


def counted(many: int, word: str, several: str = "") -> str:
    """Such as `1 wound` and `2 wounds`; with `several`, `2 dice`."""
    return f"{many} {word}" if many == 1 else f"{many} {several or word + 's'}"


def begun(words: str) -> str:
    """The same with a capital, as a sentence begins; what follows stays as it is."""
    return words[:1].upper() + words[1:]
