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

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from tellegen.fmi.description import ModelDescription, Unknown
from tellegen.graph.incidence import column_groups, incidence
from tellegen.importers.fmu.quantities import Quantities, Quantity


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
        at the start, each of them one number."""
        scalar = all(not each.shape for each in (*self.arguments, *self.results))
        return scalar and self.values > 0 and self.entry in ("fmu_derivatives", "fmu_reals")

    def colours(self) -> list[list[int]]:
        """Arguments that can be changed together; time by itself."""
        pairs = [(row, k) for row, known in enumerate(self.depends) for k in known if k]
        if not pairs:
            return [[0]]
        rows, columns = zip(*pairs, strict=True)
        found = column_groups(incidence(rows, columns, (self.values, self.arity)))
        return [[0], *([k for k in group if k] for group in found if any(group))]


def layouts(description: ModelDescription, quantities: Quantities) -> dict[Evaluated, Layout]:
    """All evaluations of an FMU for Model Exchange."""
    states = quantities.states
    inputs = quantities.inputs
    split = quantities.without_inputs
    plain = quantities.outputs[:split]
    direct = quantities.outputs[split:]
    structure = description.structure
    known = {unknown.variable: unknown for unknown in (*structure.outputs, *structure.derivatives)}
    reader = _Reader(known)
    begin = len(states) + len(quantities.derivatives)
    both = (*states, *inputs)
    indicators = quantities.indicator_count
    everything = tuple(range(1 + _count(both)))
    return {
        Evaluated.DERIVATIVES: reader.layout("fmu_derivatives", states, inputs, len(states), quantities.derivatives),
        Evaluated.PLAIN_OUTPUTS: reader.layout("fmu_reals", states, (), begin, plain),
        Evaluated.DIRECT_OUTPUTS: reader.layout("fmu_reals", states, inputs, begin + split, direct),
        Evaluated.START: _Reader({}).layout("fmu_start", (), inputs, 0, states),
        Evaluated.INDICATORS: Layout(
            "fmu_indicators", both, _count(states), _count(inputs), 0, (), indicators, (everything,) * indicators
        ),
    }


class _Reader:
    """Reads dependencies as they are declared."""

    def __init__(self, known: dict[int, Unknown]) -> None:
        self.known = known

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
        depends = tuple(row for each in results for row in (self._depends(each, arguments),) * each.count)
        return Layout(entry, arguments, _count(states), _count(inputs), first, results, _count(results), depends)

    def _depends(self, result: Quantity, arguments: Sequence[Quantity]) -> tuple[int, ...]:
        unknown = self.known.get(result.position)
        declared = None if unknown is None else unknown.dependencies
        places = [0]
        first = 1
        for argument in arguments:
            if declared is None or argument.position in declared:
                places += range(first, first + argument.count)
            first += argument.count
        return tuple(places)


def _count(quantities: Sequence[Quantity]) -> int:
    return sum(each.count for each in quantities)
