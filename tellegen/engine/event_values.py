"""The numbers asked for at events: natively for all rows at once, opaque functions row by row."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.engine.compiled import CompiledModel
from tellegen.ir.events import Events, Values
from tellegen.ir.expr import Apply, walk
from tellegen.ir.model import FloatArray
from tellegen.ir.rows import places_of
from tellegen.ir.sorted import UNKNOWN, SortedGroup
from tellegen.symbolic.evaluate import evaluate


class EventValues:
    """Computes into arrays of its own, which hold until the next call."""

    def __init__(self, model: CompiledModel, events: Events, p: FloatArray) -> None:
        self.model, self.p = model, p
        self._wanted: dict[str, Values] = {
            "differences": events.relations.differences,
            "instants": events.instants.differences,
            "samples": events.samples.values,
            "conditions": events.conditions,
            "values": events.values,
        }
        self._out = {name: np.zeros(max(values.count, 1)) for name, values in self._wanted.items()}
        self._opaque = {
            name: [(g, np.asarray(places)) for g, places in zip(v.groups, v.places, strict=True) if _is_opaque(g)]
            for name, v in self._wanted.items()
        }

    def _compute(self, name: str, t: float, y: FloatArray, yp: FloatArray) -> FloatArray:
        out = self._out[name]
        self.model.entries[name](t, y, yp, self.p, out)
        return out[: self._wanted[name].count]

    def differences(self, t: float, y: FloatArray, yp: FloatArray) -> FloatArray:
        """left - right of all relations of unknowns."""
        return self._compute("differences", t, y, yp)

    def instants(self, t: float, y: FloatArray, yp: FloatArray) -> FloatArray:
        """left - right of all relations of time alone."""
        return self._compute("instants", t, y, yp)

    def samples(self, t: float, y: FloatArray, yp: FloatArray) -> FloatArray:
        """Start and period of all samples."""
        return self._compute("samples", t, y, yp)

    def conditions(self, t: float, y: FloatArray, yp: FloatArray) -> FloatArray:
        """The conditions of when-statements."""
        return self._compute("conditions", t, y, yp)

    def values(self, t: float, y: FloatArray, yp: FloatArray, asked: Any) -> FloatArray:
        """The values of actions; opaque functions are called only for the numbers asked for."""
        out = self._compute("values", t, y, yp)
        for group, places in self._opaque["values"]:
            rows = np.flatnonzero(np.isin(places, asked))
            if len(rows):
                out[places[rows]] = self._by_hand(group, rows, t, y, yp)
        return out

    def _by_hand(self, group: SortedGroup, rows: Any, t: float, y: FloatArray, yp: FloatArray) -> Any:
        places = places_of(self.model.sorted, group)[rows]
        slots = [(y if kind == UNKNOWN else self.p)[places[:, s]] for s, kind in enumerate(group.kinds)]
        ders = [yp[places[:, s]] if kind == UNKNOWN else None for s, kind in enumerate(group.kinds)]
        return evaluate(group.residual, slots, time=t, ders=ders)


def _is_opaque(group: SortedGroup) -> bool:
    return any(isinstance(node, Apply) for node in walk(group.residual))
