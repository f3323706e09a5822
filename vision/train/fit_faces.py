"""Trains the face network: kind, pips, digits, whether a face can be read, and an embedding for teaching."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np
import torch
from torch import nn

from vision.train.nets import CROP, DIGITS, EMBEDDING, PIPS, Faces
from vision.train.scenes import KINDS, SYMBOLS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.train.stock import Shot

STORED, ROOM = 72, 1.8  # pixels a side of a stored crop, and its side in sides of the die's box
_PAIR_OF_DIGITS = -2  # the target of a 6 or 9 that nothing tells apart
_NONE = -1
_IDENTITIES = SYMBOLS + 6 + 10 + 6  # symbols, numerals on d6, numerals on d10, pips


class Crops(NamedTuple):
    """Crops (n x 72 x 72 x 3) with targets (n x 5: kind, pips, digit, readable, identity; -1 where none)."""

    pictures: NDArray[np.uint8]
    targets: NDArray[np.int64]
    turn: NDArray[np.float32]  # how far each may be turned, in degrees


def cut(shots: list[Shot], *, seed: int, turn: float, blanks: float) -> Crops:
    """Cut the dice of shots out, and for each die so many places where none is."""
    rng = np.random.default_rng(seed)
    pictures, targets = [], []
    for shot in shots:
        picture = shot.picture()
        for die in shot.dice:
            x, y, w, h = die.bbox
            pictures.append(_square(picture, x + w / 2, y + h / 2, max(w, h)))
            targets.append(_target(die.kind, die.face, readable=die.readable, either=die.either))
        for _ in range(rng.poisson(blanks * max(1, len(shot.dice)))):
            place = _blank(picture, shot, rng)
            if place is not None:
                pictures.append(_square(picture, *place))
                targets.append(_target("nothing", "", readable=False, either=False))
    count = len(pictures)
    return Crops(np.stack(pictures), np.array(targets, np.int64), np.full(count, turn, np.float32))


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
    prototypes = nn.Parameter(0.1 * torch.randn(_IDENTITIES, EMBEDDING))
    net.train().to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW([*net.parameters(), prototypes], lr=rate, weight_decay=1e-3)
    began, step, shown = time.process_time(), 0, 0.0
    while (spent := (time.process_time() - began) / seconds) < 1:
        for group in optimiser.param_groups:
            group["lr"] = (
                rate * min(1.0, (step + 1) / 50) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * spent)))
            )
        pictures, targets = _batch(stocks, batch, rng)
        loss = _loss(net(pictures), targets, prototypes)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        step, shown = step + 1, 0.98 * shown + 0.02 * float(loss.detach())
        if step % 100 == 0:
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


def _target(kind: str, face: str, *, readable: bool, either: bool) -> tuple[int, int, int, int, int]:
    pips = digit = identity = _NONE
    if readable and kind == "pips":
        pips = int(face) - 1
        identity = SYMBOLS + 16 + pips
    elif readable and kind in {"d6num", "d10"}:
        digit = _PAIR_OF_DIGITS if either else int(face)
        offset = SYMBOLS - 1 if kind == "d6num" else SYMBOLS + 6
        identity = _NONE if either else offset + int(face)
    elif readable and kind == "symbols":
        identity = int(face[1:])
    return KINDS.index(kind), pips, digit, int(readable), identity


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
) -> tuple[torch.Tensor, torch.Tensor]:
    pictures, targets, turns = [], [], []
    for crops, share in stocks:
        chosen = rng.integers(len(crops.pictures), size=round(batch * share))
        pictures.append(crops.pictures[chosen])
        targets.append(crops.targets[chosen])
        turns.append(crops.turn[chosen])
    drawn = torch.from_numpy(np.concatenate(pictures)).permute(0, 3, 1, 2).float() / 255
    return _varied(drawn, np.concatenate(turns), rng), torch.from_numpy(np.concatenate(targets))


def _varied(drawn: torch.Tensor, turns: NDArray[np.float32], rng: np.random.Generator) -> torch.Tensor:
    """Turn, scale, shift, recolour, blur and roughen a batch of stored crops down to the network's input."""
    count = len(drawn)
    angle = np.radians(rng.uniform(-1, 1, count) * turns)
    scale = rng.uniform(1.1, 1.65, count) / ROOM
    shift = rng.normal(0, 0.05, (2, count)) / ROOM * 2
    onto = np.stack(
        [
            np.stack([np.cos(angle) * scale, -np.sin(angle) * scale, shift[0]], 1),
            np.stack(
                [np.sin(angle) * scale * rng.uniform(0.9, 1.1, count), np.cos(angle) * scale, shift[1]], 1
            ),
        ],
        1,
    ).astype(np.float32)
    grid = nn.functional.affine_grid(torch.from_numpy(onto), [count, 3, CROP, CROP], align_corners=False)
    crops = nn.functional.grid_sample(drawn, grid, padding_mode="border", align_corners=False)
    gains = torch.from_numpy(
        (rng.uniform(0.6, 1.4, (count, 1)) * rng.normal(1, 0.1, (count, 3))).astype(np.float32)
    )
    crops = (crops * gains[..., None, None]).clamp(1e-4, 1) ** torch.from_numpy(
        rng.uniform(0.6, 1.6, (count, 1, 1, 1)).astype(np.float32)
    )
    if rng.random() < 0.3:
        crops = crops[:, torch.from_numpy(rng.permutation(3))]
    grey = torch.from_numpy((rng.random((count, 1, 1, 1)) < 0.15).astype(np.float32))
    crops = crops * (1 - grey) + crops.mean(dim=1, keepdim=True) * grey
    soft = torch.from_numpy(np.maximum(0, rng.uniform(-1, 1, (count, 1, 1, 1))).astype(np.float32))
    crops = crops * (1 - soft) + nn.functional.avg_pool2d(crops, 3, 1, 1) * soft
    rough = torch.from_numpy(rng.uniform(0, 0.05, (count, 1, 1, 1)).astype(np.float32))
    crops = (crops + rough * torch.randn_like(crops)).clamp(0, 1)
    return crops.contiguous(memory_format=torch.channels_last)


def _loss(out: torch.Tensor, targets: torch.Tensor, prototypes: torch.Tensor) -> torch.Tensor:
    pips, digits, kinds, readable, embedding = out.split([PIPS, DIGITS, len(KINDS), 1, EMBEDDING], dim=1)
    total = nn.functional.cross_entropy(kinds, targets[:, 0], label_smoothing=0.02)
    total = total + nn.functional.binary_cross_entropy_with_logits(readable[:, 0], targets[:, 3].float())
    for said, column, smooth in ((pips, 1, 0.02), (digits, 2, 0.02)):
        known = targets[:, column] >= 0
        if known.any():
            total = (
                total
                + nn.functional.cross_entropy(said[known], targets[known, column], label_smoothing=smooth)
                * known.float().mean()
                * 2
            )
    unclear = targets[:, 2] == _PAIR_OF_DIGITS
    if unclear.any():
        logs = nn.functional.log_softmax(digits[unclear], dim=1)
        total = total - (logs[:, 6] + logs[:, 9]).mean() / 2 * unclear.float().mean() * 2
    known = targets[:, 4] >= 0
    if known.any():
        near = nn.functional.normalize(embedding[known]) @ nn.functional.normalize(prototypes).T
        total = total + nn.functional.cross_entropy(14 * near, targets[known, 4]) * known.float().mean()
    return total
