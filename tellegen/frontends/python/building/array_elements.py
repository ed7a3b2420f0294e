"""Elements of an array of components that have models of their own: the array becomes children with names.

    cells = Cell.array(4), cells[2] bound to another model   ->   children cells[0], cells[1], cells[3] of one kind,
                                                                  cells[2] of another

A Model is traced as if all elements were alike: what a class writes about its array holds for every element. Then the
kinds that have such elements are divided, and every reference that leads through the array follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Any

import numpy as np

from tellegen.errors import BindingError
from tellegen.frontends.python.tracing.settings import Settings
from tellegen.frontends.python.tracing.trace import Naming
from tellegen.ir.model import ChildGroup, Connection, End, IntArray, Kind, Member, Model, Ref, Setting, Stamp
from tellegen.start.records import dataclass


@dataclass(frozen=True, eq=False)
class Division:
    """The elements of an array of a kind that have kinds of their own, and the numbers given to these."""

    group: int
    kinds: Mapping[int, Kind]
    own: Mapping[int, tuple[Setting, ...]]  # the first step of each path is the element


def divisions_of(freezer: Any, instance: Any, kind: Kind) -> list[Division]:
    """The arrays of an instance with elements that were bound by themselves."""
    arrays: dict[str, dict[int, Any]] = {}
    for name, element in instance._elements.items():
        array, _, index = name.rstrip("]").rpartition("[")
        arrays.setdefault(array, {})[int(index)] = element
    return [_division(freezer, kind.child_index[array][0], found) for array, found in arrays.items()]


def _division(freezer: Any, group: int, elements: dict[int, Any]) -> Division:
    kinds = {k: freezer.kind(element) for k, element in elements.items()}
    own = {}
    for k, element in elements.items():
        naming = Naming(element._parent, [], [])
        naming.child_index = {element._name: (0, 0)}
        naming.group_sizes = [1]
        naming.group_kinds = [kinds[k]]
        settings = Settings(naming, freezer.differs)
        settings.collect(element, level=1)
        if settings.expressions:
            given = settings.expressions[0]
            what = f"'{element._path()}' is bound to a component whose '{given.member}' is '{given.value}'"
            raise BindingError("E803", what, location=element._location, advice="give a number, not an expression")
        own[k] = tuple(settings.numeric(Kind(name="", groups=(ChildGroup(kinds[k], (element._name,), 1, False),))))
    return Division(group, kinds, own)


def divided(model: Model, divisions: dict[int, list[Division]]) -> Model:
    """The Model with its arrays divided; `divisions` by the identities of kinds."""
    dividing = _Dividing(divisions)
    return replace(
        model,
        root=dividing.kind(model.root),
        settings=tuple(part for setting in model.settings for part in dividing.setting(model.root, setting)),
    )


@dataclass(frozen=True, eq=False)
class _Home:
    """The number of a new group, the old kind of its children, and which of an old group they are."""

    number: int
    kind: Kind
    children: IntArray


@dataclass(frozen=True, eq=False)
class _Target:
    """Where some of the elements of a reference are now; no path where there is no such member."""

    chosen: IntArray
    path: tuple[int, ...] | None
    member: int = -1
    elements: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))


class _Dividing:
    """New kinds and references for old ones."""

    def __init__(self, divisions: dict[int, list[Division]]) -> None:
        self.divisions = divisions
        self.made: dict[int, Kind] = {}
        self.homes: dict[int, list[list[_Home]]] = {}

    # -- kinds ----------------------------------------------------------------------------------------------------
    def kind(self, old: Kind) -> Kind:
        """The kind with its arrays divided, and those of its children."""
        if id(old) in self.made:
            return self.made[id(old)]
        groups = []
        for group, homes in zip(old.groups, self._homes(old), strict=True):
            for home in homes:
                is_whole = len(homes) == 1 and home.kind is group.kind
                new = self.kind(home.kind)
                if is_whole:
                    groups.append(group if new is group.kind else replace(group, kind=new))
                    continue
                names = tuple(group.child_name(k) for k in home.children.tolist())
                groups.append(ChildGroup(new, names, len(names), False, group.locations[:1] * len(names)))
        is_same = len(groups) == len(old.groups) and all(a is b for a, b in zip(groups, old.groups, strict=True))
        if is_same and id(old) not in self.divisions:
            self.made[id(old)] = old
            return old
        self.made[id(old)] = made = replace(old, groups=tuple(groups))
        new = replace(
            made,
            stamps=tuple(part for stamp in old.stamps for part in self._stamp(old, stamp)),
            settings=(
                *(part for setting in old.settings for part in self.setting(old, setting)),
                *self._settings_of_elements(old),
            ),
            connections=tuple(part for connection in old.connections for part in self._connection(old, connection)),
        )
        self.made[id(old)] = new
        return new

    def _homes(self, kind: Kind) -> list[list[_Home]]:
        """The new groups of each old one."""
        if id(kind) not in self.homes:
            by_group = {division.group: division for division in self.divisions.get(id(kind), ())}
            number = 0
            out: list[list[_Home]] = []
            for g, group in enumerate(kind.groups):
                count = group.size if group.is_array else len(group.names)
                of_child = by_group[g].kinds if g in by_group else {}
                members: dict[int, list[int]] = {}
                kinds = {id(found): found for found in (group.kind, *of_child.values())}
                for k in range(count):
                    members.setdefault(id(of_child.get(k, group.kind)), []).append(k)
                if not members:
                    members[id(group.kind)] = []
                homes = [
                    _Home(number + k, kinds[key], np.array(children, np.int64))
                    for k, (key, children) in enumerate(members.items())
                ]
                number += len(homes)
                out.append(homes)
            self.homes[id(kind)] = out
        return self.homes[id(kind)]

    # -- references -----------------------------------------------------------------------------------------------
    def _targets(self, kind: Kind, ref: Ref) -> list[_Target]:
        """Where the elements of a reference of a kind are now."""
        everything = np.arange(len(ref.elements))
        if not ref.path:
            return [_Target(everything, (), ref.member, ref.elements)]
        group = kind.groups[ref.path[0]]
        per_child = _scalars(group.kind, ref.path[1:], ref)
        child = ref.elements // per_child
        rest = ref.elements % per_child
        out = []
        for home in self._homes(kind)[ref.path[0]]:
            chosen = np.flatnonzero(np.isin(child, home.children))
            if not len(chosen):
                continue
            for target in self._targets_below(home.kind, group.kind, ref, rest[chosen]):
                mine = chosen[target.chosen]
                if target.path is None:
                    out.append(_Target(mine, None))
                    continue
                below = Ref(target.path, target.member, target.elements, ref.parameter)
                width = _scalars(self.kind(home.kind), target.path, below)
                place = np.searchsorted(home.children, child[mine])
                out.append(_Target(mine, (home.number, *target.path), target.member, place * width + target.elements))
        return out

    def _targets_below(self, kind: Kind, old: Kind, ref: Ref, elements: IntArray) -> list[_Target]:
        """The same below a child, which is of its old kind or of another one with a member of the same name."""
        below = Ref(ref.path[1:], ref.member, elements, ref.parameter)
        if kind is old:
            return self._targets(kind, below)
        everything = np.arange(len(elements))
        if below.path:
            return [_Target(everything, None)]
        known = kind.parameter_index if ref.parameter else kind.variable_index
        number = known.get(_member(old, ref).name)
        if number is None:
            return [_Target(everything, None)]
        return [_Target(everything, (), number, elements)]

    def setting(self, kind: Kind, setting: Setting) -> Iterator[Setting]:
        """Numbers for the elements that have such a member; those given with the choice of an element come first."""
        own = self._is_own(kind, setting.ref, setting.attribute)
        for target in self._targets(kind, setting.ref):
            kept = ~own[target.chosen]
            if target.path is not None and kept.any():
                ref = Ref(target.path, target.member, target.elements[kept], setting.ref.parameter)
                yield Setting(ref, setting.attribute, setting.values[target.chosen][kept])

    def _settings_of_elements(self, kind: Kind) -> Iterator[Setting]:
        for division in self.divisions.get(id(kind), ()):
            for k, settings in division.own.items():
                home = next(home for home in self._homes(kind)[division.group] if k in home.children)
                place = int(np.searchsorted(home.children, k))
                for setting in settings:
                    below = Ref(setting.ref.path[1:], setting.ref.member, setting.ref.elements, setting.ref.parameter)
                    for target in self._targets(home.kind, below):
                        assert target.path is not None
                        inner = Ref(target.path, target.member, target.elements, below.parameter)
                        width = _scalars(self.kind(home.kind), target.path, inner)
                        ref = replace(inner, path=(home.number, *target.path), elements=place * width + inner.elements)
                        yield Setting(ref, setting.attribute, setting.values[target.chosen])

    def _is_own(self, kind: Kind, ref: Ref, attribute: str) -> Any:
        """Per element of an old reference: whether its number was given with the choice of an element of an array."""
        found = np.zeros(len(ref.elements), bool)
        if not ref.path or ref.outer:
            return found
        group = kind.groups[ref.path[0]]
        per_child = _scalars(group.kind, ref.path[1:], ref)
        child = ref.elements // per_child
        rest = ref.elements % per_child
        for division in self.divisions.get(id(kind), ()):
            for k, settings in division.own.items() if division.group == ref.path[0] and len(ref.path) == 1 else ():
                name = _member(group.kind, ref).name
                for own in settings:
                    same = own.attribute == attribute and own.ref.parameter == ref.parameter and len(own.ref.path) == 1
                    if same and _member(division.kinds[k], own.ref).name == name:
                        found |= (child == k) & np.isin(rest, own.ref.elements)
        for home in self._homes(kind)[ref.path[0]]:
            chosen = np.flatnonzero(np.isin(child, home.children))
            if home.kind is group.kind and len(chosen):
                below = Ref(ref.path[1:], ref.member, rest[chosen], ref.parameter)
                found[chosen] |= self._is_own(home.kind, below, attribute)
        return found

    # -- statements -----------------------------------------------------------------------------------------------
    def _stamp(self, kind: Kind, stamp: Stamp) -> Iterator[Stamp]:
        """The rows of a stamp, apart by the kinds of the elements that they refer to."""
        targets = [self._targets(kind, ref) for ref in stamp.refs]
        attribute = {"parameter": "value", "start": "start"}.get(stamp.section, "")
        label = np.zeros(stamp.rows, np.int64)
        for ref, found in zip(stamp.refs, targets, strict=True):
            mine = np.zeros(len(ref.elements), np.int64)
            for k, target in enumerate(found):
                mine[target.chosen] = k
            label = label * len(found) + mine
        if attribute:
            label[np.broadcast_to(self._is_own(kind, stamp.refs[0], attribute), stamp.rows)] = -1
        for value in np.unique(label[label >= 0]).tolist():
            rows = np.flatnonzero(label == value)
            pairs = zip(stamp.refs, targets, strict=True)
            refs = [self._ref_of_rows(ref, found, rows) for ref, found in pairs]
            if attribute and refs[0] is None:
                continue  # a value for a member that the element does not have
            known = [ref for ref in refs if ref is not None]
            if len(known) < len(refs):
                raise self._missing(kind, stamp)
            yield Stamp(stamp.template, tuple(known), len(rows), stamp.section)

    def _ref_of_rows(self, ref: Ref, found: list[_Target], rows: IntArray) -> Ref | None:
        if ref.outer or not ref.path:
            return ref if len(ref.elements) == 1 else replace(ref, elements=ref.elements[rows])
        if len(ref.elements) == 1:
            target = found[0]
            at = slice(None)
        else:
            target = next(target for target in found if rows[0] in target.chosen)
            at = np.searchsorted(target.chosen, rows)
        if target.path is None:
            return None
        return replace(ref, path=target.path, member=target.member, elements=target.elements[at])

    def _missing(self, kind: Kind, stamp: Stamp) -> BindingError:
        lost = [ref for ref in stamp.refs if any(target.path is None for target in self._targets(kind, ref))]
        group = kind.groups[lost[0].path[0]]
        member = _member(group.kind, lost[0]).name
        return BindingError(
            "E803",
            f"{kind.name} uses '{member}' of all elements of '{group.names[0]}', which the model bound to one of them "
            "does not have",
            location=stamp.template.location,
            advice=f"bind all elements, '{group.names[0]}', or use members of the interface only",
        )

    # -- connections ----------------------------------------------------------------------------------------------
    def _connection(self, kind: Kind, connection: Connection) -> Iterator[Connection]:
        ends = [list(self._ends(kind, end)) for end in (connection.a, connection.b)]
        for chosen_a, a in ends[0]:
            for chosen_b, b in ends[1]:
                both, at_a, at_b = np.intersect1d(chosen_a, chosen_b, assume_unique=True, return_indices=True)
                if len(both):
                    sides = replace(a, elements=a.elements[at_a]), replace(b, elements=b.elements[at_b])
                    yield Connection(*sides, connection.location)

    def _ends(self, kind: Kind, end: End) -> Iterator[tuple[IntArray, End]]:
        everything = np.arange(len(end.elements))
        if end.group < 0:
            yield everything, end
            return
        old = kind.groups[end.group].kind
        count = old.ports[end.port].count
        child = end.elements // count
        for home in self._homes(kind)[end.group]:
            chosen = np.flatnonzero(np.isin(child, home.children))
            if len(chosen):
                port = home.kind.port_index[old.ports[end.port].name]
                place = np.searchsorted(home.children, child[chosen])
                yield chosen, End(home.number, port, place * count + end.elements[chosen] % count)


def _member(kind: Kind, ref: Ref) -> Member:
    return (kind.parameters if ref.parameter else kind.variables)[ref.member]


def _scalars(kind: Kind, path: tuple[int, ...], ref: Ref) -> int:
    """How many elements of a member there are below one component of a kind."""
    count = 1
    for g in path:
        count *= kind.groups[g].size
        kind = kind.groups[g].kind
    return count * _member(kind, ref).size
