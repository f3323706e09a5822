"""The printed mat: true to the millimetre on paper, and found again in any picture of it."""

import re

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.mat import RULER, Mat, Paper, mat, pdf
from vision.tray import TrayView, find_mat

PER_MM = 4
"""Pixels to a millimetre of the rendered sheet."""


def rendered(document: bytes) -> np.ndarray:
    """The rectangles of one of our PDFs as a picture, read from the file's own operators."""
    text = document.decode("latin-1")
    width, height = (
        float(side) / 72 * 25.4 for side in re.search(r"/MediaBox \[0 0 (\S+) (\S+)\]", text).groups()
    )
    sheet = np.full((round(height * PER_MM), round(width * PER_MM), 3), 255, np.uint8)
    for operator in re.finditer(r"^(\S+) (\S+) (\S+) rg (\S+) (\S+) (\S+) (\S+) re f$", text, re.MULTILINE):
        red, green, blue, *lengths = map(float, operator.groups())
        x, y, w, h = (length / 72 * 25.4 for length in lengths)
        x0, x1 = round(x * PER_MM), round((x + w) * PER_MM)
        y0, y1 = round((height - y - h) * PER_MM), round((height - y) * PER_MM)
        sheet[y0:y1, x0:x1] = [round(level * 255) for level in (blue, green, red)]
    return sheet


