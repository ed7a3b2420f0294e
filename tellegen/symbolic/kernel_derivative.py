"""The partial derivatives of a kernel, as a kernel: tangents in the direction of every input, step by step.

s2 = s0*s1        ->        t0_2 = s1 + s0*t0_1;  t1_2 = s0*t1_1 + ...;  s2 = s0*s1

A loop carries the tangents along, so an iteration that converges gives the derivative of what it converges to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tellegen.ir.expressions.expr import ONE, ZERO, Expr, Function, Slot, walk
from tellegen.symbolic.build import is_zero
from tellegen.symbolic.differentiate import time_derivative
from tellegen.symbolic.kernel import Choose, Kernel, Loop, Pick, Step, Store, all_steps


@dataclass(frozen=True, eq=False)
class KernelDerivative:
    """`Function.derivative` of a kernel, made when it is first needed; `given` where the user wrote it."""

    of: Kernel
    given: Kernel | None = None

    @cached_property
    def kernel(self) -> Kernel:
        """All partial derivatives: those of result 0 by input 0, 1, ..., those of result 1, ..."""
        return self.given or derivative(self.of)

    def __call__(self, *numbers: float) -> Any:
        return self.kernel(*numbers)

    def as_function(self, name: str) -> Function:
        """The derivatives as a function of their own."""
        kernel = self.kernel
        slopes = KernelDerivative(kernel) if is_differentiable(kernel) else None
        return Function(name, kernel, len(kernel.results), slopes)


def is_differentiable(kernel: Kernel) -> bool:
    """Whether tangents give its derivatives: all operations have one, and no loop decides by what varies.

    A bisection decides in every round which end of an interval to move; its tangents are those of the ends, not of the
    root. The condition of the loop itself may vary: then tangents converge with the iteration."""
    values = [step.value for step in all_steps(kernel.steps) if isinstance(step, Store)]
    values += [element for step in all_steps(kernel.steps) if isinstance(step, Pick) for element in step.array]
    if any(_derivative(value, lambda _: ONE) is None for value in (*values, *kernel.results)):
        return False
    inside = [step for loop in all_steps(kernel.steps) if isinstance(loop, Loop) for step in all_steps(loop.body)]
    conditions = [step.condition for step in inside if isinstance(step, Choose)]
    if not conditions:
        return True
    directions = [_Direction(kernel, position) for position in range(kernel.inputs)]
    return not any(one.moves(condition) for condition in conditions for one in directions)


def _derivative(value: Expr, of_slot: Any) -> Expr | None:
    return time_derivative(value, of_slot, lambda _: ZERO)


def derivative(kernel: Kernel) -> Kernel:
    """The partial derivatives of all results by all inputs."""
    directions = [_Direction(kernel, position) for position in range(kernel.inputs)]
    steps = _with_tangents(kernel.steps, directions)
    results = tuple(direction.tangent(result) for result in kernel.results for direction in directions)
    return Kernel(f"der({kernel.name})", kernel.inputs, steps, results)


class _Direction:
    """Tangents by one input. A slot has one where something that depends on the input is stored in it."""

    def __init__(self, kernel: Kernel, position: int) -> None:
        self.position = position
        self.inputs = kernel.inputs
        self.offset = kernel.size * (position + 1)
        self.active: set[int] = set()
        before = -1
        while len(self.active) != before:
            before = len(self.active)
            for step in all_steps(kernel.steps):
                values = _differentiated(step)
                if any(not is_zero(self.tangent(value)) for value in values):
                    self.active.add(step.target)  # type: ignore[union-attr]

    def tangent(self, value: Expr) -> Expr:
        """The derivative of an expression over slots."""
        found = _derivative(value, self._of_slot)
        assert found is not None, "is_differentiable was not asked"
        return found

    def moves(self, condition: Expr) -> bool:
        """Whether what a condition compares depends on the input."""
        reads = (node.index for node in walk(condition) if isinstance(node, Slot))
        return any(not is_zero(self._of_slot(slot)) for slot in reads)

    def _of_slot(self, slot: int) -> Expr:
        if slot < self.inputs:
            return ONE if slot == self.position else ZERO
        return Slot(slot + self.offset) if slot in self.active else ZERO


def _differentiated(step: Step) -> tuple[Expr, ...]:
    """What a step stores."""
    if isinstance(step, Store):
        return (step.value,)
    return step.array if isinstance(step, Pick) else ()


def _with_tangents(steps: Sequence[Step], directions: Sequence[_Direction]) -> tuple[Step, ...]:
    """Every step after its tangents, which are computed from what the slots held before it."""
    made: list[Step] = []
    for step in steps:
        if isinstance(step, Store):
            for one in directions:
                if step.target in one.active:
                    made.append(Store(step.target + one.offset, one.tangent(step.value)))
            made.append(step)
        elif isinstance(step, Pick):
            for one in directions:
                if step.target in one.active:
                    array = tuple(one.tangent(element) for element in step.array)
                    made.append(Pick(step.target + one.offset, array, step.index))
            made.append(step)
        elif isinstance(step, Choose):
            yes = _with_tangents(step.yes, directions)
            made.append(Choose(step.condition, yes, _with_tangents(step.no, directions)))
        else:
            before = _with_tangents(step.before, directions)
            made.append(Loop(before, step.condition, _with_tangents(step.body, directions)))
    return tuple(made)
