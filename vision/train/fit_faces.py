"""Trains the face network: kind, pips, digits, whether a face can be read, and an embedding for teaching."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np
import torch
from torch import nn

from vision.train.nets import CROP, DIGITS, FEATURES, LEAN, PIPS, Faces
from vision.train.scenes import KINDS, SYMBOLS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.reading import Box
    from vision.train.scenes import Label
    from vision.train.stock import Shot

STORED, ROOM = 96, 1.8  # pixels a side of a stored crop, and its side in sides of the die's box
PAIR_OF_DIGITS = -2  # the target of a 6 or 9 that nothing tells apart
_NONE = -1
_UNKNOWN = (math.nan, math.nan)
_DIM = 0.035  # spread of a crop's grey levels (0 to 1) below which no face can be read
_COARSE = 0.3  # share of crops that are shown as if the die had been smaller in the picture
_COARSEST, _FINE = 25.0, 40.0  # pixels a side: of dice that are shown as they are, and those in full
_NO_DIE = (KINDS.index("nothing"), _NONE, _NONE, 0, _NONE, _NONE)
# Slope that a labelled die without an upper face has at least, and the others beside it at most.
_LEANING, _LEVEL = 0.45, 0.3
_TOLD = 64  # numbers by which symbols are told apart
_PRINTED = SYMBOLS + 20  # symbols, those of photographs last
_IDENTITIES = _PRINTED + 6 + 10 + 6  # symbols, numerals on d6, numerals on d10, pips


class Crops(NamedTuple):
    """Crops (n x 96 x 96 x 3), targets (n x 6), leans (n x 2).

    Targets are kind, pips, digit, readable, identity and flat, -1 where there is none.

    A lean (n x 2) is NaN where nobody knows.
    """

    pictures: NDArray[np.uint8]
    targets: NDArray[np.int64]
    leans: NDArray[np.float32]
    turn: NDArray[np.float32]  # how far each may be turned, in degrees
    fine: NDArray[np.float32]  # pixels of the die's side in the picture it was cut from


def cut(shots: list[Shot], *, seed: int, turn: float, blanks: float, room: float = ROOM) -> Crops:
    """Cut the dice of shots out, and for each die so many places where none is."""
    rng = np.random.default_rng(seed)
    pictures, targets, leans, fine = [], [], [], []
    for shot in shots:
        picture = shot.picture()
        for die in shot.dice:
            x, y, w, h = die.bbox
            pictures.append(_square(picture, x + w / 2, y + h / 2, max(w, h) * room / ROOM))
            targets.append(_target(die))
            leans.append(die.lean or _UNKNOWN)
            fine.append(max(w, h))
        for _ in range(rng.poisson(blanks * max(1, len(shot.dice)))):
            place = _blank(picture, shot, rng)
            if place is not None:
                pictures.append(_square(picture, *place))
                targets.append(_NO_DIE)
                leans.append(_UNKNOWN)
                fine.append(place[2])
    count, told = len(pictures), np.array(targets, np.int64)
    if all(die.flat for shot in shots for die in shot.dice):  # nobody looked for cocked ones there
        told[:, 5] = _NONE
    return Crops(
        np.stack(pictures),
        told,
        np.array(leans, np.float32),
        np.full(count, turn, np.float32),
        np.array(fine, np.float32),
    )


def cut_nothing(places: list[tuple[Shot, list[Box]]]) -> Crops:
    """Cut out places that look like dice to the finder, and are none."""
    pictures = [
        _square(picture, box.x + box.w / 2, box.y + box.h / 2, max(box.w, box.h))
        for shot, boxes in places
        if boxes
        for picture in [shot.picture()]
        for box in boxes
    ]
    count = len(pictures)
    return Crops(
        np.stack(pictures),
        np.tile(np.array(_NO_DIE, np.int64), (count, 1)),
        np.full((count, 2), math.nan, np.float32),
        np.full(count, 180, np.float32),
        np.array([max(box.w, box.h) for _, boxes in places for box in boxes], np.float32),
    )


def mirrored(crops: Crops) -> Crops:
    """Crops of pip dice and their mirror images; their leans must be unknown."""
    assert np.isnan(crops.leans).all()
    flipped = crops.pictures[:, :, ::-1]
    return Crops(np.concatenate([crops.pictures, flipped]), *(np.concatenate([p, p]) for p in crops[1:]))


def fit(
    stocks: list[tuple[Crops, float]],
    *,
    seconds: float,
    start: Faces | None,
    seed: int,
    rate: float = 2e-3,
    batch: int = 128,
) -> Faces:
    """Train for a while, drawing each batch from the stocks by their shares."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(seed)
    net = start or Faces()
    tell, prototypes = nn.Linear(FEATURES, _TOLD), nn.Parameter(0.1 * torch.randn(_IDENTITIES, _TOLD))
    net.train().to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(
        [*net.parameters(), *tell.parameters(), prototypes], lr=rate, weight_decay=1e-3
    )
    began, step, shown = time.process_time(), 0, 0.0
    while (spent := (time.process_time() - began) / seconds) < 1:
        for group in optimiser.param_groups:
            group["lr"] = (
                rate * min(1.0, (step + 1) / 50) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * spent)))
            )
        pictures, targets, leans = _batch(stocks, batch, rng)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            said = net(pictures).float()
        loss = _loss(said, targets, leans, tell, prototypes)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        step, shown = step + 1, 0.98 * shown + 0.02 * float(loss.detach())
        if step % 500 == 0:
            print(f"faces step {step} {spent:.0%} loss {shown / (1 - 0.98**step):.3f}", flush=True)
    return net


