"""The networks, in plain layers that cv2.dnn runs; batch norm is folded on export."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from vision.train.scenes import KINDS

if TYPE_CHECKING:
    from pathlib import Path

FINDER_STRIDE = 8
CROP = 64  # pixels a side of the face network's input
PIPS, DIGITS, LEAN, FEATURES = 6, 10, 3, 96
PARTS = [PIPS, len(KINDS), 1, LEAN, FEATURES]  # numbers of each part of the face network's answer
# Channels at 16 x 16 and at 8 x 8 cells of a crop, and those that are left where it is looked at as a whole.
WIDE, NARROW = (64, 96, 32), (32, 48, 16)


def conv(inputs: int, outputs: int, *, stride: int = 1, size: int = 3) -> nn.Sequential:
    """A convolution, batch norm and ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()
    )


class Residual(nn.Module):
    """Two convolutions whose answer is added to what went in."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = conv(channels, channels)
        self.second = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels)
        )

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        return nn.functional.relu(seen + self.second(self.first(seen)))


class Finder(nn.Module):
    """Picture (n x 3 x h x w, 0 to 1, sides multiples of 32) -> 6 numbers for each 8 x 8 pixels.

    They are die and hand (logits), dx and dy (of the centre from the cell's), log w and log h, in cells.
    """

    def __init__(self) -> None:
        super().__init__()
        self.to4 = nn.Sequential(conv(3, 8, stride=2), conv(8, 16, stride=2))
        self.to8 = nn.Sequential(conv(16, 32, stride=2), conv(32, 32))
        self.to16 = nn.Sequential(conv(32, 48, stride=2), conv(48, 48))
        self.to32 = nn.Sequential(conv(48, 64, stride=2), conv(64, 64), conv(64, 64), conv(64, 64))
        self.up32 = conv(64, 48, size=1)
        self.up16 = conv(48, 32, size=1)
        self.mix16 = conv(48, 48)
        self.head = nn.Sequential(conv(32, 48), nn.Conv2d(48, 6, 1))

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        eighth = self.to8(self.to4(picture))
        sixteenth = self.to16(eighth)
        low = nn.functional.interpolate(self.up32(self.to32(sixteenth)), scale_factor=2.0, mode="nearest")
        low = self.mix16(sixteenth + low)
        low = nn.functional.interpolate(self.up16(low), scale_factor=2.0, mode="nearest")
        found: torch.Tensor = self.head(eighth + low)
        return found


def body(channels: tuple[int, int, int]) -> nn.Sequential:
    """From a crop (n x 3 x 64 x 64, 0 to 1) to its features (n x 96)."""
    sixteenth, eighth, last = channels
    return nn.Sequential(
        conv(3, 16, stride=2, size=5),
        conv(16, sixteenth, stride=2),
        Residual(sixteenth),
        conv(sixteenth, eighth, stride=2),
        Residual(eighth),
        conv(eighth, last, size=1),
        nn.Flatten(),
        nn.Linear(last * (CROP // 8) ** 2, FEATURES),
        nn.ReLU(),
    )


class Faces(nn.Module):
    """Crops (n x 3 x 64 x 64, 0 to 1) -> logits of pips, kind and readable, lean, and features.

    The lean is how far the face that looks most at the camera slopes, and where to (x right, y down), as the
    sine of the angle. The features are what all of this is told from.
    """

    def __init__(self, channels: tuple[int, int, int] = WIDE) -> None:
        super().__init__()
        self.body = body(channels)
        self.heads = nn.Linear(FEATURES, sum(PARTS[:-1]))

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        features = self.body(crops)
        return torch.cat([self.heads(features), features], dim=1)


class Numerals(nn.Module):
    """Crops of dice with numerals (n x 3 x 64 x 64, 0 to 1), closer ones -> logits of the digits 0 to 9."""

    def __init__(self) -> None:
        super().__init__()
        self.body = body(WIDE)
        self.digits = nn.Linear(FEATURES, DIGITS)

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        digits: torch.Tensor = self.digits(self.body(crops))
        return digits


def export(net: nn.Module, example: torch.Tensor, file: Path) -> None:
    """Write a network as ONNX, its weights halved in precision, and as it is beside it, to go on from."""
    net = net.eval().cpu()
    torch.save(net.state_dict(), file.with_suffix(".pt"))
    options: dict[str, Any] = {
        "input_names": ["in"],
        "output_names": ["out"],
        "opset_version": 12,
        "dynamo": False,
    }
    torch.onnx.export(net, (example,), str(file), **options)
    model = onnx.load(file)
    casts = []
    for weights in model.graph.initializer:
        if weights.data_type == onnx.TensorProto.FLOAT:
            name, half = weights.name, numpy_helper.to_array(weights).astype(np.float16)
            weights.CopyFrom(numpy_helper.from_array(half, f"{name}.half"))
            casts.append(onnx.helper.make_node("Cast", [weights.name], [name], to=onnx.TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, file)


def exported(file: Path) -> Faces:
    """A wide face network that was written as ONNX, to learn from: its normalisations change nothing."""
    graph = onnx.load(file).graph
    halves = {node.output[0]: node.input[0] for node in graph.node if node.op_type == "Cast"}
    tensors = {part.name: torch.tensor(numpy_helper.to_array(part)).float() for part in graph.initializer}
    weighed = [node for node in graph.node if node.op_type in {"Conv", "Gemm"}]
    net: Faces = Faces(WIDE).eval()
    layers = [layer for layer in net.modules() if isinstance(layer, nn.Conv2d | nn.Linear)]
    norms = iter([layer for layer in net.modules() if isinstance(layer, nn.BatchNorm2d)])
    with torch.no_grad():
        for layer, node in zip(layers, weighed, strict=True):
            weight, bias = (tensors[halves[name]] for name in node.input[1:])
            layer.weight.copy_(weight)
            if isinstance(layer, nn.Linear):
                layer.bias.copy_(bias)
            else:
                norm = next(norms)
                norm.bias.copy_(bias)
                norm.running_var.fill_(1 - norm.eps)
    return net
