"""Functions that change an instance of an FMU, as functions of numbers, which events of its component call.

Begin           a new instance with its parameters: (slot, epoch)
DoStep          a step of Co-Simulation: (epoch, reached time, terminate, outputs)

Events of Model Exchange are native (native/events.py). A second call with the same numbers has the results of the
first: while an event is iterated, actions may be evaluated again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any, ClassVar

import numpy as np

from tellegen.fmi.description import Value
from tellegen.importers.fmu.fmu_use import FmuUse, run_is_over, unknown_rows
from tellegen.importers.fmu.instances.instance import Instance
from tellegen.importers.fmu.loaded import Slot
from tellegen.importers.fmu.native.evaluate import CONTINUOUS, INITIALIZING
from tellegen.importers.fmu.quantities import Quantity
from tellegen.start.records import dataclass


@dataclass
class _Answer:
    """The last call and its results."""

    numbers: tuple[float, ...] = ()
    results: list[float] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Begin:
    """See the top of this file; called with the time, the key of the component and all parameters, last those that
    derivatives are wanted by: influences.py has these."""

    use: FmuUse
    outputs: ClassVar[int] = 2

    @property
    def part_of(self) -> str:
        """Which FMU has to be there."""
        return self.use.file.path.name

    @property
    def labels(self) -> int:
        """How many parameters have derivatives elsewhere."""
        return len(self.use.moved_parameters)

    def __call__(self, *numbers: float) -> list[float]:
        loaded = self.use.loaded
        waiting = loaded.waiting(numbers)
        if waiting is not None:
            return [float(waiting.number), waiting.epoch]
        slot = loaded.open()
        loaded.wait(numbers, slot)
        values = iter(numbers[2:])
        for quantity in (*self.use.kept_parameters, *self.use.moved_parameters):
            given = [next(values) for _ in range(quantity.count)]
            if not _same(tuple(given), tuple(map(float, quantity.variable.start or ()))):
                slot.instance.set_values(quantity.variable, given)
        for name, text in self.use.texts:
            variable = next(each for each in self.use.file.description.variables if each.name == name)
            slot.instance.set_values(variable, [text])
        slot.instance.enter_initialization(numbers[0], self.use.tolerance)
        slot.start(numbers[0])
        return [float(slot.number), slot.begin_epoch(INITIALIZING)]


@dataclass(frozen=True, eq=False)
class DoStep:
    """See the top of this file; called with time, all inputs before the instant and at it, slot and epoch."""

    use: FmuUse
    answers: dict[float, _Answer] = field(default_factory=dict, repr=False)

    labels: ClassVar[int] = 2  # the instance and its epoch

    @property
    def part_of(self) -> str:
        """Which FMU has to be there."""
        return self.use.file.path.name

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
        if not epoch > 0.0:
            return [math.nan] * self.outputs  # there is no instance: what went wrong then is the error
        slot = self.use.loaded.slot(number, epoch)
        if slot is None and known is not None and (known.numbers[0], known.numbers[-1]) == (numbers[0], epoch):
            slot = self.use.loaded.slot(number, known.results[0])  # the same event, with other inputs
        if slot is None:
            raise run_is_over(self.use)
        if known is not None and slot.reached == numbers[0] and _same(known.numbers[1:-1], numbers[1:-1]):
            return known.results
        results = self._step(slot, numbers[0], np.array(numbers[1:-2], float))
        self.answers[number] = _Answer(numbers, results)
        return results

    def _step(self, slot: Slot, t: float, inputs: np.ndarray) -> list[float]:
        instance = slot.instance
        quantities = self.use.quantities
        listed = (*quantities.inputs, *quantities.discrete_inputs)
        before, now = np.split(inputs, 2)
        terminate = False
        steps = slot.mode == CONTINUOUS and t > slot.reached
        if steps:
            _set(instance, listed, before)
            slot.move()
            terminate = instance.advance(slot.reached, t)
        if not (steps and np.array_equal(before, now)):
            _set(instance, listed, now)
        if slot.mode == INITIALIZING:
            instance.exit_initialization()
        slot.reached = t
        discrete = _get(instance, quantities.discrete_outputs)
        return [slot.begin_epoch(CONTINUOUS), float(terminate), *discrete]


@dataclass(frozen=True, eq=False)
class Slopes:
    """Derivatives of a function that changes the instance: difference quotients would do so again and again.

    By how much real outputs depend on what was before is not known, so their derivatives are NaN and no gradient is
    silently wrong. The parameters of an instance are as unknown. Nothing else varies by degrees."""

    function: Begin | DoStep
    arity: int

    def __call__(self, *_: float) -> Any:
        slopes = np.zeros((self.function.outputs, self.arity))
        if isinstance(self.function, Begin):
            slopes[:, 1:] = math.nan
        else:
            unknown_rows(slopes, self.function.use.quantities.discrete_outputs)
        return slopes


def _same(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return len(one) == len(other) and all(a == b or (a != a and b != b) for a, b in zip(one, other, strict=True))


def _set(instance: Instance, quantities: Sequence[Quantity], numbers: Sequence[Value] | np.ndarray) -> None:
    values: Iterator[Any] = iter(numbers)
    for quantity in quantities:
        instance.set_values(quantity.variable, [next(values) for _ in range(quantity.count)])


def _get(instance: Instance, quantities: Sequence[Quantity]) -> list[float]:
    return [number for each in quantities for number in instance.get_values(each.variable, each.count)]
