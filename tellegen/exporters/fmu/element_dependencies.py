"""What each element of an array depends on, for importers that ask the library for it (FMI 3.0).

    der(T)[1] == k * (T[0] - 2 * T[1] + T[2])    ->    element 2 depends on elements 1 to 3 of T: they count from 1
                                                       all elements depend on k

The description of an FMU only says that der(T) depends on T.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tellegen.exporters.fmu.array_variables import Gathered, Span
from tellegen.exporters.fmu.dependencies import Dependencies
from tellegen.exporters.fmu.exported_variables import ExportedVariables
from tellegen.fmi.description import Structure

_MOST_RANGES = 6
"""Of an element, on the average; longer lists would make up most of a library, and spare importers little."""


class ElementDependencies(NamedTuple):
    """An element depends on another variable, by its value reference, and of that on a range of elements; 0 to 0 stands
    for all of them."""

    element: int
    other: int
    first: int
    last: int


def element_dependencies(
    found: Gathered, structure: Structure, exported: ExportedVariables, dependencies: Dependencies
) -> tuple[tuple[ElementDependencies, ...], ...]:
    """Of each value reference; nothing at all where no output and no derivative is an array, or most depend on most."""
    unknowns = [found.variables[each.variable] for each in (*structure.outputs, *structure.derivatives)]
    if not any(each.dimensions for each in unknowns):
        return ()
    scalars = _Scalars(found, exported)
    of: dict[int, tuple[ElementDependencies, ...]] = {}
    for variable in unknowns:
        span = found.spans[variable.reference]
        of[variable.reference] = tuple(scalars.dependencies(span, dependencies))
    elements = sum(found.spans[reference].count for reference in of)
    if sum(map(len, of.values())) > _MOST_RANGES * elements:
        return ()
    return tuple(of.get(reference, ()) for reference in range(len(found.spans)))


class _Scalars:
    """Which variable a scalar belongs to, as which element."""

    def __init__(self, found: Gathered, exported: ExportedVariables) -> None:
        self.exported = exported
        self.variables = found.variables
        self.position = found.position
        self.spans = found.spans
        states = {found.position[k] for k in exported.states}
        given = ("input", "independent", "parameter")
        inputs = {k for k, each in enumerate(found.variables) if each.causality in given}
        self.known = [found.variables[k].reference for k in sorted(states | inputs)]

    def dependencies(self, span: Span, dependencies: Dependencies) -> Iterator[ElementDependencies]:
        """Of the elements of a variable; all of them on everything where that is not known of one."""
        known = [dependencies.of(self.exported.rows[scalar].place) for scalar in span.positions]
        if any(each is None for each in known):
            yield from (ElementDependencies(0, reference, 0, 0) for reference in self.known)
            return
        parameters = [{k for k in each or () if self._is_parameter(k)} for each in known]
        shared = set.intersection(*parameters)
        yield from self._ranges(0, sorted(shared))
        for element, scalars in enumerate(known, 1):
            yield from self._ranges(element, [k for k in scalars or () if k not in shared])

    def _is_parameter(self, scalar: int) -> bool:
        return self.exported.rows[scalar].variable.causality == "parameter"

    def _ranges(self, element: int, scalars: Sequence[int]) -> Iterator[ElementDependencies]:
        """Scalars, in order, that follow each other in one variable are a range."""
        last: ElementDependencies | None = None
        for scalar in scalars:
            reference = self.variables[self.position[scalar]].reference
            number = scalar - self.spans[reference].first + 1
            if last is not None and last.other == reference and last.last == number - 1:
                last = last._replace(last=number)
                continue
            if last is not None:
                yield last
            last = ElementDependencies(element, reference, number, number)
        if last is not None:
            yield last
