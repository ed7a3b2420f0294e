"""Model: the tree of components as written, shared by shape.

A `Kind` is a component class together with everything that decides its structure: structural parameters, array
sizes, the kinds of its children. All instances alike share one Kind; children of one kind form one group, whether
they were written one by one or as an array. Numbers that differ between instances are `Setting` columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from tellegen.ir.expressions.template import Template
from tellegen.ir.mechanism import MechanismMap
from tellegen.ir.source_location import NOWHERE, SourceLocation
from tellegen.start.records import dataclass
from tellegen.units import NO_UNIT, Unit

IntArray = np.ndarray[Any, np.dtype[np.int64]]
FloatArray = np.ndarray[Any, np.dtype[np.float64]]
Array = np.ndarray[Any, np.dtype[Any]]  # of any numbers: indices of either width, masks


NOT_ZERO = 1e-290
"""A least value that is positive and not above this is how a declaration says that zero is too little."""


@dataclass(frozen=True, kw_only=True)
class Member:
    """What variables and parameters have in common. Numbers in `attributes` are in SI units."""

    name: str
    unit: Unit = NO_UNIT
    display: Unit = NO_UNIT  # in which plots and tables show it (units.shown_in); none: in the declared one
    description: str = ""
    shape: tuple[int, ...] = ()
    array: int = -1  # how many connectors, for members of a connector array; -1 for others
    array_name: str = ""  # the part of `name` that names that array
    first_index: int = 0  # of elements in names: 0 in Python, 1 in Modelica
    location: SourceLocation = NOWHERE
    attributes: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def size(self) -> int:
        """Scalars per component instance."""
        return prod(self.shape) * (self.array if self.array >= 0 else 1)

    def element_name(self, element: int) -> str:
        """The name of scalar number `element`: `T[3]`, `ports[1].m_flow`."""
        inner = prod(self.shape)
        name = self.name
        if self.array >= 0:
            name = f"{self.array_name}[{element // inner}]{name[len(self.array_name) :]}"
        if self.shape:
            where = np.unravel_index(element % inner, self.shape)
            name += "[" + ",".join(str(int(i) + self.first_index) for i in where) + "]"
        return name


@dataclass(frozen=True, kw_only=True)
class Variable(Member):
    """An unknown (or input) of a component or of one of its ports.

    Attributes: start, fixed, nominal, min, max, state: the state-selection preference as a number, and start_level: how
    far inside the start value was written, from 0 on; of aliases the outermost one counts.
    """

    role: str = "local"  # local, across, through, stream, inflow, input, output
    type: str = "real"  # real, integer, boolean, enumeration
    literals: tuple[str, ...] = ()  # names of the values 0, 1, ...; "" where a value has none (Modelica has no 0)
    discrete: bool = False
    initial_parameter: bool = False  # constant during a run; initial equations determine it


@dataclass(frozen=True, kw_only=True)
class Parameter(Member):
    """A constant of a run. Attributes: value, min, max. `literal` marks numbers written inside equations.

    The value of a `numbered` one is its own number in the model, which no other component has.
    """

    literal: bool = False
    numbered: bool = False


@dataclass(frozen=True)
class Port:
    """A place where a component can be connected: a connector without sub-connectors, or a signal."""

    name: str
    connector: str
    family: str  # connectors connect when their families agree
    variables: tuple[int, ...]
    count: int  # connectors per instance (an array of connectors is one Port)
    is_array: bool = False
    location: SourceLocation = NOWHERE
    must_connect: bool = False  # makes no sense alone: the heat port of a component with losses
    foreign: bool = False  # its family is known by its variables, not by a class of Python
    driven: str = ""  # of a model itself: "across" or "through", which of its variables are given from outside

    def element_name(self, element: int) -> str:
        """The name of connector number `element`."""
        return f"{self.name}[{element}]" if self.is_array else self.name


@dataclass(frozen=True, eq=False)
class Ref:
    """A member seen from a component: down through child groups, then the member, then its elements.

    `elements` counts scalars over all instances below one instance of the component; one entry serves all rows.
    With `outer`, the path starts at the nearest enclosing component that has a child of that name and the member
    is found by name.
    """

    path: tuple[int, ...]
    member: int
    elements: IntArray
    parameter: bool
    outer: str = ""
    outer_member: str = ""


@dataclass(frozen=True, eq=False)
class Stamp:
    """A template together with what its slots are, for one instance of a kind: `rows` statements."""

    template: Template
    refs: tuple[Ref, ...]
    rows: int
    section: str  # equation, initial, when, assert, invariant, parameter, start


@dataclass(frozen=True, eq=False)
class End:
    """One side of connections: a port of the component itself (group -1), of a child, or of outer components."""

    group: int
    port: int
    elements: IntArray
    outer: str = ""
    outer_port: str = ""


@dataclass(frozen=True, eq=False)
class Connection:
    """Row by row, end `a` is connected to end `b`."""

    a: End
    b: End
    location: SourceLocation = NOWHERE


@dataclass(frozen=True, eq=False)
class Setting:
    """Numbers given to an attribute of a member below: ref.elements[k] gets values[k] (SI)."""

    ref: Ref
    attribute: str
    values: FloatArray


@dataclass(frozen=True, eq=False)
class ChildGroup:
    """The children of one kind: named one by one, or one array of `size`."""

    kind: Kind
    names: tuple[str, ...]
    size: int
    is_array: bool
    locations: tuple[tuple[str, int], ...] = ()  # file and line of each

    def child_name(self, index: int) -> str:
        """The name of child number `index`."""
        return f"{self.names[0]}[{index}]" if self.is_array else self.names[index]


@dataclass(frozen=True, eq=False)
class Surface:
    """Triangles: vertices (n, 3) in axes of a frame, and the three of each face, anticlockwise seen from outside."""

    vertices: FloatArray
    faces: IntArray

    def __repr__(self) -> str:
        return f"<Surface: {len(self.faces)} triangles>"


ARROW = "arrow"
"""A vector in the world; the next is one in axes of a frame, and a force that pulls two frames along their line."""
ARROW_OF_FRAME = "arrow of a frame"
PULL = "pull"
ARROWS = (ARROW, ARROW_OF_FRAME, PULL)
"""Shapes of visuals for what acts on bodies."""


@dataclass(frozen=True, eq=False)
class Look:
    """What a visual looks like; its sizes are numbers of the component."""

    shape: str = ""
    color: str = ""  # a colour of CSS; one of a palette where there is none
    opacity: float = 1.0
    marked: bool = False  # with darker sectors, so that its rotation is visible
    surface: Surface | None = None  # of a mesh


@dataclass(frozen=True, eq=False, kw_only=True)
class Mechanical:
    """What a component says about its frames: they are fixed to the world or to each other, carry mass, form a joint.

    `members` are the quantities it names, by the word they are for; `parts` are kinds from which the sweeps over the
    mechanism are composed (flatten/mechanics), by the role they play there.
    """

    verb: str  # world, fixed, rigid, mass, joint, visual
    ports: tuple[int, ...]  # its frames, as numbers of ports
    members: dict[str, Ref] = field(default_factory=dict)
    parts: Mapping[str, Kind] = field(default_factory=dict)
    look: Look = Look()  # of a visual
    motion: str = ""  # what a joint permits (ir/mechanism.py)
    location: SourceLocation = NOWHERE


@dataclass(frozen=True, eq=False, kw_only=True)
class Kind:
    """A component class in one structural shape; see the top of this file."""

    name: str
    description: str = ""
    location: SourceLocation = NOWHERE
    structure: tuple[tuple[str, Any], ...] = ()
    variables: tuple[Variable, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    ports: tuple[Port, ...] = ()
    groups: tuple[ChildGroup, ...] = ()
    stamps: tuple[Stamp, ...] = ()
    settings: tuple[Setting, ...] = ()
    connections: tuple[Connection, ...] = ()
    mechanics: tuple[Mechanical, ...] = ()
    interface: str = ""  # that the class implements, if it does
    implementation: str = ""  # its name as an implementation of that

    @cached_property
    def variable_index(self) -> dict[str, int]:
        """Number of a variable by its name."""
        return {variable.name: k for k, variable in enumerate(self.variables)}

    @cached_property
    def parameter_index(self) -> dict[str, int]:
        """Number of a parameter by its name."""
        return {parameter.name: k for k, parameter in enumerate(self.parameters)}

    @cached_property
    def port_index(self) -> dict[str, int]:
        """Number of a port by its name."""
        return {port.name: k for k, port in enumerate(self.ports)}

    @cached_property
    def child_index(self) -> dict[str, tuple[int, int]]:
        """Group and place in it, by child name (arrays by the name of the whole)."""
        found: dict[str, tuple[int, int]] = {}
        for g, group in enumerate(self.groups):
            for k, name in enumerate(group.names):
                found[name] = (g, k)
        return found


@dataclass(frozen=True)
class Experiment:
    """How a model is meant to be run where nobody says otherwise: from and until when, whether from rest, how
    accurately, what to see, and the longest step, for short peaks that states do not announce."""

    stop: float | None = None
    initial: str | None = None
    shown: tuple[str, ...] = ()
    start: float = 0.0
    tolerance: float | None = None
    longest_step: float | None = None


@dataclass(frozen=True)
class Rules:
    """By which rules a model was written: what flattening demands beyond what simulation needs, and how it starts.

    The defaults are the rules of Python's classes. Modelica has others: units are documentation, equations and
    unknowns are counted over the whole model, and an input that nobody connects is an unknown like any other.

    With `events_at_start` conditions that hold initially count as having just become true. Without, as in Modelica,
    initialization is a system of equations in which only `when initial()` is active, and the events of the initial
    instant, the first ticks among them, come after it.

    With `reinit_at_once` a state is its new value for all that is assigned together with its reinit. Without, as in
    Modelica, it is the old one: reinits act last, before pre() moves on.
    """

    units_agree: bool = True
    components_balance: bool = True
    networks_have_references: bool = True
    inputs_have_sources: bool = True
    events_at_start: bool = True
    reinit_at_once: bool = True

    def both(self, other: Rules) -> Rules:
        """The rules of a model with parts of both kinds: what either waives."""
        kept = {field.name: getattr(self, field.name) and getattr(other, field.name) for field in fields(self)}
        return Rules(**kept)


PYTHON_RULES = Rules()


@dataclass(frozen=True)
class Rating:
    """A limit of a part, and the quantity of a run that it limits, by members of the component; "" for none."""

    name: str
    value: float
    unit: str
    quantity: str = ""


@dataclass(frozen=True)
class BoundPart:
    """A catalogue part that was bound to an interface."""

    name: str
    ratings: tuple[Rating, ...] = ()


@dataclass(frozen=True, eq=False)
class Place:
    """A frame on a lump, seen from the root: orientation and position of the lump, and where the frame is on it."""

    A: Ref  # variables: the columns of the matrix are the axes of the lump
    r: Ref
    s: Ref | None = None  # parameters; none at the reference point
    C: Ref | None = None


@dataclass(frozen=True, eq=False)
class Visual:
    """A shape that moves with a frame, or spans two, or an arrow; its numbers are quantities seen from the root."""

    owner: str  # path of the component that is drawn
    look: Look
    places: tuple[Place, ...]
    numbers: dict[str, Ref]


@dataclass(frozen=True, eq=False)
class Model:
    """A whole model as written: its root kind, its name and the numbers given to this instance."""

    name: str
    root: Kind
    settings: tuple[Setting, ...] = ()
    traced: int = 0  # how often equations were traced: once per new shape
    experiment: Experiment = field(default_factory=Experiment)
    visuals: tuple[Visual, ...] = ()
    mechanism: MechanismMap | None = None  # once flattening has composed it
    parts: dict[str, BoundPart] = field(default_factory=dict)  # by the path of the component
    rules: Rules = PYTHON_RULES

    def __repr__(self) -> str:
        return f"<Model {self.name}: {len(self.kinds())} kinds of components>"

    def kinds(self) -> list[Kind]:
        """Every kind in the tree, parents first, each once."""
        found: dict[int, Kind] = {}
        stack: list[Kind] = [self.root]
        while stack:
            kind = stack.pop()
            if id(kind) not in found:
                found[id(kind)] = kind
                stack.extend(group.kind for group in reversed(kind.groups))
        return list(found.values())


def whole(elements: Any) -> IntArray:
    """Element numbers as the array type all refs use."""
    return np.asarray(elements, dtype=np.int64)
