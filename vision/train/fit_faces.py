"""Trains the face network: kind, pips, digits, whether a face can be read, and an embedding for teaching."""

from __future__ import annotations

import math
import time

import torch
from torch import nn
from torch.nn import functional

from vision.train import augment
from vision.train.augment import Batch, Stock
from vision.train.crops import IDENTITIES, NONE, PAIR_OF_DIGITS
from vision.train.nets import DIGITS, FEATURES, LEAN, PIPS, Faces
from vision.train.scenes import KINDS

# Slope that a labelled die without an upper face has at least, and the others beside it at most.
_LEANING, _LEVEL = 0.45, 0.3
_TOLD = 64  # numbers by which symbols are told apart


def fit(
    stocks: list[tuple[Stock, float]],
    *,
    seconds: float,
    start: Faces | None,
    seed: int,
    device: torch.device,
    rate: float = 2e-3,
    batch: int = 128,
) -> Faces:
    """Train for a while, drawing each batch from the stocks by their shares."""
    torch.manual_seed(seed)
    net = start or Faces()
    net.train().to(device, memory_format=torch.channels_last)
    tell = nn.Linear(FEATURES, _TOLD).to(device)
    prototypes = nn.Parameter(0.1 * torch.randn(IDENTITIES, _TOLD, device=device))
    optimiser = torch.optim.AdamW(
        [*net.parameters(), *tell.parameters(), prototypes], lr=rate, weight_decay=1e-3
    )
    began, step, shown = time.monotonic(), 0, 0.0
    while (spent := (time.monotonic() - began) / seconds) < 1:
        for group in optimiser.param_groups:
            group["lr"] = (
                rate * min(1.0, (step + 1) / 50) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * spent)))
            )
        drawn = augment.batch(stocks, batch)
        with torch.autocast(device.type, dtype=torch.bfloat16):
            said = net(drawn.pictures.contiguous(memory_format=torch.channels_last)).float()
        loss = _loss(said, drawn, tell, prototypes)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        step += 1
        if step % 20 == 0:
            shown = 0.8 * shown + 0.2 * float(loss.detach()) if shown else float(loss.detach())
        if step % 500 == 0:
            print(f"faces step {step} {spent:.0%} loss {shown:.3f}", flush=True)
    return net


def _loss(out: torch.Tensor, drawn: Batch, tell: nn.Linear, prototypes: torch.Tensor) -> torch.Tensor:
    pips, digits, kinds, readable, lean, features = out.split(
        [PIPS, DIGITS, len(KINDS), 1, LEAN, FEATURES], dim=1
    )
    kind, pip, digit, legible, identity, flat = drawn.targets.unbind(dim=1)
    near = functional.normalize(tell(features)) @ functional.normalize(prototypes).T
    total = _cross_entropy(kinds, kind) + _cross_entropy(14 * near, identity)
    total = total + 2 * _cross_entropy(pips, pip) + 5 * _cross_entropy(digits, digit)
    logs = functional.log_softmax(digits, dim=1)
    total = total - ((logs[:, 6] + logs[:, 9]) * (digit == PAIR_OF_DIGITS)).mean()
    read = functional.binary_cross_entropy_with_logits(
        readable[:, 0], legible.clamp(min=0).float(), reduction="none"
    )
    total = total + _over(read, legible >= 0)
    known = ~torch.isnan(drawn.leans[:, 0])
    leans = drawn.leans.nan_to_num()
    slope = torch.cat([leans.norm(dim=1, keepdim=True), leans], dim=1)
    apart = functional.smooth_l1_loss(lean, slope, beta=0.1, reduction="none").mean(dim=1)
    total = total + 4 * _over(apart, known)
    too_flat, too_steep = functional.relu(_LEANING - lean[:, 0]), functional.relu(lean[:, 0] - _LEVEL)
    return total + 8 * (~known * ((flat == 0) * too_flat + (flat == 1) * too_steep)).mean()


def _over(losses: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
    """Their mean over the samples whose target is known."""
    return (losses * known).sum() / known.sum().clamp(min=1)


def _cross_entropy(said: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Over the samples with a target, weighed by how many those are."""
    loss = functional.cross_entropy(
        said, target.clamp(min=NONE), ignore_index=NONE, label_smoothing=0.02, reduction="sum"
    )
    return loss / len(target)
