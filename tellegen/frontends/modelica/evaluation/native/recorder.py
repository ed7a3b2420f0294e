"""Recording the execution of a function as the steps of a kernel, for functions that cannot be inlined.

The same execution that inlines: but values are kept in slots, and where a condition varies both branches, or the body
of a loop, are recorded as steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from tellegen.frontends.modelica.evaluation.scope import LocalScope, Scope
from tellegen.frontends.modelica.values.arrays import mapped, shape_of
from tellegen.frontends.modelica.values.assertions import Assertion
from tellegen.frontends.modelica.values.evaluation_error import NotInlinableError
from tellegen.frontends.modelica.values.value import RecordValue, Scalar, Value, describe, symbol
from tellegen.ir.expressions.expr import ONE, Expr, Slot
from tellegen.start.records import dataclass
from tellegen.symbolic.build import where
from tellegen.symbolic.kernels.kernel import Choose, Loop, Pick, Step, Store

STEP_LIMIT = 200_000


@dataclass(frozen=True, slots=True, eq=False)
class RecordedAssertion:
    """An assertion, and the slot that is not zero where it failed."""

    assertion: Assertion
    slot: int


class Recorder:
    """The steps of one kernel as they are found; slots below `inputs` are its arguments."""

    def __init__(self, inputs: int) -> None:
        self.size = inputs
        self.steps: list[Step] = []
        self.assertions: list[RecordedAssertion] = []
        self._count = 0

    def new_slot(self) -> int:
        """A slot that nothing else uses."""
        self.size += 1
        return self.size - 1

    def add(self, step: Step) -> None:
        """The next step."""
        self._count += 1
        if self._count > STEP_LIMIT:
            raise NotInlinableError("E573", f"a function has more than {STEP_LIMIT} steps")
        self.steps.append(step)

    @contextmanager
    def apart(self) -> Iterator[list[Step]]:
        """Steps recorded here go to a list of their own."""
        outer = self.steps
        self.steps = []
        try:
            yield self.steps
        finally:
            self.steps = outer

    def demand(self, assertion: Assertion) -> None:
        """Note in a slot, which is zero at first, that an assertion does not hold; a loop may come by several times."""
        slot = self.new_slot()
        self.add(Store(slot, where(assertion.condition, Slot(slot), ONE)))
        self.assertions.append(RecordedAssertion(assertion, slot))

    def kept(self, value: Value) -> Value:
        """The value with everything that is computed in slots of its own."""

        def keep(part: Scalar) -> Scalar:
            if not isinstance(part, Expr) or isinstance(part, Slot):
                return part
            slot = self.new_slot()
            self.add(Store(slot, part))
            return Slot(slot)

        return mapped(keep, value)

    def held(self, value: Value) -> Value:
        """The value in slots that later steps may change."""

        def hold(part: Scalar) -> Scalar:
            slot = self.new_slot()
            self.add(Store(slot, symbol(part)))
            return Slot(slot)

        return mapped(hold, value)

    def update(self, slots: Iterable[Scalar], values: Iterable[Scalar]) -> None:
        """Change what slots hold, all at once: no new value is computed from another new one."""
        changes: list[tuple[int, int]] = []
        for slot, value in zip(slots, values, strict=True):
            if slot is not value:
                assert isinstance(slot, Slot)
                fresh = self.new_slot()
                self.add(Store(fresh, symbol(value)))
                changes.append((slot.index, fresh))
        for target, fresh in changes:
            self.add(Store(target, Slot(fresh)))

    def picked(self, parts: Sequence[Value], index: Expr) -> Value:
        """parts[index] of scalars, counted from 1."""
        slot = self.new_slot()
        self.add(Pick(slot, tuple(symbol(part) for part in parts), index))
        return Slot(slot)

    def chosen(self, test: Expr, yes: Callable[[], Value], no: Callable[[], Value]) -> Value:
        """The value of one of two computations, of which only one runs."""
        with self.apart() as yes_steps:
            first = yes()
        with self.apart() as no_steps:
            second = no()
        value = self.merged(first, second, yes_steps, no_steps)
        self.add(Choose(test, tuple(yes_steps), tuple(no_steps)))
        return value

    def merged(self, yes: Value, no: Value, yes_steps: list[Step], no_steps: list[Step]) -> Value:
        """A value that either list of steps leaves in the same slots."""
        if yes is no:
            return yes
        if isinstance(yes, np.ndarray) or isinstance(no, np.ndarray):
            return self._merged_arrays(yes, no, yes_steps, no_steps)
        if isinstance(yes, RecordValue) and isinstance(no, RecordValue):
            fields = {
                name: self.merged(part, no.fields[name], yes_steps, no_steps) for name, part in yes.fields.items()
            }
            return RecordValue(yes.view, fields)
        if not isinstance(yes, Expr) and not isinstance(no, Expr) and type(yes) is type(no) and yes == no:
            return yes
        slot = self.new_slot()
        yes_steps.append(Store(slot, symbol(yes)))
        no_steps.append(Store(slot, symbol(no)))
        return Slot(slot)

    def _merged_arrays(self, yes: Value, no: Value, yes_steps: list[Step], no_steps: list[Step]) -> Value:
        if shape_of(yes) != shape_of(no):
            if isinstance(no, np.ndarray) and no.size == 0:
                return yes
            if isinstance(yes, np.ndarray) and yes.size == 0:
                return no
            raise NotInlinableError("E569", f"{describe(yes)} or {describe(no)} depends on a condition that varies")
        assert isinstance(yes, np.ndarray)
        assert isinstance(no, np.ndarray)
        out = np.empty(yes.shape, dtype=object)
        for position in np.ndindex(*yes.shape):
            out[position] = self.merged(yes[position], no[position], yes_steps, no_steps)
        return out

    def loop(self, condition: Callable[[], Expr], body: Callable[[], None]) -> None:
        """Record `body` as long as `condition` holds."""
        with self.apart() as before:
            test = condition()
        with self.apart() as steps:
            body()
        self.add(Loop(tuple(before), test, tuple(steps)))


class RecordingScope(LocalScope):
    """The scope of a function whose execution is recorded: its symbols are slots of the kernel, not of a model."""

    def __init__(self, around: Scope, recorder: Recorder) -> None:
        super().__init__(around, {}, False)
        self.translation = None
        self.instance = None
        self.recorder = recorder
        self.depth = 1
        self.literal = True
        self.guard = True

    def scope_for(self, view: object) -> Scope:
        return RecordingScope(self.around.scope_for(view), self.recorder)  # type: ignore[arg-type]
