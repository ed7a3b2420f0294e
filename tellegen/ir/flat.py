"""FlatModel: the hybrid DAE of the whole model, in stamp form.

Variables and parameters are columns of scalars. Instances of a kind below the same parents form a `Node`; the
scalars of one member over all instances of a node are one contiguous block, so a reference is base + stride * row
and names are made from the tree only when somebody asks.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.ir.expressions.template import Template
from tellegen.ir.mechanism import MechanismMap
from tellegen.ir.model import BoundPart, Experiment, FloatArray, IntArray, Kind, Member, Ref, Visual
from tellegen.ir.show.flat_model import show_flat
from tellegen.ir.source_location import SourceLocation, in_library
from tellegen.sheet import Table as Listing
from tellegen.sheet import page_html
from tellegen.start.records import dataclass

_SHOWN = 20  # variables in notebooks


@dataclass(frozen=True, eq=False)
class Node:
    """All instances of one kind that stand in the same group of the same parent node."""

    kind: Kind
    parent: int
    group: int
    size: int  # per instance of the parent
    count: int  # in all
    variable_base: tuple[int, ...]
    parameter_base: tuple[int, ...]
    port_base: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Tree:
    """The nodes, parents first; node 0 is the root."""

    name: str
    nodes: tuple[Node, ...]

    @cached_property
    def children(self) -> dict[tuple[int, int], int]:
        """Node number by parent node and group."""
        return {(node.parent, node.group): k for k, node in enumerate(self.nodes) if k}

    def path(self, node_number: int, instance: int) -> str:
        """The dotted name of an instance; empty for the root."""
        parts: list[str] = []
        while node_number > 0:
            node = self.nodes[node_number]
            group = self.nodes[node.parent].kind.groups[node.group]
            parts.append(group.child_name(instance % node.size))
            instance //= node.size
            node_number = node.parent
        return ".".join(reversed(parts))

    def paths(self, node_number: int) -> list[str]:
        """The dotted names of all instances of a node, arrays by the name of the whole: `rack.cells`."""
        if node_number == 0:
            return [""]
        node = self.nodes[node_number]
        group = self.nodes[node.parent].kind.groups[node.group]
        above = [f"{path}." if path else "" for path in self.paths(node.parent)]
        return [f"{path}{name}" for path in above for name in (group.names[:1] if group.is_array else group.names)]

    def indices(self, ref: Ref) -> IntArray:
        """The scalars that a ref of the root means."""
        number = 0
        for group in ref.path:
            number = self.children[number, group]
        node = self.nodes[number]
        return (node.parameter_base if ref.parameter else node.variable_base)[ref.member] + ref.elements

    def location(self, node_number: int, instance: int) -> SourceLocation:
        """Where an instance was made; for the root, where its class was written."""
        node = self.nodes[node_number]
        if node_number == 0:
            return node.kind.location
        group = self.nodes[node.parent].kind.groups[node.group]
        mark = group.locations[0 if group.is_array else instance % node.size] if group.locations else ("<unknown>", 0)
        return SourceLocation(mark[0], mark[1], self._place(node_number, instance))

    def users_location(self, node_number: int, instance: int) -> SourceLocation:
        """Where an instance was made, or the component in the user's text that it is a part of."""
        found = self.location(node_number, instance)
        scope = found.scope
        while in_library(found.file) and self.nodes[node_number].parent > 0:
            instance //= self.nodes[node_number].size
            node_number = self.nodes[node_number].parent
            found = self.location(node_number, instance)
        return found.within(scope)

    def _place(self, node_number: int, instance: int) -> str:
        """The dotted name of an instance, and which implementation it is or is inside of."""
        path = self.path(node_number, instance)
        while node_number > 0:
            node = self.nodes[node_number]
            if node.kind.interface:
                above = self.path(node_number, instance)
                which = "bound to" if above == path else f"{above} is bound to"
                return f"{path}; {which} {node.kind.implementation}"
            instance //= node.size
            node_number = node.parent
        return path

    @cached_property
    def bindings(self) -> dict[str, str]:
        """The names of implementations by path, of all components that implement an interface."""
        bound = ((k, node.kind) for k, node in enumerate(self.nodes) if node.kind.interface)
        return {path: kind.implementation for k, kind in bound for path in self.paths(k)}


@dataclass(frozen=True, eq=False)
class Overrides:
    """Numbers that replace the declared ones of an attribute, in the order they apply."""

    indices: IntArray
    values: FloatArray


