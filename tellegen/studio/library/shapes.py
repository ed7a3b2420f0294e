"""A component class as the sheet needs it: ports with their places, parameters, a drawing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from tellegen.class_reference import Row
from tellegen.start.records import dataclass

GRID = 8
REACH = 40
"""From the centre of a part to the ports at its left and right."""


@dataclass(frozen=True)
class PortShape:
    """A port, signals included, `x` and `y` from the centre of the part; `only_if` is the condition it exists under."""

    name: str
    role: str
    """port, input or output"""
    type: str
    colour: str
    side: str
    x: int
    y: int
    meaning: str = ""
    only_if: str = ""
    unit: str = ""


@dataclass(frozen=True)
class VariableShape:
    """A variable that can be given a value at the start, with its default."""

    name: str
    unit: str
    start: str
    meaning: str


@dataclass(frozen=True)
class ParameterShape:
    """A parameter with its default as text."""

    name: str
    unit: str
    value: str
    meaning: str
    structural: bool = False
    choices: tuple[str, ...] = ()
    """The words that it can be; a form has a menu of them."""


@dataclass(frozen=True)
class ClassShape:
    """A class: `key` is its name in the library (`electrical.Resistor`), or that of a class in the user's file."""

    key: str
    domain: str
    headline: str
    ports: tuple[PortShape, ...]
    parameters: tuple[ParameterShape, ...]
    drawing: str
    """Elements of SVG in a field of 84 x 48; empty for a plain box."""
    boxed: bool
    height: int
    colour: str
    connector: bool = False
    starts: tuple[VariableShape, ...] = ()
    abstract: bool = False
    """An interface: implementations are chosen for it."""

    @property
    def name(self) -> str:
        """The name of the class alone."""
        return re.split(r"[.#]", self.key)[-1]

    def port(self, name: str) -> PortShape | None:
        """The port of a name."""
        return next((port for port in self.ports if port.name == name), None)


Shapes = Mapping[str, ClassShape]
"""Classes by key."""


def placed_ports(sides: Mapping[str, Iterable[Row]], colours: Mapping[str, str]) -> tuple[PortShape, ...]:
    """Ports at the sides of a symbol, all on the grid, so that ports of neighbours can stand in line."""
    rows = {side: list(members) for side, members in sides.items()}
    reach = height_of(rows) // 2
    found = []
    for side, members in rows.items():
        for k, row in enumerate(members):
            along = (2 * k - len(members) + 1) * GRID
            x = {"left": -REACH, "right": REACH}.get(side, along)
            y = {"top": -reach, "bottom": reach}.get(side, along)
            conditions = [note for note in row.meaning.split("; ") if note.startswith("only if ")]
            only_if = conditions[0].removeprefix("only if ") if conditions else ""
            colour = colours[row.name]
            found.append(PortShape(row.name, row.kind, row.type, colour, side, x, y, row.meaning, only_if, row.unit))
    return tuple(found)


def height_of(sides: Mapping[str, list[Row]]) -> int:
    """The height of a symbol with so many ports at its sides: a multiple of two steps of the grid."""
    most = max(len(sides["left"]), len(sides["right"]))
    return max(6 * GRID, 2 * GRID * most)
