"""A small model as scalar formulas: what each number is computed from, whichever row or action of which template does.

    y[5] = p[2]*y[1]          cell 25 = cell 2 * cell 21          a cell is an entry of (p, y, y')
    when tick: x := ...       cell 9 = ...

For controllers, which become other controllers or C code: a few dozens of numbers, each with a name. Conditions that
the engine keeps as flags are formulas again, evaluated whenever the rest is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

import numpy as np

from tellegen.errors import DesignError
from tellegen.ir.events import ASSIGN, OPERATORS, Events, Relations, Values
from tellegen.ir.expressions.expr import Call, Const, Der, Expr, Slot, rebuild, same_with, walk
from tellegen.ir.expressions.template import ValueTemplate
from tellegen.ir.ode import Compute, OdeProgram, Solve
from tellegen.ir.program import SCALAR, Loop
from tellegen.ir.reduced import KNOWN, PARAMETER, UNKNOWN, ReducedGroup, ReducedModel
from tellegen.ir.show.reduced_rows import variable_text
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass

_ZERO = Const(0.0)
_NAMES = {number: name for name, number in OPERATORS.items()}


class NotScalarError(Exception):
    """Why a model has no such form; the text continues `it ...`, and there is advice."""

    def __init__(self, why: str, advice: str) -> None:
        super().__init__(why)
        self.advice = advice


KEPT = "a value that events keep"


@dataclass(frozen=True, eq=False)
class Cells:
    """Numbers of all cells: the vector of parameters, the unknowns, the rates of the states."""

    model: ReducedModel

    @property
    def first_unknown(self) -> int:
        """Where the unknowns begin."""
        return self.model.parameter_indices

    @property
    def first_rate(self) -> int:
        """Where their rates begin."""
        return self.first_unknown + len(self.model.unknowns)

    def of(self, array: str, index: int) -> int:
        """The cell of an element of p, y or yp."""
        return index + {"p": 0, "y": self.first_unknown, "yp": self.first_rate}[array]

    def variable(self, variable: int) -> int:
        """The cell of a variable that represents itself; -1 where it has none."""
        known = int(self.model.known_position[variable])
        place = int(self.model.position[variable])
        return known if known >= 0 else self.of("y", place) if place >= 0 else -1

    def value(self, variable: int) -> Expr:
        """A variable of the FlatModel in terms of cells: its representative with a sign, or zero."""
        sign = int(self.model.sign[variable])
        own = Slot(self.variable(int(self.model.representative[variable])))
        return _ZERO if sign == 0 else own if sign > 0 else Call("neg", (own,))

    def name(self, cell: int) -> str:
        """What the user calls it."""
        model = self.model
        flat = model.flat
        if cell >= self.first_rate:
            return f"der({variable_text(model, int(model.unknowns[cell - self.first_rate]))})"
        if cell >= self.first_unknown:
            return variable_text(model, int(model.unknowns[cell - self.first_unknown]))
        if cell < flat.parameters.count:
            return flat.parameters.name(cell)
        known = cell - flat.parameters.count
        if known < len(model.known):
            return flat.variables.name(int(model.known[known]))
        events = model.events
        if events is not None and cell in (events.initial_index, events.terminal_index):
            return "initial()" if cell == events.initial_index else "terminal()"
        return KEPT


@dataclass(frozen=True, eq=False)
class ScalarRows:
    """`formulas` by cell; cells without one are given: parameters, inputs, states, values before the instant."""

    cells: Cells
    formulas: dict[int, Expr]
    tears: dict[int, Expr] = field(default_factory=dict)  # what loops are solved for, and what is zero then

    def order(self, roots: Iterable[int]) -> tuple[int, ...]:
        """The cells that the roots are computed from, and themselves, in an order in which they can be computed."""
        done: dict[int, None] = {}
        waiting: list[int] = []
        on_the_way: set[int] = set()

        for root in roots:
            waiting.append(root)
            while waiting:
                cell = waiting[-1]
                needed = [other for other in self.reads(cell) if other in self.formulas and other not in done]
                if cell in done or not needed:
                    waiting.pop()
                    on_the_way.discard(cell)
                    if cell in self.formulas:
                        done[cell] = None
                    continue
                on_the_way.add(cell)
                loop = next((other for other in needed if other in on_the_way), None)
                if loop is not None:
                    raise self._looped(waiting[waiting.index(loop) :])
                waiting.append(needed[0])
        return tuple(done)

    def _looped(self, cells: list[int]) -> DesignError:
        """Names what depends on itself."""
        names = list(dict.fromkeys(self.cells.name(cell) for cell in cells))
        if names == [KEPT]:
            model = self.cells.model.flat.name
            what = f"{model}: floor, ceil, % and // of a state wait for an event, and here there is none"
            advice = "write tg.no_event(tg.floor(x)): what it is at the sample"
            return DesignError("E686", what, location=here(), advice=advice)
        what = f"an algebraic loop at the sample: {', '.join(names)} of {self.cells.model.flat.name} need each other"
        return DesignError(
            "E686",
            what,
            location=here(),
            advice="break the loop by a unit delay, or by a state that one of them follows",
        )

    def reads(self, cell: int) -> Iterator[int]:
        """The cells of a formula."""
        for node in walk(self.formulas[cell]) if cell in self.formulas else ():
            if isinstance(node, Slot):
                yield node.index

    def inlined(self, roots: Iterable[int]) -> dict[int, Expr]:
        """All that the roots are computed from, each as one expression of given cells."""
        done: dict[int, Expr] = {}
        for cell in self.order(roots):
            done[cell] = substituted(self.formulas[cell], done)
        return done


def scalar_rows(model: ReducedModel, ode: OdeProgram, *, conditions: bool = True) -> ScalarRows:
    """Equations, computed parameters and conditions; what when-statements do is not among them.

    Without `conditions` flags and levels are given: as a run has noted them.
    """
    rows = _Collector(Cells(model))
    rows.parameters()
    for step in ode.steps:
        if isinstance(step, Compute):
            rows.loops(ode.entries[step.entry].loops)
        elif step.closed:
            rows.loops(ode.entries[step.closed].loops)
        else:
            rows.loop(ode, step)
    if conditions and model.events is not None:
        rows.conditions(model.events)
    return ScalarRows(rows.cells, rows.formulas, rows.tears)


def discrete_equations(model: ReducedModel, events: Events) -> dict[int, Expr]:
    """Discrete variables that equations give their values, by cell."""
    rows = _Collector(Cells(model))
    values = rows.values(events.values)
    for target, sign, value in zip(events.always.variable, events.always.sign, events.always.value, strict=True):
        rows.assign(int(target), int(sign), values[int(value)])
    return rows.formulas


def assignments(model: ReducedModel, events: Events) -> dict[int, Expr]:
    """What when-statements and discrete equations assign, by cell."""
    rows = _Collector(Cells(model))
    values = rows.values(events.values)
    for verb, target, sign, value in zip(
        events.actions.verb, events.actions.target, events.actions.sign, events.actions.value, strict=True
    ):
        if verb == ASSIGN:
            rows.assign(int(target), int(sign), values[int(value)])
    return {**rows.formulas, **discrete_equations(model, events)}


def condition_formulas(model: ReducedModel, values: Values) -> dict[int, Expr]:
    """Numbers that events compute, by their number."""
    return _Collector(Cells(model)).values(values)


def literals(model: ReducedModel) -> dict[int, Expr]:
    """Cells that are numbers in the text of equations, and the blend of homotopy, which has ended."""
    flat = model.flat
    found: dict[int, Expr] = {model.homotopy_index: Const(1.0)}
    for start, length, _, member in flat.parameters.blocks():
        if member.literal:
            found |= {k: Const(float(flat.parameter_values[k])) for k in range(start, start + length)}
    return found


def ends(model: ReducedModel) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The inputs and outputs of the model itself, as variables of the FlatModel."""
    flat = model.flat
    found: dict[str, list[int]] = {"input": [], "output": []}
    for start, length, node, member in flat.variables.blocks():
        if node is flat.tree.nodes[0] and member.role in found:
            found[member.role].extend(range(start, start + length))
    return tuple(found["input"]), tuple(found["output"])


