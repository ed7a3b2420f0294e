"""The class of a sampled component: members under their names, and what happens at a tick.

Formulas are expressions of slots: the cells of the model the component was made from, and some more for values before
the tick and for numbers that are computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.dataflow.scalar_rows import substituted
from tellegen.errors import NotSampledError
from tellegen.frontends.python.expressions.symbol import Operation, Symbol, as_symbol, operation
from tellegen.ir.expressions.expr import Apply, Call, Const, Expr, Function, Lookup, Slot, Time, walk
from tellegen.ir.source_location import here
from tellegen.sampling.continuous_model import ContinuousModel
from tellegen.sampling.mirror import Mirror, Place


class SampledParts:
    """A sampled component on its way: what stands for each slot, and the assignments of a tick in their order."""

    def __init__(self, model: ContinuousModel, without: frozenset[int] = frozenset()) -> None:
        self.model = model
        self.without = without  # parameters that the component computes itself
        self.mirror = Mirror(model.compiled.flat)
        self.places: dict[int, Place] = {}
        self.before: dict[int, Place] = {}  # slots that are read as they were before the tick
        self.computed: list[tuple[Place, Expr]] = []
        self.assignments: list[tuple[Place, Expr]] = []
        self.watched: list[tuple[Place, str]] = []
        self.free = model.clock + 1
        self._declare_ends()

    def _declare_ends(self) -> None:
        """Parameters, inputs and outputs, all under the names they have."""
        flat = self.model.compiled.flat
        computed = {int(row[0]) for group in flat.parameter_bindings for row in group.bindings}
        for start, length, _, member in flat.parameters.blocks():
            for index in range(start, start + length):
                if not member.literal and not member.numbered and index not in computed | self.without:
                    self.places[index] = self.mirror.parameter(index, self.model.parameters)
        for variable, cell in zip(self.model.inputs, self.model.input_cells, strict=True):
            self.places[cell] = self.mirror.variable(variable, default=self.model.defaults.get(variable))

    def slot(self) -> int:
        """A number for something new."""
        self.free += 1
        return self.free - 1

    def state(self, number: int) -> Place:
        """The discrete variable of a state, as it is at the tick."""
        model = self.model
        variable = model.state_variables[number]
        cell = model.states[number]
        flat = model.compiled.flat
        if cell in self.places:
            return self.places[cell]
        start = float(model.start[number])
        if variable < flat.variables.count:
            column = flat.variables.column("start", 0.0).copy()
            for other, value in zip(model.state_variables, model.start, strict=True):
                if other < len(column):
                    column[other] = value
            self.places[cell] = self.mirror.variable(variable, column)
        else:
            base = int(model.compiled.reduced.derivatives.base[variable - flat.variables.count])
            owner = self.mirror.variable(base)
            self.places[cell] = self.mirror.new(owner, f"der_{owner.name}", start=start)
        return self.places[cell]

    def memory(self, number: int, ending: str) -> int:
        """A slot for what the tick before left beside a state, and at first its start value."""
        owner = self.state(number)
        indices = "".join(f"_{k}" for k in owner.element)
        start = float(self.model.start[number])
        place = self.mirror.new(owner, f"{owner.name}{indices}_{ending}", start=start)
        slot = self.slot()
        self.before[slot] = place
        return slot

    def previous(self, number: int) -> int:
        """A slot for a state as it was at the tick before."""
        return self.past(self.state(number))

    def past(self, place: Place) -> int:
        """A slot for something as it was at the tick before."""
        slot = self.slot()
        self.before[slot] = place
        return slot

    def tear(self, cell: int) -> Place:
        """The discrete variable of what an algebraic loop is solved for."""
        reduced = self.model.compiled.reduced
        flat = reduced.flat
        number = cell - self.model.cells.first_unknown
        variable = int(reduced.unknowns[number]) if number < len(reduced.unknowns) else flat.variables.count
        if variable < flat.variables.count:
            return self.mirror.variable(variable, np.nan_to_num(flat.variables.column("start")))
        return self.mirror.new(Place((), ""), "solved", start=0.0)

    def once(self, name: str, value: Expr) -> Slot:
        """A number that follows from parameters."""
        place = Place((), name)
        slot = self.slot()
        self.places[slot] = place
        self.computed.append((place, value))
        return Slot(slot)

    def formulas(self) -> None:
        """Assigns what outputs are computed from, and the outputs, in terms of states and inputs at the tick."""
        model = self.model
        cells = model.cells
        values = [cells.value(variable) for variable in model.outputs]
        read = [node.index for value in values for node in walk(value) if isinstance(node, Slot)]
        given = {*model.states, *model.input_cells}
        for cell in model.rows.order(read):
            if cell not in given:
                self._named(cell)
        for variable, value in zip(model.outputs, values, strict=True):
            target = self.mirror.variable(variable)
            known = isinstance(value, Slot) and self.places.get(value.index) == target
            if not known:
                self.assign(target, self.inlined(value))

    def _named(self, cell: int) -> None:
        """An algebraic variable of the model, under its name."""
        cells = self.model.cells
        reduced = self.model.compiled.reduced
        number = cell - cells.first_unknown
        is_variable = 0 <= number < len(reduced.unknowns) and reduced.unknowns[number] < reduced.flat.variables.count
        if is_variable and cell not in self.places:
            place = self.mirror.variable(int(reduced.unknowns[number]))
            self.assign(place, self.inlined(self.model.rows.formulas[cell]))
            self.places[cell] = place

    def inlined(self, value: Expr) -> Expr:
        """Without the cells that have no place."""
        known: dict[int, Expr] = {}
        read = [node.index for node in walk(value) if isinstance(node, Slot)]
        for cell in self.model.rows.order(read):
            if cell not in self.places:
                known[cell] = substituted(self.model.rows.formulas[cell], known)
        return substituted(value, known)

    def assign(self, target: Place, value: Expr) -> None:
        """One more assignment of the tick."""
        self.assignments.append((target, value))

    def watch(self, name: str, value: Expr, message: str) -> None:
        """A number that must not be above one, else this is a warning."""
        place = self.mirror.new(Place((), ""), name)
        self.assign(place, value)
        self.watched.append((place, message))

    def component(self, title: str, doc: str, tick: Callable[[], Any]) -> Any:
        """The class, whose tick is the condition of its when-statement."""
        parts = self
        read = {node.index for _, value in self.assignments for node in walk(value) if isinstance(node, Slot)}
        unnamed = next((slot for slot in sorted(read) if slot not in self.places and slot not in self.before), None)
        if unnamed is not None:
            raise self._unnamed(unnamed)

        def equations(self: Any) -> Iterator[Any]:
            leaf = parts._leaf_of(self)
            made = [target.symbol(self) == symbol_of(value, leaf) for target, value in parts.assignments]
            yield tg.when(tick(), *made)
            for place, message in parts.watched:
                yield tg.region(place.symbol(self) <= 1.0, message)
            for inside, place in parts.mirror.shown.items():
                yield inside.symbol(self) == place.symbol(self)

        body = self.mirror.body()
        for place, value in self.computed:
            body[place.name] = tg.parameter(symbol_of(value, lambda slot: self.places[slot].declared(body)))
        body |= {"equations": equations, "__doc__": doc, "__module__": __name__}
        return type(title, (tg.Component,), body)

    def _leaf_of(self, component: Any) -> Callable[[int], Any]:
        def leaf(slot: int) -> Any:
            if slot in self.before:
                return tg.pre(self.before[slot].symbol(component))
            return self.places[slot].symbol(component)

        return leaf

    def _unnamed(self, slot: int) -> NotSampledError:
        name = self.model.cells.name(slot)
        what = f"{self.model.name}: {name} cannot be read at a sample"
        return NotSampledError("E684", what, location=here(), advice="write the controller without it")


def symbol_of(expr: Expr, leaf: Callable[[int], Any]) -> Symbol:
    """An expression as a symbol of the language, with symbols for its slots."""
    done: dict[Expr, Any] = {}
    for node in walk(expr):
        args = [done[argument] for argument in node.args]
        if isinstance(node, Const):
            done[node] = as_symbol(node.value)
        elif isinstance(node, Slot):
            done[node] = leaf(node.index)
        elif isinstance(node, Time):
            done[node] = tg.time
        elif isinstance(node, Apply):
            done[node] = applied(node.function, args, node.output)
        elif isinstance(node, Lookup):
            done[node] = Operation("lookup", tuple(map(as_symbol, args)), (), node.table)
        else:
            assert isinstance(node, Call)
            done[node] = operation(node.op, *args)
    return as_symbol(done[expr])


def applied(function: Function, args: list[Any], output: int) -> Symbol:
    """A result of a function."""
    return Operation("apply", tuple(map(as_symbol, args)), (), (function, output))
