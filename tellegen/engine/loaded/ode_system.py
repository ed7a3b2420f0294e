"""A model in ODE mode: loaded code, and for each run the records and work space its native steps need.

    OdeModel     shared by all runs: entries, tables, the reason why there is no ODE mode if there is none
    OdeSystem      one run's work vector and records; rhs(t, x) from Python for starts and restarts

A system that has done its run waits for the next one: with small models allocation would cost more than integration.
While it runs it may be given other states (`select`): the unknowns and the number of states are those of before, so its
record, and what integrators and events hold of it, stays where it is.
"""

from __future__ import annotations

import ctypes
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tellegen.engine.linear_algebra.pivoted_lu import SparseLU
from tellegen.engine.linear_algebra.pivots import Elimination, choose_pivots
from tellegen.engine.loaded.invariant_projection import projection_of
from tellegen.engine.loaded.native_entry import LoadedEntries
from tellegen.engine.loaded.solve_record import SolveRecord
from tellegen.engine.native.record import Record
from tellegen.engine.native.sundials import sundials
from tellegen.engine.runtime.algebra.ode_rhs import Ode, Step
from tellegen.engine.runtime.runtimes import block_runtime, ode_runtime
from tellegen.graph.arrays import distinct
from tellegen.ir.expressions.expr import Call, Time, walk
from tellegen.ir.expressions.ops import RELATIONS
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.ode import Compute, OdeCode, OdeProgram, Solve
from tellegen.ir.reduced import ReducedModel
from tellegen.procedures.language import field_names

if TYPE_CHECKING:
    from tellegen.engine.loaded.native_model import NativeModel

T = TypeVar("T")
_MOST_IDLE = 16
_FIELDS = field_names(Ode)
_NUMBER = {name: number for number, name in enumerate(_FIELDS)}
_COUNTERS = slice(_FIELDS.index("evaluations"), _FIELDS.index("failed_step") + 1)
_STEP = field_names(Step)
_RHS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_double, *[ctypes.c_void_p] * 3)


class IntegratorMemory:
    """What an integrator keeps with a system from run to run; its record says where native code finds everything."""

    record: Record

    def let_go_of_rows(self) -> None:
        """The rows of output belong to the solution, and may be most of the memory of a process."""
        self.record.kept.pop("output", None)


class OdeModel:
    """Loaded code of ODE mode. `reason` says why there is none, and is empty when there is."""

    def __init__(self, code: OdeCode) -> None:
        self.reason = code.reason
        self.sorted = code.sorted
        self.pivots: dict[int, Elimination] = {}
        self.idle: list[OdeSystem] = []
        if code.program is None or code.native is None:
            return
        self.program: OdeProgram = code.program
        self.smooth = _is_smooth(code.sorted, code.program)
        self.iterated = _iterated(code.program)
        self.entries = LoadedEntries(code.native, code.program.entries)

    def lease(self, model: NativeModel, p: FloatArray, size: FloatArray) -> OdeSystem:
        """A system for one run; no other run has it until it is given back."""
        try:
            system = self.idle.pop()  # atomic, so threads need no lock
        except IndexError:
            system = OdeSystem(model)
        system.reset(p, size)
        system.since = perf_counter()
        return system

    def look_after(self, system: OdeSystem) -> None:
        """Optimize the code once it has been used for long: called from time to time during a run."""
        self.entries.used(0.0, running=perf_counter() - system.since)

    def let_go(self) -> None:
        """Nobody will run it again soon: forget the systems that wait."""
        while self.idle:
            self.idle.pop().let_go()

    def give_back(self, system: OdeSystem) -> None:
        """The run is over."""
        system.let_go_of_rows()
        self.entries.used(perf_counter() - system.since)
        if len(self.idle) < _MOST_IDLE:
            self.idle.append(system)


