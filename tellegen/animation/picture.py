"""One instant of a scene as a picture, drawn by native code (raster/)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tellegen.animation.raster.lighting import DARK
from tellegen.animation.raster.painter import Painter, PictureSize
from tellegen.animation.scene import Scene
from tellegen.engine.results.export import writing
from tellegen.errors import ExportError, users_call
from tellegen.figure import panels
from tellegen.ir.source_location import here

_SMALLEST = 16


@users_call
def to_picture(
    scene: Scene,
    path: str | Path | None = None,
    time: float | None = None,
    size: tuple[int, int] = (960, 640),
    dark: bool = False,
) -> Any:
    """The scene at a time (None: its first) as a Pillow image, which notebooks show; written if a path is given."""
    from PIL import Image

    image = Image.fromarray(_pixels(scene, time, picture_size(size), dark))
    if path is not None:
        with writing(path, here()):
            image.save(path, "PNG")
    return image


@users_call
def to_figure(scene: Scene, time: float | None = None, size: tuple[int, int] = (960, 640), dark: bool = False) -> Any:
    """The scene at a time as a Matplotlib figure of exactly these pixels, as plots of results are."""
    checked = picture_size(size)
    pixels = _pixels(scene, time, checked, dark)
    with panels(1, 1, (checked.width / 100.0, checked.height / 100.0), dpi=100, layout="none") as (figure, axes):
        picture = axes[0, 0]
        picture.set_position((0.0, 0.0, 1.0, 1.0))
        picture.imshow(pixels, aspect="auto", interpolation="nearest")
        picture.set_axis_off()
    return figure


def _pixels(scene: Scene, time: float | None, size: PictureSize, dark: bool) -> NDArray[np.uint8]:
    at = float(scene.times[0] if time is None else time)
    if not scene.times[0] <= at <= scene.times[-1]:
        reach = f"from {scene.times[0]:g} to {scene.times[-1]:g} s"
        raise ExportError("E406", f"time = {time!r} is not in the scene '{scene.name}', which goes {reach}")
    return Painter(scene, size, samples=3, theme=DARK if dark else None).picture(at)


def picture_size(size: tuple[int, int]) -> PictureSize:
    """A size that a user gives as a pair; E406 for one that no picture can have."""
    if len(size) != 2 or min(size) < _SMALLEST:
        advice = f"(width, height), at least {_SMALLEST} pixels"
        raise ExportError("E406", f"size = {size!r} is not a size", advice=advice)
    width, height = size
    return PictureSize(width, height)
