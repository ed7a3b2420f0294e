"""External functions of quantities that vary: called with numbers while a simulation runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from tellegen.frontends.modelica.evaluation.external.served import Outcome, Served
from tellegen.frontends.modelica.values.arrays import shape_of
from tellegen.frontends.modelica.values.evaluation_error import NotCompilableError, not_supported
from tellegen.frontends.modelica.values.value import Value, scalars, symbol
from tellegen.ir.expressions.expr import Apply, Function
from tellegen.start.records import dataclass

RESULT = -1
"""The position of what a C function returns; arguments count from 0."""
Shape = tuple[int, ...]
REFERENCE_LIMIT = 100_000
"""So many arguments in all results together are inlined: one Fourier transform of 200 samples has half of them."""


@dataclass(frozen=True)
class OpaqueCall:
    """A served function as one of plain numbers: shapes of its arguments and of its results.

    An argument that is a string stands for itself, one that is not read is None."""

    name: str
    served: Served
    arguments: tuple[Shape | str | None, ...]
    results: tuple[tuple[int, Shape], ...]

    def __call__(self, *numbers: float) -> list[float]:
        remaining = iter(numbers)
        values = [_assembled(part, remaining) if isinstance(part, tuple) else part for part in self.arguments]
        found = self.served.function(*values)
        outcome = found if isinstance(found, Outcome) else Outcome(found)
        parts = [outcome.result if k == RESULT else outcome.arguments[k] for k, _ in self.results]
        return [float(number) for part in parts for number in np.ravel(part)]


def _assembled(shape: Shape, numbers: Any) -> Any:
    if not shape:
        return next(numbers)
    return np.array([next(numbers) for _ in range(int(np.prod(shape)))], float).reshape(shape)


def opaque_outcome(name: str, served: Served, values: Sequence[Value], results: dict[int, Shape]) -> Outcome:
    """The results of a call as expressions that a simulation evaluates."""
    if not served.pure:
        raise not_supported(f"the external function {name} with quantities that vary")
    read = [value for position, value in enumerate(values) if not served.reads or position in served.reads]
    shapes = [value if isinstance(value, str) else shape_of(value) for value in read]
    places = dict(zip(served.reads or range(len(values)), shapes, strict=True))
    arguments = tuple(places.get(position) for position in range(len(values)))
    call = OpaqueCall(name, served, arguments, tuple(results.items()))
    operands = tuple(symbol(part) for value in read if not isinstance(value, str) for part in scalars(value))
    outputs = sum(int(np.prod(shape)) for shape in results.values())
    if outputs * len(operands) > REFERENCE_LIMIT:
        raise NotCompilableError("E573", f"{name} of {len(operands)} quantities that vary has {outputs} results")
    function = _function(call, outputs)
    written: dict[int, Any] = {}
    output = 0
    for position, shape in results.items():
        size = int(np.prod(shape))
        parts = np.empty(size, dtype=object)
        parts[:] = [Apply(function, operands, output + k) for k in range(size)]
        written[position] = parts.reshape(shape) if shape else parts[0]
        output += size
    return Outcome(written.pop(RESULT, None), written)


@lru_cache(maxsize=1024)
def _function(call: OpaqueCall, outputs: int) -> Function:
    """One function for all calls of one form, so that equal components stay equal."""
    return Function(call.name, call, outputs)
