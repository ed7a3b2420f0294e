"""Several lines side by side, coupled by inductances and capacitances between them."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical.interfaces import Pin, Statements
from tellegen.library.losses import Lossy


class M_OLine(Lossy):
    """Lossy lines from p to n over `reference`: dv/dx = -r i - l di/dt, di/dx = -G v - C dv/dt, in N segments.

    l is the matrix of inductances, mutual ones beside the diagonal. c and g are those between two
    lines, with that to the reference on the diagonal: C[j][j] is the sum of c[j], and C[j][k] = -c[j][k].
    """

    lines = tg.parameter(2, structural=True, description="number of lines", min=1)
    N = tg.parameter(5, structural=True, description="number of segments", min=1)
    length = tg.parameter(0.1, "m", "length of the lines", min=1e-300)
    r = tg.parameter(1.0, "ohm/m", "resistances of a metre", shape=lines)
    l = tg.parameter(  # noqa: E741
        [[1e-6, 0.0], [0.0, 1e-6]], "H/m", "inductances of a metre", shape=(lines, lines)
    )
    g = tg.parameter(0.0, "S/m", "conductances of a metre, to the reference on the diagonal", shape=(lines, lines))
    c = tg.parameter(
        [[1e-10, 0.0], [0.0, 1e-10]],
        "F/m",
        "capacitances of a metre, alike",
        shape=(lines, lines),
    )
    p = Pin.array(lines, "ends on one side")
    n = Pin.array(lines, "ends on the other side")
    reference = Pin("what the diagonals of c and g lead to")
    v = tg.variable("V", "voltages against the reference", shape=lambda self: self.lines * self.N, start=0.0)
    i = tg.variable("A", "currents from p to n", shape=lambda self: self.lines * (self.N + 1), start=0.0)

    def weights(self) -> list[float]:
        """The part of a segment that lies between two shunts."""
        return [0.5, *[1.0] * (self.N - 1), 0.5]

    def voltage(self, line: int, k: int) -> Any:
        """The voltage before part k of a line."""
        if k == 0:
            return self.p[line].v - self.reference.v
        return self.v[line * self.N + k - 1] if k <= self.N else self.n[line].v - self.reference.v

    def current(self, line: int, k: int) -> Any:
        return self.i[line * (self.N + 1) + k]

    def losses(self) -> Any:
        part = self.length / self.N
        along = [
            weight * self.r[j] * self.current(j, k) ** 2
            for j in range(self.lines)
            for k, weight in enumerate(self.weights())
        ]
        across = [self.voltage(j, k + 1) * self.leaks(self.g, j, k) for j in range(self.lines) for k in range(self.N)]
        return part * (tg.sum(along) + tg.sum(across))

    def leaks(self, of: Any, line: int, k: int, rate: bool = False) -> Any:
        """What goes from a line through a matrix of c or g at shunt k: of the voltages, or of their rates."""

        def value(j: int) -> Any:
            voltage = self.voltage(j, k + 1)
            return tg.der(voltage) if rate else voltage

        own = of[line, line] * value(line)
        others = [of[line, j] * (value(line) - value(j)) for j in range(self.lines) if j != line]
        return tg.sum([own, *others])

    def equations(self) -> Statements:
        part = self.length / self.N
        lines = range(self.lines)
        for j in lines:
            yield self.p[j].i == self.current(j, 0)
            yield self.n[j].i == -self.current(j, self.N)
            for k, weight in enumerate(self.weights()):
                induced = tg.sum([self.l[j, m] * tg.der(self.current(m, k)) for m in lines])
                drop = self.voltage(j, k) - self.voltage(j, k + 1)
                yield drop == weight * part * (self.r[j] * self.current(j, k) + induced)
            for k in range(self.N):
                across = self.leaks(self.g, j, k) + self.leaks(self.c, j, k, rate=True)
                yield self.current(j, k) - self.current(j, k + 1) == part * across
        yield tg.sum(self.p.i) + tg.sum(self.n.i) + self.reference.i == 0
