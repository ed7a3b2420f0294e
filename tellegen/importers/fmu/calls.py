"""Functions of an FMU as functions of numbers, which equations and events of its component call.

Evaluation      derivatives, outputs, indicators at a point: native code, at every evaluation of a run
Begin           a new instance with its parameters: (slot, epoch)
HandleEvent     leaves initialization, or handles an event: (epoch, next event, terminate, states,
                signs of indicators, discrete outputs)
DoStep          a step of Co-Simulation: (epoch, reached time, terminate, outputs)

The last three change the instance, so they answer a second call with the same numbers as the first: while an event is
iterated, actions may be evaluated again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cache, cached_property
from typing import Any

import numpy as np

from tellegen.errors import FmuError
from tellegen.fmi.description import CoSimulation, ModelExchange, Value
from tellegen.foreign import CFunction, CLibrary
from tellegen.importers.fmu.archive_files import FmuFile
from tellegen.importers.fmu.instance import FmuInstance
from tellegen.importers.fmu.isolated import IsolatedInstance
from tellegen.importers.fmu.loaded import LoadedFmu, Slot
from tellegen.importers.fmu.native_calls import CONTINUOUS, INITIALIZING
from tellegen.importers.fmu.quantities import Quantities, Quantity, quantities_of
from tellegen.start.records import dataclass

NEVER = 1e300
"""The time of an event that does not come."""
_ITERATIONS = 1000  # of an event inside an FMU
_SAME_INSTANT = 32 * 2.220446049250313e-16
_LATE = 1e-9  # part of a communication step by which an instant may be missed


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

    @property
    def interface(self) -> ModelExchange | CoSimulation:
        """What the FMU offers for this use."""
        description = self.file.description
        found = description.model_exchange if self.kind == "me" else description.co_simulation
        assert found is not None
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return FmuUse, (self.file, self.kind, self.also, self.texts, self.isolated)

    @cached_property
    def quantities(self) -> Quantities:
        """Its variables."""
        return _quantities(self)

    @cached_property
    def loaded(self) -> LoadedFmu:
        """Its library in this process."""
        return _loaded(self)


@cache
def _quantities(use: FmuUse) -> Quantities:
    return quantities_of(use.file, use.interface, use.also)


@cache
def _loaded(use: FmuUse) -> LoadedFmu:
    return LoadedFmu(use.file, use.interface, use.quantities, use.isolated)


@dataclass(frozen=True, eq=False)
class Evaluation(CFunction):
    """One of the evaluations of native_calls.py."""

    use: FmuUse | None = None

    @property
    def address(self) -> int:
        """Where its code begins."""
        assert self.use is not None
        return self.use.loaded.address(self.symbol)

    def __call__(self, *numbers: float) -> Any:
        """The results for time, states, inputs, and which instance is meant."""
        import ctypes

        function = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 4)(self.address)
        given = np.array(numbers, float)
        results = np.full(self.outputs, math.nan)
        states, inputs, _ = self.parts
        begin = given.ctypes.data + 8
        pointers = (begin, begin + 8 * states, begin + 8 * (states + inputs), results.ctypes.data)
        function(numbers[0], *pointers)
        return results.tolist() if self.outputs > 1 else float(results[0])


def evaluation(use: FmuUse, entry: str, parts: tuple[int, int, int], outputs: int) -> Evaluation:
    """An evaluation for native code."""
    library = CLibrary(name=use.file.path.name, location=use.file.location)
    return Evaluation(library, entry, parts, outputs, use)


@dataclass
class _Answer:
    """The last call and its results."""

    numbers: tuple[float, ...] = ()
    results: list[float] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Begin:
    """See the top of this file; called with the time, the key of the component and all parameters."""

    use: FmuUse

    def __call__(self, *numbers: float) -> list[float]:
        loaded = self.use.loaded
        waiting = loaded.waiting(numbers)
        if waiting is not None:
            return [float(waiting.number), waiting.epoch]
        slot = loaded.open()
        loaded.wait(numbers, slot)
        values = iter(numbers[2:])
        for quantity in self.use.quantities.parameters:
            given = [next(values) for _ in range(quantity.count)]
            if not _same(tuple(given), tuple(map(float, quantity.variable.start or ()))):
                slot.instance.set_values(quantity.variable, given)
        for name, text in self.use.texts:
            variable = next(each for each in self.use.file.description.variables if each.name == name)
            slot.instance.set_values(variable, [text])
        slot.instance.enter_initialization(numbers[0], None)
        slot.start(numbers[0])
        return [float(slot.number), slot.begin_epoch(INITIALIZING)]


@dataclass(frozen=True, eq=False)
class HandleEvent:
    """See the top of this file; called with time, states, all inputs, slot and epoch.

    The initial instant is iterated with the initial equations, until the values of all discrete variables stay: an
    event that changes nothing then is none."""

    use: FmuUse
    answers: dict[float, _Answer] = field(default_factory=dict, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return HandleEvent, (self.use,)

    @property
    def outputs(self) -> int:
        """How many numbers it gives."""
        quantities = self.use.quantities
        discrete = sum(each.count for each in quantities.discrete_outputs)
        return 3 + quantities.state_count + quantities.indicator_count + discrete

    def __call__(self, *numbers: float) -> list[float]:
        number, epoch = numbers[-2:]
        known = self.answers.get(number)
        if known is not None and _same(known.numbers, numbers):
            return known.results
        slot = self.use.loaded.slot(number, epoch)
        if slot is None:
            raise _over(self.use)
        if known is not None and not slot.has_moved and self._changes_nothing(known, numbers):
            return known.results
        results = self._handle(slot, numbers[0], np.array(numbers[1:-2], float))
        self.answers[number] = _Answer(numbers, results)
        return results

    def _changes_nothing(self, known: _Answer, numbers: tuple[float, ...]) -> bool:
        """Whether a call follows the last one at the same time, with the states it gave and the same inputs."""
        count = self.use.quantities.state_count
        after = (*known.results[3 : 3 + count], *known.numbers[1 + count : -2], known.numbers[-2], known.results[0])
        return _same(after, numbers[1:]) and known.numbers[0] == numbers[0]

    def _handle(self, slot: Slot, t: float, given: np.ndarray) -> list[float]:
        instance = slot.instance
        assert isinstance(instance, FmuInstance)  # only Co-Simulation can be isolated
        quantities = self.use.quantities
        count = quantities.state_count
        states = given[:count].copy()
        inputs = given[count:]
        if slot.mode == INITIALIZING:
            _set(instance, (*quantities.inputs, *quantities.discrete_inputs), inputs)
            instance.exit_initialization()
            self.use.loaded.own(slot)
        else:
            if slot.begun != t:
                slot.move()
            instance.set_time(t)
            if count:
                instance.set_states(states)
            _set(instance, quantities.inputs, inputs)
            if self.use.interface.needs_completed_step:  # type: ignore[union-attr]
                instance.completed_step()
            instance.enter_event_mode()
            _set(instance, quantities.discrete_inputs, inputs[sum(each.count for each in quantities.inputs) :])
        following, terminate = self._updated(instance, t)
        discrete = _get(instance, quantities.discrete_outputs)
        instance.enter_continuous_time()
        after = instance.get_states(count) if count else states
        if not slot.has_moved:
            slot.start_states[:count] = after
        signs = (instance.get_indicators(quantities.indicator_count) >= 0.0).astype(float)
        epoch = slot.begin_epoch(CONTINUOUS)
        return [epoch, following, terminate, *after.tolist(), *signs.tolist(), *discrete]

    def _updated(self, instance: FmuInstance, t: float) -> tuple[float, float]:
        """The time of the next event, and whether the FMU asks to terminate.

        An event that is a rounding later is handled with this one: for the run it is the same instant."""
        for _ in range(_ITERATIONS):
            update = instance.update_discrete_states()
            following = min(update.next_event, NEVER)
            if update.terminate:
                return following, 1.0
            if not update.again:
                if following - t > _SAME_INSTANT * abs(t):
                    return following, 0.0
                if following > t:
                    instance.set_time(following)
        raise FmuError(
            "E525",
            f"the discrete states of {self.use.file.path.name} change without end at one instant",
            location=self.use.file.location,
            advice="its conditions may set each other off in a circle",
        )


@dataclass(frozen=True, eq=False)
class DoStep:
    """See the top of this file; called with time, communication step, all inputs, slot and epoch."""

    use: FmuUse
    answers: dict[float, _Answer] = field(default_factory=dict, repr=False)
    reached: dict[float, float] = field(default_factory=dict, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return DoStep, (self.use,)

    @property
    def outputs(self) -> int:
        """How many numbers it gives."""
        return 2 + sum(each.count for each in self.use.quantities.discrete_outputs)

    def __call__(self, *numbers: float) -> list[float]:
        number, epoch = numbers[-2:]
        known = self.answers.get(number)
        if known is not None and _same(known.numbers, numbers):
            return known.results
        slot = self.use.loaded.slot(number, epoch)
        if slot is None:
            raise _over(self.use)
        if known is not None and self.reached.get(number) == numbers[0] and _same(known.numbers[1:-1], numbers[1:-1]):
            return known.results
        results = self._step(slot, numbers[0], numbers[1], np.array(numbers[2:-2], float))
        self.answers[number] = _Answer(numbers, results)
        return results

    def _step(self, slot: Slot, t: float, step: float, inputs: np.ndarray) -> list[float]:
        instance = slot.instance
        quantities = self.use.quantities
        _set(instance, (*quantities.inputs, *quantities.discrete_inputs), inputs)
        terminate = False
        if slot.mode == INITIALIZING:
            instance.exit_initialization()
            self.use.loaded.own(slot)
        elif t > self.reached[slot.number]:
            slot.move()
            terminate = self._advance(instance, self.reached[slot.number], t, step)
        self.reached[slot.number] = t
        discrete = _get(instance, quantities.discrete_outputs)
        return [slot.begin_epoch(CONTINUOUS), float(terminate), *discrete]

    def _advance(self, instance: FmuInstance | IsolatedInstance, begin: float, end: float, step: float) -> bool:
        """Steps to a time; an FMU that returns early is asked to continue."""
        t = begin
        while end - t > _LATE * step:
            stepped = instance.do_step(t, end - t)
            if stepped.terminate:
                return True
            if stepped.time <= t:
                raise instance.failed("DoStep", 2)
            t = stepped.time
        return False


@dataclass(frozen=True, eq=False)
class Slopes:
    """Derivatives of a function that changes the instance: difference quotients would do so again and again.

    States that an event leaves as they are depend on themselves; by how much others depend on what they were is not
    known, so their derivatives are NaN and no gradient is silently wrong. Nothing else varies by degrees."""

    function: Begin | HandleEvent | DoStep
    outputs: int
    arity: int

    def __call__(self, *numbers: float) -> Any:
        slopes = np.zeros((self.outputs, self.arity))
        if isinstance(self.function, Begin):
            slopes[:, 1:] = math.nan
        elif isinstance(self.function, HandleEvent):
            count = self.function.use.quantities.state_count
            known = self.function.answers.get(numbers[-2])
            for k in range(count):
                stays = known is not None and known.results[3 + k] == numbers[1 + k]
                slopes[3 + k, 1 + k] = 1.0 if stays else math.nan
        return slopes


def _same(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return len(one) == len(other) and all(a == b or (a != a and b != b) for a, b in zip(one, other, strict=True))


def _set(
    instance: FmuInstance | IsolatedInstance, quantities: Sequence[Quantity], numbers: Sequence[Value] | np.ndarray
) -> None:
    values: Iterator[Any] = iter(numbers)
    for quantity in quantities:
        instance.set_values(quantity.variable, [next(values) for _ in range(quantity.count)])


def _get(instance: FmuInstance | IsolatedInstance, quantities: Sequence[Quantity]) -> list[float]:
    return [number for each in quantities for number in instance.get_values(each.variable, each.count)]


def _over(use: FmuUse) -> FmuError:
    return FmuError(
        "E525",
        f"this instance of {use.file.path.name} is not in the state that the run was left in",
        location=use.file.location,
        advice="an FMU keeps its state to itself: start the run from its beginning instead of continuing it",
    )