class OdeSystem:
    """x' = f(t, x) with the parameters of one run. Owns the work vector w = (y, y'); not shared between threads."""

    def __init__(self, model: NativeModel) -> None:
        n = model.ode.program.size
        count = len(model.ode.program.states)
        self.w = np.zeros(2 * n)
        self.p = np.zeros(model.reduced.parameter_indices)
        self.scale = np.ones(2 * n)
        self._size: FloatArray | None = None  # of unknowns, that `scale` is made from
        self._attached: dict[type, Any] = {}
        self._memories: list[IntegratorMemory] = []  # of what is attached
        self.y = self.w[:n]
        self.yp = self.w[n:]
        self.rates = np.zeros(max(count, 1))
        self.record = Record(_FIELDS)
        self.record.set(
            size=n,
            row_size=n,
            state_count=count,
            w=self.w,
            parameters=self.p,
            residual=np.zeros(n),
            scale=self.scale,
            at_root=np.zeros(max(count, 1)),
        )
        self._x = np.zeros(count)
        self._addresses = self.record.address, self._x.ctypes.data, self.rates.ctypes.data
        self._rhs = _RHS(ode_runtime().addresses["ode_rhs"])
        self.keeps_states = False
        self.since = 0.0  # when the run began
        self.row_size = n
        self._home = model
        self._sequences: dict[NativeModel, StepSequence] = {}
        self._with_loops: list[StepSequence] = []  # every run looks at these: most models have none
        self.select(model)

    def select(self, model: NativeModel) -> None:
        """Compute from the states of this model: the one it was made for, or the same with another choice of states."""
        sequence = self._sequences.get(model)
        if sequence is None:
            sequence = StepSequence(model)
            self._sequences[model] = sequence
            if sequence.solves:
                self._with_loops.append(sequence)
        self._sequence = sequence
        self.model = model
        self.machine = model.ode
        self.program = model.ode.program
        self.states = sequence.states
        self.solves = sequence.solves
        self.record.set(**sequence.fields)
        self._divisors_before: FloatArray = sequence.fields["divisors_before"]
        if sequence.newton_lu is not None:
            self._set_jacobian(sequence.newton_lu)
        self.projection = projection_of(self) if model.reduced.invariants is not None else None
        self.forget_divisors()

    def attachment(self, kind: type[T]) -> T | None:
        """What an integrator attached for the next run; rooms above keep their memory here, one of each class."""
        return self._attached.get(kind)

    def attach(self, made: T) -> T:
        """Keep this for the next run."""
        self._attached[type(made)] = made
        if isinstance(made, IntegratorMemory):
            self._memories.append(made)
        return made

    def let_go_of_rows(self) -> None:
        """Forget the output of the last run."""
        for own in self._memories:
            own.let_go_of_rows()

    def let_go(self) -> None:
        """No run will have it any more: what it and others know of each other would keep all of them."""
        self._attached.clear()
        self._memories.clear()
        self.projection = None

    def take_sizes(self, size: FloatArray) -> None:
        """The sizes of unknowns that Newton's method is relative to."""
        self._size = size
        self.scale[: len(size)] = size
        self.scale[len(size) :] = size  # of rates, as if all changed within a second

    def reset(self, p: FloatArray, size: FloatArray) -> None:
        """The numbers of another run; nothing of the last one remains but memory and pivots."""
        self.p[:] = p
        if size is not self._size:
            self.take_sizes(size)
        self.w.fill(0.0)
        if self.model is not self._home:
            self.select(self._home)
        self.forget_divisors()
        if self.projection is not None:
            self.projection.forget_ranks()
        self.record.words[_COUNTERS] = 0
        for sequence in self._with_loops:
            sequence.forget_factors()

    def share_loads(self) -> None:
        """Take one of the solutions where a mode of this run leaves open how parts share a load."""
        self.record.set(may_share=1)

    def newton_factors(self, t: float, span: float) -> SparseLU:
        """The factors of F_y + F_y'/gamma, made once, with pivots of an earlier run or those that suit a first step."""
        sequence = self._sequence
        if sequence.newton_lu is None:
            model = self.model
            pivots = model.caches.pivots.get("newton")
            if pivots is None:
                values = model.jacobian(t, self.y, self.yp, self.p, by_rate=1e4 / span)
                pivots = choose_pivots(model.program.pattern, values)
            sequence.newton_lu = SparseLU(model.program.pattern, pivots)
            self._set_jacobian(sequence.newton_lu)
        return sequence.newton_lu

    def remember_newton_pivots(self) -> None:
        """Keep the pivots for other systems of the model."""
        for model, sequence in self._sequences.items():
            if sequence.newton_lu is not None:
                model.caches.pivots["newton"] = sequence.newton_lu.elimination

    def _set_jacobian(self, lu: SparseLU) -> None:
        """What implicit methods need: the model's equations and Jacobian, its pattern and factors."""
        pattern = self.model.program.pattern
        entry = self.model.entries["jacobian"]
        self.record.set(
            equations=self.model.entries["residual"].words,
            jacobian=entry.words,
            pattern_count=pattern.count,
            by_value=np.zeros(pattern.count),
            by_rate=np.zeros(pattern.count),
            values=np.zeros(pattern.count),
            column_start=pattern.indptr,
            row_index=pattern.indices,
            full=np.zeros(self.program.size),
            given=np.zeros(self.program.size),
            left=np.zeros(self.program.size),
            lu=lu.record.address,
            get_array=sundials().address["N_VGetArrayPointer"],
        )

    def keep_states_only(self, chosen: bool) -> None:
        """Whether rows of output are the states alone, or all unknowns."""
        self.keeps_states = chosen
        self.row_size = len(self.states) if chosen else self.program.size
        self.record.set(keeps_states=int(chosen), row_size=self.row_size)

    @property
    def row(self) -> FloatArray:
        """The row of output for the unknowns as they stand."""
        return self.y[self.states] if self.keeps_states else self.y

    def count(self, name: str) -> int:
        """A counting word of the record."""
        return self.record.integers[_NUMBER[name]]

    def rhs(self, t: float, x: FloatArray) -> bool:
        """Fill the work vector and `rates`; False when a block has no solution or something is not finite."""
        self._x[:] = x
        return self._rhs(t, *self._addresses) == 0

    def solved(self, t: float, y: FloatArray, p: FloatArray) -> bool:
        """Fill the work vector from the states in y; the rest of y are guesses."""
        self.p[:] = p
        self.y[:] = y
        return self.rhs(t, y[self.states])

    def failed_rows(self) -> list[int]:
        """The rows of the blocks that could not be solved last time."""
        step = self.count("failed_step") - 1
        return self.solves[step].failed_rows() if step in self.solves else []

    def pole(self) -> tuple[float, list[int]]:
        """Which part of the last range of output times a divisor passed zero in, and the rows of such divisors."""
        now, before = (self.record.kept[name] for name in ("divisors", "divisors_before"))
        crossed = np.flatnonzero((now[0::2] * before[0::2] < 0.0) & (now[1::2] * before[1::2] > 0.0))
        old = before[0::2][crossed]
        new = now[0::2][crossed]
        part = old / (old - new)
        return float(part.min()), [int(row) for row in self.program.divided[crossed]]

    def forget_divisors(self) -> None:
        """After a jump divisors may have any sign."""
        self._divisors_before.fill(0.0)

    def remember_pivots(self) -> None:
        """Keep the pivots of sparse blocks for the next run."""
        for sequence in self._with_loops:
            sequence.remember_pivots()


