"""What freezing a System has found, kept with it: a copy in which a few parts are exchanged is frozen by these parts.

    system with 10 000 children, frozen     ->   children by kind, numbers and connections as columns
    a copy of it, "r714" bound to a lamp    ->   the same columns: r714 leaves one group and enters another

Only what the version of a System vouches for is kept: which children are alike, the numbers given to them, who is
connected to whom. Equations are traced again, for they may use anything. The result is the Kind that freezing all of
the copy would give, with its groups and connections in the same order.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import compress
from typing import Any

import numpy as np

from tellegen.frontends.python.building.connections import MOST_PAIRS, Column, Joints, Side
from tellegen.frontends.python.components.system import System
from tellegen.frontends.python.tracing.settings import Settings
from tellegen.frontends.python.tracing.trace import Naming
from tellegen.ir.model import ChildGroup, Connection, End, IntArray, Kind, Ref, Setting
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass


@dataclass(frozen=True, eq=False)
class FrozenSystem:
    """The Kind of a System at one version, the children of each group by their numbers among all children, and of each
    column of connections the numbers of the pairs in it (connections.py: Column)."""

    version: int
    kind: Kind
    order: tuple[IntArray, ...]
    pairs: tuple[IntArray, ...]

    def __reduce__(self) -> Any:
        """Nothing that is worth to be stored or copied with a System."""
        return (type(None), ())


def remembered(instance: Any, kind: Kind, columns: dict[tuple[Side, Side], Column], settings: Settings) -> Any:
    """What is kept of freezing an instance; None where a version does not vouch for everything."""
    is_plain = type(instance) is System and instance._parent is None
    if not is_plain or kind.stamps or kind.mechanics or not settings.are_fixed:
        return None
    number = {name: k for k, name in enumerate(instance._children)}
    order = tuple(np.array([number[name] for name in group.names], np.int64) for group in kind.groups)
    pairs = tuple(column.pair_of_each() for column in columns.values())
    return FrozenSystem(instance._version, kind, order, pairs)


class Refreezing:
    """A System whose exchanged children alone are looked at, beside one child of each kind."""

    def __init__(self, freezer: Any, instance: Any) -> None:
        self.freezer = freezer
        self.instance = instance
        self.before: FrozenSystem = instance._frozen
        self.names = list(instance._children)
        self.exchanged = {self.names.index(name): instance._child(name) for name in dict.fromkeys(instance._exchanged)}
        old = self.before.kind
        self.naming = Naming(instance, list(old.variables), list(old.parameters))
        self.groups: list[ChildGroup] = []
        self.order: list[IntArray] = []
        self.moves: list[_Move] = []

    def result(self) -> FrozenSystem | None:
        """The System as it is now; None where that takes a look at all of it."""
        old = self.before.kind
        if any(child._count is not None or child._condition is not None for child in self.exchanged.values()):
            return None
        known = [self._kind_of_group(g) for g in range(len(old.groups))]
        pairs = zip(known, old.groups, strict=True)
        if any(kind is not None and not _alike(kind, group.kind) for kind, group in pairs):
            return None
        self._regroup(known)
        settings = self._settings()
        if settings is None or self.freezer.outer_names:  # kinds that depend on what is around them
            return None
        connections, pairs = self._connections()
        kind = replace(old, groups=tuple(self.groups), settings=settings, connections=connections)
        return FrozenSystem(self.instance._version, kind, tuple(self.order), pairs)

    def _kind_of_group(self, g: int) -> Kind | None:
        """The kind of a group, traced from a child that stays in it; None where none does."""
        group = self.before.kind.groups[g]
        first = next((k for k, n in enumerate(self.before.order[g].tolist()) if n not in self.exchanged), None)
        if first is None:
            return None
        child = self.instance._child(group.names[first])
        return self.freezer.kind_of_child(self.instance, child)

    # -- children -------------------------------------------------------------------------------------------------
    def _regroup(self, known: list[Kind | None]) -> None:
        """Groups in the order in which their first children appear, and where each old child is among them."""
        made: list[tuple[Kind, bool, list[int], int]] = []  # kind, is array, exchanged children, old group or -1
        by_kind: dict[int, list[int]] = {}
        for g, kind in enumerate(known):
            if kind is not None:
                is_array = self.before.kind.groups[g].is_array
                made.append((kind, is_array, [], g))
                if not is_array:
                    by_kind[id(kind)] = made[-1][2]
        for number, child in sorted(self.exchanged.items()):
            kind = self.freezer.kind(child)
            if id(kind) not in by_kind:
                made.append((kind, False, [], -1))
                by_kind[id(kind)] = made[-1][2]
            by_kind[id(kind)].append(number)
        orders = [self._order_of(g, new) for _, _, new, g in made]
        old_groups = self.before.kind.groups
        self.moves = [_Move(-1, np.full(len(group.names), -1, np.int64), False) for group in old_groups]
        for k in sorted(range(len(made)), key=lambda k: int(orders[k][0])):
            kind, is_array, new, g = made[k]
            if g >= 0:
                self.moves[g] = _Move.between(len(self.groups), self.before.order[g], orders[k], [*self.exchanged])
            self.order.append(orders[k])
            self.groups.append(self._group(kind, is_array, orders[k]) if new else self._rest(g, kind))
        self.naming.group_sizes = [group.size for group in self.groups]
        self.naming.group_kinds = [group.kind for group in self.groups]
        self.naming.child_index = _Places(self)

    def _order_of(self, g: int, new: list[int]) -> IntArray:
        old = self.before.order[g] if g >= 0 else np.zeros(0, np.int64)
        stay = old[~np.isin(old, list(self.exchanged))] if self.exchanged else old
        return np.sort(np.concatenate([stay, np.array(new, np.int64)])) if new else stay

    def _group(self, kind: Kind, is_array: bool, order: IntArray) -> ChildGroup:
        """A group that an exchanged child has entered."""
        names = tuple(map(self.names.__getitem__, order.tolist()))
        children = self.instance._children
        return ChildGroup(kind, names, len(names), is_array, tuple(children[name]._mark for name in names))

    def _rest(self, g: int, kind: Kind) -> ChildGroup:
        """What exchanged children have left of an old group."""
        old = self.before.kind.groups[g]
        move = self.moves[g]
        if move.is_same:
            return replace(old, kind=kind)
        stays = (move.number >= 0).tolist()
        names = tuple(compress(old.names, stays))
        return ChildGroup(kind, names, len(names), False, tuple(compress(old.locations, stays)))

    # -- numbers --------------------------------------------------------------------------------------------------
    def _settings(self) -> tuple[Setting, ...] | None:
        """The columns of numbers: without the old numbers of exchanged children, with their new ones."""
        found: dict[tuple[Any, ...], Setting] = {}
        for setting in self.before.kind.settings:
            ref = setting.ref
            move = self.moves[ref.path[0]]
            elements, kept = move.elements(ref.elements, _scalars(self.before.kind, ref))
            if len(elements):
                ref = Ref((move.group, *ref.path[1:]), ref.member, elements, ref.parameter)
                found[_target(ref, setting.attribute)] = Setting(ref, setting.attribute, setting.values[kept])
        collected = Settings(self.naming, self.freezer.differs)
        for _, child in sorted(self.exchanged.items()):
            collected.collect(child, level=1)
        if collected.expressions or not collected.are_fixed:
            return None
        whole = Kind(name="", groups=tuple(self.groups))
        for setting in collected.numeric(whole):
            key = _target(setting.ref, setting.attribute)
            found[key] = _joined(found[key], setting) if key in found else setting
        first = {key: self._first_child(setting.ref) for key, setting in found.items()}
        return tuple(found[key] for key in sorted(found, key=first.__getitem__))

    def _first_child(self, ref: Ref) -> int:
        group = self.groups[ref.path[0]]
        child = int(ref.elements.min()) // _scalars(Kind(name="", groups=tuple(self.groups)), ref)
        return int(self.order[ref.path[0]][0 if group.is_array else child])

    # -- connections ----------------------------------------------------------------------------------------------
    def _connections(self) -> tuple[tuple[Connection, ...], tuple[IntArray, ...]]:
        """The connections that stay, and those of exchanged children made again from their statements."""
        affected = self._affected()
        found: dict[Any, _Column] = {}
        for connection, pairs in zip(self.before.kind.connections, self.before.pairs, strict=True):
            stays = ~np.isin(pairs // MOST_PAIRS, affected) if len(affected) else np.ones(len(pairs), bool)
            if stays.any():
                ends = self._moved(connection.a, stays), self._moved(connection.b, stays)
                moved = Connection(*ends, connection.location)
                found[_ends(moved)] = _Column(moved, pairs[stays])
        again = Joints(self.instance, self.naming, list(self.before.kind.ports))
        for statement in affected.tolist():
            again.pair = statement * MOST_PAIRS
            again.join_connected(self.instance._joined[statement])
        for connection, column in zip(again.connections(), again.columns.values(), strict=True):
            new = _Column(connection, column.pair_of_each())
            key = _ends(connection)
            found[key] = _merged(found[key], new) if key in found else new
        ordered = sorted(found.values(), key=lambda each: int(each.pairs[0]))
        return tuple(self._located(each) for each in ordered), tuple(each.pairs for each in ordered)

    def _located(self, column: _Column) -> Connection:
        """The location of a column is that of its first statement."""
        first = self.instance._joined[int(column.pairs[0]) // MOST_PAIRS]
        return replace(column.connection, location=SourceLocation(*first.mark))

    def _affected(self) -> IntArray:
        """The statements that name an exchanged child."""
        found = [np.zeros(0, np.int64)]
        for connection, pairs in zip(self.before.kind.connections, self.before.pairs, strict=True):
            for end in (connection.a, connection.b):
                if end.group >= 0 and self.moves[end.group].loses:
                    lost = self.moves[end.group].is_lost(end.elements, self._count(end))
                    found.append(pairs[lost] // MOST_PAIRS)
        return np.unique(np.concatenate(found))

    def _moved(self, end: End, stays: Any) -> End:
        if end.group < 0:
            return End(end.group, end.port, end.elements[stays], end.outer, end.outer_port)
        move = self.moves[end.group]
        return End(move.group, end.port, move.elements(end.elements[stays], self._count(end))[0])

    def _count(self, end: End) -> int:
        return self.before.kind.groups[end.group].kind.ports[end.port].count


class _Places(dict[str, tuple[int, int]]):
    """Group and number of a child, looked up when somebody asks."""

    def __init__(self, refreezing: Refreezing) -> None:
        super().__init__()
        self.refreezing = refreezing

    def __missing__(self, name: str) -> tuple[int, int]:
        refreezing = self.refreezing
        if name in refreezing.instance._exchanged:
            number = refreezing.names.index(name)
            found = next(
                (g, k) for g, order in enumerate(refreezing.order) for k in np.flatnonzero(order == number).tolist()
            )
        else:
            g, k = refreezing.before.kind.child_index[name]
            move = refreezing.moves[g]
            found = (move.group, int(move.number[k]))
        self[name] = found
        return found


@dataclass(frozen=True, eq=False)
class _Move:
    """Where the children of a group are now: the number of the group, and of each child in it or -1."""

    group: int
    number: IntArray
    is_same: bool  # as before, but for the number of the group

    @staticmethod
    def between(group: int, before: IntArray, now: IntArray, exchanged: list[int]) -> _Move:
        """An exchanged child is not where it was, even if the new one is in the same group."""
        gone = np.isin(before, exchanged)
        if len(before) == len(now) and not gone.any() and (before == now).all():
            return _Move(group, np.arange(len(before)), True)
        return _Move(group, np.where(gone, -1, np.searchsorted(now, before)), False)

    @property
    def loses(self) -> bool:
        return not self.is_same and bool((self.number < 0).any())

    def is_lost(self, elements: IntArray, per_child: int) -> Any:
        """Per element, when each child has so many: whether its child has left the group."""
        return self.number[elements // per_child] < 0

    def elements(self, elements: IntArray, per_child: int) -> tuple[IntArray, Any]:
        """Elements of children that stay, with their numbers now, and which of them those are."""
        if self.is_same:
            return elements, slice(None)
        child = self.number[elements // per_child]
        stays = child >= 0
        return child[stays] * per_child + elements[stays] % per_child, stays


def _alike(new: Kind, old: Kind) -> bool:
    """Whether two kinds have the same members, ports and children, so that numbers of one are those of the other."""
    if new is old:
        return True
    if [(m.name, m.size) for m in (*new.variables, *new.parameters)] != [
        (m.name, m.size) for m in (*old.variables, *old.parameters)
    ]:
        return False
    if [(p.name, p.family, p.count, p.variables) for p in new.ports] != [
        (p.name, p.family, p.count, p.variables) for p in old.ports
    ]:
        return False
    return len(new.groups) == len(old.groups) and all(
        a.names == b.names and a.size == b.size and a.is_array == b.is_array and _alike(a.kind, b.kind)
        for a, b in zip(new.groups, old.groups, strict=True)
    )


def _scalars(kind: Kind, ref: Ref) -> int:
    """How many elements of a member one child of the first group has."""
    below = kind.groups[ref.path[0]].kind
    count = 1
    for g in ref.path[1:]:
        count *= below.groups[g].size
        below = below.groups[g].kind
    members = below.parameters if ref.parameter else below.variables
    return count * members[ref.member].size


def _target(ref: Ref, attribute: str) -> tuple[Any, ...]:
    return ref.path, ref.member, ref.parameter, attribute


@dataclass(frozen=True, eq=False)
class _Column:
    """Connections between the same ports, and the numbers of their pairs."""

    connection: Connection
    pairs: IntArray


def _ends(connection: Connection) -> tuple[Any, ...]:
    return tuple((end.group, end.port, end.outer) for end in (connection.a, connection.b))


def _joined(first: Setting, second: Setting) -> Setting:
    """Both columns of numbers as one, in the order of elements."""
    elements = np.concatenate([first.ref.elements, second.ref.elements])
    order = np.argsort(elements, kind="stable")
    ref = Ref(first.ref.path, first.ref.member, elements[order], first.ref.parameter)
    return Setting(ref, first.attribute, np.concatenate([first.values, second.values])[order])


def _merged(first: _Column, second: _Column) -> _Column:
    """Both columns of connections as one, in the order of pairs."""
    pairs = np.concatenate([first.pairs, second.pairs])
    order = np.argsort(pairs, kind="stable")

    def end(a: End, b: End) -> End:
        return End(a.group, a.port, np.concatenate([a.elements, b.elements])[order], a.outer, a.outer_port)

    one = first.connection
    two = second.connection
    return _Column(Connection(end(one.a, two.a), end(one.b, two.b)), pairs[order])
