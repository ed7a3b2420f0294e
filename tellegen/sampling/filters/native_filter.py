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
from tellegen.engine.request.parameter_and_start_vectors import starts
from tellegen.frontends.python.declarations.declare import VariableDecl
from tellegen.ir.expressions.expr import ONE, TIME, ZERO, Apply, Call, Const, Expr, Function, Slot
from tellegen.ir.model import FloatArray
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
from tellegen.sampling.filters.plant_at import Loops, PlantAt, reads, solved_now, with_clock
from tellegen.sampling.filters.plant_events import PlantEvents, jumps_of, with_flags
from tellegen.sampling.linear_system import LinearSystem, jacobian, linear_system
from tellegen.sampling.mirror import Place
from tellegen.sampling.sampled_class import SampledParts
from tellegen.sampling.tape import Matrix, Tape, product
from tellegen.start.records import dataclass
from tellegen.symbolic.build import add
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
    outputs: tuple[Expr, ...]  # what is measured, of states, inputs, parameters and what loops are solved for
    events: PlantEvents | None
    loops: Loops

    @property
    def rates(self) -> tuple[Expr, ...]:
        """Of all that is estimated; parameters stay."""
        extra = len(self.estimated) - len(self.model.states)
        return (*(with_clock(value, self.model.clock) for value in self.model.rate_values), *([ZERO] * extra))

    @property
    def constants(self) -> tuple[int, ...]:
        """The parameters of the plant that a sample reads and that are known."""
        read = self.model.parameter_cells(*self.formulas)
        return tuple(cell for cell in read if cell not in self.estimated)

    @property
    def formulas(self) -> tuple[Expr, ...]:
        """All that a sample computes of the plant."""
        events = () if self.events is None else self.events.expressions
        return (*self.rates, *self.outputs, *self.loops.misses, *events)

    def given(self, *formulas: Expr) -> tuple[int, ...]:
        """The inputs, parameters and the time, as far as formulas read them, and loops below them."""
        every = (*formulas, *(self.loops.misses if reads(formulas, self.loops.tears) else ()))
        return tuple(
            cell for cell in (*self.model.input_cells, *self.constants, self.model.clock) if reads(every, (cell,))
        )

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
    if events is not None and (model.tears or uses_time(*model.rate_values, *outputs, *events.expressions)):
        what = "events and algebraic loops" if model.tears else "events and equations with the time"
        raise refused(_WHAT, model.name, f"it has {what}", "it is run between samples")
    misses = tuple(with_clock(value, model.clock) for value in model.misses)
    loops = Loops(model.tears, misses, np.zeros(len(model.tears)))
    timed = tuple(with_clock(value, model.clock) for value in outputs)
    made = Filter(request, model, (*model.states, *parameters), timed, events, loops)
    _refuse_calls(made)
    made, numbers = _with_guess(made)
    _refuse_stiff(made, numbers)
    return _FilterClass(made, accuracy).made()


def _with_guess(made: Filter) -> tuple[Filter, FloatArray]:
    """What loops are solved for before the first sample, and the numbers of all cells then."""
    model = made.model
    numbers = np.zeros(made.model.clock + 1)
    numbers[: len(model.parameters)] = model.parameters
    numbers[list(made.estimated)] = made.request.mean
    if not model.tears:
        return made, numbers
    found = starts(model.compiled, model.parameters.copy(), None).value
    first = np.array([found[cell - model.cells.first_unknown] for cell in model.tears])
    solved = solved_now(replace(made.loops, guess=np.nan_to_num(first)), numbers)
    if solved is None:
        names = ", ".join(model.cells.name(cell) for cell in model.tears)
        raise refused(_WHAT, model.name, f"its algebraic loops are not solved for {names}", "it is run between samples")
    numbers[list(model.tears)] = solved
    return replace(made, loops=replace(made.loops, guess=solved)), numbers


def _refuse_stiff(made: Filter, numbers: FloatArray) -> None:
    """The steps between samples are explicit: too many would be needed for what is much faster than the samples."""
    if made.system is not None:
        return
    model = made.model
    slopes = _slopes_now(made, numbers)
    fastest = np.abs(np.linalg.eigvals(slopes)).max() if np.isfinite(slopes).all() else 0.0
    if fastest * made.request.period > _STIFF:
        why = f"it is stiff: its fastest time constant is {1.0 / fastest:.1g} s"
        raise refused(_WHAT, model.name, why, "it is run between samples; without steps= that is done by itself")


def _slopes_now(made: Filter, numbers: FloatArray) -> FloatArray:
    """The derivatives of the rates at the start, through the loops."""

    def at(values: tuple[Expr, ...], by: tuple[int, ...]) -> FloatArray:
        rows = [[float(evaluate(value, numbers)) for value in row] for row in jacobian(values, by)]
        return np.array(rows).reshape(len(values), len(by))

    slopes = at(made.rates, made.estimated)
    loops = made.loops
    if not loops.tears:
        return slopes
    inner = np.linalg.solve(at(loops.misses, loops.tears), at(loops.misses, made.estimated))
    return slopes - at(made.rates, loops.tears) @ inner


