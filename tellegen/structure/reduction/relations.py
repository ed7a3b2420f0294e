"""Relations become flags, the past becomes entries of the parameter vector: expressions that are smooth between events.

    before   i == where(v > 0, v/R, 0)              n == pre(n) + 1
    after    i == where(flag7 > 0.5, v/R, 0)        n == pre3 + 1
             with relation 7: v - 0, operator >     with entry 3: the value n had before the event

    before   n == floor(4*x)
    after    n == level5        with relations 4*x > level5 + 1 and 4*x < level5, which move the level when they switch

sign, ceil and mod are written with relations and floor. Relations inside no_event and smooth stay as they are; so do
relations between constants of a run, discrete values, and unknowns that follow from these alone.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.errors import StructureError
from tellegen.ir.events import (
    CONSTANT_DELAY,
    MOVING_ENTRIES,
    OPERATOR_NUMBERS,
    OPERATORS,
    REACH,
    TRANSPORT,
    VARYING_DELAY,
    WINDOW_ENTRIES,
    Relations,
    Values,
    joined,
)
from tellegen.ir.expressions.expr import (
    ONE,
    ZERO,
    Apply,
    Call,
    Const,
    Der,
    Expr,
    Lookup,
    Slot,
    Time,
    rebuild,
    same_with,
    walk,
)
from tellegen.ir.expressions.ops import DELAYS
from tellegen.ir.expressions.table import Table
from tellegen.ir.reduced import KNOWN, PARAMETER, UNKNOWN, BoolArray, ReducedGroup, ReducedModel
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass
from tellegen.structure.reduction.discrete_equations import STEPPED, resting_unknowns
from tellegen.symbolic.build import call, neg, sub
from tellegen.symbolic.degree import is_linear_in_time
from tellegen.symbolic.past_values import leaving_value, past_value
from tellegen.symbolic.relevance import relevance, without_events
from tellegen.symbolic.table_jumps import has_jumps, pieces

_HALF = Const(0.5)


@dataclass(frozen=True, eq=False)
class Delayed:
    """What has to be computed for a delay, in rows, the first entry of each row, and the flags of its window."""

    kind: int
    numbers: tuple[ReducedGroup, ...]
    indices: Any
    rises: Any
    falls: Any


class EventEntries:
    """Allocates slots after the homotopy parameter, and collects what has to be computed at events."""

    def __init__(self, model: ReducedModel) -> None:
        self.model = model
        self.first = model.homotopy_index + 1
        self.initial = model.initial_index
        self.terminal = model.terminal_index
        self.next = self.terminal + 1
        self.are_read = False  # initial() or terminal()
        self.pre: dict[int, int] = {}
        self.found: dict[bool, list[tuple[ReducedGroup, str, Any]]] = {False: [], True: []}  # by "of time alone"
        self.gated: list[tuple[ReducedGroup, Any]] = []  # when relations matter, and their flags
        self.levels: list[tuple[ReducedGroup, Any]] = []  # what integer-valued functions become, and their indices
        self.delayed: list[Delayed] = []
        self.sampled: list[tuple[ReducedGroup, Any]] = []
        self.sample_flags: list[Any] = []

    @cached_property
    def rests(self) -> BoolArray:
        """Variables that rest between events; most models have no relation that asks for it."""
        rests = np.zeros(self.model.flat.variables.count, bool)
        rests[self.model.unknowns[resting_unknowns(self.model)]] = True
        return rests

    def take(self, count: int) -> Any:
        """The indices of some new entries."""
        self.next += count
        return np.arange(self.next - count, self.next)

    def pre_indices(self, variables: Any) -> Any:
        """The indices that hold what variables were before the event."""
        for variable in variables.tolist():
            if variable not in self.pre:
                self.pre[variable] = int(self.take(1)[0])
        return np.array([self.pre[v] for v in variables.tolist()])

    def relations(self, of_time: bool) -> Relations:
        """All relations that became flags: those that depend on time alone, or the others."""
        items = self.found[of_time]
        begin = np.cumsum([0, *(group.rows for group, _, _ in items)])
        indices = tuple(first + np.arange(group.rows) for first, (group, _, _) in zip(begin, items, strict=False))
        differences = Values(tuple(group for group, _, _ in items), indices, int(begin[-1]))
        operators = [np.full(group.rows, OPERATOR_NUMBERS[op]) for group, op, _ in items]
        return Relations(differences, joined(operators, np.int8), joined([flags for _, _, flags in items], np.int32))


class Rewriter:
    """Rewrites the expression of one group; new slots refer to entries of the parameter vector."""

    def __init__(self, entries: EventEntries, group: ReducedGroup, literal: bool) -> None:
        self.entries = entries
        self.group = group
        self.literal = literal
        self.kinds = list(group.kinds)
        self.columns = [group.bindings[:, s] for s in range(group.bindings.shape[1])]
        self.protected = without_events(group.residual)
        moves = entries.model.flat.varying_inputs
        inputs = [s for s, kind in enumerate(self.kinds) if kind == KNOWN and moves[self.columns[s]].any()]
        self.moving = set(inputs)  # slots of these and of delayed values: they change between events
        self.gates = {} if literal else relevance(group.residual, self._is_steady)

    def between_events(self) -> ReducedGroup:
        """The same for an equation that holds between events, where nothing would act at the instants of a sample."""
        if any(isinstance(node, Call) and node.op == "sample" for node in walk(self.group.residual)):
            raise StructureError(
                "E291",
                "tg.sample stands in an equation of numbers, which holds between its instants too",
                location=self._location(),
                advice="write tg.when(tg.sample(...), ...), or a Boolean of its own: self.tick == tg.sample(...)",
            )
        return self.run()

    def run(self) -> ReducedGroup:
        """The group with flags and entries."""
        if not any(_is_touched(node) for node in walk(self.group.residual)):
            return self.group
        return self._group(rebuild(self.group.residual, self._change))

    def _group(self, residual: Expr) -> ReducedGroup:
        bindings = np.stack(self.columns, axis=1).astype(np.int32) if self.columns else self.group.bindings
        return replace(self.group, residual=residual, kinds=tuple(self.kinds), bindings=bindings)

    def _slot(self, indices: Any) -> Slot:
        """A new slot bound to entries of the parameter vector."""
        self.kinds.append(PARAMETER)
        self.columns.append(np.broadcast_to(indices, self.group.rows))
        return Slot(len(self.kinds) - 1)

    def _true(self, indices: Any) -> Expr:
        return Call("gt", (self._slot(indices), _HALF))

    def _change(self, node: Expr, args: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Lookup) and not self.literal and node not in self.protected:
            return self._table(node.table, args)
        if not isinstance(node, Call):
            return same_with(node, args)
        op = node.op
        if op == "pre":
            return self._past(args[0])
        if op in ("edge", "change"):
            past = self._past(args[0])
            return Call("and", (args[0], Call("not", (past,)))) if op == "edge" else Call("ne", (args[0], past))
        if op in ("initial", "terminal"):
            self.entries.are_read = True
            return self._true(np.array([getattr(self.entries, op)]))
        if op == "sample":
            return self._sample(args)
        if op == "delay":
            return self._delay(args)
        if op == "varying_delay":
            return self._varying_delay(args)
        if op == "transported":
            return self._transported(args)
        if self.literal or node in self.protected or not self._varies(args):
            return same_with(node, args)
        if op in OPERATORS:
            return self._flag(op, sub(args[0], args[1]), self.gates.get(node))
        if op in STEPPED:
            return self._stepped(op, args)
        return same_with(node, args)

    def _stepped(self, op: str, args: tuple[Expr, ...]) -> Expr:
        """A function that jumps, by flags and levels."""
        x = args[0]
        if op == "sign":
            below = call("where", self._flag("lt", x), Const(-1.0), ZERO)
            return call("where", self._flag("gt", x), ONE, below)
        if op == "ceil":
            return neg(self._level(neg(x)))
        if op == "mod":
            return sub(x, call("mul", args[1], self._level(call("div", x, args[1]))))
        return self._level(x)

    def _level(self, x: Expr) -> Expr:
        """The floor of x as an entry that changes when x leaves the interval above it.

        At a root x may lie on either side of the integer by a rounding, so the level goes by the flags. At the
        integer itself both levels hold during an event: where x turns back there, nothing may switch back and forth.
        """
        level = self._new_level()
        above = call("add", level, ONE)
        return self._stairs(level, sub(x, above), sub(x, level), Call("floor", (x,)))

    def _table(self, table: Table, args: tuple[Expr, ...]) -> Expr:
        """A table, read on the side of its jumps that counts."""
        held: list[Expr] = []
        for axis, x in enumerate(args):
            found = pieces(table, axis) if self._varies((x,)) else None
            if found is None:
                held.append(x)
                continue
            piece = self._new_level()
            self._stairs(piece, found.rise(x, piece), found.fall(x, piece), found.number(x))
            held.append(found.held(x, piece))
        return Lookup(table, tuple(held))

    def _new_level(self) -> Slot:
        return self._slot(self.entries.take(self.group.rows))

    def _stairs(self, level: Slot, rise: Expr, fall: Expr, whole: Expr) -> Expr:
        """A level that rises to `whole` where one difference is above zero, and falls where the other is below."""
        rises = self._flag(REACH, rise)
        falls = self._flag("lt", fall)
        up = call("max", whole, call("add", level, ONE))
        down = call("min", whole, sub(level, ONE))
        moved = call("where", rises, up, call("where", falls, down, level))
        self.entries.levels.append((self._group(moved), self.columns[level.index]))
        return level

    def _past(self, arg: Expr) -> Expr:
        """pre of a variable, of its opposite, or of what became zero."""
        if isinstance(arg, Call) and arg.op == "neg":
            return neg(self._past(arg.args[0]))
        if not isinstance(arg, Slot):
            return arg
        return self._slot(self.entries.pre_indices(self.columns[arg.index]))

    def _varies(self, args: tuple[Expr, ...]) -> bool:
        """Whether something changes between events."""
        return any(self._moves(node) and not self._rests(node) for node in walk(*args))

    def _reads_unknowns(self, args: tuple[Expr, ...]) -> bool:
        """The same, or it reads an unknown that rests."""
        return any(self._moves(node) for node in walk(*args))

    def _rests(self, node: Expr) -> bool:
        """Whether it is an unknown that changes at events alone."""
        if not isinstance(node, Slot) or self.kinds[node.index] != UNKNOWN:
            return False
        return bool(self.entries.rests[self.columns[node.index]].all())

    def _moves(self, node: Expr) -> bool:
        if isinstance(node, Slot):
            return self.kinds[node.index] == UNKNOWN or node.index in self.moving
        return isinstance(node, Time | Der)

    def _is_discrete(self, arg: Expr) -> bool:
        """Whether it reads a variable that events change."""
        known = [node.index for node in walk(arg) if isinstance(node, Slot) and self.kinds[node.index] == KNOWN]
        flat = self.entries.model.flat
        constant = flat.variables.is_initial_parameter.copy()
        constant[flat.inputs] = True
        return any(not constant[self.columns[slot]].all() for slot in known)

    def _is_constant(self, arg: Expr) -> bool:
        """Whether it has one value during a run: it reads parameters, and nothing that events change."""
        slots = [node.index for node in walk(arg) if isinstance(node, Slot) and self.kinds[node.index] == PARAMETER]
        switches = any((self.columns[slot] >= self.entries.first).any() for slot in slots)
        return not switches and not self._reads_unknowns((arg,)) and not self._is_discrete(arg)

    def _location(self) -> SourceLocation:
        """Where the statement was written."""
        flat = self.entries.model.flat
        source = self.group.source
        statements = (*flat.whens, *flat.assertions)
        return (statements[-1 - source] if source < 0 else flat.equations[source]).template.location

    def _flag(self, op: str, difference: Expr, gate: Expr | None = None) -> Expr:
        """A flag instead of a relation, which matters while the gate holds."""
        return self._true(self._flags(op, difference, gate))

    def _flags(self, op: str, difference: Expr, gate: Expr | None = None) -> Any:
        """The same, by its place in each row."""
        flags = self.entries.take(self.group.rows)
        of_time = is_linear_in_time(difference, self._moves)
        self.entries.found[of_time].append((self._group(difference), op, flags))
        if gate is not None and not of_time:
            self.entries.gated.append((self._gate(gate), flags))
        return flags

    def _gate(self, gate: Expr) -> ReducedGroup:
        """A condition between discrete values; only it reads the entries it needs."""
        count = len(self.kinds)
        group = self._group(rebuild(gate, self._change))
        del self.kinds[count:], self.columns[count:]
        return group

    def _is_steady(self, condition: Expr) -> bool:
        """Whether a condition only changes at events, and can be evaluated twice."""
        is_plain = all(not isinstance(node, Apply) and _op(node) not in _SINGLE for node in walk(condition))
        return is_plain and not self._reads_unknowns((condition,))

    def _delay(self, args: tuple[Expr, ...]) -> Expr:
        """An entry that holds what the expression was some time ago; it rests between events if the expression does."""
        value, by = args
        if not self._is_constant(by):
            raise StructureError(
                "E294",
                "the delay time of tg.delay varies during the run, and nothing says how long it is at most",
                location=self._location(),
                advice="give the longest time as third argument: tg.delay(x, by, longest)",
            )
        indices = self.entries.take(self.group.rows)
        none = np.full(self.group.rows, -1)
        numbers = (self._group(value), self._group(by))
        self.entries.delayed.append(Delayed(CONSTANT_DELAY, numbers, indices, rises=none, falls=none))
        slot = self._slot(indices)
        if self._varies((value,)):
            self.moving.add(slot.index)
        return slot

    def _varying_delay(self, args: tuple[Expr, ...]) -> Expr:
        """What an expression was near a time that varies."""
        value, by, longest = args
        if self._is_constant(by):
            return self._delay((value, by))
        if not self._is_constant(longest):
            raise StructureError(
                "E294", "the longest time of a delay must be constant during a run", location=self._location()
            )
        reading = sub(Time(), by)
        return past_value(self._windowed(VARYING_DELAY, args, reading), value, reading)

    def _transported(self, args: tuple[Expr, ...]) -> Expr:
        """What leaves a pipe at its far end."""
        near, far, x, flows, *profile = args
        entries = self._windowed(TRANSPORT, (near, x, far, flows), x)
        return leaving_value(entries, x, profile, None if self.literal else self._flag)

    def _windowed(self, kind: int, numbers: tuple[Expr, ...], reading: Expr) -> list[Slot]:
        """The entries of a delay that reads between two jumps of the past; relations find where it meets one.

        What a transport reads rises only."""
        size = MOVING_ENTRIES[kind] + WINDOW_ENTRIES
        first = self.entries.take(size * self.group.rows)[::size]
        *moving, below, above = [self._slot(first + k) for k in range(size)]
        rises = self._flags("gt", sub(reading, above))
        none = np.full(self.group.rows, -1)
        falls = none if kind == TRANSPORT else self._flags("lt", sub(reading, below))
        self.entries.delayed.append(Delayed(kind, tuple(map(self._group, numbers)), first, rises=rises, falls=falls))
        self.moving.update(slot.index for slot in moving)
        return moving

    def _sample(self, args: tuple[Expr, ...]) -> Expr:
        for arg in args:
            if self._reads_unknowns((arg,)) or self._is_discrete(arg):
                raise StructureError(
                    "E291",
                    "the start and period of tg.sample must be constant during a run",
                    location=self._location(),
                    advice="sample at the fastest period and count: tg.when(tg.sample(...) & (tg.pre(n) >= most), ...)",
                )
        rows = self.group.rows
        first = 2 * sum(len(flags) for flags in self.entries.sample_flags)
        flags = self.entries.take(rows)
        for k, arg in enumerate(args):
            self.entries.sampled.append((self._group(arg), first + 2 * np.arange(rows) + k))
        self.entries.sample_flags.append(flags)
        return self._true(flags)


_SINGLE = frozenset({"sample", *DELAYS})  # operators with a memory of their own
_TOUCHED = frozenset({"pre", "edge", "change", "initial", "terminal", "sample", *DELAYS, *OPERATORS, *STEPPED})


def _is_touched(node: Expr) -> bool:
    """Whether something has to be done about it; a table that jumps is held on one side."""
    return _op(node) in _TOUCHED or (isinstance(node, Lookup) and has_jumps(node.table))


def _op(node: Expr) -> str:
    """The name of an operation, empty for what is none."""
    return node.op if isinstance(node, Call) else ""
