"""Lossy lines as ladders of N segments: half a longitudinal segment at either end, N shunts between.

The fastest wave that N segments carry has about N/pi wave lengths on the line; above it a ladder differs from the line.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical.interfaces import Pin, Statements
from tellegen.library.losses import Lossy

HALF = 0.5


class Ladder(Lossy):
    """Base of lines from p1 to p2 over a reference p3: resistances and what else lies along, capacitances across."""

    r = tg.parameter(1.0, "ohm/m", "resistance of a metre", min=0.0)
    c = tg.parameter(1.0, "F/m", "capacitance of a metre", min=1e-300)
    length = tg.parameter(1.0, "m", "length of the line", min=1e-300)
    N = tg.parameter(1, structural=True, description="number of segments", min=1)
    p1 = Pin("one end")
    p2 = Pin("the other end")
    p3 = Pin("reference")
    v = tg.variable("V", "voltages between the segments, against p3", shape=N, start=0.0)
    i = tg.variable("A", "currents of the segments, from p1 to p2", shape=lambda self: self.N + 1, start=0.0)

    def weights(self) -> list[float]:
        """The part of a segment that lies between two shunts."""
        return [HALF, *[1.0] * (self.N - 1), HALF]

    def drops(self) -> list[Any]:
        """The voltages along all parts."""
        ends = [self.p1.v - self.p3.v, *(self.v[k] for k in range(self.N)), self.p2.v - self.p3.v]
        return [ends[k] - ends[k + 1] for k in range(self.N + 1)]

    def losses(self) -> Any:
        squares = [w * self.i[k] ** 2 for k, w in enumerate(self.weights())]
        return self.r * self.length / self.N * tg.sum(squares)

    def equations(self) -> Statements:
        yield self.p1.i == self.i[0]
        yield self.p2.i == -self.i[self.N]
        yield self.p1.i + self.p2.i + self.p3.i == 0


class ULine(Ladder):
    """Line of resistance and capacitance from p1 to p2 over p3: di/dx = -c dv/dt, dv/dx = -r i, in N segments."""

    def equations(self) -> Statements:
        part = self.length / self.N
        for drop, weight, k in zip(self.drops(), self.weights(), range(self.N + 1), strict=True):
            yield drop == weight * self.r * part * self.i[k]
        for k in range(self.N):
            yield self.c * part * tg.der(self.v[k]) == self.i[k] - self.i[k + 1]


class OLine(Ladder):
    """Lossy line from p1 to p2 over p3: dv/dx = -r i - l di/dt, di/dx = -g v - c dv/dt, in N segments."""

    l = tg.parameter(1.0, "H/m", "inductance of a metre", min=1e-300)  # noqa: E741
    g = tg.parameter(1.0, "S/m", "conductance of a metre", min=0.0)

    def losses(self) -> Any:
        return super().losses() + self.g * self.length / self.N * tg.dot(self.v, self.v)

    def equations(self) -> Statements:
        part = self.length / self.N
        for drop, weight, k in zip(self.drops(), self.weights(), range(self.N + 1), strict=True):
            yield drop == weight * part * (self.r * self.i[k] + self.l * tg.der(self.i[k]))
        for k in range(self.N):
            yield part * (self.c * tg.der(self.v[k]) + self.g * self.v[k]) == self.i[k] - self.i[k + 1]
