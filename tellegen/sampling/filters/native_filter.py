"""An extended Kalman filter as native code: one kernel does a sample, and nothing of it is Python.

Of a linear plant the transition and the noise of a period are exact and computed once, from the parameters of the run;
others are moved from sample to sample together with their covariance, through their events (hybrid_steps).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.dataflow.scalar_rows import substituted
from tellegen.engine.readout.quantity import quantity
from tellegen.frontends.python.declarations.declare import VariableDecl
from tellegen.ir.expressions.expr import ONE, ZERO, Apply, Call, Const, Expr, Function, Slot, walk
from tellegen.sampling.continuous_model import ContinuousModel, continuous_model, refused, uses_time
from tellegen.sampling.exponential import exact_step
from tellegen.sampling.filters.filter_request import MEASURED, SIGMA, FilterRequest, name_of
from tellegen.sampling.filters.hybrid_steps import HybridMotion
from tellegen.sampling.filters.kalman_steps import (
    Accuracy,
    Estimate,
    Measurement,
    Motion,
    move,
    move_by_steps,
    move_linear,
    packed,
    stored,
    take,
)
from tellegen.sampling.filters.plant_events import PlantEvents, jumps_of, with_flags
from tellegen.sampling.linear_system import LinearSystem, jacobian, linear_system
from tellegen.sampling.mirror import Place
from tellegen.sampling.sampled_class import SampledParts
from tellegen.sampling.tape import Matrix, Tape, product
from tellegen.start.records import dataclass
from tellegen.symbolic.evaluate import evaluate
from tellegen.symbolic.kernels.operations import can_compile
from tellegen.units import Unit

_WHAT = "tg.kalman_filter"
_STIFF = 300.0  # fastest rate times the period: a hundred explicit steps or more


@dataclass(frozen=True, eq=False)
class Filter:
    """The plant as formulas, and the cells of all that is estimated: states, then parameters."""

    request: FilterRequest
    model: ContinuousModel  # its outputs are what is measured
    estimated: tuple[int, ...]
    outputs: tuple[Expr, ...]  # what is measured, of states, inputs and parameters
    events: PlantEvents | None

    @property
    def rates(self) -> tuple[Expr, ...]:
        """Of all that is estimated; parameters stay."""
        extra = len(self.estimated) - len(self.model.states)
        return (*self.model.rate_values, *([ZERO] * extra))

    @property
    def constants(self) -> tuple[int, ...]:
        """The parameters of the plant that a sample reads and that are known."""
        read = self.model.parameter_cells(*self.formulas)
        return tuple(cell for cell in read if cell not in self.estimated)

    @property
    def formulas(self) -> tuple[Expr, ...]:
        """All that a sample computes of the plant."""
        events = () if self.events is None else self.events.expressions
        return (*self.model.rate_values, *self.outputs, *events)

    @property
    def noise(self) -> list[float]:
        """Variance per second, in SI units."""
        return ((self.request.problem.walk * self.request.scales) ** 2).tolist()

    @property
    def system(self) -> LinearSystem | None:
        """The matrices of a linear plant whose parameters are known."""
        is_known = len(self.estimated) == len(self.model.states) and self.events is None
        return linear_system(self.model) if is_known else None


def native_filter(request: FilterRequest, accuracy: Accuracy) -> Any:
    """The class; an error says why a plant cannot have one."""
    whole = continuous_model(request.plant.flat, _WHAT)
    reduced = whole.compiled.reduced
    measured = [quantity(reduced, path).selection for path in request.problem.outputs]
    whole = replace(whole, outputs=tuple(int(each.indices) for each in measured))
    model, events = with_flags(whole, _WHAT)
    outputs = whole.output_values if events is None else events.at_start(whole, whole.output_values)
    parameters = [int(quantity(reduced, path).selection.indices) for path in request.problem.parameters]
    made = Filter(request, model, (*model.states, *parameters), outputs, events)
    _refuse_calls(made)
    if model.tears:
        raise refused(_WHAT, model.name, "it has algebraic loops that need iterations", "it is run between samples")
    _refuse_stiff(made)
    return _FilterClass(made, accuracy).made()


def _refuse_stiff(made: Filter) -> None:
    """The steps between samples are explicit: too many would be needed for what is much faster than the samples."""
    if made.system is not None:
        return
    model = made.model
    numbers = np.zeros(model.cells.first_rate)
    numbers[: len(model.parameters)] = model.parameters
    numbers[list(made.estimated)] = made.request.mean
    slopes = [[float(evaluate(value, numbers)) for value in row] for row in jacobian(made.rates, made.estimated)]
    fastest = np.abs(np.linalg.eigvals(slopes)).max() if np.isfinite(slopes).all() else 0.0
    if fastest * made.request.period > _STIFF:
        why = f"it is stiff: its fastest time constant is {1.0 / fastest:.1g} s"
        raise refused(_WHAT, model.name, why, "it is run between samples; without steps= that is done by itself")


def _refuse_calls(made: Filter) -> None:
    roots = made.formulas
    if uses_time(*roots):
        raise refused(_WHAT, made.model.name, "it depends on the time itself", "it is run between samples")
    if not all(map(can_compile, roots)):
        raise refused(_WHAT, made.model.name, "it calls functions or reads tables", "it is run between samples")
    computed = next((cell for cell in made.estimated if cell in made.model.rows.formulas), None)
    if computed is not None:
        name = made.model.cells.name(computed)
        raise refused(_WHAT, made.model.name, f"'{name}' follows from others", "estimate what it follows from")


class _FilterClass:
    """The component on its way."""

    def __init__(self, made: Filter, accuracy: Accuracy) -> None:
        self.filter = made
        self.accuracy = accuracy
        self.parts = SampledParts(made.model, without=frozenset(made.estimated))
        request = made.request
        problem = request.problem
        self.size = len(made.estimated)
        self.measured = [self._declare(MEASURED + name_of(path), "input", path) for path in problem.outputs]
        self.found = [self._declare(name_of(path), "output", path, k) for k, path in enumerate(problem.names)]
        self.sigma = [
            self._declare(SIGMA + name_of(path), "output", path, k, of_difference=True)
            for k, path in enumerate(problem.names)
        ]
        means = zip(problem.names, request.mean.tolist(), strict=True)
        self.ahead = [self._memory(f"next_{name_of(path)}", mean) for path, mean in means]
        start = (problem.sigma * request.scales) ** 2
        pairs = [(i, j) for i in range(self.size) for j in range(i + 1)]
        starts = [(f"P_{i}_{j}", float(start[i]) if i == j else 0.0) for i, j in pairs]
        self.spread = [self.parts.mirror.new(Place((), ""), name, start=value) for name, value in starts]
        self.spread_ahead = [self._memory(f"next_{name}", value) for name, value in starts]

    def _declare(self, name: str, role: str, path: str, number: int = -1, *, of_difference: bool = False) -> Place:
        request = self.filter.request
        unit = request.unit(path)
        problem = request.problem
        if of_difference and unit.offset:
            unit = Unit("K", unit.dimension)
        start = {} if number < 0 else {"start": float((problem.sigma if of_difference else problem.mean)[number])}
        words = {"input": f"{path}, measured", "output": f"{path}, estimated"}
        description = f"standard deviation of {path}" if of_difference else words[role]
        declared = VariableDecl(None, description, (), role, dict(start))
        declared.unit = unit
        return self.parts.mirror.add(name, declared)

    def _memory(self, name: str, start: float) -> int:
        """A slot for what the sample before has left."""
        slot = self.parts.slot()
        self.parts.before[slot] = self.parts.mirror.new(Place((), name), name, start=start)
        return slot

    def made(self) -> Any:
        """The class."""
        parts = self.parts
        self._take()
        variances = [Slot(slot) for slot in self._slots_of(self.spread)]
        for k, place in enumerate(self.sigma):
            own = variances[k * (k + 1) // 2 + k]
            parts.assign(place, Call("sqrt", (Call("max", (own, ZERO)),)))
        self._move()
        clock = tg.Clock(self.filter.request.period)
        doc = f"Kalman filter of {self.filter.model.name}, sampled every {clock.period:g} s."
        return parts.component(f"KalmanFilter{self.filter.model.name}", doc, lambda: clock.tick)

    def _assign(self, function: Function, arguments: tuple[Expr, ...], targets: list[Place]) -> None:
        for k, target in enumerate(targets):
            self.parts.assign(target, Apply(function, arguments, k))

    def _take(self) -> None:
        """The measurements: what is known after them depends on inputs of the plant only where they do."""
        made = self.filter
        outside = self._slots_of(self.measured)
        read = {node.index for node in walk(*made.outputs) if isinstance(node, Slot)}
        rest = tuple(cell for cell in (*made.model.input_cells, *made.constants) if cell in read)
        given = (*self.ahead, *self.spread_ahead, *outside, *rest)
        tape = Tape(len(given))
        known: dict[int, Expr] = {cell: Slot(k) for k, cell in enumerate(given)}
        estimate = stored(tape, [known[slot] for slot in self.ahead], [known[slot] for slot in self.spread_ahead])
        take(tape, estimate, self._measurements(tape, known, estimate, outside))
        function = tape.function("kalman_update", [*estimate.mean, *packed(estimate.covariance)])
        self._assign(function, tuple(map(Slot, given)), [*self.found, *self.spread])

    def _move(self) -> None:
        """To the next sample."""
        made = self.filter
        system = made.system
        mean = self._slots_of(self.found)
        spread = self._slots_of(self.spread)
        given = (*mean, *spread, *made.model.input_cells, *made.constants)
        matrices = self._matrices(system) if system is not None else []
        tape = Tape(len(given) + len(matrices))
        known: dict[int, Expr] = {cell: Slot(k) for k, cell in enumerate(given)}
        estimate = stored(tape, [known[slot] for slot in mean], [known[slot] for slot in spread])
        if system is not None:
            places: list[Expr] = [Slot(len(given) + k) for k in range(len(matrices))]
            self._move_linear(tape, estimate, system, places, known)
        else:
            self._move_by_steps(tape, estimate, known)
        function = tape.function("kalman_predict", [*estimate.mean, *packed(estimate.covariance)])
        targets = [self.parts.before[slot] for slot in (*self.ahead, *self.spread_ahead)]
        self._assign(function, (*map(Slot, given), *matrices), targets)

    def _slots_of(self, places: list[Place]) -> tuple[int, ...]:
        slots = []
        for place in places:
            slot = self.parts.slot()
            self.parts.places[slot] = place
            slots.append(slot)
        return tuple(slots)

    def _measurements(
        self, tape: Tape, known: dict[int, Expr], estimate: Estimate, outside: tuple[int, ...]
    ) -> list[Measurement]:
        made = self.filter
        problem = made.request.problem
        at = {**known, **dict(zip(made.estimated, estimate.mean, strict=True))}
        values = list(made.outputs)
        by_state = jacobian(values, made.estimated)
        every = [*values, *(entry for row in by_state for entry in row)]
        shared = [tape.copied(each) for each in tape.shared([substituted(value, at) for value in every])]
        found = []
        for k, path in enumerate(problem.outputs):
            row = shared[len(values) + k * self.size : len(values) + (k + 1) * self.size]
            variance = float(problem.noise[k] * made.request.unit(path).scale) ** 2
            found.append(Measurement(known[outside[k]], shared[k], row, variance))
        return found

    def _matrices(self, system: LinearSystem) -> list[Expr]:
        """F, G and the lower half of Q, as parameters that are computed once."""
        made = self.filter
        entries = [value for row in (*system.a, *system.b) for value in row]
        arguments = made.model.parameter_cells(*entries)
        tape = Tape(len(arguments))
        known: dict[int, Expr] = {cell: Slot(k) for k, cell in enumerate(arguments)}

        def placed(matrix: Matrix) -> Matrix:
            return tape.let_all([[substituted(value, known) for value in row] for row in matrix])

        variances = made.noise
        noise: Matrix = [[Const(variances[i]) if i == j else ZERO for j in range(self.size)] for i in range(self.size)]
        step = exact_step(tape, placed(system.a), Const(made.request.period), noise)
        driven = product(step.integral, placed(system.b)) if system.b[0] else []
        results = [*(v for row in step.transition for v in row), *(v for row in driven for v in row)]
        results += packed(step.noise)
        function = tape.function("exact_step", results)
        calls = [Apply(function, tuple(map(Slot, arguments)), k) for k in range(len(results))]
        return [self.parts.once(f"step_{k}", call) for k, call in enumerate(calls)]

    def _move_linear(
        self, tape: Tape, estimate: Estimate, system: LinearSystem, places: list[Expr], known: dict[int, Expr]
    ) -> None:
        n = self.size
        m = len(system.b[0])
        signals = [*(known[cell] for cell in self.filter.model.input_cells), *([ONE] if system.has_constant else [])]
        rest = iter(places)
        transition = [[next(rest) for _ in range(n)] for _ in range(n)]
        driven = [[next(rest) for _ in range(m)] for _ in range(n)]
        half = [[next(rest) for _ in range(i + 1)] for i in range(n)]
        noise = [[half[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]
        still: list[Expr] = [ZERO] * n
        pushed = [row[0] for row in product(driven, [[each] for each in signals])] if signals else still
        move_linear(tape, estimate, transition, pushed, noise)

    def _move_by_steps(self, tape: Tape, estimate: Estimate, known: dict[int, Expr]) -> None:
        made = self.filter
        slopes = jacobian(made.rates, made.estimated)
        every = [*made.rates, *(entry for row in slopes for entry in row)]
        n = self.size
        jumps = None if made.events is None else jumps_of(tape, made.events, made.estimated, known)
        flags = {} if made.events is None or jumps is None else dict(zip(made.events.flags, jumps.flags, strict=True))

        def rates(vector: list[Expr]) -> tuple[list[Expr], Matrix]:
            at = {**known, **flags, **dict(zip(made.estimated, vector, strict=True))}
            shared = tape.shared([substituted(value, at) for value in every])
            return [tape.let(value) for value in shared[:n]], [shared[n * (k + 1) : n * (k + 2)] for k in range(n)]

        motion = Motion(rates, made.noise, made.request.period)
        accuracy = self.accuracy
        if jumps is not None:
            HybridMotion(tape, estimate, motion, jumps, accuracy).move()
        elif accuracy.steps:
            move_by_steps(tape, estimate, motion, accuracy.steps)
        else:
            move(tape, estimate, motion, accuracy.rtol)
