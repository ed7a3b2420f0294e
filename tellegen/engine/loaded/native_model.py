"""NativeModel: native code and its metadata; independent of any run.

Immutable and shared freely: parameters and start values come with each call, work space belongs to the run. What is
computed from the model alone is remembered in `caches`. Pickles carry the text of the code; the receiving process
compiles it again, from the cache on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import field, replace
from functools import cached_property
from typing import Any, Protocol, Self, TypeVar

import numpy as np

from tellegen.engine.linear_algebra.pivots import Elimination
from tellegen.engine.loaded.native_entry import LoadedEntries
from tellegen.engine.loaded.ode_system import OdeModel
from tellegen.engine.native.record import Record
from tellegen.engine.native.sundials import sundials
from tellegen.engine.runtime.sundials.ida_callbacks import IdaModel
from tellegen.ir.flat import FlatModel
from tellegen.ir.initial import InitialOrder
from tellegen.ir.model import FloatArray
from tellegen.ir.ode import OdeCode
from tellegen.ir.program import PARAMETERS, START_VALUES, NativeText, Program
from tellegen.ir.reduced import BoolArray, ReducedModel, Wanted
from tellegen.ir.states import with_stages
from tellegen.procedures.language import field_names
from tellegen.start.records import dataclass

T = TypeVar("T")


class Recompiler(Protocol):
    """What stands before and above the engine, as far as a model may need it; compile.py provides it.

    The engine never imports a stage. It compiles during a run in four cases only: ODE mode on first use, the order of
    the initial equations, another choice of states, and independent parts of a model as models of their own.
    """

    def compile(self, model: ReducedModel | FlatModel) -> NativeModel:
        """A model that is none of the user's, such as one with other states."""
        ...

    def ode_mode(self, model: ReducedModel) -> OdeCode:
        """The equations ordered and compiled for ODE mode, or the reason why that is impossible."""
        ...

    def initial_order(self, model: ReducedModel, wanted: Wanted, kept: BoolArray) -> InitialOrder:
        """The equations at the initial time that are kept, in the order they can be solved."""
        ...

    def animate(self, solution: Any, **options: Any) -> Any:
        """The mechanism of a solution in motion."""
        ...


@dataclass
class ModelCaches:
    """What was computed from a model alone and is used again by the next run; never pickled but for the pivots."""

    pivots: dict[Hashable, Elimination] = field(default_factory=dict)  # of sparse matrices, by what they are for
    variants: dict[bytes, NativeModel] = field(default_factory=dict)  # the model with other states
    free_at_start: dict[bytes, Any] = field(default_factory=dict)  # what is solved for, by which values are fixed
    states_are_given: dict[bytes, bool] = field(default_factory=dict)  # and nothing else, by what is fixed and wanted
    initial_blocks: dict[Hashable, Any] = field(default_factory=dict)  # of initial systems, by what is free
    linear_systems: dict[Hashable, bool] = field(default_factory=dict)  # whether these are affine in all unknowns
    initial_steps: dict[Hashable, list[Any]] = field(default_factory=dict)  # of initial systems, not in use
    initial_events: list[Any] = field(default_factory=list)  # event handlers of initial instants, not in use
    derived: dict[Callable[..., Any], Any] = field(default_factory=dict)  # see NativeModel.derived


@dataclass(frozen=True, eq=False, repr=False)
class NativeModel:
    """A model ready to run."""

    reduced: ReducedModel
    program: Program
    native: NativeText
    recompiler: Recompiler
    caches: ModelCaches = field(default_factory=ModelCaches)

    def with_states(self, stages: tuple[Any, ...]) -> NativeModel:
        """The same model with another choice of states, compiled once and remembered."""
        key = b"".join(stage.tobytes() for stage in stages)
        variants = self.caches.variants
        if key not in variants:
            made = self.recompiler.compile(with_stages(self.reduced, stages))
            variants[key] = replace(made, caches=replace(made.caches, variants=variants))
        return variants[key]

    def derived(self, make: Callable[[Self], T]) -> T:
        """make(self), computed once: rooms above keep here what they derive from the model alone."""
        known = self.caches.derived
        try:
            return known[make]
        except KeyError:
            return known.setdefault(make, make(self))

    def let_go(self) -> None:
        """Nobody will run it again soon: forget what waits for the next run.

        All of that knows the model, so only a search for garbage would free them; now the last user frees the model.
        """
        for model in (self, *self.caches.variants.values()):
            known = model.caches
            known.derived.clear()
            known.initial_events.clear()
            known.initial_steps.clear()
            if "ode" in vars(model):
                model.ode.let_go()

    def optimize_code(self) -> None:
        """Compile what was loaded so far as well as it will be in long runs: other processes then need not do it."""
        for model in (self, *self.caches.variants.values()):
            loaded = vars(model)
            if "entries" in loaded:
                model.entries.optimize()
            if "ode" in loaded and not model.ode.reason:
                model.ode.entries.optimize()

    @cached_property
    def flat(self) -> FlatModel:
        """The flat model it was made from."""
        return self.reduced.flat

    @cached_property
    def entries(self) -> LoadedEntries:
        """The entry points of the program, loaded on first use."""
        return LoadedEntries(self.native, self.program.entries)

    @cached_property
    def ode(self) -> OdeModel:
        """ODE mode, made on first use: a run with IDA does without."""
        return OdeModel(self.recompiler.ode_mode(self.reduced))

    def __getstate__(self) -> dict[str, Any]:
        return {
            "reduced": self.reduced,
            "program": self.program,
            "native": self.native,
            "recompiler": self.recompiler,
            "caches": ModelCaches(pivots=self.caches.pivots),
        }

    def residual(self, t: float, y: FloatArray, yp: FloatArray, p: FloatArray) -> FloatArray:
        """F(t, y, y', p)."""
        r = np.zeros(self.program.size)
        self.entries["residual"](t, y, yp, p, r)
        return r

    def jacobian(
        self, t: float, y: FloatArray, yp: FloatArray, p: FloatArray, *, by_value: float = 1.0, by_rate: float = 0.0
    ) -> FloatArray:
        """The entries of by_value dF/dy + by_rate dF/dy' on the program's pattern."""
        values = np.zeros(self.program.pattern.count)
        self.entries["jacobian"](t, by_value, by_rate, y, yp, p, values)
        return values

    def compute_parameters(self, given: FloatArray, p: FloatArray) -> None:
        """The parameters that follow from others, in place; those that are `given` stay."""
        if PARAMETERS in self.program.entries:
            self.entries[PARAMETERS](given, p)

    def compute_start_values(self, p: FloatArray, start: FloatArray) -> None:
        """The start values of the flat model's variables that follow from parameters, in place."""
        if START_VALUES in self.program.entries:
            self.entries[START_VALUES](p, start)

    def record(self, p: FloatArray) -> Record:
        """The model as SUNDIALS' callbacks see it, with the parameters of one run."""
        library = sundials()
        record = Record(field_names(IdaModel))
        record.set(
            size=self.program.size,
            parameters=p,
            get_array=library.address["N_VGetArrayPointer"],
            get_values=library.address["SUNSparseMatrix_Data"],
            residual=self.entries["residual"].words,
            jacobian=self.entries["jacobian"].words,
        )
        return record
