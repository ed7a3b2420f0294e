"""A run in ODE mode with a one-step method, ready to begin, as one record (engine/runtime/instance/).

All of it is new, as in a first run, so that the same model gives the same numbers. What Python does
in runs of its own is replaced: systems without a solution are not tried in other ways, and sparse matrices keep the
pivots that the trial run has found.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.engine.events.event_handler import EventHandler, NativeSolve
from tellegen.engine.events.step_limit_for_events import longest_step
from tellegen.engine.initialization.events_of_system import events_of
from tellegen.engine.initialization.initial_blocks import MOST_PARTS
from tellegen.engine.initialization.initial_event import NOTHING
from tellegen.engine.initialization.initial_steps import InitialSteps
from tellegen.engine.initialization.initialize import initial_system
from tellegen.engine.integrators.choose_solver import STEPS_WITHOUT_STATES, follows_loops
from tellegen.engine.integrators.one_step import OneStep
from tellegen.engine.integrators.rk45 import Rk45
from tellegen.engine.integrators.rodas import Rodas
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.native.record import Record
from tellegen.engine.request.parameter_and_start_vectors import Starts
from tellegen.engine.runtime.instance.instance_record import Instance, StartValues
from tellegen.engine.runtime.one_step.segment_record import SegmentLoop
from tellegen.engine.runtime.runtimes import ode_runtime
from tellegen.errors import ExportError
from tellegen.exporters.image.chosen_states import ChoiceMemory, choice_memory
from tellegen.exporters.image.local_derivatives import DerivativeMemory, allow_dense_factors, derivative_memory
from tellegen.exporters.image.projected_states import begin_projection
from tellegen.exporters.image.trial_run import TrialRun
from tellegen.ir.events import ASSIGN, REINIT
from tellegen.ir.flat import Group
from tellegen.ir.model import FloatArray
from tellegen.ir.ode import Compute
from tellegen.ir.program import PARAMETERS, START_VALUES
from tellegen.procedures.language import field_names

_STEPS_OF_PAST = 2000
"""There is room for the notes of delayed signals of so many steps, however often they bend; old ones are dropped."""
_METHODS: dict[str, type[OneStep]] = {"rk45": Rk45, "rodas": Rodas}


@dataclass(frozen=True, eq=False)
class PreparedRun:
    """The record of an instance, and the Python objects that own what it refers to."""

    model: NativeModel
    instance: Record
    system: OdeSystem
    events: EventHandler | None
    y_start: FloatArray
    start_given: FloatArray  # per unknown
    parameter_given: FloatArray  # per element of p
    derivatives: DerivativeMemory | None
    choices: ChoiceMemory | None  # of states, where the best ones depend on the point
    owners: tuple[Any, ...]


def prepared_run(trial: TrialRun, *, has_derivatives: bool = False) -> PreparedRun:
    """A run like the trial run, at its beginning; with derivatives it can also be asked for those."""
    model = trial.model
    starts = trial.start.starts
    system = OdeSystem(model)
    system.reset(trial.start.point.p, starts.scales.size)
    system.y[:] = starts.value
    machine = _events(system, trial)
    run = _integrator(system, trial, machine)
    begin_projection(system, trial, run.own.atol, run.rtol)
    loop = _segment_loop(system, run, machine)
    initial = _Initial.of(system, trial)
    _allow_dense_factors(system, run)
    numbers = _Numbers.of(system, starts)
    choices = choice_memory(system, run, trial)
    derivatives = derivative_memory(system, trial) if has_derivatives and choices is None else None
    instance = Record(field_names(Instance))
    instance.set(
        ode=system.record.address,
        loop=loop.address,
        events=machine.record.address if machine is not None else 0,
        derivatives=derivatives.record.address if derivatives is not None else 0,
        **_choices(choices, system),
        **initial.fields(),
        **numbers.fields,
        homotopy_place=model.reduced.homotopy_index if model.reduced.has_homotopy else -1,
        initial_place=_initial_place(model),
        p_count=len(system.p),
        p_before=np.zeros(len(system.p)),
        **_jumps(machine),
        is_stale=1,
        has_loops=int(len(model.ode.iterated) > 0),
        is_plain=int(choices is None and _is_one_call(model, machine)),
        solved_states=np.zeros(len(system.states) + 1),
        goal=np.zeros(len(system.states) + 1),
    )
    instance.put(tolerance=trial.options.rtol, length=trial.options.length, t=trial.options.start)
    system.y[:] = 0.0
    start_given, parameter_given = (record.kept["is_given"] for record in numbers.records)
    y_start = instance.kept["y_start"]
    owners = (run, loop, initial, numbers)
    return PreparedRun(
        *(model, instance, system, machine),
        y_start=y_start,
        start_given=start_given,
        parameter_given=parameter_given,
        derivatives=derivatives,
        choices=choices,
        owners=owners,
    )


def _is_one_call(model: NativeModel, events: EventHandler | None) -> bool:
    """Whether the rates are one call of the equations, from states as they are."""
    program = model.ode.program
    if program.rate_steps != 1 or (events is not None and events.delays is not None):
        return False
    step = program.steps[0]
    return isinstance(step, Compute) and len(model.ode.entries[step.entry].functions) == 1


def _events(system: OdeSystem, trial: TrialRun) -> EventHandler | None:
    if system.model.reduced.events is None:
        return None
    system.attach(EventHandler(system.model, system.p, all_native=True))
    machine = events_of(system, trial.options)
    machine.record.set(rescue=0)
    if machine.delays is not None:
        machine.delays.make_room(_STEPS_OF_PAST // 2)
    return machine


def _integrator(system: OdeSystem, trial: TrialRun, machine: EventHandler | None) -> OneStep:
    """The method with its work space, as in a run of one output time at a time."""
    options = trial.step_options
    run = _METHODS[trial.method](system, options, options.absolute(trial.start.starts.scales), machine)
    if machine is not None:
        run.largest = min(run.largest, longest_step(machine, options.start, options.stop))
        if machine.delays is not None:
            run.largest = min(run.largest, machine.delays.shortest(options.start))
    if not len(system.states) and (machine is not None or follows_loops(system.model)):
        run.largest = min(run.largest, options.length / STEPS_WITHOUT_STATES)
    run.prepare()
    run.record.set(
        times=np.zeros(2),
        output=np.zeros(max(system.program.size, 1)),
        part=run.step_tolerances.part.copy(),
    )
    run.record.put(horizon=math.inf, patience=0.0)
    return run


def _allow_dense_factors(system: OdeSystem, run: OneStep) -> None:
    """Nobody chooses other pivots for a sparse matrix in a run without Python.

    Those of long steps are not good for short ones, so that one set of pivots may not do for a run.
    """
    factors = [solve.lu for solve in system.solves.values() if solve.lu is not None]
    if isinstance(run, Rodas):
        factors.append(run.lu)
    for lu in factors:
        allow_dense_factors(lu)


def _segment_loop(system: OdeSystem, run: OneStep, machine: EventHandler | None) -> Record:
    loop = Record(field_names(SegmentLoop))
    loop.set(
        run=run.record.address,
        ev=machine.record.address if machine is not None else 0,
        begin=ode_runtime().addresses["rk_begin"],
        advance=run.own.run_address,
        before=np.zeros(2 * system.program.size),
    )
    return loop


@dataclass(frozen=True, eq=False)
class _Initial:
    """The initial system as native steps, and the events of the initial instant; none where states give everything."""

    steps: InitialSteps | None = None
    machine: EventHandler | None = None

    @staticmethod
    def of(system: OdeSystem, trial: TrialRun) -> _Initial:
        model = system.model
        start = trial.start
        if start.gives_states_alone(model):
            return _Initial()
        point = start.point._replace(p=system.p)
        equations, solver = initial_system(model, point, start.starts)
        if not equations.kept.all():
            raise ExportError(
                "E450",
                f"{model.flat.name} cannot be exported: some of its initial conditions repeat others",
                advice="leave out the initial equations or fixed start values that follow from the others",
            )
        parts = solver.parts if len(solver.parts) <= MOST_PARTS else []
        steps = InitialSteps(equations, parts or [solver.whole])
        steps.set_numbers(point, equations.y, solver.guess, solver.scale)
        if model.reduced.events is None:
            return _Initial(steps)
        machine = EventHandler(model, system.p, all_native=True)
        machine.reset(trial.options.start, trial.options.length, trial.options.rtol)
        verb = machine.tables.shared["action_verb"]
        machine.record.set(action_verb=np.where(verb == REINIT, NOTHING, verb).astype(verb.dtype))
        machine.bind_native(steps.y, steps.yp, NativeSolve(steps.address, steps.problem.address), lambda *_: None)
        machine.record.set(rescue=0)
        if machine.delays is not None:
            machine.delays.make_room(8)
        return _Initial(steps, machine)

    def fields(self) -> dict[str, int]:
        """Those of the instance."""
        return {
            "initial": self.steps.problem.address if self.steps is not None else 0,
            "initial_events": self.machine.record.address if self.machine is not None else 0,
        }


def _choices(choices: ChoiceMemory | None, system: OdeSystem) -> dict[str, Any]:
    """Choices of states, and room to compare them."""
    if choices is None:
        return {}
    size = system.program.size
    room = {"largest": np.zeros(size), "solved": np.zeros(2 * size)}
    return {"choices": choices.rows, "choice_count": len(choices.models), **room}


def _initial_place(model: NativeModel) -> int:
    """Where equations read initial()."""
    events = model.reduced.events
    return events.initial_index if events is not None and events.reads_initial else -1


def _jumps(machine: EventHandler | None) -> dict[str, Any]:
    """Conditions that reinitialize states, and what actions assign."""
    conditions: list[int] = []
    assigned: list[int] = []
    if machine is not None:
        shared = machine.tables.shared
        verb = shared["action_verb"]
        condition = np.repeat(np.arange(len(shared["action_start"]) - 1), np.diff(shared["action_start"]))
        conditions = np.unique(condition[verb[: len(condition)] == REINIT]).tolist()
        assigned = np.unique(shared["action_index"][verb == ASSIGN]).tolist()
    return {
        "reinit_count": len(conditions),
        "reinit_condition": np.array([*conditions, 0], np.int64),
        "assigned_count": len(assigned),
        "assigned": np.array([*assigned, 0], np.int64),
    }


@dataclass(frozen=True, eq=False)
class _Numbers:
    """How parameters and start values that were not given follow from those that were."""

    fields: dict[str, Any]
    records: tuple[Record, Record]

    @staticmethod
    def of(system: OdeSystem, starts: Starts) -> _Numbers:
        model = system.model
        reduced = model.reduced
        entries = model.program.entries
        bound = _targets(model.flat.start_bindings)
        bound = bound[reduced.sign[bound] != 0]
        position, known = (place[reduced.representative[bound]] for place in (reduced.position, reduced.known_position))
        is_own = (position >= 0) & (starts.source[np.maximum(position, 0)] == bound)
        is_known = known >= 0
        sign = reduced.sign[bound]
        y_start = starts.value.copy()
        is_given = np.zeros(len(system.p))
        unknown = _start_values(bound[is_own], sign[is_own], position[is_own], y_start)
        discrete = _start_values(bound[is_known], sign[is_known], known[is_known], system.p, is_given)
        fields = {
            "parameter_entry": model.entries[PARAMETERS].words if PARAMETERS in entries else 0,
            "is_given": is_given,
            "start_entry": model.entries[START_VALUES].words if START_VALUES in entries else 0,
            "start": np.nan_to_num(model.flat.variables.column("start")),
            "y_start": y_start,
            "unknown_starts": unknown.address,
            "discrete_starts": discrete.address,
        }
        return _Numbers(fields, (unknown, discrete))


def _targets(groups: tuple[Group, ...]) -> Any:
    """The variables whose start values follow from parameters."""
    return np.concatenate([np.zeros(0, np.int64), *(group.bindings[:, 0] for group in groups)]).astype(np.int64)


def _start_values(source: Any, sign: Any, place: Any, target: FloatArray, is_given: FloatArray | None = None) -> Record:
    """Which numbers go where; by default none of the targets is given a value."""
    record = Record(field_names(StartValues))
    record.set(
        count=len(source),
        source=np.append(source, 0).astype(np.int64),
        sign=np.append(sign, 0).astype(float),
        place=np.append(place, 0).astype(np.int64),
        target=target,
        is_given=np.zeros(len(target)) if is_given is None else is_given,
    )
    return record
