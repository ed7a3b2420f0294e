"""Kernels: functions with loops, written as steps over expressions.

    Kernel(inputs=1, steps=(Store(1, x0), Loop((), s1 > 1, (Store(1, s1/2), Store(2, s2 + 1)))), results=(s2,))

An expression cannot loop; a kernel can. It stands in expressions as `Apply(Function(name, kernel))`. Slots 0, 1 ... are
the inputs, which no step changes; all other slots begin as zero. Native code and derivatives are made of the same
steps (procedure.py, derivative.py), and calling a kernel evaluates it in Python, slowly: the reference.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

from tellegen.ir.expressions.expr import Expr, Slot, walk
from tellegen.start.records import dataclass
from tellegen.symbolic.evaluate import evaluate

ENTRY = "kernel"
"""The name of a kernel in its native code."""
ROUND_LIMIT = 1_000_000
"""After so many rounds of its loops a kernel gives up: its results are NaN, which solvers reject."""


class Store(NamedTuple):
    """slot = value."""

    target: int
    value: Expr


class Pick(NamedTuple):
    """slot = array[position], counted from 1; a position outside of the array is the nearest inside."""

    target: int
    array: tuple[Expr, ...]
    position: Expr


class Choose(NamedTuple):
    """The steps for where the condition holds, or the others."""

    condition: Expr
    yes: tuple[Step, ...]
    no: tuple[Step, ...]


class Loop(NamedTuple):
    """Do `before`; leave where the condition does not hold; do the body; again."""

    before: tuple[Step, ...]
    condition: Expr
    body: tuple[Step, ...]


Step = Store | Pick | Choose | Loop


@dataclass(frozen=True, eq=False)
class Kernel:
    """Steps from `inputs` numbers to results."""

    name: str
    inputs: int
    steps: tuple[Step, ...]
    results: tuple[Expr, ...]
    has_machine_code: ClassVar[bool] = True

    @property
    def size(self) -> int:
        """How many slots it uses."""
        return 1 + max((*_slots(self.steps), *_read(self.results), self.inputs - 1))

    def __call__(self, *numbers: float) -> Any:
        """The result, or a list of several."""
        slots = [*map(float, numbers), *([0.0] * (self.size - self.inputs))]
        if not _run(self.steps, slots, iter(range(ROUND_LIMIT))):
            slots = [math.nan] * self.size
        results = [float(evaluate(result, slots)) for result in self.results]
        return results[0] if len(results) == 1 else results


def _run(steps: Sequence[Step], slots: list[float], rounds: Iterator[int]) -> bool:
    """Whether all loops ended."""
    for step in steps:
        if isinstance(step, Store):
            slots[step.target] = float(evaluate(step.value, slots))
        elif isinstance(step, Pick):
            position = min(max(int(evaluate(step.position, slots)), 1), len(step.array))
            slots[step.target] = float(evaluate(step.array[position - 1], slots))
        elif isinstance(step, Choose):
            if not _run(step.yes if evaluate(step.condition, slots) else step.no, slots, rounds):
                return False
        elif not _run_loop(step, slots, rounds):
            return False
    return True


def _run_loop(step: Loop, slots: list[float], rounds: Iterator[int]) -> bool:
    _run(step.before, slots, rounds)
    while evaluate(step.condition, slots):
        if next(rounds, None) is None or not _run(step.body, slots, rounds):
            return False
        _run(step.before, slots, rounds)
    return True


def all_steps(steps: Sequence[Step]) -> Iterator[Step]:
    """All steps, also inside others."""
    for step in steps:
        yield step
        if isinstance(step, Choose):
            yield from all_steps(step.yes)
            yield from all_steps(step.no)
        elif isinstance(step, Loop):
            yield from all_steps(step.before)
            yield from all_steps(step.body)


def expressions_of(step: Step) -> tuple[Expr, ...]:
    """What one step itself computes."""
    if isinstance(step, Store):
        return (step.value,)
    if isinstance(step, Pick):
        return (*step.array, step.position)
    return (step.condition,)


def _slots(steps: Sequence[Step]) -> Iterator[int]:
    for step in all_steps(steps):
        yield from _read(expressions_of(step))
        if isinstance(step, Store | Pick):
            yield step.target


def _read(expressions: Sequence[Expr]) -> Iterator[int]:
    for expression in expressions:
        yield from (node.index for node in walk(expression) if isinstance(node, Slot))
