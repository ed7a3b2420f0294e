"""Parameters of a C component: arrays of numbers for the code, names for everybody else.

    #define Jm ssGetFcnParam(S, 0)[0]        Jm, bm: two parameters of the class, together array 0
    #define bm ssGetFcnParam(S, 0)[1]
    #define inertia ssGetFcnParam(S, 1)      inertia: a parameter with elements, array 1

An array whose elements have no names, or not all of them, is one parameter with elements: p0, p1, ...
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.errors import DocumentError, nearest
from tellegen.frontends.python.expressions.symbol import Symbol
from tellegen.importers.sbs.binary import Arrays
from tellegen.importers.sbs.source import CSource
from tellegen.ir.source_location import SourceLocation
from tellegen.units import parse_quantities

Given = Mapping[str, Any] | Sequence[Any] | None
"""Values by name, one array, or a list of arrays."""


@dataclass(frozen=True)
class ArrayNames:
    """One array of parameters: the names of all elements, or one name for the array."""

    names: tuple[str, ...]
    length: int
    whole: bool

    def flat(self, values: Mapping[str, Any]) -> tuple[float, ...]:
        """Its numbers."""
        return tuple(float(number) for name in self.names for number in np.ravel(values[name]))


@dataclass(frozen=True)
class Parameters:
    """The arrays with their names, and a value for each name; NaN where none was given."""

    arrays: tuple[ArrayNames, ...]
    values: dict[str, Any]

    @property
    def lengths(self) -> tuple[int, ...]:
        """Of the arrays."""
        return tuple(array.length for array in self.arrays)

    def numbers(self) -> Arrays:
        """The arrays as numbers."""
        return tuple(array.flat(self.values) for array in self.arrays)


def parameters_of(source: CSource, given: Given, location: SourceLocation) -> Parameters:
    """The parameters of a component with the values that are given."""
    if given is None or isinstance(given, Mapping):
        return _by_name(source, dict(given or {}), location)
    arrays = [list(part) for part in given] if any(isinstance(part, Sequence) for part in given) else [list(given)]
    return _by_arrays(source, [array for array in arrays if array], location)


def _by_arrays(source: CSource, arrays: list[list[float]], location: SourceLocation) -> Parameters:
    """Arrays as in setParam: in their order, at least as long as the code reads them."""
    for number, needed in source.needed.items():
        there = len(arrays[number]) if number < len(arrays) else 0
        if there < max(needed, 1):
            raise DocumentError(
                "E874",
                f"the code of '{source.name}' reads {max(needed, 1)} numbers of parameter array {number}, "
                f"{there} are given",
                location=location,
                advice=f"give {_shown(source)}",
            )
    named = tuple(_names(source, number, len(array)) for number, array in enumerate(arrays))
    values: dict[str, Any] = {}
    for array, numbers in zip(named, arrays, strict=True):
        values.update({array.names[0]: numbers} if array.whole else zip(array.names, numbers, strict=True))
    return Parameters(named, values)


def _by_name(source: CSource, given: dict[str, Any], location: SourceLocation) -> Parameters:
    """Values by the names in the code; an array without names of its elements is as long as its value."""
    named = []
    for number in range(max(source.needed, default=-1) + 1):
        array = _names(source, number, source.needed.get(number, 0))
        if array.whole and array.names[0] in given:
            array = ArrayNames(array.names, np.size(_number(given[array.names[0]])), True)
        elif array.whole:
            array = ArrayNames(array.names, max(array.length, 1), True)
        named.append(array)
    values: dict[str, Any] = {}
    for array in named:
        values.update({name: [np.nan] * array.length if array.whole else np.nan for name in array.names})
    if unknown := [name for name in given if name not in values]:
        raise DocumentError(
            "E874",
            f"the code of '{source.name}' has no parameter '{unknown[0]}'; {nearest(unknown[0], values)}",
            location=location,
            advice="the names come from #define NAME ssGetFcnParam(S, 0)[0]; arrays without names are p0, p1, ...",
        )
    return Parameters(tuple(named), values | {name: _number(value) for name, value in given.items()})


def _names(source: CSource, number: int, length: int) -> ArrayNames:
    names = tuple(source.elements.get((number, k), "") for k in range(length))
    if length and all(names) and len(set(names)) == length:
        return ArrayNames(names, length, False)
    return ArrayNames((source.arrays.get(number, f"p{number}"),), length, True)


def _number(value: Any) -> Any:
    """A value in its declared unit: of a declaration tg.parameter(...), or the value itself."""
    if not hasattr(value, "unit"):
        return value
    given = value.value
    return np.nan if given is None or isinstance(given, Symbol) else parse_quantities(given, value.unit)


def _shown(source: CSource) -> str:
    """What the code reads, in words: {Jm, bm}, {3 numbers}."""
    arrays = [_names(source, number, max(needed, 1)) for number, needed in sorted(source.needed.items())]
    parts = [f"{{{', '.join(a.names) if not a.whole else f'at least {a.length} numbers'}}}" for a in arrays]
    return ", ".join(parts) or "no parameters"
