"""Which rows of a sorted model serve outputs only: no rate of a state, and nothing else watched, depends on them.

    der(x) = v,  der(v) = -k*x,  power = k*x*v,  noisy = 2*power      the last two

They are evaluated where a run makes output, not at every right-hand side: positions of shapes, sensors, reaction
forces, balances. What native code reads between output times is

- the rates of states,
- root functions and delayed signals,
- invariants and their partial derivatives,
- the constraints that states are chosen by,
- the solutions of nonlinear blocks: each is the guess of the next, and belongs to one of several branches.

External functions are called at every right-hand side, whoever reads them: they may keep something from call to call.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tellegen.dataflow.rows import Rows, indices_of
from tellegen.graph.incidence import incidence
from tellegen.graph.sets import reachable
from tellegen.ir.expressions.expr import Apply, Der, Slot, walk
from tellegen.ir.model import IntArray
from tellegen.ir.reduced import UNKNOWN, BoolArray, ReducedModel
from tellegen.ir.sorted import NONLINEAR, SortedModel


def output_rows(model: SortedModel, rows: Rows) -> BoolArray:
    """Per row whether it serves outputs only; blocks do so as a whole."""
    blocks = model.blocks
    row, column = rows.occurrences(model.wanted)
    row_of = np.empty(len(blocks.assigned), np.int64)
    row_of[blocks.assigned] = np.arange(len(row_of))
    count = len(blocks.level)
    needs = incidence(blocks.block[row], blocks.block[row_of[column]], (count, count))
    read = np.concatenate([np.flatnonzero(model.is_state), *_read_between_outputs(model)])
    start = blocks.kind == NONLINEAR
    start[blocks.block[_calling_rows(rows)]] = True
    start[blocks.block[row_of[read]]] = True
    return ~reachable(needs, start)[blocks.block]


def _calling_rows(rows: Rows) -> Any:
    """The rows that call external functions."""
    calling = [part.rows for part in rows.sets if any(isinstance(node, Apply) for node in walk(part.residual))]
    return np.concatenate([np.zeros(0, np.int64), *calling])


def _read_between_outputs(model: ReducedModel) -> Iterator[Any]:
    """Unknowns that are read wherever the rates are, by their places in the solver's vector."""
    if model.events is not None:
        for values in (model.events.relations.differences, model.events.delays.values):
            for group in values.groups:
                nodes = {node.index for node in walk(group.residual) if isinstance(node, Slot | Der)}
                unknown = [slot for slot in nodes if group.kinds[slot] == UNKNOWN]
                yield indices_of(model, group)[:, unknown].ravel()
    if model.invariants is not None:
        found = model.invariants
        places = model.position[np.concatenate([found.residual, found.partial[~found.of_parameter]])]
        yield places[places >= 0]
    if model.candidates is not None and model.candidates.varying.any():
        yield from _in_rows(model, model.candidates.rows)


def _in_rows(model: ReducedModel, rows: IntArray) -> Iterator[Any]:
    """The unknowns in some residual rows."""
    for offset, group in zip(model.offsets, model.groups, strict=False):
        mine = rows[(rows >= offset) & (rows < offset + group.rows)] - offset
        unknown = [slot for slot, kind in enumerate(group.kinds) if kind == UNKNOWN]
        yield indices_of(model, group)[mine][:, unknown].ravel()
    linear = model.linear
    positions = model.position[linear.indices[np.isin(model.offsets[-1] + linear.row_of_entry, rows)]]
    yield positions[positions >= 0]