def substituted(expr: Expr, known: dict[int, Expr]) -> Expr:
    """An expression with cells replaced by what is known of them."""

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        return known.get(node.index, node) if isinstance(node, Slot) else same_with(node, args)

    return rebuild(expr, change)


class _Collector:
    """Formulas on their way."""

    def __init__(self, cells: Cells) -> None:
        self.cells = cells
        self.formulas: dict[int, Expr] = {}
        self.tears: dict[int, Expr] = {}

    def loop(self, ode: OdeProgram, step: Solve) -> None:
        """Rows that are solved together: some are solved in symbols, given the tears that others judge."""
        for name in step.inner:
            self.loops(ode.entries[name].loops)
        judged: dict[int, Expr] = {}
        for loop in ode.entries[step.residual].loops:
            for row in loop.table.tolist():
                known = self._operands(loop, row)
                for store in loop.stores:
                    number = row[store.column]
                    value = substituted(store.value, known)
                    judged[number] = Call("add", (judged[number], value)) if store.accumulate else value
        for place, row in zip(step.tear_index.tolist(), step.judge_row.tolist(), strict=True):
            self.tears[self.cells.first_unknown + place] = judged[row]

    def _operands(self, loop: Loop, row: list[int]) -> dict[int, Expr]:
        """What the slots of a row are."""
        known: dict[int, Expr] = {}
        for number, operand in enumerate(loop.operands):
            if operand.column != SCALAR:
                known[number] = Slot(self.cells.of(operand.array, row[operand.column]))
        return known

    def parameters(self) -> None:
        """Parameters that follow from others."""
        for group in self.cells.model.flat.parameter_bindings:
            template = group.template
            assert isinstance(template, ValueTemplate)
            for row in group.bindings.tolist():
                known = {slot: Slot(cell) for slot, cell in enumerate(row)}
                self.formulas[row[0]] = substituted(template.value, dict(known))

    def loops(self, loops: Iterable[Loop]) -> None:
        """Rows of ODE mode."""
        for loop in loops:
            for row in loop.table.tolist():
                known = self._operands(loop, row)
                for store in loop.stores:
                    cell = self.cells.of(store.array, row[store.column])
                    value = substituted(store.value, known)
                    self.formulas[cell] = Call("add", (self.formulas[cell], value)) if store.accumulate else value

    def conditions(self, events: Events) -> None:
        """Flags and levels, as what they stand for."""
        if len(events.delays.index):
            raise NotScalarError("has a delay, which remembers more than numbers", "put a lag in its place")
        for relations in (events.relations, events.instants):
            self._flags(relations)
        values = self.values(events.values)
        for index, value in zip(events.levels.index, events.levels.value, strict=True):
            self.formulas[int(index)] = values[int(value)]

    def _flags(self, relations: Relations) -> None:
        differences = self.values(relations.differences)
        for k, (operator, flag) in enumerate(zip(relations.operator, relations.flag, strict=True)):
            if int(operator) in _NAMES:
                self.formulas[int(flag)] = Call(_NAMES[int(operator)], (differences[k], _ZERO))

    def values(self, values: Values) -> dict[int, Expr]:
        """Numbers of events."""
        found: dict[int, Expr] = {}
        for group, indices in zip(values.groups, values.indices, strict=True):
            for row, index in enumerate(np.asarray(indices).tolist()):
                found[index] = self._row(group, row)
        return found

    def _row(self, group: ReducedGroup, row: int) -> Expr:
        known: dict[int, Expr] = {}
        for slot, (kind, number) in enumerate(zip(group.kinds, group.bindings[row].tolist(), strict=True)):
            if kind == PARAMETER:
                known[slot] = Slot(number)
            elif kind == UNKNOWN:
                known[slot] = Slot(self.cells.of("y", int(self.cells.model.position[number])))
            elif kind == KNOWN:
                known[slot] = Slot(int(self.cells.model.known_position[number]))

        def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
            if isinstance(node, Der):
                place = int(self.cells.model.position[group.bindings[row, node.index]])
                return Slot(self.cells.of("yp", place))
            return known[node.index] if isinstance(node, Slot) else same_with(node, args)

        return rebuild(group.residual, change)

    def assign(self, variable: int, sign: int, value: Expr) -> None:
        """What an action gives a variable."""
        cell = self.cells.variable(variable)
        self.formulas[cell] = value if sign > 0 else Call("neg", (value,))
