"""The head of a picture, alike for all games."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


def picture(title: str, box: str, style: str, parts: Iterable[str]) -> str:
    """A whole SVG; its `title` tells who can't see it what it is, and stands on the tab where it is alone."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img">'
    return "\n".join((head, f"<title>{escape(title)}</title><style>{style}</style>", *parts, "</svg>"))
