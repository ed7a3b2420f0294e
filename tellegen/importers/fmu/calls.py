"""Functions that change an instance of an FMU, as functions of numbers, which events of its component call.

Begin           a new instance with its parameters: (slot, epoch)
HandleEvent     leaves initialization, or handles an event: (epoch, next event, terminate, states,
                signs of indicators, discrete outputs)
DoStep          a step of Co-Simulation: (epoch, reached time, terminate, outputs)

They answer a second call with the same numbers as the first: while an event is iterated, actions may be evaluated
again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any, ClassVar

import numpy as np

from tellegen.errors import FmuError
from tellegen.fmi.description import FLOATS, Value
from tellegen.importers.fmu.fmu_use import FmuUse
from tellegen.importers.fmu.instance import FmuInstance, Instance
from tellegen.importers.fmu.loaded import Slot
from tellegen.importers.fmu.native_calls import CONTINUOUS, INITIALIZING
from tellegen.importers.fmu.quantities import Quantity
from tellegen.start.records import dataclass

NEVER = 1e300
"""The time of an event that does not come."""
_ITERATIONS = 1000  # of an event inside an FMU
_SAME_INSTANT = 32 * 2.220446049250313e-16


@dataclass
class _Answer:
    """The last call and its results."""

    numbers: tuple[float, ...] = ()
    results: list[float] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Begin:
    """See the top of this file; called with the time, the key of the component and all parameters."""

    use: FmuUse
    outputs: ClassVar[int] = 2
    labels: ClassVar[int] = 0

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

    labels: ClassVar[int] = 2  # the instance and its epoch

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
    """See the top of this file; called with time, all inputs, slot and epoch."""

    use: FmuUse
    answers: dict[float, _Answer] = field(default_factory=dict, repr=False)
    reached: dict[float, float] = field(default_factory=dict, repr=False)

    labels: ClassVar[int] = 2  # the instance and its epoch

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
        results = self._step(slot, numbers[0], np.array(numbers[1:-2], float))
        self.answers[number] = _Answer(numbers, results)
        return results

    def _step(self, slot: Slot, t: float, inputs: np.ndarray) -> list[float]:
        instance = slot.instance
        quantities = self.use.quantities
        _set(instance, (*quantities.inputs, *quantities.discrete_inputs), inputs)
        terminate = False
        if slot.mode == INITIALIZING:
            instance.exit_initialization()
            self.use.loaded.own(slot)
        elif t > self.reached[slot.number]:
            slot.move()
            terminate = instance.advance(self.reached[slot.number], t)
        self.reached[slot.number] = t
        discrete = _get(instance, quantities.discrete_outputs)
        return [slot.begin_epoch(CONTINUOUS), float(terminate), *discrete]


@dataclass(frozen=True, eq=False)
class Slopes:
    """Derivatives of a function that changes the instance: difference quotients would do so again and again.

    States that an event leaves as they are depend on themselves; by how much others, and real outputs, depend on what
    was before is not known, so their derivatives are NaN and no gradient is silently wrong. The parameters of an
    instance are as unknown. Nothing else varies by degrees."""

    function: Begin | HandleEvent | DoStep
    arity: int

    def __call__(self, *numbers: float) -> Any:
        slopes = np.zeros((self.function.outputs, self.arity))
        if isinstance(self.function, Begin):
            slopes[:, 1:] = math.nan
            return slopes
        outputs = self.function.use.quantities.discrete_outputs
        real = [each.variable.base in FLOATS for each in outputs for _ in range(each.count)]
        first = self.function.outputs - len(real)
        slopes[first:][real] = math.nan
        if isinstance(self.function, HandleEvent):
            count = self.function.use.quantities.state_count
            known = self.function.answers.get(numbers[-2])
            for k in range(count):
                stays = known is not None and known.results[3 + k] == numbers[1 + k]
                slopes[3 + k, 1 + k] = 1.0 if stays else math.nan
        return slopes


def _same(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return len(one) == len(other) and all(a == b or (a != a and b != b) for a, b in zip(one, other, strict=True))


def _set(instance: Instance, quantities: Sequence[Quantity], numbers: Sequence[Value] | np.ndarray) -> None:
    values: Iterator[Any] = iter(numbers)
    for quantity in quantities:
        instance.set_values(quantity.variable, [next(values) for _ in range(quantity.count)])


def _get(instance: Instance, quantities: Sequence[Quantity]) -> list[float]:
    return [number for each in quantities for number in instance.get_values(each.variable, each.count)]


def _over(use: FmuUse) -> FmuError:
    return FmuError(
        "E525",
        f"this instance of {use.file.path.name} is not in the state that the run was left in",
        location=use.file.location,
        advice="an FMU keeps its state to itself: start the run from its beginning instead of continuing it",
    )
