"""Trains the finder: where dice are, how large, where a hand is (after CenterNet, Zhou et al. 2019)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import cv2
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from vision.train import fit
from vision.train.nets import FINDER_STRIDE, Finder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from vision.train.fit import Plan
    from vision.train.stock import Shot

PATCH = 384  # pixels a side of a training picture
_CELLS = PATCH // FINDER_STRIDE
_LEAST, _MOST = 12.0, 300.0  # pixels that a die is made to be wide


def fit_finder(
    shots: list[Shot],
    odds: NDArray[np.float64],
    plan: Plan,
    *,
    start: Finder | None,
    seed: int,
    workers: int,
) -> Finder:
    """Train for a while on shots drawn with these odds, from a fresh network or an earlier one.

    So many worker processes draw the batches; without any this one does.
    """
    torch.manual_seed(seed)
    net = start or Finder()
    if start is None:
        nn.init.constant_(net.head[1].bias[:2], -3.0)
    drawn = DataLoader(_Batches(shots, odds, seed, plan.batch), batch_size=None, num_workers=workers)
    batches = ((pictures.to(plan.device), targets.to(plan.device)) for pictures, targets in drawn)
    fit.descend(net, batches, _loss, plan, name="finder", decay=1e-4)
    return net


class _Batches(IterableDataset[tuple[torch.Tensor, torch.Tensor]]):
    """Patches (n x 3 x 384 x 384) and targets (n x 7 x 48 x 48) without end, others in each worker."""

    def __init__(self, shots: list[Shot], odds: NDArray[np.float64], seed: int, size: int) -> None:
        self._shots, self._odds, self._seed, self._size = shots, odds, seed, size

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        worker = get_worker_info()
        rng = np.random.default_rng([self._seed, worker.id if worker else 0])
        while True:
            chosen = rng.choice(len(self._shots), self._size, p=self._odds)
            samples = [_sample(self._shots[int(i)], rng) for i in chosen]
            pictures, targets = zip(*samples, strict=True)
            yield torch.from_numpy(np.stack(pictures)), torch.from_numpy(np.stack(targets))


def _sample(shot: Shot, rng: np.random.Generator) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A patch of a shot, turned, scaled and recoloured, and what the network should say about it."""
    picture = shot.picture()
    boxes = np.array([die.bbox for die in shot.dice], np.float64).reshape(-1, 4)
    height, width = picture.shape[:2]
    wide = float(np.median(boxes[:, 2:].max(axis=1))) if len(boxes) else 60.0
    goal = math.exp(rng.uniform(math.log(max(_LEAST, wide * 0.3)), math.log(min(_MOST, max(wide * 1.6, 40)))))
    scale = max(goal / wide, 0.55 * PATCH / max(height, width))
    focus = boxes[int(rng.integers(len(boxes)))] if len(boxes) and rng.random() < 0.7 else None
    at = np.array([width, height]) * rng.random(2) if focus is None else focus[:2] + focus[2:] / 2
    at = at + rng.uniform(-0.35, 0.35, 2) * PATCH / scale
    turn = rng.integers(4) * 90.0 + rng.normal(0, 8 if shot.source else 2)
    mirror = -1.0 if rng.random() < 0.5 else 1.0
    cos, sin = math.cos(math.radians(turn)) * scale, math.sin(math.radians(turn)) * scale
    onto = np.array([[cos * mirror, -sin, 0], [sin * mirror, cos, 0]])
    onto[:, 2] = PATCH / 2 - onto[:, :2] @ at
    if scale < 0.6:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.35 / scale), np.uint8)
    patch = np.asarray(cv2.warpAffine(picture, onto, (PATCH, PATCH)), np.uint8)
    return _coloured(patch, rng), _target(boxes, np.array(shot.hands).reshape(-1, 4), onto, scale)


def _coloured(patch: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.float32]:
    if rng.random() < 0.3:
        patch = patch[..., rng.permutation(3)]
    if rng.random() < 0.15:
        patch = np.repeat(patch.mean(axis=2, keepdims=True), 3, axis=2).astype(np.uint8)
    levels = np.arange(256) / 255.0
    gains, gamma = rng.uniform(0.6, 1.4) * rng.normal(1, 0.08, 3), rng.uniform(0.7, 1.4)
    curve = np.clip(levels[:, None] * gains, 0, 1) ** gamma
    shot = cv2.LUT(np.ascontiguousarray(patch), (curve * 255).astype(np.uint8)[None])
    if rng.random() < 0.25:
        shot = cv2.GaussianBlur(shot, (0, 0), rng.uniform(0.4, 1.2))
    shot = shot.astype(np.float32) / 255
    if rng.random() < 0.3:
        shot = np.clip(shot + rng.uniform(0, 0.05) * rng.standard_normal(shot.shape, np.float32), 0, 1)
    return np.ascontiguousarray(shot.transpose(2, 0, 1))


def _target(
    boxes: NDArray[np.float64], hands: NDArray[np.float64], onto: NDArray[np.float64], scale: float
) -> NDArray[np.float32]:
    """Channels: die heat, hand, dx, dy, log w, log h, weight of the last four."""
    target = np.zeros((7, _CELLS, _CELLS), np.float32)
    yy, xx = np.mgrid[0:_CELLS, 0:_CELLS] + 0.5
    turned = abs(onto[0, 1]) > abs(onto[0, 0])
    for x, y, w, h in hands:
        corners = np.array([[x, y, 1], [x + w, y + h, 1]]) @ onto.T / FINDER_STRIDE
        (x0, y0), (x1, y1) = np.clip(corners.min(axis=0), 0, _CELLS), np.clip(corners.max(axis=0), 0, _CELLS)
        target[1, int(y0) : int(y1), int(x0) : int(x1)] = 1
    for x, y, across, down in boxes:
        cx, cy = onto @ np.array([x + across / 2, y + down / 2, 1]) / FINDER_STRIDE
        w, h = np.array([down, across] if turned else [across, down]) * scale / FINDER_STRIDE
        if not (0 <= cx < _CELLS and 0 <= cy < _CELLS):
            continue
        sigma = max(0.45, 0.11 * math.sqrt(w * h))
        heat = np.exp(-((xx - cx) ** 2 + (yy - cy) ** 2) / (2 * sigma**2))
        column, row = int(cx), int(cy)
        heat[row, column] = 1.0
        target[0] = np.maximum(target[0], heat)
        for r in range(max(0, row - 1), min(_CELLS, row + 2)):
            for c in range(max(0, column - 1), min(_CELLS, column + 2)):
                near = 1.0 if (r, c) == (row, column) else 0.25
                if target[6, r, c] <= near:
                    target[2:, r, c] = (cx - c - 0.5, cy - r - 0.5, math.log(w), math.log(h), near)
    return target


def _loss(out: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    heat, goal = out[:, 0], target[:, 0]
    chance = torch.sigmoid(heat).clamp(1e-4, 1 - 1e-4)
    hits = (goal >= 1).float()
    found = hits * (1 - chance) ** 2 * torch.log(chance)
    empty = (1 - hits) * (1 - goal) ** 4 * chance**2 * torch.log(1 - chance)
    dice = hits.sum().clamp(min=1)
    boxes = (target[:, 6:7] * (out[:, 2:6] - target[:, 2:6]).abs()).sum() / dice
    rare = target.new_tensor(4.0)  # few cells of few pictures show a hand
    hand = nn.functional.binary_cross_entropy_with_logits(out[:, 1], target[:, 1], pos_weight=rare)
    return -(found + empty).sum() / dice + 0.5 * boxes + 2 * hand