class StepSequence:
    """How the unknowns are computed from one choice of states: the steps of ODE mode with their work space.

    `fields` are those of the system's record that depend on the choice.
    """

    def __init__(self, model: NativeModel) -> None:
        machine = model.ode
        program = machine.program
        self._pivots = machine.pivots
        self.states = program.states.astype(np.intp)  # NumPy converts other indices, a microsecond each time
        self.solves: dict[int, SolveRecord] = {}
        self.newton_lu: SparseLU | None = None  # of implicit methods
        steps = np.zeros((len(program.steps), len(_STEP)), np.int64)
        for k, step in enumerate(program.steps):
            if isinstance(step, Compute):
                steps[k, _STEP.index("entry")] = machine.entries[step.entry].words.ctypes.data
            else:
                self.solves[k] = SolveRecord(step, machine.entries, machine.pivots.get(k))
                steps[k, _STEP.index("solve")] = self.solves[k].record.address
        divided = max(2 * len(program.divided), 1)  # pairs: divisor, dividend
        self.fields: dict[str, Any] = {
            "state_index": program.states,
            "steps": steps,
            "step_count": len(steps),
            "rate_steps": program.rate_steps,
            "solve_step": block_runtime().addresses["solve_step"] if self.solves else 0,
            "divisor_entry": machine.entries[program.divisors].words if program.divisors else 0,
            "divisor_count": len(program.divided),
            "divisors": np.zeros(divided),
            "divisors_before": np.zeros(divided),
        }

    def forget_factors(self) -> None:
        """Nothing of the last run remains but memory and pivots."""
        for solve in self.solves.values():
            solve.forget_factors()

    def remember_pivots(self) -> None:
        """Keep the pivots of sparse steps for other systems of the model."""
        for k, solve in self.solves.items():
            if solve.lu is not None and solve.ready:
                self._pivots[k] = solve.lu.elimination


def _iterated(program: OdeProgram) -> IntArray:
    """The unknowns that Newton's method solves for."""
    steps = [step for step in program.steps if isinstance(step, Solve) and not step.linear]
    tears = np.concatenate([np.zeros(0, np.int64), *(step.tear_index for step in steps)]).astype(np.int64)
    return distinct(tears[tears < program.size])


def _is_smooth(model: ReducedModel, program: OdeProgram) -> bool:
    """Whether steps of any length are safe: no pulse over time, no condition, no loop with several branches."""
    nodes = (node for group in model.groups for node in walk(group.residual))
    if any(isinstance(node, Time) or (isinstance(node, Call) and node.op in RELATIONS) for node in nodes):
        return False
    return all(isinstance(step, Compute) or step.linear for step in program.steps)
