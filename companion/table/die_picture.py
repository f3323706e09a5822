"""A die that somebody is asked about, as a picture in the terminal."""

from __future__ import annotations

from rich.text import Text

from companion.table.events import Seen


def die_picture(seen: Seen, place: int, columns: int) -> Text | None:
    """What the reader saw at a place of the roll, so many columns wide; None if it kept no picture of it."""
    if seen.evidence is None or not 0 <= place < len(seen.evidence.photos):
        return None
    import cv2
    import numpy as np

    from vision.focus import half_blocks

    photo = np.frombuffer(seen.evidence.photos[place], dtype=np.uint8)
    image = cv2.imdecode(photo, cv2.IMREAD_COLOR)
    if image is None:
        return None
    return Text.from_ansi("\n".join(half_blocks(np.asarray(image, dtype=np.uint8), columns)))
