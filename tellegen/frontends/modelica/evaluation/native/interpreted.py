"""Functions of many numbers that call Python: interpreted as a whole while a simulation runs.

    (info, amplitudes, phases) := realFFT(u, 401)       ->      amplitudes[k] = realFFT(u[1], ..., u[4000], k)

Inlined, every result would contain every result of the Python function inside, each with all arguments. Which result is
meant is a number among the arguments, so that the equations of an array are rows of one template.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from pickle import PicklingError
from typing import NoReturn

from tellegen.frontends.modelica.evaluation.declarations import Activation
from tellegen.frontends.modelica.evaluation.functions import Signature, activated, run
from tellegen.frontends.modelica.evaluation.native.call import as_inputs, passed
from tellegen.frontends.modelica.evaluation.scope import LocalScope, Scope
from tellegen.frontends.modelica.values.arrays import mapped
from tellegen.frontends.modelica.values.scalars import compare, without_event
from tellegen.frontends.modelica.values.value import Scalar, Value, scalars, symbol
from tellegen.ir.expressions.expr import Apply, Const, Function, Slot


class InterpretedBody:
    """The numbers that a function gives for numbers; the latest are kept, since each result is asked for by itself."""

    def __init__(self, signature: Signature, arguments: Sequence[Value], scope: Scope) -> None:
        self.signature = signature
        self.arguments = arguments
        self.scope = RunScope(scope)
        self._given: tuple[float, ...] | None = None
        self._found: list[float] = []

    def __call__(self, *numbers: float) -> float:
        """Of the numbers before the last one, the result with this position."""
        given = numbers[:-1]
        if self._given != given:
            results = run(self.signature, self.activated(map(float, given)))
            self._found = [_number(part) for result in results for part in scalars(result)]
            self._given = given
        return self._found[int(numbers[-1])]

    def activated(self, numbers: Iterator[Scalar]) -> Activation:
        """The function with these numbers in place of the arguments that vary."""
        inputs = [as_inputs(argument, numbers) for argument in self.arguments]
        return activated(self.signature, dict(zip(self.signature.inputs, inputs, strict=True)), self.scope)

    def __reduce__(self) -> NoReturn:
        """Not for other processes: it belongs to the Modelica text that this one has read."""
        raise PicklingError("it is interpreted from Modelica text")


def _number(part: Scalar) -> float:
    value = symbol(part)
    assert isinstance(value, Const)
    return float(value.value)


class RunScope(LocalScope):
    """The scope of a call that is executed during a run, when no model is being translated any more."""

    def __init__(self, around: Scope) -> None:
        super().__init__(around, {}, False)
        self.translation = None
        self.instance = None
        self.guard = True

    def scope_for(self, view: object) -> Scope:
        return RunScope(self.around.scope_for(view))  # type: ignore[arg-type]


def interpreted_results(signature: Signature, arguments: Sequence[Value], scope: Scope) -> tuple[Value, ...]:
    """The results of a call as calls of the interpreted body."""
    body = InterpretedBody(signature, arguments, scope)
    operands = tuple(symbol(part) for argument in arguments for part in passed(argument))
    scope.view.views.store.read.depends_on_more()
    function = Function(signature.view.definition.name, body, in_loops=False, labels=1)
    declared = body.activated(map(Slot, range(len(operands))))
    positions = count()

    def result(part: Scalar) -> Scalar:
        found = Apply(function, (*operands, Const(float(next(positions)))))
        return without_event(compare(">", found, 0.5)) if isinstance(part, bool) else found

    return tuple(mapped(result, declared.value(name)) for name in signature.outputs)