def _square(picture: NDArray[np.uint8], x: float, y: float, wide: float) -> NDArray[np.uint8]:
    side = max(wide * ROOM, 8.0)
    scale = STORED / side
    if scale < 0.5:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.4 / scale), np.uint8)
    onto = np.array([[scale, 0, STORED / 2 - scale * x], [0, scale, STORED / 2 - scale * y]])
    cropped = cv2.warpAffine(
        picture, onto, (STORED, STORED), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cropped, np.uint8)


def _target(die: Label) -> tuple[int, ...]:
    """A face that can be read and lies flat counts; of a cocked die only the kind and the lean."""
    pips = digit = identity = _NONE
    if not die.flat:
        return KINDS.index(die.kind), pips, digit, _NONE, identity, 0
    if die.readable and die.kind == "pips":
        pips = int(die.face) - 1
        identity = _PRINTED + 16 + pips
    elif die.readable and die.kind in {"d6num", "d10"}:
        digit = PAIR_OF_DIGITS if die.either else int(die.face)
        offset = _PRINTED - 1 if die.kind == "d6num" else _PRINTED + 6
        identity = _NONE if die.either else offset + int(die.face)
    elif die.readable and die.kind == "symbols" and die.face:
        identity = int(die.face[1:])
    readable = int(die.readable) if die.face else _NONE
    return KINDS.index(die.kind), pips, digit, readable, identity, 1


def _blank(
    picture: NDArray[np.uint8], shot: Shot, rng: np.random.Generator
) -> tuple[float, float, float] | None:
    height, width = picture.shape[:2]
    x, y, wide = rng.uniform(0, width), rng.uniform(0, height), math.exp(rng.uniform(2.8, 5.0))
    for die in shot.dice:
        left, top, w, h = die.bbox
        if abs(x - left - w / 2) < 0.55 * (w + wide) and abs(y - top - h / 2) < 0.55 * (h + wide):
            return None
    return x, y, wide


