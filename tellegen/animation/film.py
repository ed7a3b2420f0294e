"""A scene as a film, GIF or mp4: pictures drawn by native code (raster/), with the time in a corner."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from tellegen.animation.picture import picture_size
from tellegen.animation.raster.lighting import DARK
from tellegen.animation.raster.painter import Painter, PictureSize
from tellegen.animation.scene import Scene
from tellegen.engine.results.export import writing
from tellegen.errors import ExportError, users_call
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.live_view import LiveView, open_view, progress_bar, wanted

_PALETTE_FRAMES = 8
_PATIENCE_SECONDS = 1.0


@dataclass(frozen=True)
class Frames:
    """How a film is made of a scene: pictures a second, `speed` seconds of the run a second, size in pixels."""

    fps: float
    size: PictureSize
    speed: float = 1.0
    dark: bool = False

    def __post_init__(self) -> None:
        for name in ("fps", "speed"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise ExportError("E406", f"{name} = {getattr(self, name)!r} is not a positive number")

    def times(self, scene: Scene) -> FloatArray:
        """The instants of the pictures, the first and the last of the run among them."""
        start = float(scene.times[0])
        stop = float(scene.times[-1])
        count = max(1, round((stop - start) / self.speed * self.fps))
        return np.linspace(start, stop, count + 1) if stop > start else np.array([start])


@users_call
def to_video(
    scene: Scene,
    path: str | Path,
    fps: float = 25.0,
    size: tuple[int, int] = (640, 480),
    speed: float = 1.0,
    dark: bool = False,
) -> None:
    """A film of the whole run, as GIF or mp4 by the ending of the path. mp4 needs the package imageio-ffmpeg."""
    frames = Frames(fps, picture_size(size), speed, dark)
    kind = Path(path).suffix.lower()
    if kind == ".gif":
        _write_gif(scene, Path(path), frames)
    elif kind == ".mp4":
        _write_mp4(scene, Path(path), frames)
    else:
        raise ExportError("E406", f"'{path}' is not a film", location=here(), advice="its ending is .gif or .mp4")


def pictures(scene: Scene, frames: Frames) -> Iterator[Any]:
    """The pictures of a film, with the time in a corner."""
    from PIL import Image, ImageDraw, ImageFont

    painter = Painter(scene, frames.size, theme=DARK if frames.dark else None)
    font = ImageFont.load_default(max(11, frames.size.height // 32))
    ink = (200, 208, 216) if frames.dark else (70, 82, 94)
    digits = _digits(scene)
    for time in with_progress("drawing", frames.times(scene)):
        image = Image.fromarray(painter.picture(time))
        place = (0.025 * frames.size.width, 0.965 * frames.size.height)
        ImageDraw.Draw(image).text(place, f"{time:.{digits}f} s", fill=ink, font=font, anchor="ls")
        yield image


def _digits(scene: Scene) -> int:
    """Decimals that change from one picture to the next."""
    duration = float(scene.times[-1] - scene.times[0])
    return int(np.clip(2 - np.floor(np.log10(duration / 10.0)), 0, 6)) if duration > 0.0 else 2


def _write_gif(scene: Scene, path: Path, frames: Frames) -> None:
    """All pictures share one palette, that of some of them side by side."""
    from PIL import Image

    film = list(pictures(scene, frames))
    some = film[:: max(1, len(film) // _PALETTE_FRAMES)]
    palette = Image.fromarray(np.concatenate([np.asarray(image) for image in some])).quantize(255)
    reduced = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in film]
    with writing(path, here()):
        options = {"append_images": reduced[1:], "duration": 1000.0 / frames.fps, "loop": 0}
        reduced[0].save(path, "GIF", save_all=True, optimize=False, **options)


def _write_mp4(scene: Scene, path: Path, frames: Frames) -> None:
    """H.264, by the ffmpeg that comes with imageio-ffmpeg; sizes are made even, which the format needs."""
    if importlib.util.find_spec("imageio_ffmpeg") is None:
        raise ExportError(
            "E401",
            "writing mp4 needs the package imageio-ffmpeg, which is not installed",
            location=here(),
            advice="pip install 'tellegen[video]'; GIF works without it",
        )
    even = PictureSize(frames.size.width // 2 * 2, frames.size.height // 2 * 2)
    with writing(path, here()):
        path.open("wb").close()  # ffmpeg would not say why it cannot write
    ffmpeg = importlib.import_module("imageio_ffmpeg")
    writer = ffmpeg.write_frames(str(path), (even.width, even.height), fps=frames.fps, macro_block_size=2, quality=8)
    with closing(writer):
        writer.send(None)
        for image in pictures(scene, replace(frames, size=even)):
            writer.send(np.ascontiguousarray(np.asarray(image)))


def with_progress(name: str, times: FloatArray) -> Iterator[float]:
    """The times one by one, with a bar after a second, where somebody looks."""
    began = perf_counter()
    quiet = not wanted()
    view: LiveView | None = None
    bar: Any = None
    try:
        for done, time in enumerate(times):
            if view is None and not quiet and perf_counter() - began > _PATIENCE_SECONDS:
                view = open_view()
                quiet = view is None
                bar = progress_bar(name, len(times), "now")
            if view is not None:
                bar.update(bar.task_ids[0], completed=done, now=f"{done} of {len(times)} pictures")
                view.show(bar)
            yield float(time)
    finally:
        if view is not None:
            view.close()
