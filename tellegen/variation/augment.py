"""A model together with its tangents: FlatModel -> FlatModel with a copy of every equation for every direction.

    C*der(v) - i == 0     ->     and for each direction j:   C_j*der(v) + C*der(v_j) - i_j == 0

Directions are columns over all parameters and start values. Tangents of continuous variables are continuous variables
of the root, those of discrete ones discrete; equations are differentiated once per template, however many rows and
directions there are. Everything downstream (index reduction, order of evaluation, initial values, native code, error
control) treats them like any other equations.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.errors import DelayNotDifferentiableError
from tellegen.ir.expressions.expr import ZERO, Call, Der, Expr, Slot, rebuild, same_with
from tellegen.ir.expressions.template import Action, EquationTemplate, SlotInfo, Template, WhenTemplate
from tellegen.ir.flat import FlatModel, Group, Node, Overrides, Sums, Table, Tangents, Tree
from tellegen.ir.model import Parameter, Variable
from tellegen.ir.show.statements import show_template
from tellegen.start.records import dataclass
from tellegen.symbolic.build import is_zero
from tellegen.variation.shared import SharedValues
from tellegen.variation.slots import TangentSlots
from tellegen.variation.tangent import tangent

_NEVER = -20.0  # state-selection preference of a shared value
DIRECTION = "direction"  # the parameter of the root that holds the directions
_COPIED = ("fixed", "nominal", "state")


@dataclass(frozen=True, eq=False)
class Directions:
    """Columns: how parameters and start values of variables change in each direction."""

    parameters: Any  # (parameters, directions)
    starts: Any  # (variables, directions)
    names: tuple[str, ...]  # of what is varied

    @property
    def count(self) -> int:
        """Number of directions."""
        return self.parameters.shape[1]


@dataclass(frozen=True, eq=False)
class Augmented:
    """The model with tangents. `place[v, j]` is the tangent of variable v in direction j, -1 where there is none.

    The parameter DIRECTION of the root holds the directions of the `moved` parameters, then a zero, then how the
    instant of an event moves while it happens (engine/runs/sensitivity_jumps.py).
    """

    flat: FlatModel
    position: Any
    moved: Any
    rest: Any  # zeros

    def starts_name(self, variable: int, column: int) -> str:
        """The path of a tangent, for its start value."""
        return self.flat.variables.name(int(self.position[variable, column]))


def with_tangents(flat: FlatModel, directions: Directions) -> Augmented:
    """See the top of this file."""
    return _Augmentation(flat, directions).result()


class _Augmentation:
    def __init__(self, flat: FlatModel, directions: Directions) -> None:
        self.flat = flat
        self.directions = directions
        count = flat.variables.count
        columns = directions.count
        real = np.zeros(count, bool)
        discrete = np.zeros(count, bool)
        for start, length, _, member in flat.variables.blocks():
            real[start : start + length] = member.type == "real"
            discrete[start : start + length] = member.discrete
        self.position = np.full((count, columns), -1, np.int64)
        self.sizes: list[int] = []
        first = count
        constant = flat.variables.is_initial_parameter
        for chosen in (real & ~discrete, real & discrete & ~constant, real & constant):
            where = np.flatnonzero(chosen)
            size = int(chosen.sum())
            self.position[where] = first + np.arange(size)[:, None] + size * np.arange(columns)
            self.sizes.append(size * columns)
            first += size * columns
        self.shared = SharedValues(flat, first)
        self.moved = directions.parameters.any(axis=1)
        rank = np.cumsum(self.moved) - 1
        zero = flat.parameters.count + int(self.moved.sum()) * columns  # one more parameter, of the value zero
        self.direction_index = np.where(
            self.moved[:, None],
            flat.parameters.count + rank[:, None] * columns + np.arange(columns),
            zero,
        )

        acts = columns if flat.whens else 0  # what statements read of time moves with the instant
        self.time_index = zero + 1 + np.arange(acts)

    def result(self) -> Augmented:
        flat = self.flat
        equations = self._equations(flat.equations, share=True)
        tree, variables, parameters = self._tables()
        sums = flat.sums
        columns = self.directions.count
        real = self.position[sums.indices]
        shifted = [self.position[flat.equalities[:, 0]], self.position[flat.equalities[:, 1]]]
        kept = (shifted[0] >= 0).all(axis=1) & (shifted[1] >= 0).all(axis=1)
        pairs = [np.stack([shifted[0][kept, j], shifted[1][kept, j]], axis=1) for j in range(columns)]
        entries = len(sums.indices)
        out = replace(
            flat,
            tree=tree,
            variables=variables,
            parameters=parameters,
            equations=(*map(self._reading, flat.equations), *equations, *self._resting_inputs()),
            initial_equations=(*flat.initial_equations, *self._equations(flat.initial_equations)),
            whens=tuple(self._when(group) for group in flat.whens),
            invariants=(*flat.invariants, *map(self._invariant, flat.invariants)),
            equalities=np.concatenate([flat.equalities, *pairs]).astype(np.int32),
            sums=Sums(
                np.concatenate([sums.indptr, *(sums.indptr[1:] + (j + 1) * entries for j in range(columns))]),
                np.concatenate([sums.indices, *(real[:, j] for j in range(columns))]).astype(np.int32),
                np.tile(sums.signs, columns + 1),
            ),
            parameter_values=np.append(self.flat.parameter_values, self._direction_values()),
            tangents=Tangents(
                variable=self.position,
                direction=self.direction_index,
                time=self.time_index,
                shared=self._shared(equations),
                names=self.directions.names,
            ),
        )
        return Augmented(out, self.position, self.moved, np.zeros(1 + len(self.time_index)))

    def _shared(self, equations: list[Group]) -> tuple[int, ...]:
        """The numbers of the new equations that compute what several tangents read."""
        before = len(self.flat.equations)
        return tuple(before + k for k, group in enumerate(equations) if self.shared.is_made(group))

    def _direction_values(self) -> Any:
        return np.append(self.directions.parameters[self.moved].ravel(), np.zeros(1 + len(self.time_index)))

    def _tables(self) -> tuple[Tree, Table, Table]:
        """The root with tangents and directions as members of its own."""
        flat = self.flat
        extra: list[Variable] = [
            Variable(name="tangent", shape=(self.sizes[0],)),
            Variable(name="tangent_of_discrete", shape=(self.sizes[1],), discrete=True, attributes={"start": 0.0}),
            Variable(
                name="tangent_of_initial_parameter",
                shape=(self.sizes[2],),
                discrete=True,
                initial_parameter=True,
                attributes={"start": 0.0},
            ),
            Variable(name="shared", shape=(self.shared.count,), attributes={"state": _NEVER}),
        ]
        shape = (len(self._direction_values()),)
        direction = Parameter(name=DIRECTION, shape=shape, attributes={"value": self._direction_values()})
        root = flat.tree.nodes[0]
        known = len(root.kind.variables)
        given = len(root.kind.parameters)
        kind = replace(
            root.kind, variables=(*root.kind.variables, *extra), parameters=(*root.kind.parameters, direction)
        )
        count = flat.variables.count
        bases = (count, count + self.sizes[0], count + sum(self.sizes[:2]), self.shared.first)
        node: Node = replace(
            root,
            kind=kind,
            variable_base=(*root.variable_base, *bases),
            parameter_base=(*root.parameter_base, flat.parameters.count),
        )
        tree = Tree(flat.tree.name, (node, *flat.tree.nodes[1:]))
        variables = _longer(flat.variables, tree, bases, tuple((0, known + k) for k in range(4)), extra)
        variables.overrides.update(self._attributes())
        parameters = _longer(flat.parameters, tree, (flat.parameters.count,), ((0, given),), [direction])
        return tree, variables, parameters

    def _attributes(self) -> dict[str, tuple[Overrides, ...]]:
        """Tangents are fixed, scaled and preferred as states like what they are tangents of; starts as given."""
        table = self.flat.variables
        out = {}
        has = (self.position >= 0).all(axis=1)
        for attribute in (*_COPIED, "start"):
            column = table.column(attribute)
            rows = np.flatnonzero(~np.isnan(column) & has)
            values = np.repeat(column[rows][:, None], self.directions.count, axis=1)
            if attribute == "start":
                values = self.directions.starts[rows]
            change = Overrides(self.position[rows].ravel(), values.ravel())
            out[attribute] = (*table.overrides.get(attribute, ()), change)
        return out

    def _equations(self, groups: tuple[Group, ...], share: bool = False) -> list[Group]:
        """The tangents of groups of equations, all directions one below the other."""
        out = []
        for group in groups:
            template = group.template
            assert isinstance(template, EquationTemplate)
            if _is_logic(template):
                continue
            slots = self._slots(group)
            sides = [self._tangent(side, slots, template) for side in (template.lhs, template.rhs)]
            if all(map(is_zero, sides)):
                continue
            if share:
                sides, more = self.shared.read_by_tangent(group, slots, sides)
                out += more
            new = EquationTemplate(
                slots=tuple(slots.infos), owner=template.owner, location=template.location, lhs=sides[0], rhs=sides[1]
            )
            every = range(self.directions.count)
            spans = tuple((node, first + j * group.rows, per) for j in every for node, first, per in group.spans)
            out.append(Group(new, slots.bindings(every), spans))
        return out

    def _invariant(self, group: Group) -> Group:
        """The tangents of what stays zero stay zero, and change with the tangents of states by the same derivatives."""
        residual, state, derivative = group.bindings.T
        every = range(self.directions.count)
        rows = [np.stack([self.position[residual, j], self.position[state, j], derivative], axis=1) for j in every]
        spans = tuple((node, first + j * group.rows, per) for j in every for node, first, per in group.spans)
        return Group(group.template, np.concatenate(rows).astype(np.int32), spans)

    def _reading(self, group: Group) -> Group:
        """An equation of the model itself, with shared values where tangents have them."""
        return self.shared.read_by(group, self._slots(group))

    def _slots(self, group: Group) -> TangentSlots:
        return TangentSlots(group, self.position, self.direction_index, self.moved, self.time_index)

    def _tangent(self, expr: Expr, slots: TangentSlots, template: Template) -> Expr:
        found = tangent(expr, slots.leaf)
        if found is None:
            what = f"the sensitivity of '{show_template(template)}' is not available: it has a delay"
            raise DelayNotDifferentiableError(
                "E213", what, location=template.location, advice="use a Padé approximation instead of tg.delay"
            )
        return found

    def _when(self, group: Group) -> Group:
        """The statement with the tangents of what it assigns and resets, direction by direction."""
        template = group.template
        assert isinstance(template, WhenTemplate)
        slots = self._slots(group)
        columns = self.directions.count
        made: dict[int, list[tuple[int, Action, Expr]]] = {}
        for number, branch in enumerate(template.branches):
            for action in branch.actions:
                if action.target >= 0 and template.slots[action.target].type == "real":
                    value = self._tangent(action.value, slots, template)
                    slots.leaf(Slot(action.target))
                    made.setdefault(number, []).append((slots.of[action.target, False], action, value))
        width = len(slots.infos)
        first = len(template.slots)
        infos = list(slots.infos)
        bindings = [slots.bindings([0])] if columns else []
        for j in range(1, columns):
            infos += slots.infos[first:]
            bindings.append(slots.bindings([j])[:, first:])
        branches = []
        for number, branch in enumerate(template.branches):
            actions = list(branch.actions)
            for j in range(columns):
                shift = j * (width - first)
                for target, action, value in made.get(number, ()):
                    moved = _shifted(value, first, shift)
                    actions.append(replace(action, target=target + shift, value=moved))
            branches.append(replace(branch, actions=tuple(actions)))
        new = replace(template, slots=tuple(infos), branches=tuple(branches))
        return Group(new, np.concatenate(bindings, axis=1).astype(np.int32), group.spans)

    def _resting_inputs(self) -> list[Group]:
        """What comes from outside does not change in any direction."""
        positions = self.position[self.flat.inputs]
        rows = positions[positions >= 0].reshape(-1, 1).astype(np.int32)
        if not len(rows):
            return []
        template = EquationTemplate(slots=(SlotInfo("input", False),), lhs=Slot(0), rhs=ZERO)
        return [Group(template, rows, ((0, 0, max(len(rows), 1)),))]


def _is_logic(template: EquationTemplate) -> bool:
    """Whether it gives a Boolean, an integer or a mode."""
    sides = [side for side in (template.lhs, template.rhs) if isinstance(side, Slot)]
    return any(template.slots[side.index].type != "real" for side in sides)


def _shifted(expr: Expr, first: int, shift: int) -> Expr:
    """The expression with slots of tangents moved to those of another direction."""

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Slot) and node.index >= first:
            return Slot(node.index + shift)
        if isinstance(node, Der) and node.index >= first:
            return Der(node.index + shift)
        return Call(node.op, args) if isinstance(node, Call) else same_with(node, args)

    return rebuild(expr, change) if shift else expr


def _longer(table: Table, tree: Tree, starts: tuple[int, ...], owners: tuple[Any, ...], members: list[Any]) -> Table:
    """A table with more blocks at its end."""
    extra = sum(member.size for member in members)
    return Table(
        tree,
        table.of_parameters,
        (*table.starts, *starts),
        (*table.owners, *owners),
        table.count + extra,
        dict(table.overrides),
    )
