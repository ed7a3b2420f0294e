"""Hidden components of a model and the wires between them and the components of the user.

Parts of one kind are one group of children of the root. Wires are gathered by what they join, so that a thousand of
them are one stamp or one connection.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np

from tellegen.ir.expressions.expr import Call, Expr, Slot
from tellegen.ir.expressions.template import EquationTemplate, InvariantTemplate, SlotInfo, ValueTemplate
from tellegen.ir.flat import Tree
from tellegen.ir.model import Array, ChildGroup, Connection, End, Kind, Member, Ref, Setting, Stamp, whole
from tellegen.start.records import dataclass

_LOCATION = ("<mechanism>", 0)  # of components that nobody wrote


@dataclass(frozen=True)
class At:
    """One component below the root: the groups that lead to it, and which of the instances there it is."""

    path: tuple[int, ...]
    instance: int
    kind: Kind = field(compare=False)

    def variable(self, name: str) -> Quantity:
        """One of its variables."""
        number = self.kind.variable_index[name]
        return self._quantity(number, self.kind.variables[number], None)

    def parameter(self, name: str) -> Quantity:
        """One of its parameters."""
        number = self.kind.parameter_index[name]
        return self._quantity(number, self.kind.parameters[number], None)

    def named(self, ref: Ref) -> Quantity:
        """What a statement of the component names."""
        members = self.kind.parameters if ref.parameter else self.kind.variables
        return self._quantity(ref.member, members[ref.member], ref.elements)

    def _quantity(self, number: int, member: Member, chosen: Array | None) -> Quantity:
        local = np.arange(member.size) if chosen is None else chosen
        return Quantity(self.path, number, member, self.instance * member.size + local)


@dataclass(frozen=True, eq=False)
class Quantity:
    """A member of a component below the root, and which scalars of that member over all instances it is."""

    path: tuple[int, ...]
    number: int
    member: Member
    elements: Array

    def ref(self, parameter: bool) -> Ref:
        """As the root sees it."""
        return Ref(self.path, self.number, whole(self.elements), parameter)

    def some(self, which: slice) -> Quantity:
        """Some of its scalars."""
        return replace(self, elements=self.elements[which])


@dataclass(frozen=True)
class Wire:
    """What is joined by the wires of one stamp."""

    section: str  # equation, parameter
    left_path: tuple[int, ...]
    left: int
    right_path: tuple[int, ...]
    right: int
    negated: bool


@dataclass(eq=False)
class Hidden:
    """The children of one kind that were added."""

    kind: Kind
    group: int
    names: list[str] = field(default_factory=list)


class Parts:
    """Adds hidden children to the root of a model."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.root = tree.nodes[0].kind
        self.hidden: dict[int, Hidden] = {}
        self.names: dict[str, int] = {}  # how often a name was wanted again
        self.wires: dict[Wire, tuple[list[Array], list[Array], Member, Member]] = {}
        self.kept: dict[tuple[object, ...], tuple[list[Array], tuple[Member, Member, Member]]] = {}
        self.settings: list[Setting] = []
        self.joined: dict[tuple[int, int, int, int], tuple[list[Array], list[Array]]] = {}

    def add(self, kind: Kind, name: str) -> At:
        """A new hidden component."""
        held = self.hidden.get(id(kind))
        if held is None:
            held = self.hidden[id(kind)] = Hidden(kind, len(self.root.groups) + len(self.hidden))
        held.names.append(self._free_name(name))
        return At((held.group,), len(held.names) - 1, kind)

    def _free_name(self, path: str) -> str:
        """A name that no other component has, without the brackets of arrays: it is part of paths."""
        name = re.sub(r"\W+", "_", path)
        if name in self.root.child_index:
            name += "_"
        found = name
        while found in self.names:
            self.names[name] += 1
            found = f"{name}_{self.names[name]}"
        self.names[found] = 0
        return found

    def name(self, part: At) -> str:
        """The name of a hidden component, a child of the root."""
        return self.hidden[id(part.kind)].names[part.instance]

    def of_user(self, node: int, instance: int) -> At:
        """A component of the user."""
        path = []
        number = node
        while number > 0:
            path.append(self.tree.nodes[number].group)
            number = self.tree.nodes[number].parent
        return At(tuple(reversed(path)), instance, self.tree.nodes[node].kind)

    # -- wires --------------------------------------------------------------------------------------------------
    def equal(self, left: At, left_name: str, right: At, right_name: str) -> None:
        """An equation: the variables of two components are the same, element by element."""
        self._wire("equation", left.variable(left_name), right.variable(right_name))

    def wire(self, part: At, name: str, other: At) -> None:
        """An input of a part is the variable of that name of another part."""
        self.equal(part, name, other, name)

    def share(self, part: At, name: str, user: At, ref: Ref, negated: bool = False) -> None:
        """A member of a part is what a statement of the user's component names: a parameter or a variable."""
        if ref.parameter:
            self._wire("parameter", part.parameter(name), user.named(ref), negated)
        else:
            self._wire("equation", part.variable(name), user.named(ref), negated)

    def take(self, part: At, name: str, other: At, other_name: str) -> None:
        """A parameter of a part is computed: it is that of another part."""
        self._wire("parameter", part.parameter(name), other.parameter(other_name))

    def _wire(self, section: str, left: Quantity, right: Quantity, negated: bool = False) -> None:
        key = Wire(section, left.path, left.number, right.path, right.number, negated)
        columns = self.wires.setdefault(key, ([], [], left.member, right.member))
        columns[0].append(left.elements)
        columns[1].append(right.elements)

    def keep(self, residual: Quantity, state: Quantity, partial: Quantity) -> None:
        """An invariant: residuals stay zero, `partial` (row by row) are their derivatives by the states."""
        m = len(residual.elements)
        n = len(state.elements)
        key = (residual.path, residual.number, state.path, state.number, partial.path, partial.number)
        columns = self.kept.setdefault(key, ([], (residual.member, state.member, partial.member)))
        grid = [np.repeat(residual.elements, n), np.tile(state.elements, m), partial.elements]
        columns[0].append(np.stack(grid))

    def set(self, part: At, name: str, value: float) -> None:
        """A number for a parameter of a part."""
        quantity = part.parameter(name)
        ref = Ref(quantity.path, quantity.number, whole(quantity.elements), True)
        self.settings.append(Setting(ref, "value", np.full(len(quantity.elements), value)))

    def connect(self, a: At, port_a: str, b: At, port_b: str) -> None:
        """Connect two ports of hidden parts: physical ones, or arrays of signals."""
        p = a.kind.port_index[port_a]
        q = b.kind.port_index[port_b]
        count = a.kind.ports[p].count
        columns = self.joined.setdefault((a.path[0], p, b.path[0], q), ([], []))
        columns[0].append(a.instance * count + np.arange(count))
        columns[1].append(b.instance * count + np.arange(count))

    # -- the root with all of it -------------------------------------------------------------------------------
    def root_with_parts(self, root: Kind) -> Kind:
        """The root kind (already without frames) with the hidden children and their wires."""
        groups = [
            ChildGroup(held.kind, tuple(held.names), len(held.names), False, (_LOCATION,) * len(held.names))
            for held in self.hidden.values()
        ]
        stamps = [self._stamp(wire, *columns) for wire, columns in self.wires.items()]
        stamps += [_invariant(key, *columns) for key, columns in self.kept.items()]
        connections = [
            Connection(End(g, p, np.concatenate(a)), End(h, q, np.concatenate(b)))
            for (g, p, h, q), (a, b) in self.joined.items()
        ]
        return replace(
            root,
            groups=(*root.groups, *groups),
            stamps=(*root.stamps, *stamps),
            settings=(*root.settings, *self.settings),
            connections=(*root.connections, *connections),
        )

    def _stamp(self, wire: Wire, left: list[Array], right: list[Array], a: Member, b: Member) -> Stamp:
        parameter = wire.section == "parameter"
        refs = (
            Ref(wire.left_path, wire.left, whole(np.concatenate(left)), parameter),
            Ref(wire.right_path, wire.right, whole(np.concatenate(right)), parameter),
        )
        value: Expr = Call("neg", (Slot(1),)) if wire.negated else Slot(1)
        slots = (_slot(a, parameter), _slot(b, parameter))
        if parameter:
            return Stamp(ValueTemplate(slots=slots, value=value), refs, len(refs[0].elements), wire.section)
        template = EquationTemplate(slots=slots, lhs=Slot(0), rhs=value)
        return Stamp(template, refs, len(refs[0].elements), wire.section)


def _invariant(key: Any, grids: list[Array], members: Sequence[Member]) -> Stamp:
    """The stamp of invariants; key holds path and number of residuals, states and partial derivatives."""
    columns = np.concatenate(grids, axis=1)
    refs = tuple(Ref(key[2 * k], key[2 * k + 1], whole(columns[k]), False) for k in range(3))
    template = InvariantTemplate(slots=tuple(_slot(member, False) for member in members))
    return Stamp(template, refs, columns.shape[1], "invariant")


def _slot(member: Member, parameter: bool) -> SlotInfo:
    role = getattr(member, "role", "local")
    return SlotInfo(member.name, parameter, member.unit, "local" if parameter else role)
