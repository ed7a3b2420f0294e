"""Loops of models whose end varies: the loop alone becomes a function of what it reads and begins with.

    while r >= b loop  r := r - b;  n := n + 1;  end while;      ->      r, n = loop(r before, n before, b)

Relations in it make no events (MLS 11.2.3). Its assertions are results of a second function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tellegen.frontends.modelica.evaluation.native.recorder import Recorder, RecordingScope
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.values.arrays import mapped
from tellegen.frontends.modelica.values.evaluation_error import NotInlinableError
from tellegen.frontends.modelica.values.scalars import both, invert, without_event
from tellegen.frontends.modelica.values.value import Scalar, Value, scalars, symbol
from tellegen.ir.expressions.expr import ZERO, Apply, Call, Const, Expr, Function, Slot, same_with, walk
from tellegen.symbolic.kernels.derivative import KernelDerivative
from tellegen.symbolic.kernels.kernel import Choose, Kernel, Loop, Pick, Step, Store, all_steps, expressions_of
from tellegen.symbolic.kernels.operations import OPERATIONS

_FIRST = 1 << 40
"""Slots of the loop's own, while it is recorded; scalars of the model have smaller numbers."""


def looped(
    values: dict[str, Value], names: Sequence[str], scope: Scope, record: Callable[[RecordingScope], None]
) -> dict[str, Value]:
    """What a loop leaves of the variables it assigns to; `record` executes it on `values` in a scope that records."""
    begin = [symbol(part) for name in names for part in scalars(values[name])]
    recorder = Recorder(_FIRST)
    started = [recorder.new_slot() for _ in begin]
    slots = iter(started)
    values.update({name: mapped(lambda _: Slot(next(slots)), values[name]) for name in names})
    record(RecordingScope(scope, recorder))
    results = [symbol(part) for name in names for part in scalars(values[name])]
    written = _Kernel(recorder, started, results)
    function = Function("loop", written.kernel, len(results), KernelDerivative(written.kernel, None))
    arguments = (*begin, *written.read)
    numbers = iter(range(len(results)))
    _demand(written.kernel_of_assertions, recorder, arguments, scope)

    def output(_: Scalar) -> Scalar:
        return Apply(function, arguments, next(numbers))

    return {name: mapped(output, values[name]) for name in names}


def _demand(kernel: Kernel, recorder: Recorder, arguments: tuple[Expr, ...], scope: Scope) -> None:
    """Add the assertions inside of a loop to those of the model: the loop once more, with what failed as results."""
    checks = Function("loop_assertions", kernel, len(kernel.results), KernelDerivative(kernel, None))
    for number, recorded in enumerate(recorder.assertions):
        failed = Call("gt", (Apply(checks, arguments, number), ZERO))
        holds = symbol(without_event(invert(both(scope.guard, failed))))
        scope.translation.called.add(replace(recorded.assertion, condition=holds), scope.instance)


class _Kernel:
    """Recorded steps with slots from zero on: what the loop begins with, what it reads of the model, its own."""

    def __init__(self, recorder: Recorder, started: list[int], results: list[Expr]) -> None:
        self._places: dict[Expr, int] = {Slot(slot): number for number, slot in enumerate(started)}
        expressions = [part for step in all_steps(recorder.steps) for part in expressions_of(step)]
        self.read: list[Expr] = []
        for expression in (*expressions, *results):
            self._note(expression)
        own = range(_FIRST, recorder.size)
        for slot in map(Slot, own):
            self._places.setdefault(slot, len(self._places))
        count = len(started) + len(self.read)
        steps = tuple(map(self._step, recorder.steps))
        self.kernel = Kernel("loop", count, steps, tuple(map(self._expression, results)))
        failed = tuple(self._expression(Slot(recorded.slot)) for recorded in recorder.assertions)
        self.kernel_of_assertions = replace(self.kernel, results=failed)

    def _note(self, expression: Expr) -> None:
        """Number what the steps take from the model."""
        if isinstance(expression, Const) or (isinstance(expression, Slot) and expression.index >= _FIRST):
            return
        if isinstance(expression, Call) and expression.op in OPERATIONS:
            for part in expression.args:
                self._note(part)
        elif any(isinstance(node, Slot) and node.index >= _FIRST for node in walk(expression)):
            advice = "write the loop in a function and call that: it becomes native code"
            message = "a loop whose end varies uses more than arithmetic of what it computes"
            raise NotInlinableError("E569", message, advice)
        elif expression not in self._places:
            self._places[expression] = len(self._places)
            self.read.append(expression)

    def _expression(self, expression: Expr) -> Expr:
        place = self._places.get(expression)
        if place is not None:
            return Slot(place)
        return same_with(expression, tuple(map(self._expression, expression.args)))

    def _step(self, step: Step) -> Step:
        if isinstance(step, Store):
            return Store(self._places[Slot(step.target)], self._expression(step.value))
        if isinstance(step, Pick):
            array = tuple(map(self._expression, step.array))
            return Pick(self._places[Slot(step.target)], array, self._expression(step.position))
        condition = self._expression(step.condition)
        if isinstance(step, Choose):
            return Choose(condition, tuple(map(self._step, step.yes)), tuple(map(self._step, step.no)))
        return Loop(tuple(map(self._step, step.before)), condition, tuple(map(self._step, step.body)))
