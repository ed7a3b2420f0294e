"""Results of an evaluation as functions of the arguments that they depend on: parts of the one call that computes all.

The first result is given all arguments, so that nothing an FMU keeps quiet about is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tellegen.errors import InternalError
from tellegen.foreign import CFunction
from tellegen.importers.fmu.evaluations import Layout
from tellegen.importers.fmu.fmu_use import EvaluationSlopes
from tellegen.ir.expressions.expr import LACKING, Function, Part
from tellegen.start.records import dataclass
from tellegen.symbolic.slope import SMALLEST


@dataclass(frozen=True, eq=False)
class CallOfPart(CFunction):
    """A part as a function of its own, for evaluation in Python; native code calls the whole function."""

    part: Part | None = None

    @property
    def address(self) -> int:
        """Nowhere."""
        raise InternalError("E901", f"a part of {self.symbol} has no code of its own")

    def __call__(self, *numbers: float) -> Any:
        """Some results for some arguments."""
        assert self.part is not None
        given = [float(LACKING.value)] * self.part.arity
        for k, number in zip(self.part.arguments, numbers, strict=True):
            given[k] = number
        found = self.part.whole.callable(*given)
        results = [found[k] for k in self.part.outputs]
        return results if len(results) > 1 else results[0]


@dataclass(frozen=True, eq=False)
class SlopesOfPart:
    """`Function.derivative` of a part: a part of the derivatives."""

    part: Part
    known: tuple[int, ...]
    labels: int

    def as_function(self, name: str) -> Function:
        """The derivatives as a function of their own."""
        return _function(name, self.part, (self.known,) * len(self.part.outputs), self.labels, None)

    def __call__(self, *numbers: float) -> Any:
        return self.as_function("slopes").callable(*numbers)


def parts_of(function: Function, layout: Layout) -> Iterator[tuple[Function, Sequence[int]]]:
    """For each result its function, and which arguments that is given."""
    assert isinstance(function.derivative, EvaluationSlopes)
    slopes = function.derivative.as_function(f"der({function.name})")
    arity = layout.arity + function.labels
    labels = tuple(range(layout.arity, arity))
    first = 0
    for output, depends in enumerate(layout.depends):
        arguments = (*(depends if output else range(layout.arity)), *labels)
        known = depends if output == 0 else tuple(range(len(depends)))
        places = tuple(range(first, first + len(depends)))
        first += len(depends)
        derivative = SlopesOfPart(Part(slopes, arity, arguments, places), known, function.labels)
        part = Part(function, arity, arguments, (output,))
        yield _function(function.name, part, (known,), function.labels, derivative), arguments


def _function(
    name: str, part: Part, depends: tuple[tuple[int, ...], ...], labels: int, derivative: SlopesOfPart | None
) -> Function:
    whole = part.whole
    assert isinstance(whole.callable, CFunction)
    code = CallOfPart(whole.callable.library, whole.callable.symbol, whole.callable.parts, len(part.outputs), part)
    return Function(
        name,
        code,
        len(part.outputs),
        derivative,
        nominal=(SMALLEST,) * len(part.arguments),
        labels=labels,
        depends=depends,
        has_quotients=whole.has_quotients,
        part=part,
    )
