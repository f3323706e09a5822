"""The printed mat: a sheet for the tray that tells a camera where it is, how big, and what grey is.

ArUco markers lie in the corners, grey and colour patches along the upper edge, a 100 mm ruler along the
lower one. All lengths are millimetres from the upper left corner of the sheet, landscape.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

MARGIN = 10.0  # no printer prints to the edge
MARKER = 24.0
MODULES = 6  # a marker of the 4x4 dictionary with its black border
PATCH = 12.0
GAP = 4.0
RULER = 100.0

GREYS = (50, 100, 150, 200)
COLOURS = ((200, 30, 30), (30, 150, 60), (30, 60, 180), (230, 200, 30))

POINTS_PER_MM = 72 / 25.4


class Paper(enum.Enum):
    """A sheet: its width and height in millimetres, landscape, and the number of its first marker."""

    A4 = ("A4", 297.0, 210.0, 0)
    LETTER = ("Letter", 279.4, 215.9, 4)

    def __init__(self, title: str, width: float, height: float, first_marker: int) -> None:
        self.title = title
        self.width = width
        self.height = height
        self.first_marker = first_marker


class Rectangle(NamedTuple):
    """A filled rectangle; colour as red, green, blue from 0 to 255."""

    x: float
    y: float
    w: float
    h: float
    rgb: tuple[int, int, int]


class Mat(msgspec.Struct, frozen=True):
    """What is where on a sheet. `markers` maps a marker's number to the upper left corner of its square."""

    paper: Paper
    markers: dict[int, tuple[float, float]]
    patches: tuple[Rectangle, ...]

    @property
    def greys(self) -> tuple[Rectangle, ...]:
        """The patches that have no colour."""
        return tuple(patch for patch in self.patches if len(set(patch.rgb)) == 1)

    @property
    def field(self) -> tuple[float, float, float, float]:
        """Where the dice lie: x, y, width and height of what is free between the markers."""
        top = MARGIN + MARKER + GAP
        return (MARGIN, top, self.paper.width - 2 * MARGIN, self.paper.height - 2 * top)


def mat(paper: Paper) -> Mat:
    """The mat for a paper."""
    right = paper.width - MARGIN - MARKER
    bottom = paper.height - MARGIN - MARKER
    corners = ((MARGIN, MARGIN), (right, MARGIN), (right, bottom), (MARGIN, bottom))
    markers = {paper.first_marker + number: corner for number, corner in enumerate(corners)}
    return Mat(paper, markers, tuple(_patches()))


def pdf(sheet: Mat) -> bytes:
    """The mat as a PDF of vector rectangles, true to the millimetre when printed at 100 %."""
    filled = (_filled(rectangle, sheet.paper) for rectangle in _rectangles(sheet))
    content = "\n".join((*filled, *_words(sheet.paper)))
    stream = content.encode("ascii")
    box = f"{sheet.paper.width * POINTS_PER_MM:.3f} {sheet.paper.height * POINTS_PER_MM:.3f}"
    return _document(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {box}] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>".encode("ascii"),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )


def _patches() -> Iterator[Rectangle]:
    rgbs = [(grey, grey, grey) for grey in GREYS] + list(COLOURS)
    for number, rgb in enumerate(rgbs):
        x = MARGIN + MARKER + 3 * GAP + number * (PATCH + GAP)
        yield Rectangle(x, MARGIN + (MARKER - PATCH) / 2, PATCH, PATCH, rgb)


def _rectangles(sheet: Mat) -> Iterator[Rectangle]:
    for number, (x, y) in sheet.markers.items():
        yield from _marker(number, x, y)
    yield from sheet.patches
    left, y = (sheet.paper.width - RULER) / 2, sheet.paper.height - MARGIN - GAP
    yield Rectangle(left, y, RULER, 0.3, (0, 0, 0))
    for x in (left, left + RULER - 0.3):
        yield Rectangle(x, y - 3, 0.3, 3, (0, 0, 0))


def _marker(number: int, x: float, y: float) -> Iterator[Rectangle]:
    """A black square with the marker's white modules on it."""
    import cv2

    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    modules = cv2.aruco.generateImageMarker(dictionary, number, MODULES)
    side = MARKER / MODULES
    yield Rectangle(x, y, MARKER, MARKER, (0, 0, 0))
    for row in range(MODULES):
        for column in range(MODULES):
            if modules[row, column]:
                yield Rectangle(x + column * side, y + row * side, side, side, (255, 255, 255))


def _filled(rectangle: Rectangle, paper: Paper) -> str:
    """A PDF operator; PDF counts points from the lower left corner."""
    x, y, w, h, rgb = rectangle
    colour = " ".join(f"{level / 255:.4f}" for level in rgb)
    corner = (x, paper.height - y - h, w, h)
    return f"{colour} rg {' '.join(f'{length * POINTS_PER_MM:.3f}' for length in corner)} re f"


def _words(paper: Paper) -> Iterator[str]:
    text = f"Print at 100 %. The line is {RULER:.0f} mm long. Paper: {paper.title}"
    x, y = (paper.width - RULER) / 2, MARGIN
    yield f"0 g BT /F1 8 Tf {x * POINTS_PER_MM:.3f} {y * POINTS_PER_MM:.3f} Td ({text}) Tj ET"


def _document(*objects: bytes) -> bytes:
    """PDF objects with their header, cross-reference table and trailer (ISO 32000-1, 7.5)."""
    document = bytearray(b"%PDF-1.4\n")
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(document))
        document += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(document)
    count = len(objects) + 1
    document += b"xref\n0 %d\n0000000000 65535 f \n%s" % (count, table)
    return bytes(document + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, start))