def photographed(sheet: np.ndarray, corners: list[tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
    """The sheet as a 1280x720 camera sees it with its corners there, and the homography from mm to pixels."""
    height, width = sheet.shape[:2]
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    homography = cv2.getPerspectiveTransform(flat, np.array(corners, np.float32))
    table = np.full((720, 1280, 3), (40, 70, 90), np.uint8)
    picture = cv2.warpPerspective(
        sheet, homography, (1280, 720), table, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
    )
    return picture, homography @ np.diag([PER_MM, PER_MM, 1])


STRAIGHT = [(240.0, 80.0), (1040.0, 80.0), (1040.0, 646.0), (240.0, 646.0)]
OBLIQUE = [(330.0, 90.0), (960.0, 60.0), (1150.0, 640.0), (180.0, 660.0)]


@pytest.fixture(scope="module", params=list(Paper), ids=lambda paper: paper.title)
def sheet(request: pytest.FixtureRequest) -> tuple[Mat, np.ndarray]:
    printed = mat(request.param)
    return printed, rendered(pdf(printed))


def test_the_pdf_has_the_papers_size_and_a_table_that_points_at_its_objects() -> None:
    document = pdf(mat(Paper.A4))
    assert b"/MediaBox [0 0 841.890 595.276]" in document
    start = int(re.search(rb"startxref\n(\d+)", document)[1])
    assert document[start:].startswith(b"xref")
    places = re.findall(rb"(\d{10}) 00000 n ", document)
    assert len(places) == document.count(b" 0 obj")
    for number, place in enumerate(places, start=1):
        assert document[int(place) :].startswith(b"%d 0 obj" % number)
    stream = re.search(rb"/Length (\d+) >>\nstream\n(.*?)\nendstream", document, re.DOTALL)
    assert int(stream[1]) == len(stream[2])


def test_the_ruler_is_as_long_as_it_says() -> None:
    picture = rendered(pdf(mat(Paper.A4)))
    row = picture[-round((10 + 4 - 0.1) * PER_MM), 50 * PER_MM : -50 * PER_MM, 0]
    assert np.count_nonzero(row == 0) == pytest.approx(RULER * PER_MM, abs=1)
    row = picture[-round((10 + 4 + 1.5) * PER_MM), 50 * PER_MM : -50 * PER_MM, 0]
    ticks = np.flatnonzero(row == 0)
    assert ticks[-1] + 1 - ticks[0] == pytest.approx(RULER * PER_MM, abs=1)


@pytest.mark.parametrize("paper", Paper)
def test_the_sheet_says_how_to_print_it(paper: Paper) -> None:
    sheet = pdf(mat(paper))
    assert f"(Print at 100 %. The line is 100 mm long. Paper: {paper.title}) Tj".encode() in sheet
    objects = sheet.count(b" 0 obj")
    assert b"xref\n0 %d\n" % (objects + 1) in sheet
    assert b"/Size %d " % (objects + 1) in sheet


def test_a_mat_that_was_printed_long_ago_is_still_one() -> None:
    a4, letter = mat(Paper.A4), mat(Paper.LETTER)
    assert a4.markers == {0: (10, 10), 1: (263, 10), 2: (263, 176), 3: (10, 176)}
    assert {number: tuple(map(round, corner)) for number, corner in letter.markers.items()} == {
        4: (10, 10), 5: (245, 10), 6: (245, 182), 7: (10, 182)
    }  # fmt: skip
    assert a4.patches == letter.patches
    assert [patch[:4] for patch in a4.patches] == [(46 + 16 * n, 16, 12, 12) for n in range(8)]
    assert [patch.rgb[0] for patch in a4.greys] == [50, 100, 150, 200]
    assert RULER == 100


def test_nothing_lies_on_something_else_or_off_the_paper() -> None:
    for paper in Paper:
        printed = mat(paper)
        x, y, w, h = printed.field
        assert x > 0
        assert y > 10 + 24
        assert x + w < paper.width
        assert y + h < paper.height - 10 - 24
        last = printed.patches[-1]
        assert last.x + last.w < paper.width - 10 - 24


@pytest.mark.parametrize("corners", [STRAIGHT, OBLIQUE], ids=["straight", "oblique"])
def test_the_mat_is_found_and_measured_to_half_a_millimetre(sheet: tuple[Mat, np.ndarray], corners) -> None:
    printed, picture = sheet
    photo, from_mm = photographed(picture, corners)
    tray = find_mat(photo)
    assert tray is not None
    assert tray.mat.paper is printed.paper
    assert tray.markers == 4
    places = np.array([(30.0, 60.0), (148.0, 105.0), (250.0, 150.0)])
    pixels = cv2.perspectiveTransform(places.reshape(-1, 1, 2), from_mm).reshape(-1, 2)
    measured = cv2.perspectiveTransform(pixels.reshape(-1, 1, 2), tray.to_mm).reshape(-1, 2)
    assert np.abs(measured - places).max() < 0.5
    assert np.abs(tray.pixels(places) - pixels).max() < 2


def test_a_square_on_the_mat_is_square_again_after_rectifying(sheet: tuple[Mat, np.ndarray]) -> None:
    printed, picture = sheet
    x, y, w, h = printed.field
    die = picture.copy()
    x0, y0 = round((x + 100) * PER_MM), round((y + 50) * PER_MM)
    die[y0 : y0 + 16 * PER_MM, x0 : x0 + 16 * PER_MM] = (0, 0, 200)
    tray = find_mat(photographed(die, OBLIQUE)[0])
    assert tray is not None
    field = tray.field(photographed(die, OBLIQUE)[0])
    assert tray.scale() > 2.9  # as along its lower edge, where the picture shows most of it
    assert field.shape[1] / field.shape[0] == pytest.approx(w / h, rel=0.01)
    red = (field[:, :, 2] > 150) & (field[:, :, 1] < 100)
    left, top, width, height = (side / tray.scale() for side in cv2.boundingRect(red.astype(np.uint8)))
    assert (left, top) == (pytest.approx(100, abs=1), pytest.approx(50, abs=1))
    assert (width, height) == (pytest.approx(16, abs=0.8), pytest.approx(16, abs=0.8))


def under(light: tuple[float, float, float], photo: np.ndarray) -> np.ndarray:
    """The picture with blue, green and red lit so much."""
    return (np.clip((photo / 255.0) ** 2.2 * light, 0, 1) ** (1 / 2.2) * 255).round().astype(np.uint8)


@given(st.tuples(*[st.floats(0.6, 1.3)] * 2))
@settings(max_examples=15)
def test_grey_is_grey_again_under_any_light(light: tuple[float, float]) -> None:
    photo, _ = photographed(rendered(pdf(mat(Paper.A4))), STRAIGHT)
    blue, red = light
    cast = under((blue, 1.0, red), photo)
    tray = find_mat(cast)
    assert tray is not None
    neutral = tray.neutral(cast)
    x, y = tray.pixels(np.array([(tray.mat.greys[1].x + 6, tray.mat.greys[1].y + 6)]))[0].astype(int)
    assert np.ptp(neutral[y, x].astype(int)) <= 4


def test_a_grey_die_is_grey_in_the_field_whichever_patches_can_be_seen() -> None:
    sheet = rendered(pdf(mat(Paper.A4)))
    sheet[400:480, 400:480] = 120
    photo, _ = photographed(sheet, STRAIGHT)
    bright = under((1.3, 2.0, 2.6), photo)  # the lightest patch is washed out in red and green
    for cast in (bright, bright[139:]):  # of which the patches' lower halves are seen
        tray = find_mat(cast)
        assert tray is not None
        die = tray.field(cast)[tuple(round(tray.scale() * (110 - at)) for at in (38, 10))]
        assert np.ptp(die.astype(int)) <= 4
    tray = find_mat(bright[160:])
    assert tray is not None
    assert tray.gains is None
    assert np.array_equal(tray.neutral(bright), bright)


@pytest.mark.parametrize("corners", [STRAIGHT, OBLIQUE], ids=["straight", "oblique"])
def test_in_a_mirror_the_field_is_seen_as_it_is(sheet: tuple[Mat, np.ndarray], corners) -> None:
    die = sheet[1].copy()
    cv2.putText(die, "2", (600, 400), cv2.FONT_HERSHEY_DUPLEX, 4, (0, 0, 0), 12)
    photo, _ = photographed(die, corners)
    mirror = np.ascontiguousarray(photo[:, ::-1])
    plain, mirrored = TrayView().fields([photo])[0], TrayView().fields([mirror])[0]
    assert plain.shape == mirrored.shape
    assert cv2.absdiff(plain, mirrored).mean() < 0.1


def test_in_a_mirror_the_mat_is_found_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    passes: list[object] = []
    detector = cv2.aruco.ArucoDetector
    monkeypatch.setattr("cv2.aruco.ArucoDetector", lambda *how: passes.append(how) or detector(*how))
    photo, from_mm = photographed(rendered(pdf(mat(Paper.LETTER))), OBLIQUE)
    tray = find_mat(photo[:, ::-1].copy())
    assert tray is not None
    assert (tray.mat.paper, tray.markers, tray.mirrored, len(passes)) == (Paper.LETTER, 4, True, 1)
    places = np.array([(30.0, 60.0), (250.0, 150.0)])
    pixels = cv2.perspectiveTransform(places.reshape(-1, 1, 2), from_mm).reshape(-1, 2)
    assert np.abs(tray.pixels(places) - ([1279, 0] + pixels * [-1, 1])).max() < 2


def from_the_side(before: float) -> np.ndarray:
    """The A4 mat as a wide camera sees it 90 mm above, `before` mm within its lower edge, 30 degrees down."""
    height, focal, sin, cos = 90, 350.0, 0.5, 0.75**0.5
    turned = np.array([[1, 0, 0], [0, sin, cos], [0, -cos, sin]])  # across, down and away; z points down
    middle = np.array([Paper.A4.width / 2, Paper.A4.height - before, -height])
    lens = np.array([[focal, 0, 640], [0, focal, 360], [0, 0, 1]])
    onto = lens @ np.column_stack([turned[:, 0], turned[:, 1], -turned @ middle])
    picture = np.full((720, 1280, 3), (40, 70, 90), np.uint8)
    cv2.warpPerspective(
        rendered(pdf(mat(Paper.A4))),
        onto @ np.diag([1 / PER_MM, 1 / PER_MM, 1]),
        (1280, 720),
        picture,
        flags=cv2.INTER_AREA,
        borderMode=cv2.BORDER_TRANSPARENT,
    )
    return picture


@pytest.mark.parametrize(("before", "is_seen"), [(80, True), (110, False)])
def test_a_camera_that_tips_over_makes_no_field_without_bounds(before: float, *, is_seen: bool) -> None:
    """Much of it lies beyond the picture then, close to the camera, or behind that."""
    photo = from_the_side(before)
    (field,) = TrayView().fields([photo])
    assert (field is not photo) == is_seen
    assert max(field.shape) < 4000


@pytest.mark.parametrize(
    ("shown", "markers"), [(np.s_[:500], 2), (np.s_[:, :800], 2), (np.s_[:500, :800], None)]
)
def test_two_corners_may_be_hidden_and_no_more(shown: tuple[slice, ...], markers: int | None) -> None:
    photo, _ = photographed(rendered(pdf(mat(Paper.A4))), OBLIQUE)
    seen = np.zeros_like(photo)
    seen[shown] = photo[shown]
    tray = find_mat(seen)
    assert (tray and tray.markers) == markers
    photo[500:, 800:] = 0
    tray = find_mat(photo)
    assert tray is not None
    assert tray.markers == 3


def test_a_mat_of_which_little_is_seen_is_taken_to_lie_where_it_lay() -> None:
    sheet = rendered(pdf(mat(Paper.A4)))
    photo, _ = photographed(sheet, STRAIGHT)
    moved, _ = photographed(sheet, [(x + 40, y + 30) for x, y in STRAIGHT])
    little = moved.copy()
    little[:, 640:] = 0
    before, after = find_mat(photo), find_mat(moved)
    assert before is not None
    assert after is not None
    view = TrayView()
    assert view.fields([little])[0].shape != little.shape
    view.fields([photo])
    for picture, there in ((little, before), (np.zeros_like(photo), before), (moved, after), (little, after)):
        assert np.array_equal(view.fields([picture])[0], there.field(picture))
    smaller = np.zeros((360, 640, 3), np.uint8)
    assert view.fields([smaller])[0] is smaller
    assert not view.sees_mat


def test_the_field_of_a_mat_that_lies_still_is_of_one_size_though_pictures_have_noise() -> None:
    sheet = (rendered(pdf(mat(Paper.A4))) * 0.7).astype(np.uint8)
    at_the_edge = [(x - 0.1 * (x > 640), y) for x, y in STRAIGHT]  # between two sizes
    photo, _ = photographed(sheet, at_the_edge)
    random = np.random.default_rng(3)
    noisy = [np.clip(photo + random.normal(0, 8, photo.shape), 0, 255).astype(np.uint8) for _ in range(6)]
    assert len({TrayView().fields([one])[0].shape for one in noisy}) > 1
    view = TrayView()
    assert len({view.fields([one])[0].shape for one in noisy}) == 1
    moved, _ = photographed(sheet, [(x + 2, y) for x, y in at_the_edge])
    there = find_mat(moved)
    assert there is not None
    assert np.array_equal(view.fields([moved])[0], there.field(moved))


def test_a_mat_that_lies_still_is_neutral_in_the_light_of_now() -> None:
    photo, _ = photographed((rendered(pdf(mat(Paper.A4))) * 0.7).astype(np.uint8), STRAIGHT)
    view = TrayView()
    view.fields([photo])
    for shown in (under((0.7, 1.0, 1.3), photo), photo[:, ::-1].copy()):
        tray = find_mat(shown)
        assert tray is not None
        assert cv2.absdiff(view.fields([shown])[0], tray.field(shown)).mean() < 1


@pytest.mark.parametrize("covered", [(3,), (0,), (2, 3), (0, 1, 2, 3)])
@pytest.mark.parametrize("rgb", [(200, 25, 25), (30, 50, 180), (190, 140, 110)], ids=["red", "blue", "skin"])
def test_r14_what_lies_on_the_grey_patches_does_not_tinge_the_field(
    covered: tuple[int, ...], rgb: tuple[int, int, int]
) -> None:
    """A red die on the lightest one made all red dice of the field look black."""
    sheet = rendered(pdf(mat(Paper.A4)))
    free, _ = photographed(sheet, STRAIGHT)
    for patch in (mat(Paper.A4).greys[number] for number in covered):
        x, y, side = (round(PER_MM * length) for length in (patch.x - 2, patch.y - 2, patch.w + 4))
        sheet[y : y + side, x : x + side] = rgb[::-1]
    hidden, _ = photographed(sheet, STRAIGHT)
    cast = (0.8, 1.0, 1.25)
    view = TrayView()
    (seen,), (after,) = view.fields([under(cast, free)]), view.fields([under(cast, hidden)])
    assert cv2.absdiff(seen, after).max() <= 4


def test_a_mat_whose_grey_patches_were_never_seen_leaves_colours_as_they_are() -> None:
    photo, _ = photographed(rendered(pdf(mat(Paper.A4))), STRAIGHT)
    photo[100:150, 340:560] = (25, 25, 200)
    tray = find_mat(photo)
    assert tray is not None
    assert tray.gains is None
    assert np.array_equal(TrayView().fields([photo])[0], tray.field(photo))


def test_a_tray_without_a_mat_is_none_and_no_error() -> None:
    assert find_mat(np.full((480, 640, 3), 128, np.uint8)) is None
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3), dtype=np.uint8)
    assert find_mat(noise) is None


@pytest.mark.parametrize(("off", "is_mat"), [(2, True), (8, False)])
def test_a_mat_that_is_bent_is_no_mat(off: int, *, is_mat: bool) -> None:
    sheet = rendered(pdf(mat(Paper.A4)))
    for x, y in ((263, 10), (10, 176)):
        there, moved = (
            np.s_[down * PER_MM : (down + 24) * PER_MM, across * PER_MM : (across + 24) * PER_MM]
            for across, down in ((x, y), (x - off, y + off))
        )
        marker = sheet[there].copy()
        sheet[there] = 255
        sheet[moved] = marker
    assert (find_mat(photographed(sheet, STRAIGHT)[0]) is not None) is is_mat


def test_markers_that_contradict_each_other_are_no_mat() -> None:
    sheet = rendered(pdf(mat(Paper.A4)))
    torn = sheet.copy()
    torn[:, : sheet.shape[1] // 2] = np.roll(sheet, sheet.shape[0] // 2, axis=0)[:, : sheet.shape[1] // 2]
    assert find_mat(photographed(torn, STRAIGHT)[0]) is None