def _refuse_calls(made: Filter) -> None:
    roots = made.formulas
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
        guess = enumerate(made.loops.guess.tolist())
        self.solved = [self._memory(f"solved_{k}", value) for k, value in guess]
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
        given = (*self.ahead, *self.spread_ahead, *self.solved, *outside, *made.given(*made.outputs))
        tape = Tape(len(given))
        known: dict[int, Expr] = {cell: Slot(k) for k, cell in enumerate(given)}
        estimate = stored(tape, [known[slot] for slot in self.ahead], [known[slot] for slot in self.spread_ahead])
        plant = self._plant(tape, known)
        take(tape, estimate, self._measurements(plant, estimate, outside))
        function = tape.function("kalman_update", [*estimate.mean, *packed(estimate.covariance)])
        self._assign(function, self._arguments(given), [*self.found, *self.spread])

    def _plant(self, tape: Tape, known: dict[int, Expr]) -> PlantAt:
        made = self.filter
        return PlantAt(tape, made.estimated, known, made.loops, [tape.copied(known[slot]) for slot in self.solved])

    def _arguments(self, given: tuple[int, ...]) -> tuple[Expr, ...]:
        return tuple(TIME if cell == self.filter.model.clock else Slot(cell) for cell in given)

    def _move(self) -> None:
        """To the next sample."""
        made = self.filter
        system = made.system
        mean = self._slots_of(self.found)
        spread = self._slots_of(self.spread)
        given = (*mean, *spread, *self.solved, *made.model.input_cells, *made.constants, made.model.clock)
        if system is not None or not reads(made.formulas, (made.model.clock,)):
            given = given[:-1]
        matrices = self._matrices(system) if system is not None else []
        tape = Tape(len(given) + len(matrices))
        known: dict[int, Expr] = {cell: Slot(k) for k, cell in enumerate(given)}
        estimate = stored(tape, [known[slot] for slot in mean], [known[slot] for slot in spread])
        if system is not None:
            places: list[Expr] = [Slot(len(given) + k) for k in range(len(matrices))]
            self._move_linear(tape, estimate, system, places, known)
            solved: list[Expr] = []
        else:
            solved = self._move_by_steps(tape, estimate, known)
        function = tape.function("kalman_predict", [*estimate.mean, *packed(estimate.covariance), *solved])
        targets = [self.parts.before[slot] for slot in (*self.ahead, *self.spread_ahead, *self.solved)]
        self._assign(function, (*self._arguments(given), *matrices), targets)

    def _slots_of(self, places: list[Place]) -> tuple[int, ...]:
        slots = []
        for place in places:
            slot = self.parts.slot()
            self.parts.places[slot] = place
            slots.append(slot)
        return tuple(slots)

    def _measurements(self, plant: PlantAt, estimate: Estimate, outside: tuple[int, ...]) -> list[Measurement]:
        made = self.filter
        problem = made.request.problem
        values, by_state = plant.values(made.outputs, estimate.mean)
        copied = plant.tape.copied  # before the estimate changes, of which outputs may be nothing but a slot
        found = []
        for k, path in enumerate(problem.outputs):
            variance = float(problem.noise[k] * made.request.unit(path).scale) ** 2
            row = [copied(value) for value in by_state[k]]
            found.append(Measurement(plant.known[outside[k]], copied(values[k]), row, variance))
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

    def _move_by_steps(self, tape: Tape, estimate: Estimate, known: dict[int, Expr]) -> list[Expr]:
        """What loops are solved for at the next sample."""
        made = self.filter
        jumps = None if made.events is None else jumps_of(tape, made.events, made.estimated, known)
        flags = {} if made.events is None or jumps is None else dict(zip(made.events.flags, jumps.flags, strict=True))
        begin = known.get(made.model.clock)
        now = tape.slot()
        plant = self._plant(tape, {**known, **flags, made.model.clock: now})

        def rates(vector: list[Expr]) -> tuple[list[Expr], Matrix]:
            return plant.values(made.rates, vector)

        def clock(after: Expr) -> None:
            if begin is not None:
                tape.store(now, add(begin, after))

        motion = Motion(rates, made.noise, made.request.period, clock)
        accuracy = self.accuracy
        if jumps is not None:
            HybridMotion(tape, estimate, motion, jumps, accuracy).move()
        elif accuracy.steps:
            move_by_steps(tape, estimate, motion, accuracy.steps)
        else:
            move(tape, estimate, motion, accuracy.rtol)
        return plant.solved
