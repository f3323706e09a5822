"""Words that a person types at a table, where four buttons are not all there is."""

from __future__ import annotations

import msgspec

from companion.engine.errors import BadAnswer


def assignment(text: str) -> tuple[str, object]:
    """Path and value of an override, `health = 3`; a value that is no JSON is taken as text."""
    path, equals, value = (part.strip() for part in text.partition("="))
    if not (path and equals and value):
        raise BadAnswer(f"{text!r}: write it like health = 3")
    try:
        return path, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return path, value
