"""The partial derivatives of a kernel, as a kernel: tangents in the direction of every input, step by step.

s2 = s0*s1        ->        t0_2 = s1 + s0*t0_1;  t1_2 = s0*t1_1 + ...;  s2 = s0*s1

A loop carries the tangents along, so an iteration that converges gives the derivative of what it converges to.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from tellegen.ir.expressions.expr import ONE, ZERO, Apply, Call, Expr, Function, Slot, walk
from tellegen.ir.expressions.ops import DELAYS
from tellegen.start.records import dataclass
from tellegen.symbolic.differentiate import time_derivative
from tellegen.symbolic.kernels.kernel import Choose, Kernel, Loop, Pick, Step, Store, all_steps
from tellegen.symbolic.kernels.quotients import quotients
from tellegen.symbolic.partial import CONSTANT_BETWEEN_EVENTS


@dataclass(frozen=True, eq=False)
class KernelDerivative:
    """`Function.derivative` of a kernel, made when it is first needed; `given` where the user wrote it."""

    of: Kernel
    given: Kernel | None = None

    @cached_property
    def kernel(self) -> Kernel:
        """All partial derivatives: those of result 0 by input 0, 1, ..., those of result 1, ..."""
        if self.given is not None:
            return self.given
        return quotients(self.of) if self.is_quotient else derivative(self.of)

    @property
    def is_quotient(self) -> bool:
        """Whether difference quotients stand in for tangents."""
        return self.given is None and not is_differentiable(self.of)

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
    steps = tuple(all_steps(kernel.steps))
    if any(_has_no_rule(node) for step in steps for value in stored(step) for node in walk(value)):
        return False
    inside = [step for loop in steps if isinstance(loop, Loop) for step in all_steps(loop.body)]
    conditions = [step.condition for step in inside if isinstance(step, Choose)]
    if not conditions:
        return True
    moving = set(range(kernel.inputs))
    moving |= _moved(_dependencies(steps), moving)
    return all(moving.isdisjoint(slots_in(condition)) for condition in conditions)


def _has_no_rule(node: Expr) -> bool:
    if isinstance(node, Apply):
        return node.function.derivative is None
    return isinstance(node, Call) and node.op in DELAYS


def has_quotients(function: Function) -> bool:
    """Whether derivatives of a function, or of one that its kernel calls, are difference quotients."""
    slopes = function.derivative
    if not isinstance(slopes, KernelDerivative):
        return slopes is None
    if slopes.given is not None or slopes.is_quotient:
        return slopes.is_quotient
    kernel = slopes.of
    values = (*(value for step in all_steps(kernel.steps) for value in stored(step)), *kernel.results)
    return any(has_quotients(node.function) for value in values for node in walk(value) if isinstance(node, Apply))


def slots_in(expression: Expr) -> set[int]:
    """The slots that an expression reads."""
    return {node.index for node in walk(expression) if isinstance(node, Slot)}


def smooth_reads(expression: Expr) -> frozenset[int]:
    """The slots that an expression has a derivative by."""
    found: dict[Expr, frozenset[int]] = {}
    for node in walk(expression):
        if isinstance(node, Slot):
            found[node] = frozenset((node.index,))
        elif isinstance(node, Call) and node.op in CONSTANT_BETWEEN_EVENTS:
            found[node] = frozenset()
        else:
            read = node.args[1:] if isinstance(node, Call) and node.op == "where" else node.args
            found[node] = frozenset().union(*(found[arg] for arg in read))
    return found[expression]


def stored(step: Step) -> tuple[Expr, ...]:
    """What a step stores."""
    if isinstance(step, Store):
        return (step.value,)
    return step.array if isinstance(step, Pick) else ()


def _dependencies(steps: Sequence[Step]) -> list[tuple[int, frozenset[int]]]:
    """Each slot that is stored to, with those it is computed from."""
    return [
        (step.target, frozenset().union(*map(smooth_reads, stored(step))))
        for step in steps
        if isinstance(step, Store | Pick)
    ]


def _moved(dependencies: Sequence[tuple[int, frozenset[int]]], begin: set[int]) -> set[int]:
    """The slots that change with those of `begin`."""
    reached = set(begin)
    before = 0
    while len(reached) != before:
        before = len(reached)
        for target, reads in dependencies:
            if target not in reached and not reached.isdisjoint(reads):
                reached.add(target)
    return reached - begin


def derivative(kernel: Kernel) -> Kernel:
    """The partial derivatives of all results by all inputs."""
    dependencies = _dependencies(tuple(all_steps(kernel.steps)))
    directions = [_Direction(kernel, position, dependencies) for position in range(kernel.inputs)]
    steps = _with_tangents(kernel.steps, directions)
    results = tuple(direction.tangent(result) for result in kernel.results for direction in directions)
    return Kernel(f"der({kernel.name})", kernel.inputs, steps, results)


class _Direction:
    """Tangents by one input. A slot has one where something that depends on the input is stored in it."""

    def __init__(self, kernel: Kernel, position: int, dependencies: Sequence[tuple[int, frozenset[int]]]) -> None:
        self.position = position
        self.inputs = kernel.inputs
        self.offset = kernel.size * (position + 1)
        self.active = _moved(dependencies, {position})

    def tangent(self, value: Expr) -> Expr:
        """The derivative of an expression over slots."""
        found = time_derivative(value, self._of_slot, lambda _: ZERO)
        assert found is not None, "is_differentiable was not asked"
        return found

    def _of_slot(self, slot: int) -> Expr:
        if slot < self.inputs:
            return ONE if slot == self.position else ZERO
        return Slot(slot + self.offset) if slot in self.active else ZERO


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
                    made.append(Pick(step.target + one.offset, array, step.position))
            made.append(step)
        elif isinstance(step, Choose):
            yes = _with_tangents(step.yes, directions)
            made.append(Choose(step.condition, yes, _with_tangents(step.no, directions)))
        else:
            before = _with_tangents(step.before, directions)
            made.append(Loop(before, step.condition, _with_tangents(step.body, directions)))
    return tuple(made)
