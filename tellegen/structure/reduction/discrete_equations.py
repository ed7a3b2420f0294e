"""Equations that are assignments: of discrete variables at events, of discrete variables and pre() in initialization.

    on == (x > 3)                             on is computed at every event
    initially  n == 3,  pre(on) == (x > 1)    n and pre(n), pre(on) are computed in the initial instant
    initially  k == 2*m                       k, m: parameters that initialization determines, computed there as well
    initially  der(x) == 0                    a parameter k that only this determines becomes a state that rests

`u == on` gives u its value, unless another equation does and nothing else gives `on` one: a matching decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from tellegen.graph.hopcroft_karp import matched
from tellegen.graph.incidence import incidence
from tellegen.ir.events import OPERATORS
from tellegen.ir.expressions.expr import ZERO, Call, Der, Expr, Slot, Time, walk
from tellegen.ir.expressions.ops import DELAYS
from tellegen.ir.expressions.template import EquationTemplate, SlotInfo
from tellegen.ir.flat import FlatModel, Group
from tellegen.ir.model import IntArray
from tellegen.ir.reduced import KNOWN, PARAMETER, UNKNOWN, BoolArray, Int32Array, ReducedGroup, ReducedModel
from tellegen.start.records import dataclass

STEPPED = frozenset({"sign", "floor", "ceil", "mod"})
"""Functions that jump: they change at events alone."""

_CHANGED_BY_EVENTS = frozenset({"pre", "edge", "change", "initial", "terminal", "sample", *OPERATORS, *STEPPED})


@dataclass(frozen=True, eq=False)
class DiscreteGroup:
    """Rows of group `source` give the variables in a slot, or with `past` their pre(), the value of an expression."""

    source: int
    group: Group
    rows: IntArray
    slot: int
    value: Expr
    past: bool = False

    @property
    def variables(self) -> Int32Array:
        """The variable of each row."""
        return self.group.bindings[self.rows, self.slot]


@dataclass(frozen=True, eq=False)
class Side:
    """A side of an equation that is a discrete variable alone, or its pre(); `value` is the other side."""

    slot: int
    value: Expr
    past: bool


def is_discrete(slot: SlotInfo) -> bool:
    """Whether a slot stands for a discrete variable."""
    return slot.discrete and not slot.parameter


def sides(group: Group, past: bool = False) -> tuple[Side, ...]:
    """The sides of a group of equations that can be assigned; with `past` also pre() of a variable."""
    template = group.template
    assert isinstance(template, EquationTemplate)
    found = []
    for one, other in ((template.lhs, template.rhs), (template.rhs, template.lhs)):
        is_past = past and isinstance(one, Call) and one.op == "pre"
        target = one.args[0] if is_past else one
        if isinstance(target, Slot) and is_discrete(template.slots[target.index]):
            found.append(Side(target.index, other, is_past))
    return tuple(found)


def discrete_groups(flat: FlatModel) -> list[DiscreteGroup]:
    """Equations that give a discrete variable its value.

    Between events the value is constant, so they are not equations for the integrator but are computed at events.
    """
    free = ~flat.variables.is_initial_parameter
    free[flat.assigned_variables] = False  # by when-statements
    return _assignments(flat.equations, free)


def initial_parameter_groups(flat: FlatModel) -> list[DiscreteGroup]:
    """Initial equations that give a parameter its value; the others are a system, which determines what it contains.

    initially  x == k,  k*k == 2      k follows from the system, and x from k
    initially  q == 2*k,  der(x) == 0   where der(x) == q - x:  k and q follow from the system
    """
    is_parameter = flat.variables.is_initial_parameter
    if not is_parameter.any():
        return []
    found = _assignments(flat.initial_equations, is_parameter)
    kept = _InitialSystem(flat, found).assignments()
    while sum(len(one.rows) for one in kept) < sum(len(one.rows) for one in found):
        found = kept
        kept = _InitialSystem(flat, found).assignments()
    return kept


class _InitialSystem:
    """Initial equations that assign nothing, and the parameters that follow from them."""

    def __init__(self, flat: FlatModel, found: list[DiscreteGroup]) -> None:
        self.found = found
        self.is_real = _real_parameters(flat)
        self.solved_for = self.is_real.copy()
        assigned = [np.zeros(group.rows, bool) for group in flat.initial_equations]
        for one in found:
            assigned[one.source][one.rows] = True
            self.solved_for[one.variables] = False
        self.in_initial = _contained(flat, zip(flat.initial_equations, (~rows for rows in assigned), strict=True))
        self.in_any = self.in_initial | _contained(flat, ((group, slice(None)) for group in flat.equations))

    def assignments(self) -> list[DiscreteGroup]:
        """Those that do not take part in the system."""
        kept = (replace(one, rows=one.rows[~self._takes_part(one)]) for one in self.found)
        return [one for one in kept if len(one.rows)]

    def _takes_part(self, one: DiscreteGroup) -> BoolArray:
        """The rows whose value the system determines and whose variable it contains."""
        slots = one.group.template.slots
        target = one.variables
        leaves = [node for node in walk(one.value) if isinstance(node, Slot | Der)]
        rests = all(slots[leaf.index].parameter or slots[leaf.index].discrete for leaf in leaves)
        found = self.in_initial[target] & (not rests)
        for leaf in leaves:
            if not slots[leaf.index].parameter:
                found |= self.in_any[target] & self.solved_for[one.group.bindings[one.rows, leaf.index]]
        return found & self.is_real[target]


def _real_parameters(flat: FlatModel) -> BoolArray:
    """Parameters that initialization determines and that need not be integers."""
    found = flat.variables.is_initial_parameter.copy()
    for number in np.flatnonzero(found).tolist():
        found[number] = flat.variables.declaration(number).type == "real"
    return found


def _contained(flat: FlatModel, equations: Iterable[tuple[Group, BoolArray | slice]]) -> BoolArray:
    """Variables in some rows of equations."""
    found = np.zeros(flat.variables.count, bool)
    for group, rows in equations:
        for node in group.template.nodes:
            if isinstance(node, Slot) and not group.template.slots[node.index].parameter:
                found[group.bindings[rows, node.index]] = True
    return found


def _assignments(groups: tuple[Group, ...], free: BoolArray) -> list[DiscreteGroup]:
    """The rows of groups that give a variable its value, where it is free to be given one.

    Those of discrete variables alone come first: `x == n` can also give a continuous x its value, `n == m` cannot.
    """
    options: list[list[int]] = []
    urgent: list[int] = []
    places: list[tuple[int, Group, tuple[Side, ...]]] = []
    for source, group in enumerate(groups):
        of_group = sides(group)
        if not of_group:
            continue
        places.append((source, group, of_group))
        if all(slot.parameter or slot.discrete for slot in group.template.slots):
            urgent += range(len(options), len(options) + group.rows)
        bound = group.bindings[:, [side.slot for side in of_group]].tolist()
        options += [[variable for variable in row if free[variable]] for row in bound]
    given = np.array(matched(options, len(free), urgent), np.int64)
    found = []
    first = 0
    for source, group, of_group in places:
        mine = given[first : first + group.rows]
        first += group.rows
        for side in of_group:
            chosen = (mine >= 0) & (mine == group.bindings[:, side.slot])
            if chosen.any():
                found.append(DiscreteGroup(source, group, np.flatnonzero(chosen), side.slot, side.value))
                mine = np.where(chosen, -1, mine)
    return found


def with_constant_rates(flat: FlatModel) -> tuple[FlatModel, IntArray]:
    """Parameters that initialization determines: which of them are computed by assignments or keep their start values.

    The others, real ones that follow only from a system of initial equations, get the rate zero.
    """
    is_parameter = flat.variables.is_initial_parameter
    if not is_parameter.any():
        return flat, np.zeros(0, np.int64)
    implicit = _real_parameters(flat)
    for found in initial_parameter_groups(flat):
        implicit[found.variables] = False
    held = np.flatnonzero(implicit & ~_differentiated(flat)).astype(np.int32)
    known = np.flatnonzero(is_parameter & ~implicit)
    if not len(held):
        return flat, known
    slots = (SlotInfo("constant", parameter=False, discrete=True),)
    rests = Group(EquationTemplate(slots=slots, lhs=Der(0), rhs=ZERO), held[:, None], ((0, 0, len(held)),))
    return replace(flat, equations=(*flat.equations, rests)), known


def _differentiated(flat: FlatModel) -> BoolArray:
    """Variables with a rate: of parameters, those that were given one when the model was compiled before."""
    found = np.zeros(flat.variables.count, bool)
    for group in flat.equations:
        for node in group.template.nodes:
            if isinstance(node, Der):
                found[group.bindings[:, node.index]] = True
    return found


@dataclass(frozen=True, eq=False)
class InitialGroup:
    """Rows of an initial equation that give `variables` (representatives), or their pre(), a value.

    What the equation says of one variable may determine another: of `active == pre(next)` initially, pre(next).
    """

    found: DiscreteGroup
    variables: Int32Array
    is_negated: bool


def initial_groups(model: ReducedModel) -> list[InitialGroup]:
    """Initial equations that give discrete variables or pre() their values."""
    flat = model.flat
    leader = model.representative
    out = [InitialGroup(found, leader[found.variables], False) for found in initial_parameter_groups(flat)]
    taken = {(one.found.source, row) for one in out for row in one.found.rows.tolist()}
    targets = _Targets(model)
    options: list[list[int]] = []
    places: list[tuple[int, int, list[_Target]]] = []
    for source, group in enumerate(flat.initial_equations):
        of_group = sides(group, past=True)
        for row in range(group.rows if of_group else 0):
            reached = [targets.of(int(group.bindings[row, side.slot]), side) for side in of_group]
            usable = [target for target in reached if target is not None]
            if usable and (source, row) not in taken:
                places.append((source, row, usable))
                options.append([target.variable for target in usable])
    determined = matched(options, flat.variables.count)
    said: set[tuple[object, ...]] = set()
    for is_repeated in (False, True):
        for (source, row, usable), column in zip(places, determined, strict=True):
            for target in usable if is_repeated == (column < 0) else ():
                value = _value_of(flat.initial_equations[source], row, target)
                if target.variable == column or (is_repeated and value in said):
                    said.add(value)
                    out.append(_initial_group(flat, source, row, target))
                    break
    return _gathered(out)


def _initial_group(flat: FlatModel, source: int, row: int, target: _Target) -> InitialGroup:
    side = target.side
    group = flat.initial_equations[source]
    found = DiscreteGroup(source, group, np.array([row]), side.slot, side.value, target.past)
    return InitialGroup(found, np.array([target.variable], np.int32), target.is_negated)


def _value_of(group: Group, row: int, target: _Target) -> tuple[object, ...]:
    """What a row says of a target. Connected inputs are one variable: each of them may say the same of its pre()."""
    value = target.side.value
    read = [int(group.bindings[row, node.index]) for node in walk(value) if isinstance(node, Slot)]
    return target.variable, target.past, target.is_negated, value, *read


@dataclass(frozen=True)
class _Target:
    """What an initial equation determines: a variable or its pre(), and whether it is the opposite."""

    variable: int
    past: bool
    is_negated: bool
    side: Side


class _Targets:
    """Which variables initial equations can determine: those of when-statements, and whatever pre() is read of."""

    def __init__(self, model: ReducedModel) -> None:
        self.leader = model.representative
        self.upright = model.sign == 1
        self.assigned = set(self.leader[model.flat.assigned_variables].tolist())
        self.known = model.known_position
        self.copies: dict[int, tuple[int, bool, bool]] = {}  # what equations say: x is y, pre(y), or the opposite
        self.given: set[int] = set()
        for group in discrete_groups(model.flat):
            self.given.update(self.leader[group.variables].tolist())
            self._note_copies(group)

    def _note_copies(self, group: DiscreteGroup) -> None:
        value = group.value
        is_negated = isinstance(value, Call) and value.op == "not"
        value = value.args[0] if is_negated else value
        past = isinstance(value, Call) and value.op == "pre"
        value = value.args[0] if past else value
        if not isinstance(value, Slot) or not is_discrete(group.group.template.slots[value.index]):
            return
        origins = group.group.bindings[group.rows, value.index]
        for variable, origin in zip(group.variables.tolist(), origins.tolist(), strict=True):
            if self.upright[variable] and self.upright[origin]:
                self.copies[int(self.leader[variable])] = (int(self.leader[origin]), past, is_negated)

    def of(self, variable: int, side: Side) -> _Target | None:
        """What is determined by a value of a variable (or of its pre()); None where equations give it another one."""
        number = int(self.leader[variable])
        past = side.past
        is_negated = False
        seen: set[int] = set()
        while not past and number in self.copies and number not in seen:
            seen.add(number)
            number, past, opposite = self.copies[number]
            is_negated = is_negated != opposite
        is_free = past or number in self.assigned
        return _Target(number, past, is_negated, side) if is_free and self.known[number] >= 0 else None


def _gathered(found: list[InitialGroup]) -> list[InitialGroup]:
    """Rows of one equation that are alike, together."""
    alike: dict[tuple[int, int, bool, bool], list[InitialGroup]] = {}
    for one in found:
        group = one.found
        alike.setdefault((group.source, group.slot, group.past, one.is_negated), []).append(one)
    out = []
    for parts in alike.values():
        rows = np.concatenate([part.found.rows for part in parts])
        variables = np.concatenate([part.variables for part in parts]).astype(np.int32)
        out.append(InitialGroup(replace(parts[0].found, rows=rows), variables, parts[0].is_negated))
    return out


def resting_unknowns(model: ReducedModel) -> BoolArray:
    """Unknowns that rest between events: discrete values and parameters give them, by equations of one unknown each.

    Relations and functions that jump change at events alone, whatever they read, unless they are below no_event.
    """
    usable = np.ones(model.equation_count, bool)
    rows: list[IntArray] = []
    columns: list[Int32Array] = []
    for offset, group in zip(model.offsets, model.groups, strict=False):
        own = offset + np.arange(group.rows)
        leaves = _moving_leaves(group.residual)
        if any(isinstance(node, Time | Der | Call) for node in leaves):
            usable[own] = False
        for slot in (node.index for node in leaves if isinstance(node, Slot)):
            if group.kinds[slot] == UNKNOWN:
                rows.append(own)
                columns.append(model.position[group.bindings[:, slot]])
        usable[own] &= ~_reads_what_moves(model, group)
    linear = model.linear
    at = model.position[linear.indices]
    rows.append(model.offsets[-1] + linear.row_of_entry[at >= 0])
    columns.append(at[at >= 0])
    reads = incidence(np.concatenate(rows), np.concatenate(columns), (model.equation_count, len(model.unknowns)))
    pairs = np.stack([reads.row_of_entry, reads.indices], axis=1)[usable[reads.row_of_entry]]
    rests = np.zeros(len(model.unknowns), bool)
    while True:
        left = pairs[~rests[pairs[:, 1]]]
        count = np.bincount(left[:, 0], minlength=model.equation_count)
        found = left[count[left[:, 0]] == 1]
        if not len(found):
            return rests
        rests[found[:, 1]] = True


def _moving_leaves(residual: Expr) -> list[Expr]:
    """Time, rates, delays and slots that an expression reads other than through what events change."""
    found: list[Expr] = []
    seen: set[Expr] = set()
    stack = [residual]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, Time | Der | Slot) or (isinstance(node, Call) and node.op in DELAYS):
            found.append(node)
        elif isinstance(node, Call) and node.op in ("no_event", "smooth"):
            found += [below for below in walk(*node.args) if isinstance(below, Time | Der | Slot)]
        elif not (isinstance(node, Call) and node.op in _CHANGED_BY_EVENTS):
            stack.extend(node.args)
    return found


def _reads_what_moves(model: ReducedModel, group: ReducedGroup) -> BoolArray:
    """Per row whether it reads a delayed value, which moves with time, or an input that others move."""
    delays = model.events.delays.entries if model.events is not None else ()
    slots = [slot for slot, kind in enumerate(group.kinds) if kind == PARAMETER]
    is_moved = model.flat.varying_inputs[group.bindings[:, np.array(group.kinds, object) == KNOWN]].any(axis=1)
    return is_moved | np.asarray((group.bindings[:, slots, None] == np.asarray(delays)).any(axis=(1, 2)))
