"""Which states, inputs and parameters an unknown of an FMU depends on, from the equations in their order of evaluation.

    der(v) == (u - k * x) / m,  y == v        ->        der(v): k, m, u, x      y: v

Parameters are among what FMI 3.0 lets unknowns depend on, in 2.0 they are not. Those that the model computes stand for
the ones they are computed from. What the equations read of events (relations, discrete variables, delayed signals) may
follow from anything: then nothing is stated, which means: from all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import or_

import numpy as np

from tellegen.codegen.events import as_number
from tellegen.dataflow.rows import Rows, RowSet, rows_of
from tellegen.exporters.fmu.exported_variables import ExportedVariables, Kind, Place
from tellegen.ir.expressions.expr import Der, Slot, Time, walk
from tellegen.ir.expressions.template import ValueTemplate
from tellegen.ir.flat import FlatModel
from tellegen.ir.reduced import KNOWN, PARAMETER, UNKNOWN
from tellegen.ir.sorted import SortedModel

_MOST_KNOWN = 5000
"""States and inputs."""
_MOST_PARAMETERS = 20000
_MOST_LISTED = 300
"""Of one unknown; longer lists would make up most of the description."""
_MOST_PARAMETERS_LISTED = 1000
_TIME = 0  # the position of the independent variable
_TIME_BIT = 1 << _TIME


@dataclass(frozen=True, slots=True)
class _Read:
    """What a row reads: an unknown, its rate, or an element of p."""

    row: int
    kind: str
    index: int
    is_rate: bool = False


class Dependencies:
    """Sets of positions of variables as bits of integers, per unknown; negative: perhaps on everything."""

    def __init__(self, model: SortedModel, exported: ExportedVariables, *, names_parameters: bool) -> None:
        self.model = model
        self.inputs = {
            row.place.place: 1 << k for k, row in enumerate(exported.rows) if row.variable.causality == "input"
        }
        states = exported.prepared.system.states.tolist()
        self.states = {place: 1 << k for place, k in zip(states, exported.states, strict=True)}
        self.parameters = _parameters(model.flat, exported) if names_parameters else {}
        is_small = len(self.inputs) + len(self.states) <= _MOST_KNOWN and len(self.parameters) <= _MOST_PARAMETERS
        self.is_known = is_small and exported.prepared.choices is None
        self.all_parameters = reduce(or_, self.parameters.values(), 0)
        self.solved = self._solved() if self.is_known else []

    def of(self, place: Place) -> tuple[int, ...] | None:
        """The positions of the variables that a value depends on; None where that is not known."""
        if not self.is_known:
            return None
        bits = self._bits(place)
        if bits < 0:
            return None
        parameters = (bits & self.all_parameters).bit_count()
        if bits.bit_count() - parameters > _MOST_LISTED or parameters > _MOST_PARAMETERS_LISTED:
            return None
        return tuple(_positions(bits))

    def _bits(self, place: Place) -> int:
        if place.kind == Kind.UNKNOWN:
            return self._value(place.place)
        if place.kind == Kind.RATE:
            return self.solved[place.place]
        if place.kind == Kind.PARAMETER:
            return self._element(place.place)
        return _TIME_BIT if place.kind == Kind.TIME else 0 if place.kind == Kind.ZERO else -1

    def _value(self, unknown: int) -> int:
        state = self.states.get(unknown)
        return self.solved[unknown] if state is None else state

    def _element(self, place: int) -> int:
        """Of an element of p: the blend of homotopy keeps its value."""
        if place < self.model.flat.parameters.count or place == self.model.homotopy_index:
            return self.parameters.get(place, 0)
        return self.inputs.get(place, -1)

    def _solved(self) -> list[int]:
        """Per unknown: of the rate if it is a state, otherwise of the value. Blocks stand in order of evaluation."""
        blocks = self.model.blocks
        reads: list[list[_Read]] = [[] for _ in blocks.level]
        block = blocks.block.tolist()
        bits = [0] * len(reads)
        rows = rows_of(self.model)
        for read in _reads(rows):
            reads[block[read.row]].append(read)
        for row in _rows_with_time(rows):
            bits[block[row]] = _TIME_BIT
        self.solved = [0] * len(blocks.assigned)
        determined = np.split(blocks.assigned[np.argsort(blocks.block, kind="stable")], np.cumsum(blocks.size)[:-1])
        for k, mine in enumerate(reads):
            for read in mine:  # unknowns of the block itself have no bits yet
                bits[k] |= self._read(read)
            for unknown in determined[k].tolist():
                self.solved[unknown] = bits[k]
        return self.solved

    def _read(self, read: _Read) -> int:
        if read.kind != UNKNOWN:
            return self._element(read.index)
        return self.solved[read.index] if read.is_rate else self._value(read.index)


def _parameters(flat: FlatModel, exported: ExportedVariables) -> dict[int, int]:
    """Per parameter the positions of those that an importer can set: its own, or of what it is computed from."""
    bits = {row.place.place: 1 << k for k, row in enumerate(exported.rows) if row.variable.causality == "parameter"}
    for group in flat.parameter_bindings:  # in an order in which they can be computed
        assert isinstance(group.template, ValueTemplate)
        slots = [leaf.index for leaf in walk(as_number(group.template.value)) if isinstance(leaf, Slot)]
        for target, *sources in group.bindings[:, [0, *slots]].tolist():
            bits[target] = reduce(or_, (bits.get(source, 0) for source in sources), 0)
    return bits


def _reads(rows: Rows) -> Iterator[_Read]:
    for part in rows.sets:
        yield from _reads_of(part)
    sums = rows.sums
    for row, index, known in zip(sums.row.tolist(), sums.index.tolist(), sums.known.tolist(), strict=True):
        yield _Read(row, KNOWN if known else UNKNOWN, index)


def _reads_of(part: RowSet) -> Iterator[_Read]:
    for leaf in walk(part.residual):
        if isinstance(leaf, Slot | Der) and part.kinds[leaf.index] in (UNKNOWN, KNOWN, PARAMETER):
            kind = part.kinds[leaf.index]
            for row, index in zip(part.rows.tolist(), part.indices[:, leaf.index].tolist(), strict=True):
                yield _Read(row, kind, index, isinstance(leaf, Der))


def _rows_with_time(rows: Rows) -> Iterator[int]:
    for part in rows.sets:
        if any(isinstance(node, Time) for node in walk(part.residual)):
            yield from part.rows.tolist()


def _positions(bits: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
