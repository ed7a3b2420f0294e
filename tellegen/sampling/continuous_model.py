"""A continuous component as x' = f(x, u, p), y = g(x, u, p): scalar formulas, names and start values.

Derivatives, constraints and algebraic equations have gone through the passes of the compiler, so a component may be
any model that has ODE mode; what a sample cannot do is rejected by name.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from tellegen.compile import compile_model
from tellegen.dataflow.scalar_rows import (
    Cells,
    NotScalarError,
    ScalarRows,
    discrete_equations,
    ends,
    literals,
    scalar_rows,
    substituted,
)
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.readout.quantity import quantity
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector, starts
from tellegen.errors import NotSampledError
from tellegen.ir.events import ASSIGN, REINIT
from tellegen.ir.expressions.expr import Expr, Slot, Time, walk
from tellegen.ir.model import FloatArray
from tellegen.ir.show.reduced_rows import variable_text
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass
from tellegen.symbolic.evaluate import evaluate

_MOMENT = 1e-9  # s: a run of which only the start is looked at


@dataclass(frozen=True, eq=False)
class ContinuousModel:
    """Formulas over cells (dataflow/scalar_rows.py); `inputs` and `outputs` are variables of the FlatModel."""

    compiled: CompiledModel
    rows: ScalarRows
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    defaults: dict[int, float]  # of inputs that serve where nothing is connected, in SI units

    @property
    def name(self) -> str:
        """Of the component."""
        return self.compiled.flat.name

    @property
    def cells(self) -> Cells:
        """What numbers cells have."""
        return self.rows.cells

    @property
    def clock(self) -> int:
        """A cell for the time: one more than there are."""
        return self.cells.first_rate + len(self.compiled.reduced.unknowns)

    @cached_property
    def states(self) -> tuple[int, ...]:
        """The cells of the states."""
        places = self.compiled.ode.program.states.tolist()
        return tuple(self.cells.of("y", place) for place in places)

    @cached_property
    def state_variables(self) -> tuple[int, ...]:
        """The variables that are states, those included that index reduction made."""
        unknowns = self.compiled.reduced.unknowns
        return tuple(int(unknowns[place]) for place in self.compiled.ode.program.states)

    @cached_property
    def state_names(self) -> tuple[str, ...]:
        """What they are called."""
        return tuple(variable_text(self.compiled.reduced, variable) for variable in self.state_variables)

    @cached_property
    def input_cells(self) -> tuple[int, ...]:
        """The cells of the inputs."""
        return tuple(self.cells.variable(int(self.compiled.reduced.representative[v])) for v in self.inputs)

    @cached_property
    def rates(self) -> tuple[int, ...]:
        """The cells of the rates of the states."""
        places = self.compiled.ode.program.states.tolist()
        return tuple(self.cells.of("yp", place) for place in places)

    def explicit(self, roots: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """Expressions of cells as expressions of states, inputs and parameters that nothing computes."""
        read = [node.index for root in roots for node in walk(root) if isinstance(node, Slot)]
        known = self.rows.inlined(read)
        return tuple(substituted(root, known) for root in roots)

    @cached_property
    def rate_values(self) -> tuple[Expr, ...]:
        """f(x, u, p)."""
        return self.explicit(tuple(map(Slot, self.rates)))

    @cached_property
    def output_values(self) -> tuple[Expr, ...]:
        """g(x, u, p)."""
        return self.explicit(tuple(self.cells.value(variable) for variable in self.outputs))

    @cached_property
    def tears(self) -> tuple[int, ...]:
        """The cells that algebraic loops are solved for."""
        return tuple(self.rows.tears)

    @cached_property
    def misses(self) -> tuple[Expr, ...]:
        """What is zero where they are right, of states, inputs, parameters and the tears themselves."""
        return self.explicit(tuple(self.rows.tears.values()))

    @cached_property
    def parameters(self) -> FloatArray:
        """All numbers as declared, in SI units."""
        return parameter_vector(self.compiled, None)

    @cached_property
    def start(self) -> FloatArray:
        """Start values of the states, in SI units; those that equations determine, with inputs that are zero."""
        found = starts(self.compiled, self.parameters.copy(), None)
        if found.states_alone and not self.compiled.flat.initial_equations:
            return found.value[self.compiled.ode.program.states]
        run = self.compiled.simulate(stop=_MOMENT, points=[_MOMENT])
        units = [quantity(self.compiled.reduced, name).unit for name in self.state_names]
        return np.array([unit.to_si(run[name][0]) for unit, name in zip(units, self.state_names, strict=True)])

    def parameter_cells(self, *roots: Expr) -> tuple[int, ...]:
        """The parameters that expressions read, in order."""
        count = self.compiled.flat.parameters.count
        read = {node.index for node in walk(*roots) if isinstance(node, Slot)}
        return tuple(sorted(cell for cell in read if cell < count))

    @cached_property
    def discrete(self) -> dict[int, int]:
        """The cells of discrete variables that when-statements assign, with the variables."""
        reduced = self.compiled.reduced
        cells = {self.cells.variable(int(variable)): int(variable) for variable in reduced.known}
        return {cell: v for cell, v in cells.items() if cell not in self.rows.formulas and v not in reduced.flat.inputs}

    @cached_property
    def discrete_start(self) -> FloatArray:
        """What they are before the first sample, by variable, in SI units."""
        numbers = self.parameters.copy()
        starts(self.compiled, numbers, None)
        found = np.zeros(self.compiled.flat.variables.count)
        for cell, variable in self.discrete.items():
            found[variable] = numbers[cell]
        return found

    def discrete_cells(self, *roots: Expr) -> tuple[int, ...]:
        """The discrete variables that expressions read, in order."""
        read = {node.index for node in walk(*roots) if isinstance(node, Slot)}
        return tuple(sorted(read & self.discrete.keys()))


def continuous_model(component: Any, what: str) -> ContinuousModel:
    """See the top of this file; `what` is asked of it: "tg.discretize"."""
    compiled = compile_model(component)
    reduced = compiled.reduced
    if compiled.ode.reason:
        raise refused(what, compiled.name, f"it has no ODE mode ({compiled.ode.reason})", "simplify it")
    _refuse_discrete(what, compiled)
    try:
        rows = scalar_rows(reduced, compiled.ode.program)
    except NotScalarError as error:
        raise refused(what, compiled.name, f"it {error}", error.advice) from None
    inputs, outputs = ends(reduced)
    cells = rows.cells
    open_cells = {cells.variable(int(reduced.representative[v])) for v in inputs}
    known = literals(reduced)
    always = discrete_equations(reduced, reduced.events) if reduced.events is not None else {}
    formulas = {
        cell: substituted(value, known) for cell, value in {**rows.formulas, **always}.items() if cell not in open_cells
    }
    defaults = _defaults(compiled, rows, inputs)
    tears = {cell: substituted(value, known) for cell, value in rows.tears.items()}
    return ContinuousModel(compiled, ScalarRows(cells, formulas, tears), inputs, outputs, defaults)


def _defaults(compiled: CompiledModel, rows: ScalarRows, inputs: tuple[int, ...]) -> dict[int, float]:
    """What inputs are that have an equation of their own."""
    numbers = parameter_vector(compiled, None)
    cells = {variable: rows.cells.variable(int(compiled.reduced.representative[variable])) for variable in inputs}
    given = {variable: rows.inlined([cell])[cell] for variable, cell in cells.items() if cell in rows.formulas}
    return {variable: float(evaluate(value, numbers)) for variable, value in given.items()}


def refused(what: str, name: str, why: str, advice: str) -> NotSampledError:
    """A component that cannot be sampled."""
    return NotSampledError("E684", f"{what} of {name}: {why}", location=here(), advice=advice)


def _refuse_discrete(what: str, compiled: CompiledModel) -> None:
    """Nothing but conditions in equations can be judged at samples alone."""
    reduced = compiled.reduced
    events = reduced.events
    if events is not None and len(events.samples.flag):
        raise refused(what, compiled.name, "it is sampled already", "leave it as it is")
    if events is not None and not np.isin(events.actions.verb, (ASSIGN, REINIT)).all():
        why = "a when-statement in it ends the run or asserts something"
        raise refused(what, compiled.name, why, "leave that to the plant")
    if events is not None and len(events.initial.index):
        raise refused(what, compiled.name, "initial equations determine discrete variables", "give start values")
    if reduced.candidates is not None and compiled.reduced.is_tied.any() and _choice_varies(reduced.candidates):
        why = "which of its variables are states depends on where it is"
        raise refused(what, compiled.name, why, "write it with states of its own: state='always'")


def _choice_varies(candidates: Any) -> bool:
    return bool(candidates.varying.any())


def uses_time(*roots: Expr) -> bool:
    """Whether expressions read the time."""
    return any(isinstance(node, Time) for node in walk(*roots))
