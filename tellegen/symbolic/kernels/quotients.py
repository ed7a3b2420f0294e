"""The partial derivatives of a kernel as central difference quotients, where its tangents would be wrong.

    (f(a + h, b) - f(a - h, b)) / (2*h)      the steps of f twice for each input, with slots of their own

In native code like the kernel itself. The step is that of symbolic/slope.py; the error is about 1e-10, or what the
kernel's own iterations leave divided by the step.
"""

from __future__ import annotations

from collections.abc import Sequence

from tellegen.ir.expressions.expr import Call, Const, Expr, Slot, rebuild, same_with
from tellegen.symbolic.build import add, div, mul, sub
from tellegen.symbolic.kernels.kernel import Choose, Kernel, Loop, Pick, Step, Store
from tellegen.symbolic.slope import SMALLEST, STEP


def quotients(kernel: Kernel) -> Kernel:
    """The partial derivatives of all results by all inputs."""
    steps: list[Step] = []
    columns: list[list[Expr]] = []
    free = kernel.size
    for position in range(kernel.inputs):
        given = Slot(position)
        width = Slot(free)
        size = Call("max", (Call("abs", (given,)), Const(SMALLEST)))
        steps.append(Store(free, mul(Const(STEP), size)))
        ahead = _Copy(kernel, position, add(given, width), free + 1)
        back = _Copy(kernel, position, sub(given, width), free + 1 + kernel.size)
        free += 1 + 2 * kernel.size
        steps += [*ahead.steps, *back.steps]
        both = zip(ahead.results, back.results, strict=True)
        columns.append([div(sub(one, other), mul(Const(2.0), width)) for one, other in both])
    results = tuple(column[row] for row in range(len(kernel.results)) for column in columns)
    return Kernel(f"der({kernel.name})", kernel.inputs, tuple(steps), results)


class _Copy:
    """The kernel at another value of one input, in slots from `first` on."""

    def __init__(self, kernel: Kernel, position: int, value: Expr, first: int) -> None:
        self.inputs = kernel.inputs
        self.position = position
        self.first = first
        self.steps = (Store(first + position, value), *self._steps(kernel.steps))
        self.results = tuple(self._renamed(result) for result in kernel.results)

    def _slot(self, slot: int) -> int:
        is_same = slot < self.inputs and slot != self.position
        return slot if is_same else slot + self.first

    def _renamed(self, value: Expr) -> Expr:
        def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
            return Slot(self._slot(node.index)) if isinstance(node, Slot) else same_with(node, args)

        return rebuild(value, change)

    def _steps(self, steps: Sequence[Step]) -> tuple[Step, ...]:
        return tuple(map(self._step, steps))

    def _step(self, step: Step) -> Step:
        if isinstance(step, Store):
            return Store(self._slot(step.target), self._renamed(step.value))
        if isinstance(step, Pick):
            array = tuple(map(self._renamed, step.array))
            return Pick(self._slot(step.target), array, self._renamed(step.position))
        if isinstance(step, Choose):
            return Choose(self._renamed(step.condition), self._steps(step.yes), self._steps(step.no))
        return Loop(self._steps(step.before), self._renamed(step.condition), self._steps(step.body))
