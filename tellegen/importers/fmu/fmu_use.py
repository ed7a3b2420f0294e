"""An FMU and how it is used: its variables, its instances in this process, and its evaluations as functions."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np

from tellegen.errors import FmuError
from tellegen.fmi.description import FLOATS, CoSimulation, ModelExchange
from tellegen.foreign import CFunction, CLibrary
from tellegen.importers.fmu.archive_files import FmuFile, load_library
from tellegen.importers.fmu.connectors import FmuConnector, GivenConnector, connectors_of
from tellegen.importers.fmu.evaluations import ElementDependencies, Evaluated, Layout, layouts
from tellegen.importers.fmu.instances.instance import FmuInstance, Instance
from tellegen.importers.fmu.instances.instance2 import FmuInstance2
from tellegen.importers.fmu.instances.instance3 import FmuInstance3
from tellegen.importers.fmu.isolation.co_simulation import IsolatedInstance
from tellegen.importers.fmu.isolation.model_exchange import IsolatedExchange2, IsolatedExchange3, IsolatedLibrary
from tellegen.importers.fmu.loaded import LoadedFmu
from tellegen.importers.fmu.native.evaluate import Call
from tellegen.importers.fmu.native.events import FIRST, Step
from tellegen.importers.fmu.quantities import Quantities, Quantity, quantities_of
from tellegen.ir.expressions.expr import Function
from tellegen.procedures.language import field_names
from tellegen.start.records import dataclass
from tellegen.symbolic.slope import SMALLEST

LABELS = len(field_names(Call))
"""The last arguments of an evaluation, which say of what instance."""


@dataclass(frozen=True)
class FmuUse:
    """An FMU, and how it is used: what its functions need to be made again in another process."""

    file: FmuFile
    kind: str
    also: tuple[str, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()
    """Parameters that are strings."""
    isolated: bool = False
    """Whether instances are in processes of their own."""
    given_connectors: tuple[GivenConnector, ...] = ()
    tolerance: float | None = None
    """What instances are asked for; their own if nothing is."""
    structure: tuple[tuple[str, int], ...] = ()
    """Structural parameters that have other values than the FMU states; its description is that at these sizes."""
    sensitivities: tuple[str, ...] = ()
    """Parameters that derivatives are wanted by."""
    starts: tuple[str, ...] = ()
    """Variables whose start values are parameters."""

    @property
    def interface(self) -> ModelExchange | CoSimulation:
        """What the FMU offers for this use."""
        description = self.file.description
        found = description.model_exchange if self.kind == "me" else description.co_simulation
        assert found is not None
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        given = (self.isolated, self.given_connectors, self.tolerance, self.structure, self.sensitivities, self.starts)
        return FmuUse, (self.file, self.kind, self.also, self.texts, *given)

    @cached_property
    def quantities(self) -> Quantities:
        """Its variables."""
        return _quantities(self)

    @property
    def moved_parameters(self) -> tuple[Quantity, ...]:
        """Those that derivatives are wanted by."""
        return tuple(each for each in self.quantities.parameters if each.variable.name in self.sensitivities)

    @property
    def kept_parameters(self) -> tuple[Quantity, ...]:
        """All others."""
        return tuple(each for each in self.quantities.parameters if each.variable.name not in self.sensitivities)

    @cached_property
    def layouts(self) -> dict[Evaluated, Layout]:
        """What is evaluated of it."""
        return layouts(self.file.description, self.quantities, _element_dependencies(self))

    @property
    def follows_steps(self) -> bool:
        """Whether it wants to know of every accepted step of the integrator."""
        interface = self.interface
        return isinstance(interface, ModelExchange) and interface.needs_completed_step

    @property
    def steps_vary(self) -> bool:
        """Whether communication points may be at any distance."""
        interface = self.interface
        return isinstance(interface, CoSimulation) and interface.variable_step

    @cached_property
    def remembers_numbers(self) -> bool:
        """Whether its values may depend on former ones: it states discrete variables of type real, which only events
        compute, or it is one of Tellegen's with delays, which does not state what its equations depend on and wants to
        know of all steps (FMUs of others may want that by default)."""
        description = self.file.description
        structure = description.structure
        computed = (*structure.outputs, *structure.derivatives)
        has_delays = self.follows_steps and any(each.dependencies is None for each in computed)
        return (has_delays and description.origin.tool == "Tellegen") or any(
            each.base in FLOATS and each.variability == "discrete" and each.causality in ("local", "output")
            for each in description.variables
        )

    @cached_property
    def connectors(self) -> tuple[FmuConnector, ...]:
        """Its terminals that are connectors."""
        if self.kind != "me":
            return ()
        return connectors_of(self.file.terminals, self.quantities, self.given_connectors)

    @cached_property
    def library(self) -> Any:
        """Its library in this process, or what calls it in others."""
        interface = self.interface
        if self.isolated and isinstance(interface, ModelExchange):
            return IsolatedLibrary(self.file, interface)
        return load_library(self.file, interface)

    def crash_of(self, slot: float) -> FmuError | None:
        """How the process of the instance in a slot has crashed, if it has one and it has."""
        if not self.isolated or self.kind != "me":
            return None
        return self.library.crash_of(self.loaded.handle(slot))

    @cached_property
    def loaded(self) -> LoadedFmu:
        """Its instances in this process."""
        return _loaded(self)

    def new_instance(self) -> Instance:
        """An instance, not yet set."""
        interface = self.interface
        is_version2 = self.file.description.version == "2.0"
        if self.isolated and isinstance(interface, CoSimulation):
            return IsolatedInstance(self.file, interface)
        if self.isolated:
            return (IsolatedExchange2 if is_version2 else IsolatedExchange3)(self.file, self.library, interface)
        kind = FmuInstance2 if is_version2 else FmuInstance3
        instance = kind(self.file, self.library, interface)
        if self.structure and isinstance(instance, FmuInstance3):
            named = {each.name: each for each in self.file.description.variables}
            instance.configure([(named[name], value) for name, value in self.structure])
        return instance


@cache
def _quantities(use: FmuUse) -> Quantities:
    return quantities_of(use.file, use.interface, use.also, use.starts)


def _element_dependencies(use: FmuUse) -> ElementDependencies:
    """What an instance says of arrays, where the FMU offers it; nothing if it does not initialize as it is."""
    results = [each for each in (*use.quantities.derivatives, *use.quantities.outputs) if each.shape]
    if not (use.interface.element_dependencies and results) or isinstance(use.interface, CoSimulation):
        return {}
    instance = use.new_instance()
    assert isinstance(instance, FmuInstance3)
    try:
        instance.enter_initialization(0.0, None)
        instance.exit_initialization()
        references = [each.variable.reference for each in results]
        return {reference: instance.element_dependencies(reference) for reference in references}
    except FmuError:
        return {}
    finally:
        instance.free()


@cache
def _loaded(use: FmuUse) -> LoadedFmu:
    layouts = use.layouts if use.kind == "me" else {}
    return LoadedFmu(use.interface, use.quantities, layouts, use.new_instance, use.moved_parameters)


@dataclass(frozen=True, eq=False)
class Evaluation(CFunction):
    """One of the evaluations of native/evaluate.py."""

    use: FmuUse | None = None

    @property
    def address(self) -> int:
        """Where its code begins."""
        assert self.use is not None
        return self.use.loaded.address(self.symbol)

    @property
    def after_steps(self) -> bool:
        """See CFunction."""
        return self.symbol == "fmu_stepped"

    def complaint(self) -> FmuError | None:
        """Why an event had no results."""
        assert self.use is not None
        return _complaint(self.use)

    def __call__(self, *numbers: float) -> Any:
        """The results for time, states, inputs, and which instance is meant."""
        assert self.use is not None
        function = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 4)(self.address)
        given = np.array(numbers, float)
        results = np.full(self.outputs, math.nan)
        states, inputs, _ = self.parts
        begin = given.ctypes.data + 8
        pointers = (begin, begin + 8 * states, begin + 8 * (states + inputs), results.ctypes.data)
        function(numbers[0], *pointers)
        crash = self.use.crash_of(numbers[1 + states + inputs])
        if crash is not None:
            raise crash
        return results.tolist() if self.outputs > 1 else float(results[0])


def evaluation(use: FmuUse, what: Evaluated, name: str) -> Function:
    """An evaluation as a function of time, states, inputs and the words of native.evaluate.Call."""
    layout = use.layouts[what]
    return Function(
        name,
        _native(use, layout, f"{layout.entry}_{int(what)}", layout.values),
        layout.values,
        derivative=EvaluationSlopes(use, what),
        nominal=(SMALLEST,) * (layout.arity + LABELS),
        labels=LABELS,
        depends=layout.depends,
    )


def event_function(use: FmuUse, name: str) -> Function:
    """An event as a function of time, states, all inputs, the instance and its epoch (native/events.py): the new epoch,
    when the next event comes, and whether to end the run."""
    states = use.quantities.state_count
    inputs = sum(each.count for each in (*use.quantities.inputs, *use.quantities.discrete_inputs))
    labels = 2
    code = Evaluation(library_of(use), "fmu_event", (states, inputs, labels), FIRST, use)
    slopes = RememberedSlopes(use, states + inputs, labels)
    return Function(name, code, FIRST, slopes, labels=labels, keeps_arguments=True)


@cache
def event_value(use: FmuUse, name: str, *, is_state: bool) -> Function:
    """One result of an event as a function of time, where it is a state of its value before, the instance, the epoch
    that the event began, and its number among the results."""
    labels = 3
    states = int(is_state)
    code = Evaluation(library_of(use), "fmu_event_value", (states, 0, labels), 1, use)
    return Function(name, code, 1, EventSlopes(code, states), labels=labels, keeps_arguments=True)


def step_function(use: FmuUse, name: str) -> Function:
    """The call of an FMU after every step, as a function of time, states, inputs, the instance and its epoch."""
    states = use.quantities.state_count
    inputs = sum(each.count for each in use.quantities.inputs)
    labels = 2
    arity = 1 + states + inputs + labels
    code = Evaluation(library_of(use), "fmu_stepped", (states, inputs, labels), 1, use)
    return Function(name, code, 1, NoSlopes(arity), labels=labels)


@dataclass(frozen=True, eq=False)
class NoSlopes:
    """`Function.derivative` of numbers that count something."""

    arity: int
    outputs: int = 1

    def __call__(self, *_: float) -> Any:
        return np.zeros((self.outputs, self.arity))


@dataclass(frozen=True, eq=False)
class RememberedSlopes:
    """`Function.derivative` of an event: its results count something.

    What an FMU that remembers numbers computes after the event, whose epoch it names, depends on what it was given in a
    way that nobody knows: the epoch has no derivative, and no gradient is silently wrong."""

    use: FmuUse
    numbers: int
    labels: int

    def __call__(self, *_: float) -> Any:
        slopes = np.zeros((FIRST, 1 + self.numbers + self.labels))
        if self.use.remembers_numbers:
            slopes[0, 1 : 1 + self.numbers] = math.nan
        return slopes


def _complaint(use: FmuUse) -> FmuError | None:
    found = use.loaded.failure()
    if found is None:
        return None
    slot, failed = found
    if failed.step == Step.OVER:
        return run_is_over(use)
    if failed.step == Step.ENDLESS:
        return FmuError(
            "E525",
            f"the discrete states of {use.file.path.name} change without end at one instant",
            location=use.file.location,
            advice="its conditions may set each other off in a circle",
        )
    assert isinstance(slot.instance, FmuInstance)
    return slot.instance.failed(failed.symbol, failed.status)


def run_is_over(use: FmuUse) -> FmuError:
    """An instance that has been used since."""
    return FmuError(
        "E525",
        f"this instance of {use.file.path.name} is not in the state that the run was left in",
        location=use.file.location,
        advice="an FMU keeps its state to itself: start the run from its beginning instead of continuing it",
    )


@dataclass(frozen=True, eq=False)
class EventSlopes:
    """`Function.derivative` of a result of an event.

    A state that an event leaves as it is depends on itself; by how much others, and real outputs, depend on what was
    before is not known, so their derivatives are NaN and no gradient is silently wrong."""

    code: Evaluation
    states: int

    def __call__(self, *numbers: float) -> Any:
        slopes = np.zeros(len(numbers))
        if self.states:
            slopes[1] = 1.0 if self.code(*numbers) == numbers[1] else math.nan
        elif self.code.use is not None and self._is_real(int(numbers[-1])):
            slopes[0] = math.nan
        return slopes

    def _is_real(self, place: int) -> bool:
        """Whether a result is an output that varies by degrees."""
        assert self.code.use is not None
        quantities = self.code.use.quantities
        first = FIRST + quantities.state_count + quantities.indicator_count
        real = [each.variable.base in FLOATS for each in quantities.discrete_outputs for _ in range(each.count)]
        return place >= first and real[place - first]


def unknown_rows(slopes: Any, outputs: Sequence[Quantity]) -> None:
    """Nobody knows what real outputs, which come last, depend on."""
    real = [each.variable.base in FLOATS for each in outputs for _ in range(each.count)]
    slopes[len(slopes) - len(real) :][real] = math.nan


@dataclass(frozen=True, eq=False)
class EvaluationSlopes:
    """`Function.derivative` of an evaluation."""

    use: FmuUse
    what: Evaluated

    def as_function(self, name: str) -> Function:
        """The derivatives as a function of their own, of which derivatives are difference quotients: good enough for
        constraints where the FMU itself gives the first ones."""
        layout = self.use.layouts[self.what]
        depends = tuple(known for known in layout.depends for _ in known)
        return Function(
            name,
            _native(self.use, layout, f"fmu_slopes_{int(self.what)}", len(depends)),
            len(depends),
            nominal=(SMALLEST,) * (layout.arity + LABELS),
            labels=LABELS,
            depends=depends,
            has_quotients=self.use.interface.directional_derivatives and layout.has_directional,
        )

    def __call__(self, *numbers: float) -> Any:
        return self.as_function("slopes").callable(*numbers)


def _native(use: FmuUse, layout: Layout, entry: str, outputs: int) -> Evaluation:
    return Evaluation(library_of(use), entry, (layout.states, layout.inputs, LABELS), outputs, use)


def library_of(use: FmuUse) -> CLibrary:
    """Its library, for messages."""
    return CLibrary(name=use.file.path.name, location=use.file.location)
