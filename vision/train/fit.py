"""Trains any network: steps down a loss for a while, at a rate that rises at once and falls slowly."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import torch
from torch import nn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Goals = TypeVar("Goals")

_RISE = 50  # steps to the full rate
_LAST = 0.02  # share of the rate at the end
_TOLD = 250  # steps between two lines of progress


class Plan(NamedTuple):
    """How long a network is trained, on which device, at what highest rate, on how many pictures a step."""

    seconds: float
    device: torch.device
    rate: float
    batch: int


def descend(
    net: nn.Module,
    batches: Iterator[tuple[torch.Tensor, Goals]],
    loss: Callable[[torch.Tensor, Goals], torch.Tensor],
    plan: Plan,
    *,
    name: str,
    decay: float,
    also: Iterable[nn.Parameter] = (),
) -> None:
    """Train the network, and what else the loss has to learn, on batches of pictures (n x 3 x h x w)."""
    learnt = [*net.train().to(plan.device, memory_format=torch.channels_last).parameters(), *also]
    optimiser = torch.optim.AdamW(learnt, lr=plan.rate, weight_decay=decay)
    began, step, shown = time.monotonic(), 0, 0.0
    while (spent := (time.monotonic() - began) / plan.seconds) < 1:
        falling = _LAST + (1 - _LAST) * 0.5 * (1 + math.cos(math.pi * spent))
        for group in optimiser.param_groups:
            group["lr"] = plan.rate * min(1.0, (step + 1) / _RISE) * falling
        pictures, goals = next(batches)
        with torch.autocast(plan.device.type, dtype=torch.bfloat16):
            said = net(pictures.contiguous(memory_format=torch.channels_last)).float()
        missed = loss(said, goals)
        optimiser.zero_grad()
        missed.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        step += 1
        if step % 10 == 0:
            shown = 0.9 * shown + 0.1 * float(missed.detach()) if shown else float(missed.detach())
        if step % _TOLD == 0:
            print(f"{name} step {step} {spent:.0%} loss {shown:.3f}", flush=True)
