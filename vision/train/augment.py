"""Shows batches of stored crops as a camera might have: turned, shifted, coarser, in another light."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from torch.nn import functional

from vision.train.crops import NONE, ROOM, STORED
from vision.train.nets import CROP

if TYPE_CHECKING:
    from vision.train.crops import Crops

ROOMS = (1.1, 1.65)  # sides of a die that the network of faces is shown
_DIM = 0.035  # spread of a crop's levels (0 to 1) in any colour below which no face can be read
_COARSE = 0.45  # share of crops that are shown as if the die had been smaller in the picture
_COARSE_SIDES = (18, CROP)  # pixels a side that those have
_COARSEST, _FINE = 25.0, 40.0  # pixels a side: of dice that are shown as they are, and those in full
_OTHER_HUES, _HUES = 0.3, (0.3, 1.9)  # share of crops whose colours are turned, and by how much, in radians
_BLED, _BLED_SIDES = 0.5, (12, 40)  # share of those whose colours are coarser than their light; pixels a side
_LIGHT = (0.114, 0.587, 0.299)  # what blue, green and red count in it
_SHARPENED = 0.7  # how far cameras exaggerate edges at most, against what 3 x 3 pixels' mean takes from them
_BLOTCHES = 16  # a side, of the coarse noise that cameras leave when they smooth
_SIZES = 4  # different coarse sizes in a batch


class Batch(NamedTuple):
    """Crops (n x 3 x 64 x 64, 0 to 1), targets (n x 6) and leans (n x 2) as in `Crops`."""

    pictures: torch.Tensor
    targets: torch.Tensor
    leans: torch.Tensor


class Stock:
    """Crops to draw batches from, held on a device."""

    def __init__(self, crops: Crops, device: torch.device) -> None:
        self._parts = [torch.from_numpy(part).to(device) for part in crops]

    def draw(self, count: int) -> list[torch.Tensor]:
        """So many at random: pictures, targets, leans, turns and sizes."""
        chosen = torch.randint(len(self._parts[0]), (count,), device=self._parts[0].device)
        return [part[chosen] for part in self._parts]


def batch(stocks: list[tuple[Stock, float]], size: int, *, rooms: tuple[float, float] = ROOMS) -> Batch:
    """A batch drawn from stocks by their shares, and changed at random; so many sides of a die are shown."""
    drawn = [stock.draw(round(size * share)) for stock, share in stocks]
    stored, targets, leans, turns, fine = (torch.cat(parts) for parts in zip(*drawn, strict=True))
    worse = ((fine - _COARSEST) / _FINE).clamp(0.1, 1)  # what is small already is not made much worse
    angles = torch.deg2rad(_between(-1, 1, turns) * turns)
    seen = _sampled(stored.permute(0, 3, 1, 2).float() / 255, angles, worse, rooms)
    seen = _bled(_roughened(_recoloured(seen, worse), worse))
    cos, sin = torch.cos(angles), torch.sin(angles)
    # the picture is sampled along the turned axes, so what is in it turns the other way
    turned = torch.stack(
        [cos * leans[:, 0] + sin * leans[:, 1], cos * leans[:, 1] - sin * leans[:, 0]], dim=1
    )
    middle = seen[:, :, CROP // 4 : -CROP // 4, CROP // 4 : -CROP // 4]
    dim = (middle.flatten(2).std(dim=2).amax(dim=1) < _DIM) & (targets[:, 3] == 1)
    targets[dim, 1:5] = targets.new_tensor([NONE, NONE, 0, NONE])
    return Batch(seen, targets, turned)


def _between(low: float, high: float, like: torch.Tensor) -> torch.Tensor:
    return low + (high - low) * torch.rand_like(like)


def _sampled(
    stored: torch.Tensor, angles: torch.Tensor, worse: torch.Tensor, rooms: tuple[float, float]
) -> torch.Tensor:
    """Turn, scale, stretch and shift stored crops down to the network's input; at times to a coarser one."""
    wide = _between(*rooms, angles) / ROOM
    high = wide * _between(0.92, 1.08, angles)
    cos, sin = torch.cos(angles), torch.sin(angles)
    shift = 0.056 * torch.randn(2, len(angles), device=angles.device)
    onto = torch.stack([cos * wide, -sin * high, shift[0], sin * wide, cos * high, shift[1]], dim=1)
    onto = onto.reshape(-1, 2, 3)
    seen = _warped(stored, onto, CROP)
    coarse = torch.rand_like(worse) < _COARSE * worse
    for some in coarse.nonzero()[:, 0].split(max(1, len(worse) // (3 * _SIZES))):
        small = _warped(stored[some], onto[some], int(torch.randint(*_COARSE_SIDES, ())))
        seen[some] = functional.interpolate(small, (CROP, CROP), mode="bilinear", align_corners=False)
    return seen


def _warped(stored: torch.Tensor, onto: torch.Tensor, size: int) -> torch.Tensor:
    assert stored.shape[-1] == STORED
    grid = functional.affine_grid(onto, [len(stored), 3, size, size], align_corners=False)
    return functional.grid_sample(stored, grid, padding_mode="border", align_corners=False)


def _recoloured(seen: torch.Tensor, worse: torch.Tensor) -> torch.Tensor:
    """Another exposure, cast and sharpness; at times other colours or none."""
    count, channels = seen.shape[:2]
    cast = 1 + 0.1 * torch.randn(count, channels, 1, 1, device=seen.device)
    some = worse.view(-1, 1, 1, 1)
    seen = (seen * cast * _between(0.7, 1.5, some)).clamp(1e-4, 1) ** _between(0.5, 1.4, some)
    order = torch.rand(count, channels, device=seen.device).argsort(dim=1)
    swapped = seen.gather(1, order[:, :, None, None].expand_as(seen))
    seen = torch.where(torch.rand_like(some) < 0.3, swapped, seen)
    seen = torch.where(torch.rand_like(some) < 0.15, seen.mean(dim=1, keepdim=True), seen)
    changed = (torch.rand_like(worse) < _OTHER_HUES).nonzero()[:, 0]
    seen[changed] = _in_other_hues(seen[changed])
    changed = (torch.rand_like(worse) < 0.5).nonzero()[:, 0]
    how = _between(-_SHARPENED, 1, some[changed]) * some[changed]
    seen[changed] = seen[changed].lerp(_blurred(seen[changed]), how).clamp(0, 1)
    return seen


def _in_other_hues(seen: torch.Tensor) -> torch.Tensor:
    """Colours turned about their mean, so that ink and body which differ in light differ in hue instead."""
    unit = torch.eye(3, device=seen.device)
    axes = functional.normalize(torch.randn(len(seen), 3, device=seen.device), dim=1)
    across = torch.linalg.cross(unit.expand(len(seen), 3, 3), axes[:, None].expand(-1, 3, -1))
    angles = _between(*_HUES, axes[:, 0]).view(-1, 1, 1)
    turns = unit + torch.sin(angles) * across + (1 - torch.cos(angles)) * (across @ across)  # Rodrigues
    middle = seen.mean(dim=(2, 3), keepdim=True)
    turned = torch.einsum("nij,njhw->nihw", turns, seen - middle)
    return (middle + _between(0.6, 1.0, middle[:, :1]) * turned).clamp(0, 1)


def _bled(seen: torch.Tensor) -> torch.Tensor:
    """Some with colours that run into each other, as cameras store them: the light alone is fine."""
    weights = seen.new_tensor(_LIGHT).view(1, 3, 1, 1)
    bled = (torch.rand(len(seen), device=seen.device) < _BLED).nonzero()[:, 0]
    for some in bled.split(max(1, len(seen) // (2 * _SIZES))):
        light = (seen[some] * weights).sum(dim=1, keepdim=True)
        side = int(torch.randint(*_BLED_SIDES, ()))
        colours = functional.interpolate(seen[some] - light, (side, side), mode="area")
        colours = functional.interpolate(colours, (CROP, CROP), mode="bilinear", align_corners=False)
        seen[some] = (light + colours).clamp(0, 1)
    return seen


def _blurred(seen: torch.Tensor) -> torch.Tensor:
    """The mean over 3 x 3 pixels (much faster on a processor than pooling)."""
    wide = functional.pad(seen, (1, 1, 1, 1), mode="replicate")
    rows = wide[:, :, :-2] + wide[:, :, 1:-1] + wide[:, :, 2:]
    return (rows[..., :-2] + rows[..., 1:-1] + rows[..., 2:]) / 9


def _roughened(seen: torch.Tensor, worse: torch.Tensor) -> torch.Tensor:
    """With more light from one side, and fine and coarse noise."""
    some = worse.view(-1, 1, 1, 1)
    across = torch.linspace(-1, 1, CROP, device=seen.device)
    light = 1 + 0.15 * (torch.randn_like(some) * across + torch.randn_like(some) * across[:, None])
    rough = _between(0, 0.05, some) * some
    blotches = torch.randn(*seen.shape[:2], _BLOTCHES, _BLOTCHES, device=seen.device)
    blotches = functional.interpolate(blotches, (CROP, CROP), mode="bilinear", align_corners=False)
    coarse = 0.04 * torch.rand_like(some) ** 2 * some
    noise = rough * torch.randn_like(seen) + coarse * blotches
    return (seen * light.clamp(0.3, 1.7) + noise).clamp(0, 1)
