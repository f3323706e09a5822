"""The recipe of the networks, run for a moment: what it writes, the reader can use."""

import json
import sys

import cv2
import numpy as np
import pytest

from vision import find
from vision.network import Network
from vision.reader import WEIGHTS
from vision.train import stock
from vision.train.posed import Posed, tray
from vision.train.scenes import MARBLED, NUMERALS

pytest.importorskip(
    "torch", reason="PyTorch is for training alone, and not among the packages that tests need"
)
pytest.importorskip("onnx", reason="onnx is for training alone, as PyTorch is")

import torch

from vision.train import augment, recipe
from vision.train.augment import Stock
from vision.train.crops import cut
from vision.train.distil import thinned
from vision.train.fit import Plan
from vision.train.fit_dice import mean_of
from vision.train.nets import WIDE, Faces, Numerals, exported


@pytest.fixture
def labelled(tmp_path):
    """A source of eight pictures of two pip dice each."""
    folder = tmp_path / "labelled" / "table"
    folder.mkdir(parents=True)
    lines = []
    for number in range(8):
        at = [(150.0, 150.0), (400.0, 300.0)]
        picture = tray(
            [Posed("d6", str(1 + (number + n) % 6), place) for n, place in enumerate(at)], seed=number
        )
        cv2.imwrite(str(folder / f"{number}.png"), picture)
        dice = [
            {"value": 1 + (number + n) % 6, "bbox": [x - 35, y - 35, 70, 70]} for n, (x, y) in enumerate(at)
        ]
        lines.append(json.dumps({"file": f"{number}.png", "kind": "d6", "dice": dice}))
    (folder / "labels.jsonl").write_text("\n".join(lines))
    return folder.parent


# the exporter whose files cv2.dnn reads is PyTorch's older one, which says so
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_recipe_writes_networks_that_the_reader_can_use(tmp_path, labelled, monkeypatch):
    stock.generate(tmp_path / "scenes", 1, each=30)
    stock.generate(tmp_path / "scenes" / "numerals", 1, each=5, wanted=NUMERALS)
    stock.generate(tmp_path / "scenes" / "marbled", 1, each=5, wanted=MARBLED)
    out = tmp_path / "out"
    told = ["recipe", str(tmp_path / "scenes"), str(labelled), str(out), "--fold", "1", "--minutes", "0.03"]
    monkeypatch.setattr(sys, "argv", told)
    recipe.main()
    frame = tray([Posed("d6", "4", (300, 200))])
    assert isinstance(find.find(frame, Network(out / "finder.onnx")), list)
    crops = [frame[:64, :64], frame[64:128, :64]]
    assert Network(out / "faces.onnx")(crops).shape == (2, 112)
    assert Network(out / "glance.onnx")(crops).shape == (2, 112)
    teacher, shown = exported(out / "faces.onnx"), torch.tensor(np.array(crops)).permute(0, 3, 1, 2) / 255
    assert np.allclose(Network(out / "faces.onnx")(crops), teacher(shown).detach(), atol=1e-3)
    assert Network(out / "numerals.onnx")(crops).shape == (2, 10)


@pytest.mark.parametrize("kind", [Faces, Numerals])
def test_the_mean_of_networks_has_their_mean_weights_and_statistics_of_its_own(kind, tmp_path):
    stock.generate(tmp_path, 1, each=20)
    here = torch.device("cpu")
    crops = Stock(cut(stock.generated(tmp_path), seed=1, turn=15, blanks=0), here)
    nets = [kind(), kind()]
    mean = mean_of(nets, [(crops, 1.0)], Plan(0, here, 0, 64), seed=1)
    one, other = (dict(net.named_parameters()) for net in nets)
    for name, weights in mean.named_parameters():
        assert torch.allclose(weights, (one[name] + other[name]) / 2)
    measured = [buffer for name, buffer in mean.named_buffers() if name.endswith("running_mean")]
    assert measured
    assert all(buffer.abs().max() > 0 for buffer in measured)


