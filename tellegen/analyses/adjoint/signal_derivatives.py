"""What a path or a curve is in terms of unknowns, rates and parameters, with its derivatives by these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.analyses.adjoint.local_weights import Weights
from tellegen.analyses.performance.dual_numbers import Dual
from tellegen.analyses.performance.signal_expressions import Signal
from tellegen.analyses.sensitivities.value_slopes import Instants
from tellegen.engine.readout.quantity import columns, quantity
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import ReducedModel
from tellegen.units import Unit


@dataclass(frozen=True, eq=False)
class SignalPosition:
    """One scalar: `factor` (declared units per SI unit, and its sign) times y[place], y'[place] or p[place]."""

    array: str  # "y", "yp", "p", or "" for a constant
    position: int
    factor: float
    sign: float
    unit: Unit

    def value(self, at: Instants) -> FloatArray:
        """In declared units, at all instants."""
        count = len(at.t)
        if not self.array:
            return np.zeros(count)
        if self.array == "p":
            return np.full(count, self.unit.from_si(self.sign * at.p[self.position]))
        return self.unit.from_si(self.sign * (at.y if self.array == "y" else at.yp)[:, self.position])


class Readings:
    """Places of paths, found once."""

    def __init__(self, model: ReducedModel) -> None:
        self.model = model
        self._positions: dict[str, SignalPosition] = {}
        self._paths: dict[int, list[str]] = {}

    def position(self, path: str) -> SignalPosition:
        """Where a path is read."""
        if path not in self._positions:
            self._positions[path] = self._found(path)
        return self._positions[path]

    def _found(self, path: str) -> SignalPosition:
        what = quantity(self.model, path)
        indices = what.selection.indices.ravel()
        scale = what.unit.scale
        if what.parameter:
            return SignalPosition("p" if not what.order else "", int(indices[0]), 1.0 / scale, 1.0, what.unit)
        where = columns(self.model, indices, what.order, path)
        sign = float(where.sign[0])
        position = int(where.index[0])
        given = int(where.given[0])
        if position >= 0:
            return SignalPosition("yp" if where.rate[0] else "y", position, sign / scale, sign, what.unit)
        return SignalPosition("p" if given >= 0 else "", given, sign / scale, sign, what.unit)

    def add(self, path: str, weight: FloatArray, out: Weights) -> None:
        """Weights on a quantity, entered where it is read."""
        found = self.position(path)
        if found.array:
            getattr(out, found.array)[found.position] += weight * found.factor

    def slopes(self, curve: Signal, at: Instants) -> list[tuple[SignalPosition, FloatArray]]:
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
        return [(self.position(path), found.slope[:, k]) for k, path in enumerate(paths)]

    def _read(self, path: str, at: Instants, slope: FloatArray) -> Dual:
        return Dual(at.t if path == "time" else self.position(path).value(at), slope)
