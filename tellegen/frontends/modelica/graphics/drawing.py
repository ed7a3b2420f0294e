"""Drawings as Python gets them: `msl["..."].icon`, `.diagram`."""

from __future__ import annotations

from pathlib import Path

from tellegen.errors import ExportError, users_call
from tellegen.frontends.modelica.graphics.shapes import Picture
from tellegen.frontends.modelica.graphics.svg import svg_text
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass

_WIDTH = 800.0  # of a diagram, in pixels
_ICON_WIDTH = 200.0


@dataclass(frozen=True)
class Drawing:
    """An icon or a diagram: typed shapes (`picture`), SVG text (`svg`), a file (`save`); a notebook shows it."""

    title: str
    picture: Picture
    is_icon: bool = False

    @property
    def svg(self) -> str:
        """The drawing as the text of an SVG file."""
        return svg_text(self.picture, _ICON_WIDTH if self.is_icon else _WIDTH)

    @users_call
    def save(self, path: str | Path) -> None:
        """Write an SVG file."""
        target = Path(path)
        if target.suffix.lower() != ".svg":
            what = f"a drawing is written as SVG, not as '{target.suffix or target.name}'"
            raise ExportError("E406", what, location=here(), advice=f"{target.with_suffix('.svg').name}")
        try:
            target.write_text(self.svg, encoding="utf-8")
        except OSError as error:
            raise ExportError("E406", f"{target} cannot be written: {error}", location=here()) from None

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        parts = f"{len(self.picture.components)} components, {len(self.picture.connections)} connections"
        return f"<Drawing of {self.title}: {len(self.picture.layer.shapes)} shapes, {parts}>"
