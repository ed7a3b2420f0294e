"""Connections of one component: which ports of its children, and of itself, are joined."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from tellegen.errors import LanguageError
from tellegen.frontends.python.building.members import Members
from tellegen.frontends.python.components.assembly import ports_of
from tellegen.frontends.python.components.component import Component
from tellegen.frontends.python.components.connector import Connector
from tellegen.frontends.python.components.surroundings import Disabled, warn_of_absent_ports
from tellegen.frontends.python.components.system import Connected
from tellegen.frontends.python.declarations.declare import ParameterDecl, VariableDecl
from tellegen.frontends.python.declarations.leaf import Leaf
from tellegen.frontends.python.expressions.symbol import Symbol
from tellegen.frontends.python.tracing.trace import Naming
from tellegen.ir.model import Connection, End, IntArray, Port, Variable, whole
from tellegen.ir.source_location import SourceLocation
from tellegen.units import may_agree

Side = tuple[int, int, str]  # group (-1: the component itself), port, name of outer components


MOST_PAIRS = 1 << 20  # of ports that one statement connects


class Column(NamedTuple):
    """Elements of two ports that are connected, entry by entry; each entry is a pair of a statement, and numbered."""

    left: list[Any]
    right: list[Any]
    pairs: list[int]
    location: SourceLocation

    def pair_of_each(self) -> IntArray:
        """The number of the pair of each connection; an entry may be an array of elements."""
        if all(type(entry) is int for entry in self.left):
            return whole(self.pairs)
        return np.repeat(whole(self.pairs), [np.size(entry) for entry in self.left])


class Joints:
    """Gathers connect statements into columns, one pair of columns for each pair of ports that meet."""

    def __init__(self, instance: Any, naming: Naming, ports: list[Port]) -> None:
        self.instance = instance
        self.naming = naming
        self.own_ports = ports
        self.columns: dict[tuple[Side, Side], Column] = {}
        self.pair = 0  # the number of the next one: that of its statement times MOST_PAIRS, and in the statement
        self.by_path: dict[tuple[int, str], list[tuple[int, str]]] = {}
        self.outer_ports: dict[str, Any] = {}
        self.by_names: dict[tuple[int, str, int, str], Column] = {}

    def join_connected(self, connected: Connected) -> None:
        """Take one connect(): mostly two names each of a child and of its port, whose column is known by then."""
        ends = connected.ends
        if len(ends) != 2 or type(ends[0]) is not tuple or type(ends[1]) is not tuple:
            self.join(ends, SourceLocation(*connected.mark))
            return
        index = self.naming.child_index
        group_a, a = index[ends[0][0]]
        group_b, b = index[ends[1][0]]
        key = (group_a, ends[0][1], group_b, ends[1][1])
        column = self.by_names.get(key)
        if column is not None:
            column[0].append(a)
            column[1].append(b)
            column[2].append(self.pair)
            return
        self.join(ends, SourceLocation(*connected.mark))
        ports_a = self._ports_at(group_a, ends[0][1], "")
        ports_b = self._ports_at(group_b, ends[1][1], "")
        if len(ports_a) == len(ports_b) == 1:
            self.by_names[key] = self.columns[(group_a, ports_a[0][0], ""), (group_b, ports_b[0][0], "")]

    def join(self, ends: Any, location: SourceLocation) -> None:
        """Take one statement: all its ends are connected with each other."""
        if isinstance(ends, Symbol) and ends.op == "eq":
            raise LanguageError(
                "E136",
                f"'{ends}' is an equation, not a connection",
                location=location,
                advice="yield it from equations()",
            )
        if isinstance(ends, bool):
            raise LanguageError(
                "E136",
                "ports are compared with '=='",
                location=location,
                advice="separate them by a comma: yield self.a.p, self.b.n",
            )
        if not isinstance(ends, (tuple, list)):
            raise LanguageError(
                "E136",
                f"a connection needs at least two ends, but this is only '{ends}'",
                location=location,
                advice="name the other end: yield self.a.p, self.b.n",
            )
        known = [self._end(end, location) for end in ends if not isinstance(end, Disabled)]
        if len(ends) < 2:
            raise LanguageError("E136", "a connection needs at least two ends", location=location)
        if len(known) == 1:
            warn_of_absent_ports(self.instance, ends, location)
        for k in range(len(known) - 1):
            self._pair(known[k], known[k + 1], location)

    def _end(self, end: Any, location: SourceLocation) -> tuple[int, str, Any, str]:
        """Group, path of the port, elements, outer name."""
        if type(end) is tuple:  # what System.connect keeps of a plain port
            g, k = self.naming.child_index[end[0]]
            return g, end[1], k, ""
        if isinstance(end, Connector) and end._component is not None:
            component = end._component
            path = end._path
            if component._parent is self.instance and component._count is None and end._count is None:
                g, k = self.naming.child_index[component._name]  # the common case, kept short
                return g, path, k, ""
            chosen = None if end._count is None else (int(end._count), end._index)
            return self._locate(component, path, chosen, end, location)
        if isinstance(end, Leaf) and isinstance(end.decl, VariableDecl) and end.decl.role in ("input", "output"):
            chosen = (int(np.prod(end.full)), end.chosen) if end.full and end.owner._count is None else None
            return self._locate(end.owner, end.member, chosen, end, location)
        raise self._no_port(end, location)

    def _no_port(self, end: Any, location: SourceLocation) -> LanguageError:
        advice = "connect ports (self.motor.p) or signals (self.pid.y)"
        what = f"'{end}' cannot be connected"
        if isinstance(end, Component):
            what = f"'{end._path()}' is a component ({type(end).__name__}), not a port"
            ports = list(ports_of(end))
            advice = f"name one of its ports: {', '.join(ports)}" if ports else "it has no ports"
        elif isinstance(end, Leaf):
            port, _, _ = end.label().rpartition(".")
            what = f"'{end}' is a {'parameter' if isinstance(end.decl, ParameterDecl) else 'variable'}, not a port"
            if "." in end.member:
                advice = f"connect the port it belongs to: {port}"
        elif isinstance(end, Symbol):
            what = f"'{end}' is an expression, not a port"
        elif isinstance(end, str):
            what = f"the string '{end}' is not a port"
            advice = f"write it without quotes, through the model: self.{end}"
        elif isinstance(end, Connector):
            what = f"'{end._label()}' is a port of a class, not of a component"
            advice = "create an instance of the component: r = Resistor(), with parentheses"
        return LanguageError("E137", what, location=location, advice=advice)

    def _locate(
        self, component: Any, path: str, chosen: Any, end: Any, location: SourceLocation
    ) -> tuple[int, str, Any, str]:
        name = end._label() if isinstance(end, Connector) else end.label()
        if component is self.instance:
            group = -1
            local = whole(0)
            outer = ""
        elif component._parent is not None and component._parent in (self.instance, self.instance._view_of):
            group, k = self.naming.child_index[component._name]
            local = whole(k)
            outer = ""
            if component._count is not None:
                local = whole(np.arange(int(component._count)) if component._index is None else component._index)
        else:
            group = -1
            local = whole(0)
            outer = self._outer_name(component, name, location)
            self.outer_ports[outer] = component
        if chosen is not None:
            count, index = chosen
            index = np.arange(count) if index is None else index
            local = local[..., None] * count + whole(index).ravel()
        if isinstance(end, Leaf) and end.owner._count is not None:  # counted over all elements of the array
            local = whole(np.arange(int(np.prod(end.full))) if end.chosen is None else end.chosen)
        return group, path, int(local.item()) if local.size == 1 else local.ravel(), outer

    def _outer_name(self, component: Any, name: str, location: SourceLocation) -> str:
        for declared in type(self.instance)._info.outers.values():
            if getattr(self.instance, declared.name, None) is component:
                return declared.name
        raise LanguageError(
            "E138",
            f"'{name}' is not a port of {type(self.instance).__name__} or of one of its direct children",
            location=location,
            advice=f"add the {type(component).__name__} to the model first, under a name"
            if component._parent is None
            else f"give {type(component._parent).__name__} a port of its own, connect it inside, and use that",
        )

    def _ports_at(self, group: int, path: str, outer: str) -> list[tuple[int, str]]:
        """The ports a path stands for (several when connectors are nested), with their names below the path."""
        key = (id(self.outer_ports[outer]) if outer else group, path)
        if key not in self.by_path:
            ports = self._all_ports(group, outer)
            found = [(k, port.name[len(path) :]) for k, port in enumerate(ports) if _below(port.name, path)]
            self.by_path[key] = found
        return self.by_path[key]

    def _all_ports(self, group: int, outer: str) -> Any:
        if outer:
            return Members(self.outer_ports[outer]).ports
        return self.own_ports if group < 0 else self.naming.group_kinds[group].ports

    def _pair(self, a: Any, b: Any, location: SourceLocation) -> None:
        ports_a = self._ports_at(a[0], a[1], a[3])
        ports_b = self._ports_at(b[0], b[1], b[3])
        if len(ports_a) == len(ports_b) == 1:
            pairs = [(ports_a[0][0], ports_b[0][0])]
        else:
            by_name = {name: k for k, name in ports_b}
            if {name for _, name in ports_a} != set(by_name):
                raise self._mismatch(a, b, location, "their media differ")
            pairs = [(k, by_name[name]) for k, name in ports_a]
        for port_a, port_b in pairs:
            key = ((a[0], port_a, a[3]), (b[0], port_b, b[3]))
            column = self.columns.get(key)
            if column is None:
                self._check(*key, a, b, location)
                column = self.columns[key] = Column([], [], [], location)
            if type(a[2]) is int and type(b[2]) is int:
                column[2].append(self.pair)
                self.pair += 1
                column[0].append(a[2])
                column[1].append(b[2])
                continue
            size_a = np.size(a[2])
            size_b = np.size(b[2])
            if not size_a or not size_b:
                continue  # an empty array has nothing to connect
            if size_a != size_b and 1 not in (size_a, size_b):
                names = f"'{self._name(a)}' ({size_a} ports) and '{self._name(b)}' ({size_b} ports)"
                raise LanguageError(
                    "E135",
                    f"{names} cannot be connected elementwise",
                    location=location,
                    advice="use equal numbers, such as self.a[:2].n and self.b.p, or connect a single port to all",
                    about=[self._name(a), self._name(b)],
                )
            column[2].append(self.pair)
            self.pair += 1
            column[0].append(a[2] if size_a >= size_b else np.broadcast_to(a[2], size_b))
            column[1].append(b[2] if size_b >= size_a else np.broadcast_to(b[2], size_a))

    def _check(self, side_a: Side, side_b: Side, a: Any, b: Any, location: SourceLocation) -> None:
        """Ports must be of the same family; signals of units that agree."""
        group_a, number_a, outer_a = side_a
        group_b, number_b, outer_b = side_b
        port_a = self._all_ports(group_a, outer_a)[number_a]
        port_b = self._all_ports(group_b, outer_b)[number_b]
        if port_a.family != port_b.family and not self._alike(side_a, side_b, port_a, port_b):
            if port_a.family.partition("[")[0] == port_b.family.partition("[")[0]:
                why = f"one is a {port_a.connector}, the other a {port_b.connector}"
                raise self._mismatch(a, b, location, why, "give both components the same medium")
            raise self._mismatch(a, b, location, f"a {_kind(port_a)} and a {_kind(port_b)} are different domains")
        if port_a.family == "signal":
            unit_a = self._unit(group_a, outer_a, port_a)
            unit_b = self._unit(group_b, outer_b, port_b)
            if unit_a and unit_b and unit_a.dimension and unit_b.dimension and unit_a.dimension != unit_b.dimension:
                why = f"the units '{unit_a.text}' and '{unit_b.text}' are incompatible"
                raise self._mismatch(a, b, location, why, "insert a component that converts, such as a gain")

    def _alike(self, side_a: Side, side_b: Side, port_a: Port, port_b: Port) -> bool:
        """Whether connectors of two front ends are the same but for their names: one of them was not made by a class
        of this one."""
        if not (port_a.foreign or port_b.foreign):
            return False
        group_a, _, outer_a = side_a
        group_b, _, outer_b = side_b
        if outer_a or outer_b:
            return False
        first = self._content(group_a, port_a)
        second = self._content(group_b, port_b)
        return first.keys() == second.keys() and all(_same_quantity(first[name], second[name]) for name in first)

    def _content(self, group: int, port: Port) -> dict[str, Variable]:
        """The variables of a connector by their names inside of it."""
        variables = self.naming.variables if group < 0 else self.naming.group_kinds[group].variables
        found = [variables[number] for number in port.variables]
        return {variable.name[len(port.name) + 1 :]: variable for variable in found}

    def _unit(self, group: int, outer: str, port: Port) -> Any:
        if outer:
            return None
        variables = self.naming.variables if group < 0 else self.naming.group_kinds[group].variables
        return variables[port.variables[0]].unit

    def _mismatch(self, a: Any, b: Any, location: SourceLocation, why: str, advice: str = "") -> LanguageError:
        domains = "connect ports of the same domain; a component with both ports (a motor, a heater) couples domains"
        return LanguageError(
            "E130",
            f"cannot connect '{self._name(a)}' to '{self._name(b)}': {why}",
            location=location,
            advice=advice or domains,
            about=[self._name(a), self._name(b)],
        )

    def _name(self, end: Any) -> str:
        group, path, elements, outer = end
        if outer:
            return f"{outer}.{path}"
        if group < 0:
            return path
        index = {position: name for name, position in self.naming.child_index.items()}
        first = int(np.ravel(elements)[0]) % max(self.naming.group_sizes[group], 1)
        return f"{index.get((group, first)) or index.get((group, 0))}.{path}"

    def connections(self) -> Iterator[Connection]:
        """The gathered columns."""
        for (side_a, side_b), column in self.columns.items():
            yield Connection(self._side(side_a, column.left), self._side(side_b, column.right), column.location)

    def _side(self, side: Side, elements: list[Any]) -> End:
        group, number, outer = side
        flat = (
            whole(elements)
            if all(type(e) is int for e in elements)
            else np.concatenate([np.atleast_1d(e) for e in elements])
        )
        name = self._all_ports(group, outer)[number].name if outer else ""
        return End(group, number, whole(flat), outer, name)


def _same_quantity(first: Variable, second: Variable) -> bool:
    """Whether variables of connectors of two front ends can be equal or add up."""
    if (first.role, first.shape, first.type) != (second.role, second.shape, second.type):
        return False
    return may_agree(first.unit, second.unit)


def _below(name: str, path: str) -> bool:
    return name == path or name.startswith(path + ".")


def _kind(port: Port) -> str:
    return port.connector if port.family != "signal" else f"signal {port.connector}"
