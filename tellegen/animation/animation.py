"""What users get: a scene that shows itself in a notebook and writes itself as a page, model, film or picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tellegen.animation.film import to_video
from tellegen.animation.gltf import to_gltf
from tellegen.animation.html import to_html, to_iframe
from tellegen.animation.picture import to_picture
from tellegen.animation.scene import Scene
from tellegen.errors import ExportError, users_call
from tellegen.ir.source_location import here
from tellegen.sheet import Shown, Table

_WRITERS: dict[str, Callable[..., Any]] = {
    ".html": to_html,
    ".glb": to_gltf,
    ".gif": to_video,
    ".mp4": to_video,
    ".png": to_picture,
}


class Animation(Shown):
    """A scene in motion: a notebook shows it in 3-D, `save` writes it."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    @users_call
    def save(self, path: str | Path, **options: Any) -> None:
        """Write the animation, as the ending of the path says.

        .html  a page with a 3-D view, without anything from the network
        .glb   glTF 2.0, for Blender and other programs
        .gif, .mp4  a film; options: fps, size, speed, dark
        .png   one instant; options: time, size, dark
        """
        write = _WRITERS.get(Path(path).suffix.lower())
        if write is None:
            endings = ", ".join(_WRITERS)
            problem = f"the ending of '{path}' does not say how to write an animation"
            raise ExportError("E406", problem, location=here(), advice=f"the endings are {endings}")
        write(self.scene, path, **options)

    def _title(self) -> str:
        scene = self.scene
        count = len(scene.items)
        bodies = "1 body" if count == 1 else f"{count} bodies"
        return f"Animation of {scene.name}: {bodies}, {scene.times[0]:g} to {scene.times[-1]:g} s"

    def _page(self) -> Iterable[Table | str]:
        rows = [(item.name, type(item.shape).__name__, ", ".join(item.curves)) for item in self.scene.items]
        yield Table(("body", "shape", "curves"), rows)
        yield 'save("run.html") writes it as a page; .glb, .gif, .mp4 and .png work too'

    def _repr_html_(self) -> str:
        return to_iframe(self.scene)
