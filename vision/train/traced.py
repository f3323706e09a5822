"""Scenes whose light is traced by Blender's Cycles: `python -m vision.train.traced OUT FIRST LAST`.

The dice, their labels and the camera are those of `scenes.py`. What is added is what light does among them:
lamps and windows mirrored in faces, soft shadows, colours thrown from one die to another, clear and marbled
bodies, hollow marks. A picture takes seven seconds of a core instead of a hundredth of one. Beside what
drawing scenes needs, it wants the packages `bpy` (5.0) and `OpenEXR`.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy  # first: it brings the two others

import bmesh  # isort: skip
import cv2
import numpy as np
import OpenEXR
from mathutils import Matrix, Vector

from vision.train import scenes, stock, surfaces
from vision.train.marks import SIDE
from vision.train.render import Camera, Picture, Placed, draw
from vision.train.scenes import Scene, Thrown
from vision.train.solids import Points

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

Bpy = Any  # Blender's modules have no types
EACH = 25  # pictures a file
_SAMPLES = 6  # rays a pixel, before the noise is taken out: more show nothing more to the eye
_WALLED = 0.6  # share of scenes with a tray's walls
_SHALLOW = 0.3  # share of cameras that are sharp at one distance alone
_SOFT = 0.3  # of the inner radius: how far light goes in a clear body
_LEAST, _TRIES = (1, 3, 6, 10), 50  # dice in a scene: an empty table takes as long as a full one
_WHITE = (0.82, 0.95)  # what is brightest in a picture as its lens sees it


def scene(rng: np.random.Generator, *, size: tuple[int, int]) -> Scene:
    """A random scene; the same generator state gives the same picture on the same machine."""
    least = int(rng.choice(_LEAST))
    for _ in range(_TRIES):
        camera, pixels = scenes.any_camera(rng, size)
        dice = scenes.thrown(rng, camera, pixels, size)
        view = View(rng, camera, pixels, size)
        dice = [die for die in dice if np.linalg.norm(die.lying.place[:2]) < view.reach - 0.9]
        if len(dice) >= least:
            break
    view.build(dice)
    light, owner = view.render()
    picture = exposed(rng, light)
    shot = surfaces.photographed(rng, picture, pixels)
    labels = []
    for number, die in enumerate(dice, start=1):
        drawn = draw(np.zeros_like(picture), die.lying, camera, np.array([0, 0, 1.0]), rng)
        if drawn is not None:
            label = scenes.labelled(shot, die, drawn._replace(glare=0.0), owner == number, camera)
            labels += [label] if label else []
    return Scene(shot, labels, [])


def exposed(rng: np.random.Generator, light: NDArray[np.float32]) -> Picture:
    """Linear light (n x m x 3, RGB) as a camera that sets its own gain would give it (BGR)."""
    middle = float(np.median(light.mean(axis=2)))
    bright = float(np.quantile(light.max(axis=2), rng.choice([0.8, 0.95, 0.995])))
    gain = min(rng.uniform(0.15, 0.6) / max(middle, 1e-4), 1.6 * rng.uniform(*_WHITE) / max(bright, 1e-4))
    bent = np.clip(light * gain, 0, None)
    if rng.random() < 0.5:  # a camera that keeps some of what is too bright
        bent = np.where(bent > 0.7, 0.7 + 0.3 * (1 - np.exp(-(bent - 0.7) / 0.3)), bent)
    shown = np.clip(bent, 0, 1) ** (1 / 2.2)
    return np.asarray(255 * shown[..., ::-1], np.uint8)


class View:
    """One scene in Blender; lengths are in sides of a die."""

    def __init__(
        self,
        rng: np.random.Generator,
        camera: Camera,
        pixels: float,
        size: tuple[int, int],
        *,
        threads: int = 1,
    ) -> None:
        self._rng = rng
        self._camera = camera
        self._size = size
        self._threads = threads
        self._width = max(size) / pixels  # of what is seen
        walled = rng.random() < _WALLED
        self.reach = max(1.6, self._width * float(rng.uniform(0.3, 0.75))) if walled else math.inf

    def build(self, dice: list[Thrown]) -> None:
        """Put everything there."""
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self._world()
        self._lamps()
        self._table()
        for number, die in enumerate(dice, start=1):
            self._die(die.lying, number)
        self._look()

    def render(self) -> tuple[NDArray[np.float32], NDArray[np.int16]]:
        """The light at each pixel, and the number of the die that is seen there (0: none)."""
        view = bpy.context.scene
        view.render.engine = "CYCLES"
        view.cycles.samples = _SAMPLES
        view.cycles.use_denoising = True
        view.cycles.denoiser = "OPENIMAGEDENOISE"
        view.cycles.denoising_quality, view.cycles.denoising_prefilter = "FAST", "NONE"
        view.cycles.max_bounces, view.cycles.diffuse_bounces, view.cycles.glossy_bounces = 6, 2, 2
        view.cycles.caustics_reflective = view.cycles.caustics_refractive = False
        view.cycles.sample_clamp_indirect = 10
        view.cycles.seed = int(self._rng.integers(1 << 30))
        view.render.threads_mode, view.render.threads = "FIXED", self._threads
        view.render.resolution_x, view.render.resolution_y = self._size
        view.render.resolution_percentage = 100
        view.view_layers[0].use_pass_object_index = True
        view.render.image_settings.media_type = "MULTI_LAYER_IMAGE"
        view.render.image_settings.file_format = "OPEN_EXR_MULTILAYER"
        with tempfile.TemporaryDirectory() as room:
            view.render.filepath = str(Path(room) / "view.exr")
            with _quiet():
                bpy.ops.render.render(write_still=True)
            with OpenEXR.File(view.render.filepath, separate_channels=True) as file:
                layers = {
                    name.partition(".")[2]: one.pixels
                    for part in file.parts
                    for name, one in part.channels.items()
                }
        light = np.stack([layers[f"Combined.{channel}"] for channel in "RGB"], axis=2)
        index = next(pixels for name, pixels in layers.items() if name.startswith("Object Index"))
        return np.asarray(light, np.float32), np.round(index).astype(np.int16)

    def _look(self) -> None:
        rng, camera = self._rng, self._camera
        lens = bpy.data.cameras.new("camera")
        lens.sensor_fit, lens.sensor_width = "HORIZONTAL", 36.0
        lens.lens = 36.0 * camera.focal / self._size[0]
        lens.clip_end = 1000
        if rng.random() < _SHALLOW:
            away = float(np.linalg.norm(camera.place))
            lens.dof.use_dof = True
            lens.dof.focus_distance = away * float(rng.uniform(0.93, 1.05))
            opening = away * float(rng.uniform(0.002, 0.012))
            lens.dof.aperture_fstop = lens.lens / 1000 / opening  # Blender's lenses are in millimetres
        seen = bpy.data.objects.new("camera", lens)
        turn = camera.turn.T @ np.diag([1.0, -1.0, -1.0])
        seen.matrix_world = Matrix.Translation(Vector(camera.place)) @ Matrix(turn.tolist()).to_4x4()
        bpy.context.collection.objects.link(seen)
        bpy.context.scene.camera = seen

    def _world(self) -> None:
        """A room: dim walls, a lighter ceiling, windows and lamps."""
        rng = self._rng
        room = np.full((128, 256, 3), rng.uniform(0.02, 0.5), np.float32)
        room *= np.linspace(0.4, rng.uniform(0.6, 1.6), 128, dtype=np.float32)[:, None, None]
        for _ in range(int(rng.integers(0, 6))):
            x, y = int(rng.integers(256)), int(rng.integers(60, 128))
            wide, high = (int(rng.integers(2, most)) for most in (60, 40))
            tint = rng.normal(1, 0.12, 3).clip(0.5)
            room[y : y + high, x : x + wide] = math.exp(rng.uniform(0, 3.2)) * tint
        room = np.asarray(cv2.GaussianBlur(room, (0, 0), float(rng.uniform(0.3, 5))), np.float32)
        world = bpy.data.worlds.new("room")
        bpy.context.scene.world = world
        sky = world.node_tree.nodes.new("ShaderNodeTexEnvironment")
        sky.image = _image("room", room)
        world.node_tree.links.new(sky.outputs[0], world.node_tree.nodes["Background"].inputs[0])
        world.node_tree.nodes["Background"].inputs[1].default_value = float(rng.uniform(0.3, 1.2))

    def _lamps(self) -> None:
        """Lamps over the table, rings of small ones, or one about the lens."""
        rng = self._rng
        away = float(np.linalg.norm(self._camera.place))
        for _ in range(int(rng.choice([0, 1, 1, 2, 3]))):
            tilt, turn = rng.uniform(0, 1.2), rng.uniform(0, 2 * math.pi)
            aim = np.array([math.sin(tilt) * math.cos(turn), math.sin(tilt) * math.sin(turn), math.cos(tilt)])
            far = away * rng.uniform(0.4, 1.5)
            self._lamp(aim * far, far * rng.uniform(0.03, 0.5), rng.uniform(0.3, 3) * far**2 * 12)
        if rng.random() < 0.35:
            ring = rng.uniform(0.05, 0.6) * away
            high = away * rng.uniform(0.6, 1.0)
            count = int(rng.choice([3, 6, 8, 12, 24]))
            middle = self._camera.place * (high / away)
            power = rng.uniform(0.5, 3) * high**2 * 12 / count
            small = ring * rng.uniform(0.03, 0.25)
            for angle in np.arange(count) * 2 * math.pi / count + rng.uniform(0, 6):
                spot = middle + ring * np.array([math.cos(angle), math.sin(angle), 0])
                self._lamp(spot, small, power)

    def _lamp(self, place: Points, wide: float, power: float) -> None:
        rng = self._rng
        lamp = bpy.data.lights.new("lamp", "AREA")
        lamp.shape = str(rng.choice(["DISK", "SQUARE", "RECTANGLE"]))
        lamp.size, lamp.size_y = wide, wide * float(rng.uniform(0.1, 1))
        lamp.energy = power
        lamp.color = rng.normal([1, 0.95, 0.88], 0.06).clip(0.4, 1)
        there = bpy.data.objects.new("lamp", lamp)
        there.location = Vector(place)
        there.rotation_euler = Vector(-place).to_track_quat("-Z", "Y").to_euler()
        bpy.context.collection.objects.link(there)

    def _table(self) -> None:
        rng = self._rng
        wide = 1.6 * self._width
        floor = self._cloth("floor")
        if math.isinf(self.reach):
            _flat("table", [(x * 9 * wide, y * 9 * wide, 0) for x, y in _SQUARE], floor)
            return
        sides = int(rng.choice([4, 4, 6, 6, 8, 40]))
        start, high = rng.uniform(0, 2 * math.pi), float(rng.uniform(0.3, 2.0))
        angles = np.arange(sides) * 2 * math.pi / sides + start
        out = self.reach / math.cos(math.pi / sides)
        rings = [
            (out, 0.0),
            (out * rng.uniform(1, 1.05), high),
            (out * 1.05 + rng.uniform(0.1, 0.6), high),
            (out * 1.05 + 0.7, -0.2),
        ]
        inner = [(out * math.cos(a), out * math.sin(a), 0.0) for a in angles]
        _flat("floor", inner, floor)
        mesh = bmesh.new()
        loops = [[mesh.verts.new((r * math.cos(a), r * math.sin(a), z)) for a in angles] for r, z in rings]
        for low, up in itertools.pairwise(loops):
            for n in range(sides):
                mesh.faces.new((low[n], low[n - 1], up[n - 1], up[n]))
        _link(mesh, "walls", floor if rng.random() < 0.4 else self._cloth("walls"))
        _flat("table", [(x * 9 * wide, y * 9 * wide, -0.2) for x, y in _SQUARE], self._cloth("table"))

    def _cloth(self, name: str) -> Bpy:
        """Felt, wood, leather, paper: a picture of it, rough or polished, laid on from above."""
        rng = self._rng
        made = _Nodes(name)
        picture = surfaces.tray_floor(rng, (640, 640))[..., ::-1].astype(np.float32) / 255
        where = made.new("ShaderNodeTexCoord").outputs["Object"]
        laid = made.new("ShaderNodeMapping")
        laid.inputs["Location"].default_value = (0.5, 0.5, 0)
        laid.inputs["Scale"].default_value = (1 / (1.2 * self._width),) * 3
        made.link(where, laid.inputs[0])
        seen = made.new("ShaderNodeTexImage")
        seen.image, seen.extension = _image(name, np.asarray(picture**2.2, np.float32)), "MIRROR"
        made.link(laid.outputs[0], seen.inputs[0])
        made.link(seen.outputs[0], made.skin["Base Color"])
        made.skin["Roughness"].default_value = float(rng.uniform(0.12, 0.5) if rng.random() < 0.25 else 0.9)
        bump = made.new("ShaderNodeBump")
        bump.inputs["Strength"].default_value = float(rng.uniform(0, 0.6))
        bump.inputs["Distance"].default_value = 0.05
        made.link(seen.outputs[0], bump.inputs["Height"])
        made.link(bump.outputs[0], made.skin["Normal"])
        return made.material

    def _die(self, die: Placed, number: int) -> None:
        mesh = _body(die)
        _lay_marks(mesh, die)
        it = _link(mesh, f"die {number}", self._skin(die, number))
        it.location = Vector(die.place)
        it.pass_index = number

    def _skin(self, die: Placed, number: int) -> Bpy:
        rng, look = self._rng, die.look
        made = _Nodes(f"skin {number}")
        atlas = made.new("ShaderNodeTexImage")
        atlas.image, atlas.extension = _image(f"marks {number}", _atlas(die)), "CLIP"
        atlas.interpolation = "Cubic"
        marks = made.new("ShaderNodeSeparateColor")
        made.link(atlas.outputs[0], marks.inputs[0])
        ink, under, second = marks.outputs
        body = made.colour(look.body)
        if look.swirl:
            scale = math.exp(rng.uniform(math.log(0.7), math.log(7)))
            veins = made.noise(rng, scale, float(rng.uniform(0, 4)))
            share = made.bent(veins, float(rng.uniform(1.5, 9)), look.swirl)
            body = made.mixed(share, body, made.colour(look.vein))
            if look.streak is not None:
                thin = made.noise(rng, scale * float(rng.uniform(0.5, 3)), float(rng.uniform(0, 3)))
                body = made.mixed(made.bent(thin, 14, look.swirl, 0.62), body, made.colour(look.streak))
        if look.glitter:
            specks = made.noise(rng, float(rng.uniform(20, 60)), 0)
            body = made.mixed(made.bent(specks, 20, look.glitter, 0.66), body, made.colour((0.9, 0.95, 1.0)))
        body = made.mixed(under, body, made.colour(look.plate))
        body = made.mixed(made.times(ink, look.cover), body, made.colour(look.ink))
        if look.second is not None:
            body = made.mixed(made.times(second, look.cover), body, made.colour(look.second))
        made.link(body, made.skin["Base Color"])
        rough = float(rng.uniform(0.02, 0.2) if rng.random() < 0.6 else rng.uniform(0.2, 0.7))
        made.skin["Roughness"].default_value = rough
        if look.metal:
            made.link(made.times(ink, look.metal), made.skin["Metallic"])
        if look.glass:
            clear = made.new("ShaderNodeMath")
            clear.operation = "MULTIPLY_ADD"
            made.link(ink, clear.inputs[0])
            clear.inputs[1].default_value, clear.inputs[2].default_value = -look.glass, look.glass
            made.link(clear.outputs[0], made.skin["Transmission Weight"])
            made.skin["IOR"].default_value = float(rng.uniform(1.3, 1.55))
        elif look.clear:
            made.skin["Subsurface Weight"].default_value = look.clear
            made.skin["Subsurface Scale"].default_value = _SOFT * die.shape.inner
        if look.relief:
            bump = made.new("ShaderNodeBump")
            bump.invert = bool(rng.random() < 0.93)  # hollow marks; few are raised
            bump.inputs["Strength"].default_value = 1.0
            bump.inputs["Distance"].default_value = 0.12 * look.relief
            made.link(ink, bump.inputs["Height"])
            made.link(bump.outputs[0], made.skin["Normal"])
        return made.material


_SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))


class _Nodes:
    """A material while it is put together."""

    def __init__(self, name: str) -> None:
        self.material = bpy.data.materials.new(name)
        self._tree = self.material.node_tree
        self.skin = self._tree.nodes["Principled BSDF"].inputs

    def new(self, kind: str) -> Bpy:
        return self._tree.nodes.new(kind)

    def link(self, source: Bpy, target: Bpy) -> None:
        self._tree.links.new(source, target)

    def colour(self, bgr: tuple[float, float, float]) -> Bpy:
        node = self.new("ShaderNodeRGB")
        node.outputs[0].default_value = (*(float(c) ** 2.2 for c in bgr[::-1]), 1.0)
        return node.outputs[0]

    def noise(self, rng: np.random.Generator, scale: float, distortion: float) -> Bpy:
        where = self.new("ShaderNodeTexCoord").outputs["Object"]
        moved = self.new("ShaderNodeMapping")
        moved.inputs["Location"].default_value = rng.uniform(-50, 50, 3)
        self.link(where, moved.inputs[0])
        node = self.new("ShaderNodeTexNoise")
        node.inputs["Scale"].default_value = scale
        node.inputs["Detail"].default_value = float(rng.uniform(0, 4))
        node.inputs["Distortion"].default_value = distortion
        self.link(moved.outputs[0], node.inputs["Vector"])
        return node.outputs[0]

    def bent(self, value: Bpy, contrast: float, most: float, middle: float = 0.5) -> Bpy:
        """The value drawn out about its middle, from 0 to `most`."""
        node = self.new("ShaderNodeMapRange")
        self.link(value, node.inputs[0])
        low, high = middle - 0.5 / contrast, middle + 0.5 / contrast
        for at, level in enumerate((low, high, 0.0, most), start=1):
            node.inputs[at].default_value = level
        return node.outputs[0]

    def times(self, value: Bpy, by: float) -> Bpy:
        node = self.new("ShaderNodeMath")
        node.operation = "MULTIPLY"
        self.link(value, node.inputs[0])
        node.inputs[1].default_value = by
        return node.outputs[0]

    def mixed(self, share: Bpy, one: Bpy, other: Bpy) -> Bpy:
        node = self.new("ShaderNodeMix")
        node.data_type = "RGBA"
        for at, value in ((0, share), (6, one), (7, other)):
            self.link(value, node.inputs[at])
        return node.outputs[2]


def _body(die: Placed) -> Bpy:
    """The die's surface about its centre: rounded edges, or round faces on a body that bulges."""
    look = die.look
    mesh = bmesh.new()
    if look.dome is not None:
        half = die.shape.inner
        bmesh.ops.create_icosphere(mesh, subdivisions=5, radius=half * math.hypot(1, look.dome))
        normals = np.array([face.normal for face in die.shape.faces])
        for vertex in mesh.verts:
            point = np.array(vertex.co)
            beyond = np.maximum(0, normals @ point - half)
            vertex.co = Vector(point - beyond @ normals)
        for face in mesh.faces:
            face.smooth = True
        return mesh
    corners = [mesh.verts.new(Vector(point)) for point in die.shape.vertices]
    for face in die.shape.faces:
        on = [int(np.argmin(np.linalg.norm(die.shape.vertices - point, axis=1))) for point in face.corners]
        mesh.faces.new([corners[n] for n in on])
    mesh.normal_update()
    bmesh.ops.recalc_face_normals(mesh, faces=mesh.faces)
    wide = look.rounding * die.shape.inner
    bmesh.ops.bevel(
        mesh, geom=list(mesh.edges) + list(mesh.verts), offset=wide, segments=5, profile=0.5, affect="EDGES"
    )
    for face in mesh.faces:
        face.smooth = True
    return mesh


