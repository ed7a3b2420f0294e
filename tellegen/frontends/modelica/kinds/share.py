"""Kinds from the innermost components outwards; components with equal content share one kind.

The content of a kind is its members, its ports, the kinds of its children, and what its statements, settings and
connections say in terms of these. Children of one kind form one group; a statement's scalar is then a path of
groups, a member and an element counted over all components on that path.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from tellegen.frontends.modelica.kinds.connect import Joint
from tellegen.frontends.modelica.kinds.members import GivenNumbers, MemberTable, Place
from tellegen.frontends.modelica.kinds.parts import Part, PartTree
from tellegen.frontends.modelica.kinds.pending import Heading, Pending, template_of
from tellegen.frontends.modelica.kinds.ports import PlannedPort
from tellegen.frontends.modelica.kinds.rows.action_columns import with_action_columns
from tellegen.frontends.modelica.kinds.rows.local_statements import localize
from tellegen.frontends.modelica.kinds.rows.rows import Column, Head, Rows, with_columns
from tellegen.ir.expressions.expr import Const
from tellegen.ir.expressions.template import SlotInfo, Template
from tellegen.ir.model import (
    ChildGroup,
    Connection,
    End,
    Kind,
    Member,
    Parameter,
    Port,
    Ref,
    Setting,
    Stamp,
    Variable,
    whole,
)
from tellegen.start.records import dataclass

Path = tuple[int, ...]


@dataclass(slots=True, eq=False)
class Contents:
    """What stands in the text of each component, by its number."""

    statements: list[list[Pending]]
    joints: list[list[Joint]]
    ports: list[list[PlannedPort]]
    constants: dict[int, Const]  # scalars of structural parameters


@dataclass(frozen=True, slots=True)
class Step:
    """Where a component is in its parent: number `position` of group `group`, which has `size` members."""

    group: int
    position: int
    size: int


class EndPlace(NamedTuple):
    """A port that is connected: of the component itself (group -1), of a child, or of an outer component by name."""

    group: int
    port: int
    outer: str = ""
    outer_port: str = ""


class KindBuilder:
    """Makes the kinds of all components."""

    def __init__(self, tree: PartTree, members: MemberTable, contents: Contents) -> None:
        self.tree = tree
        self.members = members
        self.contents = contents
        self.kinds: list[Kind | None] = [None] * len(tree.parts)
        self.steps: dict[int, Step] = {}
        self._by_content: dict[Hashable, Kind] = {}
        self._templates: dict[Hashable, Template] = {}

    def build(self) -> Kind:
        """The kind of the model itself."""
        for part in reversed(self.tree.parts):
            if not part.is_copy:
                self.kinds[part.number] = self._kind(part)
        root = self.kinds[0]
        assert root is not None
        return root

    def step(self, part: Part) -> Step:
        """Where a component is in its parent; one inside of a copy is where its original is."""
        while part.number not in self.steps:
            part = self.tree.parts[part.original]
        return self.steps[part.number]

    # ------------------------------------------------------------------ one kind

    def _kind(self, part: Part) -> Kind:
        if part.implementation is not None:
            return part.implementation.kind
        own = self.members.parts[part.number]
        groups = self._groups(part)
        reach = _Reach(self, part)
        variable_index = {variable.name: k for k, variable in enumerate(own.variables)}
        planned = (port for port in self.contents.ports[part.number] if not port.is_absent)
        ports = [self._port(port, part, variable_index) for port in planned]
        stamps = self._stamps(part, reach)
        settings = _settings(own.settings, reach)
        connections = self._connections(part)
        view = part.instance.view
        content = (
            view.path,
            tuple(map(_member_key, own.variables)),
            tuple(map(_member_key, own.parameters)),
            repr(own.structure),
            tuple((port.name, port.family, port.variables, port.count) for port in ports),
            tuple((id(group.kind), group.names) for group in groups),
            tuple(_stamp_key(stamp) for stamp in stamps),
            tuple((_ref_key(s.ref), s.attribute, s.values.tobytes()) for s in settings),
            tuple((_end_key(c.a), _end_key(c.b)) for c in connections),
        )
        known = self._by_content.get(content)
        if known is None:
            known = self._by_content[content] = Kind(
                name=view.path.rpartition(".")[2],
                description=view.definition.description,
                location=view.location(view.definition.token),
                structure=tuple(own.structure),
                variables=tuple(own.variables),
                parameters=tuple(own.parameters),
                ports=tuple(ports),
                groups=groups,
                stamps=tuple(stamps),
                settings=tuple(settings),
                connections=tuple(connections),
            )
        return known

    def _groups(self, part: Part) -> tuple[ChildGroup, ...]:
        """The children, grouped by kind in order of first appearance."""
        by_kind: dict[int, list[Part]] = {}
        for number in part.children:
            child = self.tree.parts[number]
            if child.is_copy:
                self.kinds[number] = self.kinds[child.original]
            by_kind.setdefault(id(self.kinds[number]), []).append(child)
        groups = []
        for children in by_kind.values():
            for position, child in enumerate(children):
                self.steps[child.number] = Step(len(groups), position, len(children))
            kind = self.kinds[children[0].number]
            assert kind is not None
            locations = [child.instance.location for child in children]
            names = tuple(child.name for child in children)
            marks = tuple((location.file, location.line) for location in locations)
            groups.append(ChildGroup(kind, names, len(children), False, marks))
        return tuple(groups)

    def _port(self, port: PlannedPort, part: Part, index: dict[str, int]) -> Port:
        numbers = tuple(index[part.local_name(variable.path)] for variable in port.variables)
        location = port.variables[0].location.within("")
        return Port(port.name, port.connector, port.family, numbers, port.count, port.is_array, location, foreign=True)

    # ------------------------------------------------------------------ statements

    def _stamps(self, part: Part, reach: _Reach) -> list[Stamp]:
        gathered: dict[Hashable, Rows] = {}
        for pending in self.contents.statements[part.number]:
            local = localize(pending.expressions, self.contents.constants)
            for scalars in self._copied(pending, local.scalars, part):
                heads = []
                elements = []
                for scalar in scalars:
                    head, element = reach.scalar(scalar)
                    heads.append(head)
                    elements.append(element)
                rows = Rows(pending, local, tuple(heads))
                gathered.setdefault(rows.likeness, rows).elements.append(elements)
        return [self._stamp(with_action_columns(rows), part) for rows in with_columns(gathered.values())]

    def _copied(self, pending: Pending, scalars: tuple[int, ...], part: Part) -> Sequence[Sequence[int]]:
        """The scalars of a statement, and those for copies of the component in whose text it stands."""
        copies = self.tree.copies(pending.part, part.number)
        return (scalars,) if copies is None else copies.rows(scalars).tolist()

    def _stamp(self, rows: Rows, part: Part) -> Stamp:
        template = self._template(rows, part)
        matrix = np.array(rows.elements, dtype=np.int64).reshape(len(rows.elements), len(rows.local.scalars))
        refs = []
        for column, (path, is_parameter, member) in enumerate(rows.heads):
            elements = matrix[:, column]
            if len(elements) > 1 and (elements == elements[0]).all():
                elements = elements[:1]
            refs.append(Ref(path, member, whole(elements), is_parameter))
        refs += [self._literal(column, part) for column in rows.columns]
        return Stamp(template, tuple(refs), len(rows.elements), rows.pending.section)

    def _literal(self, column: Column, part: Part) -> Ref:
        """Numbers that stand in statements, as a hidden parameter."""
        parameters = self.members.parts[part.number].parameters
        values = np.array(column.values)
        name = f"literal{len(parameters)}"
        parameters.append(Parameter(name=name, shape=values.shape, attributes={"value": values}, literal=True))
        return Ref((), len(parameters) - 1, np.arange(len(values)), True)

    def _template(self, rows: Rows, part: Part) -> Template:
        pending = rows.pending
        slots = tuple(self._slot(scalar, part) for scalar in rows.local.scalars)
        slots += tuple(SlotInfo(f"{column.values[0]:g} ...", True) for column in rows.columns)
        owner = part.instance.view.path.rpartition(".")[2]
        location = pending.location.within(owner)
        positions = tuple(column.position for column in rows.columns)
        key = (pending.section, pending.shape, rows.local.form, positions, slots, location)
        template = self._templates.get(key)
        if template is None:
            columns = [column.node for column in rows.columns]
            expressions = rows.local.renumbered(self.contents.constants, columns)
            template = self._templates[key] = template_of(pending, expressions, Heading(slots, owner, location))
        return template

    def _slot(self, scalar: int, part: Part) -> SlotInfo:
        place = self.members.place(scalar)
        member = self.members.member(place)
        above = self.tree.parts[place.part].path
        name = member.element_name(place.element)
        label = part.local_name(f"{above}.{name}" if above else name)
        if isinstance(member, Variable):
            return SlotInfo(label, False, member.unit, member.role, member.type, member.discrete, member.literals)
        return SlotInfo(label, True, member.unit)

    # ------------------------------------------------------------------ connections

    def _connections(self, part: Part) -> list[Connection]:
        gathered: dict[Hashable, tuple[Joint, list[int], list[int]]] = {}
        for joint in self.contents.joints[part.number]:
            a, first = self._end(joint.a.part, joint.a.port, joint.a.element, part)
            b, second = self._end(joint.b.part, joint.b.port, joint.b.element, part)
            _, left, right = gathered.setdefault((a, b, joint.location), (joint, [], []))
            left.append(first)
            right.append(second)
        found = []
        for key, (joint, left, right) in gathered.items():
            a, b, _ = key  # type: ignore[misc]
            location = joint.location.within(part.instance.view.path.rpartition(".")[2])
            found.append(Connection(_made_end(a, left), _made_end(b, right), location))
        return found

    def _end(self, owner: int, port: int, element: int, part: Part) -> tuple[EndPlace, int]:
        """Group, port and outer name of an end, and its element there."""
        count, number, element = self._port_place(owner, port, element)
        if owner == part.number:
            return EndPlace(-1, number), element
        if self.tree.parts[owner].parent == part.number:
            step = self.steps[owner]
            return EndPlace(step.group, number), step.position * count + element
        above = self.tree.parts[owner]
        own = self.contents.ports[owner][port].name
        name = own if above.implementation is None else above.implementation.kind.ports[number].name
        return EndPlace(-1, -1, above.name, name), element

    def _port_place(self, owner: int, port: int, element: int) -> tuple[int, int, int]:
        """How many connectors the port of a kind has, its number, and which of them is meant."""
        own = self.contents.ports[owner]
        implementation = self.tree.parts[owner].implementation
        if implementation is None:
            return own[port].count, port - sum(other.is_absent for other in own[:port]), element
        place = implementation.ports[own[port].name]
        return implementation.kind.ports[place.port].count, place.port, place.first + element


class _Reach:
    """Scalars seen from one component."""

    def __init__(self, builder: KindBuilder, part: Part) -> None:
        self.builder = builder
        self.part = part
        self._known: dict[int, tuple[Path, int]] = {part.number: ((), 0)}

    def scalar(self, scalar: int) -> tuple[Head, int]:
        """Path, member and element of a scalar."""
        place: Place = self.builder.members.place(scalar)
        path, position = self._component(place.part)
        member = self.builder.members.member(place)
        return (path, place.is_parameter, place.member), position * member.size + place.element

    def _component(self, number: int) -> tuple[Path, int]:
        """The groups on the way down to a component, and its number among all on that path."""
        known = self._known.get(number)
        if known is None:
            part = self.builder.tree.parts[number]
            step = self.builder.step(part)
            path, position = self._component(part.parent)
            known = self._known[number] = ((*path, step.group), position * step.size + step.position)
        return known


def _settings(given: Sequence[GivenNumbers], reach: _Reach) -> list[Setting]:
    columns: dict[tuple[Head, str], tuple[list[int], list[float]]] = {}
    for numbers in given:
        for scalar, value in zip(numbers.scalars, numbers.values, strict=True):
            head, element = reach.scalar(scalar)
            elements, values = columns.setdefault((head, numbers.attribute), ([], []))
            elements.append(element)
            values.append(value)
    found = []
    for ((path, is_parameter, member), attribute), (elements, values) in columns.items():
        found.append(Setting(Ref(path, member, whole(elements), is_parameter), attribute, np.array(values)))
    return found


def _made_end(place: EndPlace, elements: list[int]) -> End:
    return End(place.group, place.port, whole(elements), place.outer, place.outer_port)


def _member_key(member: Member) -> Hashable:
    numbers = tuple((name, np.asarray(value).tobytes()) for name, value in sorted(member.attributes.items()))
    kind = (member.role, member.type, member.discrete) if isinstance(member, Variable) else ()
    return (member.name, member.unit.text, member.display.text, member.shape, member.location, kind, numbers)


def _ref_key(ref: Ref) -> Hashable:
    return (ref.path, ref.member, ref.parameter, ref.elements.tobytes())


def _stamp_key(stamp: Stamp) -> Hashable:
    return (id(stamp.template), stamp.rows, stamp.section, tuple(map(_ref_key, stamp.refs)))


def _end_key(end: End) -> Hashable:
    return (end.group, end.port, end.elements.tobytes(), end.outer, end.outer_port)
