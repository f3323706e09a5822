"""Trains the networks that are shown single dice: the one of faces, and the one of numerals."""

from __future__ import annotations

import copy
import functools
import itertools
from typing import TYPE_CHECKING, TypeVar

import torch
from torch import nn
from torch.nn import functional
from torch.optim.swa_utils import update_bn

from vision.train import augment, fit
from vision.train.crops import IDENTITIES, NONE, PAIR_OF_DIGITS
from vision.train.nets import FEATURES, PARTS, Faces, Numerals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from vision.train.augment import Batch, Stock
    from vision.train.fit import Plan

Net = TypeVar("Net", bound=nn.Module)

# Slope that a labelled die without an upper face has at least, and the others beside it at most.
_LEANING, _LEVEL = 0.45, 0.3
_TOLD = 64  # numbers by which symbols are told apart
_CLOSER = (0.85, 1.35)  # sides of a die that the network of numerals is shown
_MEASURED = 100  # batches on which the mean of networks is measured
_DECAY = 1e-3  # of weights


def fit_faces(stocks: list[tuple[Stock, float]], plan: Plan, *, start: Faces | None, seed: int) -> Faces:
    """Train for a while, drawing each batch from the stocks by their shares."""
    torch.manual_seed(seed)
    net = start or Faces()
    tell = nn.Linear(FEATURES, _TOLD).to(plan.device)
    prototypes = nn.Parameter(0.1 * torch.randn(IDENTITIES, _TOLD, device=plan.device))
    fit.descend(
        net,
        _batches(functools.partial(augment.batch, stocks, plan.batch)),
        functools.partial(_of_faces, tell=tell, prototypes=prototypes),
        plan,
        name="faces",
        decay=_DECAY,
        also=[*tell.parameters(), prototypes],
    )
    return net


def mean_of(nets: Sequence[Net], stocks: list[tuple[Stock, float]], plan: Plan, *, seed: int) -> Net:
    """The mean of networks that went on from one another: on new dice it does better than each of them.

    What its layers put out is measured anew for their normalisation.
    """
    torch.manual_seed(seed)
    states = [net.state_dict() for net in nets]
    mean = copy.deepcopy(nets[0])
    mean.load_state_dict(
        {name: torch.stack([state[name].float() for state in states]).mean(dim=0) for name in states[0]}
    )
    rooms = _CLOSER if isinstance(mean, Numerals) else augment.ROOMS
    batches = _batches(functools.partial(augment.batch, stocks, plan.batch, rooms=rooms))
    update_bn((pictures for pictures, _ in itertools.islice(batches, _MEASURED)), mean.to(plan.device))
    return mean


def fit_numerals(stocks: list[tuple[Stock, float]], plan: Plan, *, start: Numerals, seed: int) -> Numerals:
    """Train for a while on dice with numerals that can be read."""
    torch.manual_seed(seed)
    batches = _batches(functools.partial(augment.batch, stocks, plan.batch, rooms=_CLOSER))
    fit.descend(start, batches, _of_numerals, plan, name="numerals", decay=_DECAY)
    return start


def _batches(draw: Callable[[], Batch]) -> Iterator[tuple[torch.Tensor, Batch]]:
    return ((drawn.pictures, drawn) for drawn in (draw() for _ in itertools.count()))


def _of_faces(out: torch.Tensor, drawn: Batch, *, tell: nn.Linear, prototypes: torch.Tensor) -> torch.Tensor:
    pips, kinds, readable, lean, features = out.split(PARTS, dim=1)
    kind, pip, _, legible, identity, flat = drawn.targets.unbind(dim=1)
    near = functional.normalize(tell(features)) @ functional.normalize(prototypes).T
    total = _cross_entropy(kinds, kind) + _cross_entropy(14 * near, identity)
    total = total + 2 * _cross_entropy(pips, pip)
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


def _of_numerals(digits: torch.Tensor, drawn: Batch) -> torch.Tensor:
    """A 6 or 9 that nothing tells apart is to be either, with even chances."""
    digit = drawn.targets[:, 2]
    logs = functional.log_softmax(digits, dim=1)
    either = (logs[:, 6] + logs[:, 9]) / 2
    return _cross_entropy(digits, digit) - (either * (digit == PAIR_OF_DIGITS)).mean()


def _over(losses: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
    """Their mean over the samples whose target is known."""
    return (losses * known).sum() / known.sum().clamp(min=1)


def _cross_entropy(said: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Over the samples with a target, weighed by how many those are."""
    loss = functional.cross_entropy(
        said, target.clamp(min=NONE), ignore_index=NONE, label_smoothing=0.02, reduction="sum"
    )
    return loss / len(target)
