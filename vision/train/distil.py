"""Distillation (Hinton et al. 2015): a narrower face network learns to answer as a wide one does.

Where it has no doubt it is right as often, and it takes a third of the time.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import nn
from torch.nn import functional

from vision.train import augment, fit
from vision.train.nets import FEATURES, NARROW, PARTS, Faces
from vision.train.scenes import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.train.augment import Stock
    from vision.train.fit import Plan

_DECAY = 1e-3  # of weights
PROBED = 512  # crops by which a thinned network is set right
_STRAY = 0.15  # how much it counts what pips the teacher says of things that it takes for no pip dice


def distil(teacher: Faces, stocks: list[tuple[Stock, float]], plan: Plan, *, seed: int) -> Faces:
    """A narrow network that has learnt for a while from what the teacher answers to crops of the stocks."""
    torch.manual_seed(seed)
    teacher = teacher.eval().to(plan.device, memory_format=torch.channels_last)
    probe = augment.batch(stocks, PROBED).pictures
    net = thinned(teacher, probe)
    with torch.no_grad():
        spread = float(teacher(probe)[:, -FEATURES:].var())

    def answered() -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        while True:
            pictures = augment.batch(stocks, plan.batch).pictures
            with torch.no_grad(), torch.autocast(plan.device.type, dtype=torch.bfloat16):
                answers = teacher(pictures.contiguous(memory_format=torch.channels_last)).float()
            yield pictures, answers

    unlike = functools.partial(_unlike, spread=spread)
    fit.descend(net, answered(), unlike, plan, name="glance", decay=_DECAY)
    return net


def _unlike(said: torch.Tensor, answers: torch.Tensor, *, spread: float) -> torch.Tensor:
    """How far answers are from the teacher's: divergence of chances, errors of slopes and of features."""
    pips, kinds, readable, lean, features = said.split(PARTS, dim=1)
    its_pips, its_kinds, its_readable, its_lean, its_features = answers.split(PARTS, dim=1)
    for_pips = _STRAY + (1 - _STRAY) * functional.softmax(its_kinds, dim=1)[:, KINDS.index("pips")]
    total = (_divergence(pips, its_pips) * for_pips).mean() + 0.7 * _divergence(kinds, its_kinds).mean()
    total = total + 0.7 * functional.binary_cross_entropy_with_logits(readable, its_readable.sigmoid())
    total = total + 4 * functional.smooth_l1_loss(lean, its_lean, beta=0.1)
    return total + 2 * functional.mse_loss(features, its_features) / spread


def _divergence(said: torch.Tensor, answers: torch.Tensor) -> torch.Tensor:
    """Of chances, given as logits, from the teacher's (Kullback-Leibler), for each crop."""
    logs, chances = functional.log_softmax(said, dim=1), functional.softmax(answers, dim=1)
    return functional.kl_div(logs, chances, reduction="none").sum(dim=1)


def thinned(teacher: Faces, crops: torch.Tensor, channels: tuple[int, int, int] = NARROW) -> Faces:
    """A network of the channels that weigh most in a teacher that was exported: where learning begins.

    What its layers put out for some crops is measured for their normalisation, so that they put out what the
    teacher's would but for what the channels that are left out gave.
    """
    net: Faces = Faces(channels).to(crops.device)
    wide, narrow = _layers(teacher), _layers(net)
    kept = {layer.to: _heaviest(wide, layer.to, layer.conv.out_channels) for layer in narrow}
    with torch.no_grad():
        for its, mine in zip(wide, narrow, strict=True):
            weights = its.conv.weight[kept[its.to]]
            mine.conv.weight.copy_(weights[:, kept[its.of]] if its.of in kept else weights)
            mine.norm.bias.copy_(its.norm.bias[kept[its.to]])
        whole, narrower = teacher.body[-2], net.body[-2]
        seen = whole.weight.reshape(FEATURES, len(teacher.body[-4][0].weight), -1)[:, kept["last"]]
        narrower.weight.copy_(seen.flatten(1))
        narrower.bias.copy_(whole.bias)
        net.heads.load_state_dict(teacher.heads.state_dict())
        for layer in narrow:
            _measure(net, layer, crops)
    return net


class _Layer(NamedTuple):
    """A convolution and its normalisation, and which flows of channels it reads, and writes or adds to."""

    block: nn.Sequential
    of: str
    to: str

    @property
    def conv(self) -> nn.Conv2d:
        return self.block[0]

    @property
    def norm(self) -> nn.BatchNorm2d:
        return self.block[1]


def _layers(net: Faces) -> list[_Layer]:
    stem, down, sixteenth, again, eighth, last, *_ = net.body
    return [
        _Layer(stem, "crop", "stem"),
        _Layer(down, "stem", "sixteenth"),
        _Layer(sixteenth.first, "sixteenth", "in sixteenth"),
        _Layer(sixteenth.second, "in sixteenth", "sixteenth"),
        _Layer(again, "sixteenth", "eighth"),
        _Layer(eighth.first, "eighth", "in eighth"),
        _Layer(eighth.second, "in eighth", "eighth"),
        _Layer(last, "eighth", "last"),
    ]


def _heaviest(layers: list[_Layer], flow: str, count: int) -> torch.Tensor:
    """So many channels of a flow, in order: those with the most weight on the way in and out."""
    comes = [layer.conv.weight.detach().abs().sum(dim=(1, 2, 3)) for layer in layers if layer.to == flow]
    goes = [layer.conv.weight.detach().abs().sum(dim=(0, 2, 3)) for layer in layers if layer.of == flow]
    heavy = sum(comes) * (sum(goes) if goes else 1)
    return heavy.argsort(descending=True)[:count].sort().values


def _measure(net: Faces, layer: _Layer, crops: torch.Tensor) -> None:
    """Let a layer's normalisation, in training or not, change nothing of what its convolution puts out."""
    put_out: list[torch.Tensor] = []
    hook = layer.conv.register_forward_hook(lambda _conv, _seen, out: put_out.append(out))
    net.eval()(crops)
    hook.remove()
    variance, mean = torch.var_mean(put_out[0], dim=(0, 2, 3))
    norm = layer.norm
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(variance)
    norm.weight.copy_((variance + norm.eps).sqrt())
    norm.bias.add_(mean)