def test_of_a_teacher_whose_channels_say_nothing_for_the_most_part_nothing_is_lost():
    torch.manual_seed(1)
    teacher, crops = Faces().eval(), torch.rand(64, 3, 64, 64)
    with torch.no_grad():
        for conv in teacher.modules():
            if isinstance(conv, torch.nn.Conv2d) and conv.out_channels in WIDE:
                conv.weight[::2] = 0
        net = thinned(teacher, crops)
        for _ in ("in training", "and after"):
            assert torch.allclose(net.train()(crops), teacher(crops), atol=1e-3)
        assert torch.allclose(net.eval()(crops), teacher(crops), atol=1e-3)
    assert sum(map(torch.numel, net.parameters())) < 0.4 * sum(map(torch.numel, teacher.parameters()))


def test_training_goes_on_from_the_shipped_face_network(tmp_path):
    stock.generate(tmp_path, 1, each=20)
    crops = Stock(cut(stock.generated(tmp_path), seed=1, turn=15, blanks=0), torch.device("cpu"))
    shown = augment.batch([(crops, 1.0)], 16).pictures
    net = recipe._first_faces(WEIGHTS, [(crops, 1.0)])
    with torch.no_grad():
        assert torch.allclose(net.eval()(shown), exported(WEIGHTS / "faces.onnx")(shown), atol=1e-3)
    assert all(norm.running_mean.any() for norm in net.modules() if isinstance(norm, torch.nn.BatchNorm2d))


def test_turned_colours_keep_their_mean_and_how_far_they_are_apart_but_not_that_it_is_in_light():
    torch.manual_seed(2)
    crops = torch.full((50, 3, 64, 64), 0.4)
    crops[..., 32:] = 0.6  # two greys
    turned = augment._in_other_hues(crops)
    assert torch.allclose(turned.mean(dim=(2, 3)), crops.mean(dim=(2, 3)), atol=1e-5)
    apart = turned[:, :, 0, 63] - turned[:, :, 0, 0]
    lengths = apart.norm(dim=1) / (0.2 * 3**0.5)
    assert 0.6 <= lengths.min() < lengths.max() <= 1 + 1e-5
    in_light = apart.mean(dim=1) / apart.norm(dim=1) * 3**0.5
    assert 0.95 < in_light.max() <= 1 + 1e-5
    assert in_light.min() < 0.3


def test_colours_that_run_into_each_other_leave_the_light_as_it_is():
    torch.manual_seed(3)
    crops = 0.3 + 0.4 * torch.rand(60, 3, 64, 64)
    bled = augment._bled(crops.clone())
    changed = (bled != crops).flatten(1).any(dim=1)
    assert 15 < changed.sum() < 45
    light = torch.tensor(augment._LIGHT)
    before, after = (torch.einsum("nchw,c->nhw", each, light) for each in (crops, bled))
    assert torch.allclose(before, after, atol=1e-5)
    roughness = [(each - each.mean(dim=1, keepdim=True)).std() for each in (crops[changed], bled[changed])]
    assert roughness[1] < 0.5 * roughness[0]


def test_a_picture_is_in_one_fold_for_good():
    folds = [recipe.fold(f"{number}.jpg") for number in range(200)]
    assert folds == [recipe.fold(f"{number}.jpg") for number in range(200)]
    assert 80 < sum(folds) < 120


def test_boxes_are_tightened_only_where_the_finder_means_the_same_die(labelled):
    for shot in stock.photographs([labelled / "table"]):
        tight = recipe.tightened(shot, WEIGHTS / "finder.onnx")
        for before, after in zip(shot.dice, tight.dice, strict=True):
            assert np.allclose(
                np.add(before.bbox[:2], 35), np.add(after.bbox[:2], np.divide(after.bbox[2:], 2)), atol=14
            )
            assert after.face == before.face


def test_a_label_that_an_earlier_network_finds_most_unlikely_is_not_learnt(labelled):
    shot = stock.photographs([labelled / "table"])[0]
    assert recipe.believed(shot, WEIGHTS / "faces.onnx") == shot
    first, second = shot.dice
    slip = shot._replace(dice=(first._replace(face="6"), second))
    assert recipe.believed(slip, WEIGHTS / "faces.onnx").dice == (
        first._replace(face="", readable=False),
        second,
    )
