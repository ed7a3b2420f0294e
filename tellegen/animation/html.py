"""A scene as one HTML file with everything in it: data, renderer and player; no network is used."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from pathlib import Path

from tellegen.animation.document import document
from tellegen.animation.scene import Scene
from tellegen.engine.results.export import writing
from tellegen.errors import users_call
from tellegen.ir.source_location import here

SCRIPTS = ("vectors", "tracks", "shaders", "renderer", "camera", "picking", "plot", "player")
"""The files of the viewer, each with what the later ones use."""


@users_call
def to_html(scene: Scene, path: str | Path | None = None) -> str:
    """The page; written to a file if a path is given."""
    page = _asset("page.html")
    scripts = "\n".join(_asset(f"{name}.js") for name in SCRIPTS)
    # A "<" inside the data could end the script element.
    data = json.dumps(document(scene), separators=(",", ":")).replace("<", "\\u003c")
    parts = {"TITLE": escape(scene.name), "STYLE": _asset("style.css"), "SCENE": data, "SCRIPT": scripts}
    for mark, content in parts.items():
        page = page.replace(f"<!--{mark}-->", content)
    if path is not None:
        with writing(path, here()):
            Path(path).write_text(page, encoding="utf-8")
    return page


def to_iframe(scene: Scene, height: int = 480) -> str:
    """The page inside another one, as notebooks show it."""
    page = escape(to_html(scene), quote=True)
    style = f"width:100%; height:{height}px; border:0; border-radius:6px"
    return f'<iframe srcdoc="{page}" style="{style}" title="{escape(scene.name)}"></iframe>'


def _asset(name: str) -> str:
    return files("tellegen.animation.viewer").joinpath(name).read_text(encoding="utf-8")
