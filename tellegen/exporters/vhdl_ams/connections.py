"""Connections of one component: sets of terminals become nodes, connected signals equations."""

from __future__ import annotations

from math import prod

from tellegen.exporters.vhdl_ams.names import EntityNames, LibraryNames, Pin, refused
from tellegen.ir.model import Connection, End, Kind

PinKey = tuple[int, int, int, int]
"""Group (-1: the component itself), child, port, number of the pin."""


class Nodes:
    """The nodes of an architecture: which terminal stands for each pin of its parts."""

    def __init__(self, library: LibraryNames, kind: Kind) -> None:
        self.library = library
        self.kind = kind
        self.names: EntityNames = library.of(kind)
        self.parent: dict[PinKey, PinKey] = {}
        self.touched: set[PinKey] = set()  # pins in connections
        self.equations: list[str] = []
        self._joined: dict[str, str] = {}
        for connection in kind.connections:
            self._enter(connection)
        self.terminals: dict[PinKey, str] = {}  # by the pin that represents a set
        self.declared: list[str] = []
        self._name_own()

    def _enter(self, connection: Connection) -> None:
        if connection.a.outer or connection.b.outer:
            raise refused("a connection to an outer component", self.kind)
        below = [self._kind(end) for end in (connection.a, connection.b)]
        port = below[0].ports[connection.a.port]
        if port.family == "signal":
            self._signals(connection)
            return
        for row in range(len(connection.a.elements)):
            keys = [self._pins(end, row) for end in (connection.a, connection.b)]
            for left, right in zip(*keys, strict=True):
                self.touched |= {left, right}
                if self.find(left) != self.find(right):
                    self.parent[self.find(left)] = self.find(right)

    def _kind(self, end: End) -> Kind:
        return self.kind.groups[end.group].kind if end.group >= 0 else self.kind

    def _pins(self, end: End, row: int) -> list[PinKey]:
        """The pins of one connector."""
        kind = self._kind(end)
        port = kind.ports[end.port]
        child, connector = divmod(int(end.elements[row]), max(port.count, 1))
        pins = self.library.of(kind).pins[end.port]
        across = [kind.variables[n] for n in port.variables if kind.variables[n].role == "across"]
        keys: list[PinKey] = []
        first = 0
        for variable in across:
            inner = prod(variable.shape)
            keys += [(end.group, child, end.port, first + connector * inner + k) for k in range(inner)]
            first += variable.size
        assert first == len(pins)
        return keys

    def find(self, key: PinKey) -> PinKey:
        """The pin that represents the set of a pin."""
        while (above := self.parent.get(key, key)) != key:
            key = above
        return key

    def _name_own(self) -> None:
        """Terminals of the component itself stand for their sets. Where its equations read what flows through one of
        them into its parts, a branch without voltage measures it."""
        used = _used_variables(self.kind) | self.names.exposed
        for port, pins in self.names.pins.items():
            for k, pin in enumerate(pins):
                key = (-1, 0, port, k)
                root = self.find(key)
                across = self.names.scalars[pin.across]
                through = self.names.scalars[pin.through]
                inside = pin.name
                if key not in self.touched:
                    self.declared.append(f"quantity {across} across {through} through {pin.name};")
                elif pin.across[0] in used:
                    self.declared.append(f"quantity {across} across {pin.name};")
                if key in self.touched and pin.through[0] in used:
                    inside = self.names.scope.unique(f"{pin.name}_inside".strip("\\"))
                    drop = self.names.scope.unique(f"{pin.name}_drop".strip("\\"))
                    self.declared.append(f"terminal {inside} : {pin.nature};")
                    self.declared.append(f"quantity {drop} across {through} through {pin.name} to {inside};")
                    self.equations.append(f"{drop} == 0.0;")
                if root in self.terminals:
                    short = self.names.scope.unique("short")
                    flow = self.names.scope.unique("short_flow")
                    other = self.terminals[root]
                    self.declared.append(f"quantity {short} across {flow} through {other} to {inside};")
                    self.equations.append(f"{short} == 0.0;")
                else:
                    self.terminals[root] = inside

    def terminal(self, key: PinKey, pin: Pin) -> str:
        """The terminal that a pin of a part is associated with, declared when first asked for."""
        root = self.find(key)
        if root not in self.terminals:
            self.terminals[root] = self.names.scope.unique(f"node_{len(self.terminals) + 1}")
            self.declared.append(f"terminal {self.terminals[root]} : {pin.nature};")
        return self.terminals[root]

    # -- signals ------------------------------------------------------------------------------------------------
    def _signals(self, connection: Connection) -> None:
        kinds = [self._kind(end) for end in (connection.a, connection.b)]
        numbers = [
            kind.ports[end.port].variables[0] for kind, end in zip(kinds, (connection.a, connection.b), strict=True)
        ]
        discrete = [number in self.library.of(kind).signals for kind, number in zip(kinds, numbers, strict=True)]
        for row in range(len(connection.a.elements)):
            left, right = (
                self._signal(end, number, row)
                for end, number in zip((connection.a, connection.b), numbers, strict=True)
            )
            if self._root(left) == self._root(right):
                continue
            self._joined[self._root(left)] = self._root(right)
            if not any(discrete):
                self.equations.append(f"{left} == {right};")
            else:
                sink, source = (left, right) if self._is_sink(connection.a, numbers[0]) else (right, left)
                self.equations.append(f"{sink} <= {source};" if all(discrete) else f"{sink} == {source};")

    def _root(self, name: str) -> str:
        while name in self._joined:
            name = self._joined[name]
        return name

    def _is_sink(self, end: End, number: int) -> bool:
        return (self._kind(end).variables[number].role == "input") == (end.group >= 0)

    def _signal(self, end: End, number: int, row: int) -> str:
        element = int(end.elements[row])
        if end.group < 0:
            return self.names.variable(number, element)
        member = self._kind(end).variables[number]
        child, inner = divmod(element, max(member.size, 1))
        name = self.names.actual(end.group, child, number)
        return f"{name}({inner})" if member.shape or member.array >= 0 else name


def _used_variables(kind: Kind) -> set[int]:
    """The variables of a component itself that its statements read."""
    return {
        ref.member
        for stamp in kind.stamps
        for ref in stamp.refs
        if not ref.path and not ref.outer and not ref.parameter
    }