@dataclass(frozen=True, eq=False)
class Table:
    """The columns of all variables (or of all parameters)."""

    tree: Tree
    of_parameters: bool
    starts: tuple[int, ...]  # first scalar of each block
    owners: tuple[tuple[int, int], ...]  # node and member of each block
    count: int
    overrides: dict[str, tuple[Overrides, ...]] = field(default_factory=dict)
    _columns: dict[str, Any] = field(default_factory=dict)

    def locate(self, index: int) -> tuple[int, int, int, int]:
        """Node, member, instance and element of scalar `index`."""
        block = bisect_right(self.starts, index) - 1
        node, member = self.owners[block]
        offset = index - self.starts[block]
        size = self._member(node, member).size
        return node, member, offset // size, offset % size

    def _member(self, node: int, member: int) -> Member:
        kind = self.tree.nodes[node].kind
        return kind.parameters[member] if self.of_parameters else kind.variables[member]

    def declaration(self, index: int) -> Any:
        """The Variable or Parameter that scalar `index` belongs to."""
        node, member, _, _ = self.locate(index)
        return self._member(node, member)

    def name(self, index: int) -> str:
        """The full name of scalar `index`: `rack.cells[3].T`."""
        node, member, instance, element = self.locate(index)
        path = self.tree.path(node, instance)
        local = self._member(node, member).element_name(element)
        return f"{path}.{local}" if path else local

    def location(self, index: int) -> SourceLocation:
        """Where the component that scalar `index` belongs to was made."""
        node, _, instance, _ = self.locate(index)
        return self.tree.location(node, instance)

    def names(self) -> Iterator[str]:
        """All names in order."""
        return (self.name(k) for k in range(self.count))

    def blocks(self) -> Iterator[tuple[int, int, Node, Any]]:
        """First scalar, number of scalars, node and declaration of every block."""
        for k, (start, (node, member)) in enumerate(zip(self.starts, self.owners, strict=True)):
            stop = self.starts[k + 1] if k + 1 < len(self.starts) else self.count
            yield start, stop - start, self.tree.nodes[node], self._member(node, member)

    def blocks_of(self, key: str, wanted: Callable[[Any], bool]) -> tuple[tuple[int, int], ...]:
        """First scalar and number of scalars of the blocks whose declarations are wanted; found once, kept by key."""
        if key not in self._columns:
            found = ((start, length) for start, length, _, member in self.blocks() if length and wanted(member))
            self._columns[key] = tuple(found)
        return self._columns[key]

    @cached_property
    def is_initial_parameter(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which variables are constants that initial equations determine."""
        found = np.zeros(self.count, bool)
        for start, length in self.blocks_of("initial parameters", lambda member: member.initial_parameter):
            found[start : start + length] = True
        return found

    def column(self, attribute: str, default: float = np.nan) -> FloatArray:
        """An attribute of all scalars, in SI units: declared values, then the overrides on top."""
        if attribute in self._columns:
            return self._columns[attribute]
        column = np.full(self.count, default)
        for start, length, _, member in self.blocks():
            value = member.attributes.get(attribute)
            if value is not None and length:
                value = np.asarray(value, float)
                column[start : start + length] = value if value.size == 1 else np.resize(value, length)
        for change in self.overrides.get(attribute, ()):
            column[change.indices] = change.values
        column.flags.writeable = False
        self._columns[attribute] = column
        return column


@dataclass(frozen=True, eq=False)
class Group:
    """A template stamped: row r has bindings[r, s] in slot s, an index of a variable or of a parameter.

    `spans` says where rows come from: (node, first row, rows per instance).
    """

    template: Template
    bindings: np.ndarray[Any, np.dtype[np.int32]]
    spans: tuple[tuple[int, int, int], ...]

    @property
    def rows(self) -> int:
        """Number of statements."""
        return self.bindings.shape[0]

    def owner(self, row: int) -> tuple[int, int]:
        """Node and instance of the component that row belongs to."""
        for node, first, per_instance in reversed(self.spans):
            if row >= first:
                return node, (row - first) // per_instance
        raise IndexError(row)


@dataclass(frozen=True, eq=False)
class Sums:
    """Kirchhoff at every node: row k says sum(signs * variables) == 0 over its range of `indices`."""

    indptr: IntArray
    indices: np.ndarray[Any, np.dtype[np.int32]]
    signs: np.ndarray[Any, np.dtype[np.int8]]

    @property
    def rows(self) -> int:
        """Number of equations."""
        return len(self.indptr) - 1


@dataclass(frozen=True, slots=True)
class Summary:
    """How large a model is, for people to read."""

    components: int = 0
    kinds: int = 0  # class shapes
    templates: int = 0
    traced: int = 0  # class shapes whose equations were traced for this model


@dataclass(frozen=True, eq=False)
class Tangents:
    """Where a model that was made for sensitivities keeps them (variation/augment.py)."""

    variable: IntArray  # [v, j]: the tangent of variable v in direction j, -1 where there is none
    direction: IntArray  # [p, j]: the parameter that holds direction j of parameter p
    time: IntArray  # parameters that hold how instants move
    shared: tuple[int, ...]  # equations that compute what several tangents read
    names: tuple[str, ...]  # of the directions: what is varied


@dataclass(frozen=True, eq=False, kw_only=True)
class FlatModel:
    """Everything the later stages know of a model."""

    name: str
    tree: Tree
    variables: Table
    parameters: Table
    equations: tuple[Group, ...]
    initial_equations: tuple[Group, ...]
    whens: tuple[Group, ...]
    assertions: tuple[Group, ...]
    parameter_bindings: tuple[Group, ...]  # in an order in which they can be computed
    start_bindings: tuple[Group, ...]
    equalities: np.ndarray[Any, np.dtype[np.int32]]  # (rows, 2): connected across variables and signals
    sums: Sums  # connected through variables
    inputs: np.ndarray[Any, np.dtype[np.int32]]  # inputs of the root: known from outside
    parameter_values: FloatArray  # as declared, the computed ones evaluated
    invariants: tuple[Group, ...] = ()  # a row for each partial derivative: residual, state, derivative
    summary: Summary = field(default_factory=Summary)
    tangents: Tangents | None = None  # of a model made for sensitivities
    exact_parameters: FloatArray | None = None  # of a model for runs with these values, which may cancel each other
    experiment: Experiment = field(default_factory=Experiment)
    visuals: tuple[Visual, ...] = ()
    mechanism: MechanismMap | None = None
    parts: dict[str, BoundPart] = field(default_factory=dict)  # by the path of the component
    events_at_start: bool = True  # as in Rules
    reinit_at_once: bool = True  # as in Rules
    inputs_vary: bool = False  # others give real inputs any values at any time, as importers of an FMU do

    @cached_property
    def varying_inputs(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Per variable: whether it is an input that changes between events."""
        found = np.zeros(self.variables.count, bool)
        if self.inputs_vary:
            found[self.inputs] = True
            steps = self.variables.blocks_of("steps", lambda member: member.discrete or member.type != "real")
            for start, length in steps:
                found[start : start + length] = False
        return found

    def __str__(self) -> str:
        return show_flat(self)

    def __repr__(self) -> str:
        return f"<FlatModel {self.name}: {self.variables.count} variables, {self.equation_count} equations>"

    def _repr_html_(self) -> str:
        table = self.variables
        shown = range(min(table.count, _SHOWN))
        rows = [(table.name(k), table.declaration(k).unit.text, table.declaration(k).description) for k in shown]
        more = f"... {table.count - len(rows)} more variables" if table.count > len(rows) else ""
        return page_html(repr(self)[1:-1], [Listing(("variable", "unit", "description"), rows), more])

    @property
    def bindings(self) -> dict[str, str]:
        """The names of implementations by path, of all components that implement an interface."""
        return self.tree.bindings

    @property
    def binding_rows(self) -> list[tuple[str, str]]:
        """The bindings for people to read, with the names of catalogue parts."""
        parts = {path: f" ({part.name})" for path, part in self.parts.items()}
        return [(path or self.name, f"{name}{parts.get(path, '')}") for path, name in self.bindings.items()]

    @property
    def equation_count(self) -> int:
        """Scalar equations, those of connections and of discrete variables included."""
        own = sum(group.rows for group in self.equations)
        return own + len(self.equalities) + self.sums.rows + len(self.assigned_variables)

    @cached_property
    def parameters_read(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Per parameter whether any statement reads it; what is read by nothing changes nothing."""
        read = np.zeros(self.parameters.count, bool)
        statements = (*self.equations, *self.initial_equations, *self.whens, *self.assertions, *self.invariants)
        for group, first in [(g, 0) for g in statements] + [
            (g, 1) for g in self.parameter_bindings + self.start_bindings
        ]:
            for slot, info in enumerate(group.template.slots):
                if info.parameter and slot >= first:  # slot 0 of a binding is what gets the value
                    read[group.bindings[:, slot]] = True
        return read

    @cached_property
    def assigned_variables(self) -> IntArray:
        """Discrete variables determined by when-statements, each once."""
        parts: list[Sequence[int] | Any] = [
            group.bindings[:, slot].ravel()
            for group in self.whens
            for slot in group.template.assigned()  # type: ignore[attr-defined]
        ]
        return np.unique(np.concatenate(parts)) if parts else np.zeros(0, np.int64)