def _lay_marks(mesh: Bpy, die: Placed) -> None:
    """Where each point of the surface is on the picture of the marks: on the tile of its face."""
    faces = die.shape.faces
    tiles = math.ceil(math.sqrt(len(faces)))
    normals = np.array([face.normal for face in faces])
    layer = mesh.loops.layers.uv.new("marks")
    mesh.normal_update()
    for part in mesh.faces:
        n = int(np.argmax(normals @ np.array(part.normal)))
        face = faces[n]
        right = np.cross(face.up, face.normal)
        for loop in part.loops:
            away = (np.array(loop.vert.co) - face.centre) / face.radius
            across, up = np.clip([away @ right, away @ face.up], 1 / SIDE - 1, 1 - 1 / SIDE) / 2 + 0.5
            loop[layer].uv = ((n % tiles + across) / tiles, (n // tiles + up) / tiles)


def _atlas(die: Placed) -> NDArray[np.float32]:
    """All faces' ink, what lies under it, and the ink in the second colour, as three channels."""
    count = len(die.shape.faces)
    tiles = math.ceil(math.sqrt(count))
    atlas = np.zeros((tiles * SIDE, tiles * SIDE, 3), np.float32)
    for n in range(count):
        ink = die.inks[n][::-1]  # rows from below
        under = np.zeros_like(ink) if die.unders is None else die.unders[n][::-1]
        second = ink if n in die.second else np.zeros_like(ink)
        spot = np.s_[n // tiles * SIDE : (n // tiles + 1) * SIDE, n % tiles * SIDE : (n % tiles + 1) * SIDE]
        atlas[spot] = np.stack([ink, under, second], axis=2)
    return atlas


def _image(name: str, pixels: NDArray[np.float32]) -> Bpy:
    """Linear values, rows from below, as an image of Blender's."""
    height, width = pixels.shape[:2]
    image = bpy.data.images.new(name, width, height, float_buffer=True, is_data=True)
    whole = np.ones((height, width, 4), np.float32)
    whole[..., :3] = pixels
    image.pixels.foreach_set(whole.ravel())
    image.update()
    return image


def _flat(name: str, corners: list[tuple[float, float, float]], material: Bpy) -> None:
    mesh = bmesh.new()
    mesh.faces.new([mesh.verts.new(corner) for corner in corners])
    _link(mesh, name, material)


def _link(mesh: Bpy, name: str, material: Bpy) -> Bpy:
    data = bpy.data.meshes.new(name)
    mesh.to_mesh(data)
    mesh.free()
    data.materials.append(material)
    there = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(there)
    return there


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Blender writes its progress to the process's own stdout."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def main() -> None:
    """Write files FIRST to LAST - 1 into OUT, from the seeds in their names."""
    out, first, last = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    cv2.setNumThreads(1)
    out.mkdir(parents=True, exist_ok=True)
    for number in range(first, last):
        rng = np.random.default_rng(50_000 + number)
        stock.write(out, number, [scene(rng, size=stock.SIZE) for _ in range(EACH)])
        print(out / f"{number:03d}.pkl", flush=True)


if __name__ == "__main__":
    main()