def _batch(
    stocks: list[tuple[Crops, float]], batch: int, rng: np.random.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    drawn = [(crops, rng.integers(len(crops.pictures), size=round(batch * share))) for crops, share in stocks]
    pictures = [crops.pictures[one] for crops, chosen in drawn for one in chosen]
    targets = np.concatenate([crops.targets[chosen] for crops, chosen in drawn])
    leans = np.concatenate([crops.leans[chosen] for crops, chosen in drawn])
    turns = np.concatenate([crops.turn[chosen] for crops, chosen in drawn])
    fine = np.concatenate([crops.fine[chosen] for crops, chosen in drawn])
    worse = np.clip((fine - _COARSEST) / _FINE, 0.1, 1)  # what is small already is not made much worse
    angles = np.radians(rng.uniform(-1, 1, len(turns)) * turns).astype(np.float32)
    seen = [
        _recoloured(_sampled(one, float(a), float(much), rng), float(much), rng)
        for one, a, much in zip(pictures, angles, worse, strict=True)
    ]
    shown = torch.from_numpy(np.stack(seen)).float() / 255
    shown = _roughened(shown, torch.from_numpy(worse.astype(np.float32)), rng).permute(0, 3, 1, 2)
    cos, sin = np.cos(angles), np.sin(angles)
    # the picture is sampled along the turned axes, so what is in it turns the other way
    turned = np.stack([cos * leans[:, 0] + sin * leans[:, 1], cos * leans[:, 1] - sin * leans[:, 0]], axis=1)
    middle = shown[:, :, CROP // 4 : -CROP // 4, CROP // 4 : -CROP // 4]
    dim = (middle.mean(dim=1).std(dim=(1, 2)) < _DIM).numpy() & (targets[:, 3] == 1)
    targets[dim, 1:5] = (_NONE, _NONE, 0, _NONE)
    return shown, torch.from_numpy(targets), torch.from_numpy(turned)


def _sampled(
    stored: NDArray[np.uint8], angle: float, worse: float, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Turn, scale, stretch and shift a stored crop down to the network's input; at times a coarser one."""
    wide = rng.uniform(1.1, 1.65) / ROOM * STORED / CROP  # stored pixels a pixel
    high = wide * rng.uniform(0.92, 1.08)
    cos, sin = math.cos(angle), math.sin(angle)
    back = np.array([[cos * wide, -sin * high, 0], [sin * wide, cos * high, 0]])
    middle = STORED / 2 + rng.normal(0, 0.028, 2) * STORED
    size = CROP if rng.random() > _COARSE * worse else int(rng.integers(28, CROP))
    back[:, :2] *= CROP / size
    back[:, 2] = middle - 0.5 - back[:, :2] @ np.full(2, size / 2 - 0.5)
    seen = cv2.warpAffine(
        stored,
        back,
        (size, size),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    if size < CROP:
        seen = cv2.resize(seen, (CROP, CROP), interpolation=cv2.INTER_LINEAR)
    return np.asarray(seen, np.uint8)


def _recoloured(seen: NDArray[np.uint8], worse: float, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Another exposure, cast and sharpness; at times other colours or none."""
    gains = rng.uniform(0.7, 1.5) * rng.normal(1, 0.1, 3)
    curve = np.clip(np.arange(256)[:, None] / 255 * gains, 0, 1) ** rng.uniform(0.5, 1.4)
    seen = np.asarray(cv2.LUT(seen, (curve * 255).astype(np.uint8)[None]), np.uint8)
    if rng.random() < 0.3:
        seen = seen[..., rng.permutation(3)]
    if rng.random() < 0.15:
        seen = np.repeat(seen.mean(axis=2, keepdims=True).astype(np.uint8), 3, axis=2)
    soft = rng.uniform(-1, 1) * worse
    if soft > 0:
        seen = np.asarray(cv2.addWeighted(seen, 1 - soft, cv2.blur(seen, (3, 3)), soft, 0), np.uint8)
    return seen


def _roughened(crops: torch.Tensor, worse: torch.Tensor, rng: np.random.Generator) -> torch.Tensor:
    """Crops (n x height x width x 3) with more light from one side, and noise."""
    count, height, width, _ = crops.shape
    slope = torch.from_numpy(rng.normal(0, 0.15, (2, count, 1, 1, 1)).astype(np.float32))
    down, along = torch.linspace(-1, 1, height)[:, None, None], torch.linspace(-1, 1, width)[:, None]
    rough = torch.from_numpy(rng.uniform(0, 0.05, (count, 1, 1, 1)).astype(np.float32)) * worse.view(
        -1, 1, 1, 1
    )
    noise = torch.randn(crops[::4].numel(), dtype=torch.float32).repeat(4)[: crops.numel()].view(crops.shape)
    return (crops * (1 + slope[0] * along + slope[1] * down).clamp(0.3, 1.7) + rough * noise).clamp(0, 1)


def _loss(
    out: torch.Tensor, targets: torch.Tensor, leans: torch.Tensor, tell: nn.Linear, prototypes: torch.Tensor
) -> torch.Tensor:
    pips, digits, kinds, readable, lean, features = out.split(
        [PIPS, DIGITS, len(KINDS), 1, LEAN, FEATURES], dim=1
    )
    total = nn.functional.cross_entropy(kinds, targets[:, 0], label_smoothing=0.02)
    told = targets[:, 3] >= 0
    total = total + nn.functional.binary_cross_entropy_with_logits(
        readable[told, 0], targets[told, 3].float()
    )
    for said, column, weight in ((pips, 1, 2), (digits, 2, 5)):
        total = total + weight * _cross_entropy(said, targets[:, column])
    unclear = targets[:, 2] == PAIR_OF_DIGITS
    logs = nn.functional.log_softmax(digits, dim=1)
    total = total - ((logs[:, 6] + logs[:, 9]) * unclear.float()).mean()
    known = ~torch.isnan(leans[:, 0])
    slope = torch.cat([leans[known].norm(dim=1, keepdim=True), leans[known]], dim=1)
    total = total + 4 * nn.functional.smooth_l1_loss(lean[known], slope, beta=0.1)
    steep, cocked, level = lean[:, 0], ~known & (targets[:, 5] == 0), ~known & (targets[:, 5] == 1)
    apart = cocked * nn.functional.relu(_LEANING - steep) + level * nn.functional.relu(steep - _LEVEL)
    total = total + 8 * apart.mean()
    near = nn.functional.normalize(tell(features)) @ nn.functional.normalize(prototypes).T
    return total + _cross_entropy(14 * near, targets[:, 4])


def _cross_entropy(said: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Over the samples with a target, weighed by how many those are."""
    known = target >= 0
    if not known.any():
        return said.new_zeros(())
    loss = nn.functional.cross_entropy(said[known], target[known], label_smoothing=0.02)
    return loss * known.float().mean()
