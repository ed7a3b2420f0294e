"""What a path or a curve is in terms of unknowns, rates and parameters, with its derivatives by these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.analyses.adjoint.local_weights import Weights
from tellegen.analyses.adjoint.weighted_partials import Instants
from tellegen.analyses.performance.dual_numbers import Dual
from tellegen.analyses.performance.signal_expressions import Signal
from tellegen.engine.readout.quantity import columns, quantity
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import ReducedModel
from tellegen.units import Unit


@dataclass(frozen=True, eq=False)
class Place:
    """One scalar: `factor` (declared units per SI unit, and its sign) times y[place], y'[place] or p[place]."""

    array: str  # "y", "yp", "p", or "" for a constant
    place: int
    factor: float
    sign: float
    unit: Unit

    def value(self, at: Instants) -> FloatArray:
        """In declared units, at all instants."""
        count = len(at.t)
        if not self.array:
            return np.zeros(count)
        if self.array == "p":
            return np.full(count, self.unit.from_si(self.sign * at.p[self.place]))
        return self.unit.from_si(self.sign * (at.y if self.array == "y" else at.yp)[:, self.place])


class Readings:
    """Places of paths, found once."""

    def __init__(self, model: ReducedModel) -> None:
        self.model = model
        self._places: dict[str, Place] = {}
        self._paths: dict[int, list[str]] = {}

    def place(self, path: str) -> Place:
        """Where a path is read."""
        if path not in self._places:
            self._places[path] = self._found(path)
        return self._places[path]

    def _found(self, path: str) -> Place:
        what = quantity(self.model, path)
        indices = what.selection.indices.ravel()
        scale = what.unit.scale
        if what.parameter:
            return Place("p" if not what.order else "", int(indices[0]), 1.0 / scale, 1.0, what.unit)
        where = columns(self.model, indices, what.order, path)
        sign = float(where.sign[0])
        place = int(where.index[0])
        given = int(where.given[0])
        if place >= 0:
            return Place("yp" if where.rate[0] else "y", place, sign / scale, sign, what.unit)
        return Place("p" if given >= 0 else "", given, sign / scale, sign, what.unit)

    def add(self, path: str, weight: FloatArray, out: Weights) -> None:
        """Weights on a quantity, entered where it is read."""
        found = self.place(path)
        if found.array:
            getattr(out, found.array)[found.place] += weight * found.factor

    def slopes(self, curve: Signal, at: Instants) -> list[tuple[Place, FloatArray]]:
        """The derivatives of a curve by each scalar it reads, at all instants."""
        count = len(at.t)
        if id(curve) not in self._paths:
            seen: dict[str, None] = {}

            def note(path: str) -> Dual:
                seen[path] = None
                return self._read(path, at, np.zeros((count, 0)))

            curve.evaluate(note)
            self._paths[id(curve)] = [path for path in seen if path != "time"]
        paths = self._paths[id(curve)]

        def read(path: str) -> Dual:
            slope = np.zeros((count, len(paths)))
            if path != "time":
                slope[:, paths.index(path)] = 1.0
            return self._read(path, at, slope)

        found: Any = curve.evaluate(read)
        if not isinstance(found, Dual):
            return []
        return [(self.place(path), found.slope[:, k]) for k, path in enumerate(paths)]

    def _read(self, path: str, at: Instants, slope: FloatArray) -> Dual:
        return Dual(at.t if path == "time" else self.place(path).value(at), slope)
