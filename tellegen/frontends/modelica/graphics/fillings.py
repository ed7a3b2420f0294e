"""How shapes are filled: colours, cylinders and spheres as gradients, hatchings; each is defined once in a picture."""

from __future__ import annotations

from collections.abc import Callable

from tellegen.frontends.modelica.graphics.shapes import Colour, Look

_HATCHES = {
    "Horizontal": "M0 2H4",
    "Vertical": "M2 0V4",
    "Cross": "M0 2H4M2 0V4",
    "Forward": "M0 4L4 0",
    "Backward": "M0 0L4 4",
    "CrossDiag": "M0 4L4 0M0 0L4 4",
}
_GRADIENTS = {
    "HorizontalCylinder": '<linearGradient id="{id}" x1="0" y1="0" x2="0" y2="1">',
    "VerticalCylinder": '<linearGradient id="{id}" x1="0" y1="0" x2="1" y2="0">',
    "Sphere": '<radialGradient id="{id}">',
}


class Fillings:
    """The fillings that a picture uses."""

    def __init__(self) -> None:
        self._definitions: dict[str, str] = {}

    def attribute(self, look: Look) -> str:
        """The value of a fill attribute."""
        if look.fill == "Solid":
            return _colour(look.filling)
        if look.fill in _HATCHES:
            return self._defined(look, _hatch)
        return self._defined(look, _gradient) if look.fill in _GRADIENTS else "none"

    def definitions(self) -> list[str]:
        """What stands at the beginning of the picture."""
        return ["<defs>", *self._definitions.values(), "</defs>"] if self._definitions else []

    def _defined(self, look: Look, make: Callable[[str, Look], str]) -> str:
        name = f"{look.fill}-{_colour(look.line)[1:]}-{_colour(look.filling)[1:]}"
        if name not in self._definitions:
            self._definitions[name] = make(name, look)
        return f"url(#{name})"


def _hatch(name: str, look: Look) -> str:
    lines = f'<path d="{_HATCHES[look.fill]}" stroke="{_colour(look.line)}" stroke-width="0.4" fill="none"/>'
    ground = f'<rect width="4" height="4" fill="{_colour(look.filling)}"/>'
    return f'<pattern id="{name}" width="4" height="4" patternUnits="userSpaceOnUse">{ground}{lines}</pattern>'


def _gradient(name: str, look: Look) -> str:
    dark = _colour(look.line)
    light = _colour(look.filling)
    colours = (light, dark) if look.fill == "Sphere" else (dark, light, dark)
    places = (0, 1) if look.fill == "Sphere" else (0, 0.5, 1)
    stops = "".join(f'<stop offset="{at}" stop-color="{c}"/>' for at, c in zip(places, colours, strict=True))
    head = _GRADIENTS[look.fill].format(id=name)
    return f"{head}{stops}</{'radial' if look.fill == 'Sphere' else 'linear'}Gradient>"


def _colour(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
