"""A scene as one HTML file with everything in it: data, renderer and player; no network is used."""

from __future__ import annotations

from html import escape
from pathlib import Path

from tellegen.animation.document import document
from tellegen.animation.scene import Scene
from tellegen.engine.results.export import writing
from tellegen.errors import users_call
from tellegen.ir.source_location import here
from tellegen.web.page import asset, data, filled, scripts

VIEWER = "tellegen.animation.viewer"

SCRIPTS = ("vectors", "tracks", "shaders", "renderer", "camera", "picking", "plot", "player")
"""The files of the viewer, each with what the later ones use."""


@users_call
def to_html(scene: Scene, path: str | Path | None = None) -> str:
    """The page; written to a file if a path is given."""
    parts = {
        "TITLE": escape(scene.name),
        "STYLE": asset(VIEWER, "style.css"),
        "SCENE": data(document(scene)),
        "SCRIPT": scripts(VIEWER, SCRIPTS),
    }
    page = filled(asset(VIEWER, "page.html"), parts)
    if path is not None:
        with writing(path, here()):
            Path(path).write_text(page, encoding="utf-8")
    return page


def to_iframe(scene: Scene, height: int = 480) -> str:
    """The page inside another one, as notebooks show it."""
    page = escape(to_html(scene), quote=True)
    style = f"width:100%; height:{height}px; border:0; border-radius:6px"
    return f'<iframe srcdoc="{page}" style="{style}" title="{escape(scene.name)}"></iframe>'
