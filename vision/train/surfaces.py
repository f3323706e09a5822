"""Tables, trays, clutter, shadows and hands, and what a camera does to a picture."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.train.render import Picture
from vision.train.solids import Points

_SHARPENED = 0.3  # share of pictures from cameras that exaggerate edges
_SMALL = 40  # pixels; whoever takes pictures of smaller dice does so with a sharp lens

Boxes = list[tuple[float, float, float, float]]


def tray(rng: np.random.Generator, size: tuple[int, int]) -> Picture:
    """A table, and mostly a tray on it: a polygon or a disc with walls."""
    picture = tray_floor(rng, size)
    form = rng.random()
    if form < 0.25:
        return picture
    width, height = size
    centre = np.array([width, height]) * rng.uniform(0.4, 0.6, 2)
    reach = np.array([width, height]) * rng.uniform(0.3, 0.6)
    sides = int(rng.choice([4, 4, 4, 6, 40]))
    angles = np.arange(sides) * 2 * math.pi / sides + rng.uniform(0, 2 * math.pi)
    if sides == 4:
        angles = np.array([0.7, math.pi - 0.7, math.pi + 0.7, -0.7]) + rng.normal(0, 0.2)
        reach = reach * 1.4
    rim = centre + np.stack([np.cos(angles), np.sin(angles)], axis=1) * (reach if sides == 4 else reach.max())
    floor = tray_floor(rng, size)
    wall_colour = np.clip(floor.reshape(-1, 3).mean(axis=0) * rng.uniform(0.3, 1.2), 0, 255)
    cv2.fillPoly(picture, [rim.astype(np.int32)], tuple(float(c) for c in wall_colour), cv2.LINE_AA)
    inner = centre + (rim - centre) * rng.uniform(0.82, 0.98) + rng.normal(0, 4, 2)
    for a, b in zip(rim, inner, strict=True):
        cv2.line(picture, _pixel(a), _pixel(b), tuple(float(c) * 0.7 for c in wall_colour), 2, cv2.LINE_AA)
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [inner.astype(np.int32)], 255)
    if rng.random() < 0.6:  # the walls keep light from the floor beside them
        deep = np.array(size) * rng.uniform(0.03, 0.15)
        side = rng.normal(0, 0.5, 2) * deep
        onto = np.array([[1, 0, side[0]], [0, 1, side[1]]])
        open_sky = cv2.blur(cv2.warpAffine(mask, onto, size), (int(deep[0]), int(deep[1])))
        light = cv2.cvtColor(open_sky, cv2.COLOR_GRAY2BGR)
        floor = np.asarray(
            cv2.multiply(floor, cv2.addWeighted(light, 0.6, light, 0, 102), scale=1 / 255), np.uint8
        )
    np.copyto(picture, floor, where=mask[..., None] > 0)
    return picture


def clutter(rng: np.random.Generator, picture: Picture) -> None:
    """Things that are no dice: coins, cards, pens, print, scratches."""
    height, width = picture.shape[:2]
    for _ in range(int(rng.choice([0, 0, 1, 2, 4, 7]))):
        spot = rng.uniform(0, 1, 2) * (width, height)
        reach = math.exp(rng.uniform(math.log(6), math.log(90)))
        colour, other = rng.uniform(0, 255, 3).tolist(), rng.uniform(0, 255, 3).tolist()
        form = rng.integers(7)
        if form == 6:
            _reflect(rng, picture, spot, reach / 3)
        elif form == 0:
            cv2.circle(picture, _pixel(spot), int(reach * 0.6), colour, -1, cv2.LINE_AA)
            cv2.circle(picture, _pixel(spot), int(reach * 0.45), other, int(rng.integers(1, 5)), cv2.LINE_AA)
        elif form in (1, 2):
            box = cv2.boxPoints(
                (spot.tolist(), (reach * 2, reach * rng.uniform(0.5, 2.5)), rng.uniform(0, 90))
            )
            cv2.fillPoly(picture, [box.astype(np.int32)], colour, cv2.LINE_AA)
            cv2.polylines(picture, [box.astype(np.int32)], True, other, int(rng.integers(1, 4)), cv2.LINE_AA)
        elif form == 3:
            end = spot + rng.normal(0, 3 * reach, 2)
            cv2.line(picture, _pixel(spot), _pixel(end), colour, int(rng.integers(1, 14)), cv2.LINE_AA)
        elif form == 4:
            text = "".join(chr(int(c)) for c in rng.integers(48, 91, int(rng.integers(1, 9))))
            cv2.putText(
                picture, text, _pixel(spot), 0, reach / 40, colour, int(rng.integers(1, 4)), cv2.LINE_AA
            )
        else:
            points = spot + rng.normal(0, reach * 0.6, (int(rng.integers(3, 8)), 2))
            cv2.fillConvexPoly(picture, cv2.convexHull(points.astype(np.int32)), colour, cv2.LINE_AA)


def _reflect(rng: np.random.Generator, picture: Picture, spot: Points, reach: float) -> None:
    """A lamp that is mirrored in the table: a bright spot with a soft edge, which is no pip of a die."""
    height, width = picture.shape[:2]
    across, down = reach * rng.uniform(0.5, 1.5, 2)
    x = (np.arange(width, dtype=np.float32) - spot[0]) / across
    y = (np.arange(height, dtype=np.float32) - spot[1]) / down
    light = rng.uniform(100, 400) * np.exp(-((x[None] ** 2 + y[:, None] ** 2) ** rng.uniform(0.7, 3)))
    np.copyto(picture, np.clip(picture + light[..., None], 0, 255).astype(np.uint8))


def shadows(rng: np.random.Generator, picture: Picture, outlines: list[Points]) -> None:
    """Darken the table where dice keep the light away."""
    if not outlines or rng.random() < 0.15:
        return
    mask = np.zeros(picture.shape[:2], np.float32)
    for outline in outlines:
        cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 1.0)
    spread = float(np.ptp(outlines[0], axis=0).max()) * rng.uniform(0.02, 0.15)
    mask = cv2.GaussianBlur(mask, (0, 0), max(0.8, spread)) * float(rng.uniform(0.2, 0.7))
    np.copyto(picture, (picture * (1 - mask[..., None])).astype(np.uint8))


def hands(rng: np.random.Generator, picture: Picture) -> Boxes:
    """A forearm with a hand that comes in from the edge; its box."""
    height, width = picture.shape[:2]
    tone = np.array([rng.uniform(60, 170), rng.uniform(90, 190), rng.uniform(130, 240)])
    side = rng.uniform(0, 2 * math.pi)
    direction = np.array([math.cos(side), math.sin(side)])
    start = np.array([width, height]) / 2 - direction * max(width, height) * 0.75
    palm = np.array([width, height]) * rng.uniform(0.3, 0.7, 2)
    thick = max(width, height) * rng.uniform(0.08, 0.2)
    mask = np.zeros((height, width), np.uint8)
    cv2.line(mask, _pixel(start), _pixel(palm), 255, int(thick * 0.8), cv2.LINE_AA)
    cv2.circle(mask, _pixel(palm), int(thick * 0.6), 255, -1, cv2.LINE_AA)
    ahead = math.atan2(*(palm - start)[::-1])
    for finger in range(5):
        angle = ahead + (finger - 2) * rng.uniform(0.2, 0.4)
        tip = palm + np.array([math.cos(angle), math.sin(angle)]) * thick * rng.uniform(0.9, 1.5)
        cv2.line(mask, _pixel(palm), _pixel(tip), 255, max(3, int(thick * 0.28)), cv2.LINE_AA)
    soft = cv2.GaussianBlur(mask, (0, 0), thick * 0.12).astype(np.float32) / 255
    light = (0.55 + 0.5 * soft)[..., None]
    alpha = (mask.astype(np.float32) / 255)[..., None]
    np.copyto(picture, np.clip(picture * (1 - alpha) + tone * light * alpha, 0, 255).astype(np.uint8))
    x, y, w, h = cv2.boundingRect(mask)
    return [(float(x), float(y), float(w), float(h))]


def photographed(rng: np.random.Generator, picture: Picture, pixels: float) -> Picture:
    """Uneven light, colour cast, exposure, blur, noise and JPEG; dice are so many pixels wide."""
    height, width = picture.shape[:2]
    coarse = rng.uniform(0.7, 1.15, (3, 3)).astype(np.float32)
    light = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    shot = np.asarray(picture / 255 * light[..., None], np.float32)
    if rng.random() < 0.15:
        shot *= _vignette(rng, width, height)[..., None]
    shot = np.clip(shot, 0, 1) ** float(rng.uniform(0.7, 1.4))
    shot *= _exposure(rng, shot) * rng.normal(1, 0.07, 3).astype(np.float32)
    if rng.random() < 0.18:
        shot = np.repeat(shot.mean(axis=2, keepdims=True), 3, axis=2)
    if rng.random() < (0.5 if pixels > _SMALL else 0.3):
        blur = float(rng.uniform(0.4, 1.6 if pixels > _SMALL else 1.0))
        shot = np.asarray(cv2.GaussianBlur(shot, (0, 0), blur), np.float32)
    if rng.random() < _SHARPENED:
        soft = cv2.GaussianBlur(shot, (0, 0), float(rng.uniform(0.8, 2.0)))
        shot = shot + float(rng.uniform(0.3, 1.5)) * (shot - soft)
    shot = shot + rng.standard_normal(shot.shape, np.float32) * np.float32(rng.uniform(0, 0.035))
    final = (np.clip(shot, 0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.6:
        quality = int(rng.integers(35, 95))
        encoded = cv2.imencode(".jpg", final, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        return np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR), np.uint8)
    return final


def _exposure(rng: np.random.Generator, shot: NDArray[np.float32]) -> float:
    """A gain, mostly one that makes the picture middling grey without burning out its bright parts."""
    if rng.random() < 0.15:
        return float(rng.uniform(0.5, 1.25))
    sample = shot[::8, ::8]
    wanted = rng.uniform(0.25, 0.7) / max(0.02, float(sample.mean()))
    return float(np.clip(wanted, 0.6, max(1.0, 1.1 / max(0.2, float(np.quantile(sample, 0.98))))))


def _vignette(rng: np.random.Generator, width: int, height: int) -> NDArray[np.float32]:
    x = np.linspace(-1, 1, width, dtype=np.float32) - rng.normal(0, 0.1)
    y = np.linspace(-1, 1, height, dtype=np.float32) - rng.normal(0, 0.1)
    distance = np.sqrt(x[None] ** 2 + y[:, None] ** 2)
    edge = rng.uniform(0.7, 1.3)
    return np.asarray(np.clip(1 - (distance - edge) * rng.uniform(1, 10), 0.2, 1), np.float32)


def tray_floor(rng: np.random.Generator, size: tuple[int, int]) -> Picture:
    """Felt, wood, carpet, paper or cloth."""
    width, height = size
    cloth = rng.random()
    if cloth < 0.25:  # dyed felt
        saturation, value = rng.uniform(150, 255), rng.uniform(90, 235)
    elif cloth < 0.37:  # black textile
        saturation, value = rng.uniform(0, 60), rng.uniform(15, 60)
    else:
        saturation, value = 255 * rng.uniform(0, 0.9) ** 1.5, rng.uniform(50, 250)
    hsv = np.array([[[rng.uniform(0, 180), saturation, value]]], np.uint8)
    base = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)
    surface = np.full((height, width, 3), base, np.float32)
    form = rng.uniform(0.3, 1) if cloth < 0.37 else rng.random()
    if form < 0.3:  # grain along one direction
        grain = _noise(rng, size, (int(rng.integers(3, 10)), int(rng.integers(60, 240))))
        surface = surface * (1 + rng.uniform(0.05, 0.4) * _rotated(rng, grain)[..., None])
    elif form < 0.5:  # carpet, cork
        rough = rng.normal(0, 1, (height, width, 3 if rng.random() < 0.6 else 1)).astype(np.float32)
        speckle = np.asarray(cv2.GaussianBlur(rough, (0, 0), float(rng.uniform(0.6, 2.0))))
        speckle = speckle[..., None] if speckle.ndim == 2 else speckle
        surface = surface + speckle * rng.uniform(10, 60 if cloth < 0.37 else 110)
    elif form < 0.58:  # squared paper
        step, colour = int(rng.integers(10, 50)), base * rng.uniform(0.4, 0.8)
        surface[::step], surface[:, ::step] = colour, colour
    cloud = _noise(rng, size, (int(rng.integers(3, 9)),) * 2)
    surface = surface * (1 + rng.uniform(0, 0.15) * cloud[..., None])
    return np.clip(surface, 0, 255).astype(np.uint8)


def _noise(rng: np.random.Generator, size: tuple[int, int], cells: tuple[int, int]) -> NDArray[np.float32]:
    coarse = rng.normal(size=cells[::-1]).astype(np.float32)
    return np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC), np.float32)


def _rotated(rng: np.random.Generator, noise: NDArray[np.float32]) -> NDArray[np.float32]:
    height, width = noise.shape
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.uniform(0, 180)), 1.5)
    return np.asarray(cv2.warpAffine(noise, turn, (width, height), borderMode=cv2.BORDER_REFLECT), np.float32)


def _pixel(point: Points) -> tuple[int, int]:
    return (int(point[0]), int(point[1]))
