"""Placing camera and light: each number moves the way a person turns the lens or the lamp."""

import cv2
import numpy as np
import pytest

from tests.vision.test_tray_mat import STRAIGHT, photographed, rendered
from vision.focus import CLIPPED, half_blocks, marked, measure, sharpness
from vision.mat import Paper, mat, pdf


@pytest.fixture(scope="module")
def photo() -> np.ndarray:
    sheet = rendered(pdf(mat(Paper.A4)))
    picture, _ = photographed((sheet * 0.7).astype(np.uint8), STRAIGHT)
    return picture


def test_sharpness_falls_with_every_turn_away_from_focus(photo: np.ndarray) -> None:
    values = [sharpness(photo), *(sharpness(cv2.GaussianBlur(photo, (0, 0), sigma)) for sigma in (1, 2, 4))]
    assert values == sorted(values, reverse=True)
    assert values[0] > 0.6
    assert values[-1] < 0.2


def test_sharpness_does_not_depend_on_the_light(photo: np.ndarray) -> None:
    assert sharpness((photo * 0.6).astype(np.uint8)) == pytest.approx(sharpness(photo), abs=0.05)


def test_a_plain_picture_has_nothing_sharp_in_it() -> None:
    plain = np.full((90, 120, 3), 128, np.uint8)
    assert sharpness(plain) == 0
    assert sharpness(plain + np.random.default_rng(1).integers(0, 3, plain.shape, dtype=np.uint8)) == 0


@pytest.mark.parametrize("size", [(31, 1), (1, 31)])
def test_a_picture_that_is_blurred_one_way_is_not_sharp(photo: np.ndarray, size: tuple[int, int]) -> None:
    assert "not sharp" in "".join(measure(cv2.blur(photo, size)).advice())


def test_what_lies_beside_the_mat_counts_for_nothing(photo: np.ndarray) -> None:
    lit = cv2.circle(photo.copy(), (100, 360), 90, (255, 255, 255), -1)
    assert (measure(lit).glare, measure(lit).brightness) == (measure(photo).glare, measure(photo).brightness)


@pytest.mark.parametrize("part", [np.s_[:, 600:], np.s_[:, :700], np.s_[300:], np.s_[:400]])
def test_a_mat_that_is_half_out_of_the_picture_is_measured_by_what_is_seen(
    photo: np.ndarray, part: slice
) -> None:
    seen, whole = measure(photo[part]), measure(photo)
    assert seen.pixels_per_mm == pytest.approx(whole.pixels_per_mm, rel=0.02)
    assert seen.brightness == pytest.approx(whole.brightness, abs=0.03)


def test_a_field_that_is_all_out_of_the_picture_is_measured_at_the_edge_next_to_it(photo: np.ndarray) -> None:
    assert measure(photo[548:]).brightness == pytest.approx(0.7, abs=0.01)


def test_with_the_mat_in_view_the_tray_is_measured_in_millimetres(photo: np.ndarray) -> None:
    seen = measure(photo)
    _, _, w, h = mat(Paper.A4).field
    assert seen.pixels_per_mm == pytest.approx(800 / 297, rel=0.01)
    assert seen.coverage == pytest.approx(w * h * (800 / 297) ** 2 / (1280 * 720), rel=0.02)
    assert list(seen.advice()) == []


@pytest.mark.parametrize(
    ("spoil", "advice"),
    [
        (lambda photo: (photo * 0.2).astype(np.uint8), "too dark"),
        (lambda photo: cv2.GaussianBlur(photo, (0, 0), 4), "not sharp"),
        (lambda photo: cv2.circle(photo.copy(), (640, 360), 60, (255, 255, 255), -1), "glare"),
        (lambda photo: np.maximum(photo, 240), "too bright"),
        (lambda photo: photo[:, 300:900], "no mat"),
        (lambda photo: photo[:, ::-1].copy(), "mirrored"),
        (lambda photo: cv2.copyMakeBorder(photo, 400, 400, 800, 800, cv2.BORDER_REPLICATE), "small"),
    ],
)
def test_what_is_wrong_is_said(photo: np.ndarray, spoil, advice: str) -> None:
    assert any(advice in line for line in measure(spoil(photo)).advice())


def test_washed_out_pixels_are_marked_red_and_the_field_green(photo: np.ndarray) -> None:
    spoilt = photo.copy()
    spoilt[350:370, 600:620] = CLIPPED
    spoilt[350:370, 700:720] = (0, 255, 255)
    shown = marked(spoilt, measure(spoilt).tray)
    assert shown[360, 710].tolist() == [0, 255, 255]
    assert shown[360, 610].tolist() == [0, 0, 255]
    assert (shown == (0, 255, 0)).all(axis=2).any()
    assert spoilt[360, 610].tolist() == [CLIPPED] * 3


def test_a_terminal_shows_two_pixels_to_a_character() -> None:
    image = np.zeros((40, 80, 3), np.uint8)
    image[:20] = (0, 0, 255)
    lines = half_blocks(image, 20)
    assert len(lines) == 5
    assert all(line.count("▀") == 20 for line in lines)
    assert "38;2;255;0;0;48;2;255;0;0m" in lines[0]
    assert "38;2;0;0;0;48;2;0;0;0m" in lines[-1]
