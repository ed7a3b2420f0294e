"""A compiled component: what it says of its sizes, and its methods called with numbers.

Native code calls the entries directly (sbs_entries.h); Python calls `sbs_call`, which also returns the fault.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from tellegen.errors import DocumentError
from tellegen.foreign import CFunction, CLibrary, load
from tellegen.importers.counted import counted
from tellegen.importers.sbs.source import CSource
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass

Arrays = tuple[tuple[float, ...], ...]
"""The arrays of parameters, as in setParam."""
OPERATORS = {"outputs": "sbsOutputs", "derivatives": "sbsDerivatives", "next_states": "sbsUpdate"}
"""The method of each operator of a software component."""
_ENTRIES = {"outputs": "sbs_outputs", "derivatives": "sbs_derivatives", "next_states": "sbs_update"}
_ARGUMENTS = "(double t, const double *x, const double *u, double *result, sbsTask *S)"
_MOST_ARRAYS = 16
_LARGEST = 100_000
_BEYOND = 8  # numbers after the end of a vector
_CHANGES: tuple[Callable[[float], float], ...] = (lambda value: value + 1.0, lambda value: 3.0 * value + 2.0)
"""Other values of parameters, to see whether sizes depend on them."""
_FAULTS = {
    1: ("writes beyond its {results}", "set the number of outputs or states in sbsInitializeSizes"),
    2: ("writes beyond its real work vector", "call ssSetNumRWork in sbsInitializeSizes with the number that is used"),
    3: ("writes beyond its integer work vector", "call ssSetNumIWork with the number that is used"),
    4: ("writes beyond its pointer work vector", "call ssSetNumPWork with the number that is used"),
    5: ("found no memory for its work vectors", "reduce ssSetNumRWork, ssSetNumIWork or ssSetNumPWork"),
    7: ("has other sizes with these parameters", "make another class of the code, with these parameters"),
    6: ("does not write all of its {results}", "assign all of them at every call, in every branch"),
}


@dataclass(frozen=True)
class Sizes:
    """What sbsInitializeSizes declares."""

    continuous: int
    discrete: int
    inputs: int
    outputs: int
    work: tuple[int, int, int]  # real, integer, pointer
    feedthrough: bool | None
    period: float
    depends: bool = False  # on the values of parameters: then they are compared at every call

    @property
    def states(self) -> int:
        """Of both kinds."""
        return self.continuous + self.discrete

    def description(self, lengths: Sequence[int]) -> tuple[float, ...]:
        """What stands before the parameters at every call: the sizes, and how the parameters are arrays."""
        sizes = (self.continuous, self.discrete, self.inputs, self.outputs, *self.work)
        return tuple(map(float, (*sizes, self.depends, len(lengths), *lengths)))

    def results(self, operator: str) -> int:
        """How many numbers an operator gives."""
        return {"outputs": self.outputs, "derivatives": self.continuous, "next_states": self.discrete}[operator]


@dataclass(frozen=True)
class Fill:
    """What stands in work vectors when a call begins, and after the ends of states, inputs and parameters."""

    work: float = 0.0
    beyond: float = 0.0


@dataclass(frozen=True, eq=False)
class SbsFunction(CFunction):
    """A method of a component for native code; in Python a fault of the code is an error."""

    operator: str = "outputs"
    component: str = ""
    location: SourceLocation | None = None

    def __call__(self, *numbers: float) -> Any:
        states, inputs, _ = self.parts
        x = numbers[1 : 1 + states]
        u = numbers[1 + states : 1 + states + inputs]
        p = numbers[1 + states + inputs :]
        results = called(self, numbers[0], x, u, p)
        return results if self.outputs > 1 else results[0]


def function(source: CSource, operator: str, sizes: Sizes, parameters: int) -> SbsFunction:
    """The function of an operator, its code loaded."""
    parts = (sizes.states, sizes.inputs, parameters)
    results = sizes.results(operator)
    at = source.method(OPERATORS[operator])
    return SbsFunction(source.library, _ENTRIES[operator], parts, results, operator, source.name, at)


def called(code: SbsFunction, t: float, x: Sequence[float], u: Sequence[float], p: Sequence[float]) -> list[float]:
    """The results of a method; a fault is an error in words."""
    found, results = attempted(code, Fill(), t, x, u, p)
    if found:
        raise fault(code, found)
    return results


def attempted(
    code: SbsFunction, fill: Fill, t: float, x: Sequence[float], u: Sequence[float], p: Sequence[float]
) -> tuple[int, list[float]]:
    """The fault of a call (0: none) and its results, with given numbers where the code must not look."""
    results = (ctypes.c_double * max(code.outputs, 1))(*[math.nan] * max(code.outputs, 1))
    vectors = [(ctypes.c_double * (len(part) + _BEYOND))(*part, *[fill.beyond] * _BEYOND) for part in (x, u, p)]
    number = list(OPERATORS).index(code.operator)
    found = _entry(code.library, "sbs_call")(number, fill.work, t, *vectors, results)
    return found, list(results[: code.outputs])


def fault(code: SbsFunction, found: int) -> DocumentError:
    """A fault as an error."""
    what, advice = _FAULTS[found]
    return DocumentError(
        "E873",
        f"{OPERATORS[code.operator]} of '{code.component}' {what.format(results=counted(code.outputs, 'result'))}",
        location=code.location,
        advice=advice,
    )


def sizes_of(source: CSource, parameters: Arrays) -> Sizes:
    """What sbsInitializeSizes says for given parameters, checked."""
    if "sbsInitializeSizes" not in source.methods:
        raise DocumentError(
            "E871",
            f"the C component '{source.name}' has no sbsInitializeSizes",
            location=source.location,
            advice="define static void sbsInitializeSizes(sbsTask *S) { ssSetNumOutputs(S, 1); ... }",
        )
    if len(parameters) > _MOST_ARRAYS:
        raise DocumentError(
            "E874",
            f"'{source.name}' has {len(parameters)} arrays of parameters, more than {_MOST_ARRAYS}",
            location=source.location,
            advice="put numbers that belong together into one array",
        )
    found = _declared(source, parameters)
    _check(source, found)
    others = (tuple(tuple(change(value) for value in part) for part in parameters) for change in _CHANGES)
    return replace(found, depends=any(_declared(source, other) != found for other in others))


def _declared(source: CSource, parameters: Arrays) -> Sizes:
    """What sbsInitializeSizes says, whatever it is."""
    lengths = map(float, map(len, parameters))
    flat = [float(len(parameters)), *lengths, *(value for part in parameters for value in part)]
    out = (ctypes.c_double * 9)()
    _entry(source.library, "sbs_sizes")((ctypes.c_double * len(flat))(*flat), out)
    continuous, discrete, inputs, outputs, *work, feedthrough = map(int, out[:8])
    flag = None if feedthrough < 0 else bool(feedthrough)
    return Sizes(continuous, discrete, inputs, outputs, (work[0], work[1], work[2]), flag, out[8])


def _check(source: CSource, sizes: Sizes) -> None:
    """Sizes are possible, and every one has its method."""
    numbers = (sizes.continuous, sizes.discrete, sizes.inputs, sizes.outputs, *sizes.work)
    what = ""
    advice = ""
    if not all(0 <= number <= _LARGEST for number in numbers):
        what = f"declares sizes that are not possible: {', '.join(map(str, numbers))}"
        advice = "set sizes of 0 and more in sbsInitializeSizes; arrays of parameters that were not given are NaN"
    elif sizes.discrete and not (sizes.period > 0.0 and math.isfinite(sizes.period)):
        what = "has discrete states, but no sample time"
        advice = "call ssSetSampleTime(S, seconds) in sbsInitializeSizes"
    else:
        for operator, method in OPERATORS.items():
            if sizes.results(operator) and method not in source.methods:
                what = f"declares {counted(sizes.results(operator), 'result')} of {method}, but does not define it"
                advice = f"define static void {method}{_ARGUMENTS}"
    if what:
        location = source.method("sbsInitializeSizes")
        raise DocumentError("E871", f"the C component '{source.name}' {what}", location=location, advice=advice)


@cache
def _entry(library: CLibrary, symbol: str) -> Any:
    """A function of a loaded component."""
    found = getattr(load(library), symbol)
    vector = ctypes.POINTER(ctypes.c_double)
    if symbol == "sbs_sizes":
        found.argtypes = [vector, vector]
        found.restype = None
    else:
        found.argtypes = [ctypes.c_int, ctypes.c_double, ctypes.c_double, vector, vector, vector, vector]
        found.restype = ctypes.c_int
    return found
