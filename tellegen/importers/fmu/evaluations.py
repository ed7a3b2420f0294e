"""What is evaluated of an FMU at a point: its results, its arguments, and which results depend on which arguments.

    derivatives of the states               time, states, inputs
    outputs that depend on no input         time, states
    other outputs                           time, states, inputs
    states that a run starts with           time, inputs
    event indicators                        time, states, inputs

Dependencies are those that the FMU declares; everything may depend on time. Arguments that no result has in common
share a colour: one call with all of them changed gives the derivatives by each (graph/incidence.py: column_groups).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from tellegen.fmi.description import ModelDescription, Unknown
from tellegen.graph.incidence import column_groups, incidence
from tellegen.importers.fmu.quantities import Quantities, Quantity

MANY = 24
"""Arguments of an evaluation from which on its results name only those they depend on."""


class Evaluated(IntEnum):
    """See the top of this file."""

    DERIVATIVES = 0
    PLAIN_OUTPUTS = 1
    DIRECT_OUTPUTS = 2
    START = 3
    INDICATORS = 4


@dataclass(frozen=True)
class Layout:
    """One evaluation: the native function that does it, and its numbers in order."""

    entry: str
    arguments: tuple[Quantity, ...]
    """After time: states, then inputs."""
    states: int
    inputs: int
    first: int
    """Of its references among those of states, derivatives and outputs."""
    results: tuple[Quantity, ...]
    values: int
    depends: tuple[tuple[int, ...], ...]
    """For each value the numbers of its arguments; time has number 0."""

    @property
    def arity(self) -> int:
        """How many arguments there are."""
        return 1 + self.states + self.inputs

    @property
    def parts(self) -> tuple[int, int]:
        """How many states and inputs it is given."""
        return self.states, self.inputs

    @property
    def has_directional(self) -> bool:
        """Whether an FMU that offers directional derivatives has them of this: variables that are computed, not states
        at the start."""
        return self.values > 0 and self.entry in ("fmu_derivatives", "fmu_reals")

    @property
    def has_arrays(self) -> bool:
        """Whether a variable is more than one number."""
        return any(each.shape for each in (*self.arguments, *self.results))

    @property
    def lacks_arguments(self) -> bool:
        """Whether results name only arguments that they depend on: all would be the square of the states."""
        return self.arity > MANY and self.values > 1 and self.entry in ("fmu_derivatives", "fmu_reals")

    def colours(self) -> list[list[int]]:
        """Arguments that can be changed together; time by itself."""
        pairs = [(row, k) for row, known in enumerate(self.depends) for k in known if k]
        if not pairs:
            return [[0]]
        rows, columns = zip(*pairs, strict=True)
        found = column_groups(incidence(rows, columns, (self.values, self.arity)))
        return [[0], *([k for k in group if k] for group in found if any(group))]


ElementDependencies = Mapping[int, Sequence[tuple[int, int, int]]]
"""Of a value reference: an element depends on another reference, and of it an element; 0 stands for all elements."""


def layouts(
    description: ModelDescription, quantities: Quantities, by_elements: ElementDependencies
) -> dict[Evaluated, Layout]:
    """All evaluations of an FMU for Model Exchange."""
    states = quantities.states
    inputs = quantities.inputs
    split = quantities.without_inputs
    plain = quantities.outputs[:split]
    direct = quantities.outputs[split:]
    structure = description.structure
    known = {unknown.variable: unknown for unknown in (*structure.outputs, *structure.derivatives)}
    reader = _Reader(known, by_elements)
    begin = len(states) + len(quantities.derivatives)
    both = (*states, *inputs)
    indicators = quantities.indicator_count
    everything = tuple(range(1 + _count(both)))
    return {
        Evaluated.DERIVATIVES: reader.layout("fmu_derivatives", states, inputs, len(states), quantities.derivatives),
        Evaluated.PLAIN_OUTPUTS: reader.layout("fmu_reals", states, (), begin, plain),
        Evaluated.DIRECT_OUTPUTS: reader.layout("fmu_reals", states, inputs, begin + split, direct),
        Evaluated.START: _Reader({}, {}).layout("fmu_start", (), inputs, 0, states),
        Evaluated.INDICATORS: Layout(
            "fmu_indicators", both, _count(states), _count(inputs), 0, (), indicators, (everything,) * indicators
        ),
    }


class _Reader:
    """Reads dependencies as they are declared."""

    def __init__(self, known: dict[int, Unknown], by_elements: ElementDependencies) -> None:
        self.known = known
        self.by_elements = by_elements

    def layout(
        self,
        entry: str,
        states: tuple[Quantity, ...],
        inputs: tuple[Quantity, ...],
        first: int,
        results: tuple[Quantity, ...],
    ) -> Layout:
        """An evaluation with what its results depend on."""
        arguments = (*states, *inputs)
        depends = tuple(row for each in results for row in self._rows(each, arguments))
        return Layout(entry, arguments, _count(states), _count(inputs), first, results, _count(results), depends)

    def _rows(self, result: Quantity, arguments: Sequence[Quantity]) -> Sequence[tuple[int, ...]]:
        """For each element of a result the numbers of its arguments."""
        stated = self.by_elements.get(result.variable.reference)
        if stated is None:
            return (self._depends(result, arguments),) * result.count
        places: dict[int, range] = {}
        first = 1
        for argument in arguments:
            places[argument.variable.reference] = range(first, first + argument.count)
            first += argument.count
        rows: list[set[int]] = [{0} for _ in range(result.count)]
        for element, reference, of_argument in stated:
            known = places.get(reference, range(0))
            numbers = known if of_argument == 0 else known[of_argument - 1 : of_argument]
            for row in rows if element == 0 else rows[element - 1 : element]:
                row.update(numbers)
        return [tuple(sorted(row)) for row in rows]

    def _depends(self, result: Quantity, arguments: Sequence[Quantity]) -> tuple[int, ...]:
        unknown = self.known.get(result.position)
        stated = None if unknown is None else unknown.dependencies
        declared = None if stated is None else frozenset(stated)
        places = [0]
        first = 1
        for argument in arguments:
            if declared is None or argument.position in declared:
                places += range(first, first + argument.count)
            first += argument.count
        return tuple(places)


def _count(quantities: Sequence[Quantity]) -> int:
    return sum(each.count for each in quantities)
