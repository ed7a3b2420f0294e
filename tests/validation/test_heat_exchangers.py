"""Heat exchangers against analytic effectiveness: by NTU, and cell by cell in the limit of many cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import fluid as fl
from tellegen.library import media
from tellegen.library import thermal as th
from tellegen.library.fluid.exchangers import effectiveness
from validation.measured import relative, within

WATER = media.Water()


def analytic(how: str, N: float, r: float) -> float:
    """The textbook formulas (Kays and London, Compact Heat Exchangers)."""
    if how == "counter":
        return N / (1 + N) if r == 1.0 else (1 - np.exp(-N * (1 - r))) / (1 - r * np.exp(-N * (1 - r)))
    if how == "co":
        return (1 - np.exp(-N * (1 + r))) / (1 + r)
    if how == "cross_mixed":
        return 1 / (1 / (1 - np.exp(-N)) + r / (1 - np.exp(-r * N)) - 1 / N)
    return unmixed(N, r)


def unmixed(N: float, r: float, n: int = 400) -> float:
    """Cross-current with both streams unmixed, on a grid with the trapezoidal rule: the local equations as they are."""
    a, b = N / n / 2.0, r * N / n / 2.0
    warm, cold = np.ones(n), np.zeros(n)  # entering rows and columns
    out = np.empty(n)
    for i in range(n):
        left = warm[i]
        for j in range(n):
            w, c = left, cold[j]
            # w2 - w = -a (w + w2 - c - c2), c2 - c = b (w + w2 - c - c2)
            d = (w - c) * 2.0 / (1.0 + a + b)
            left, cold[j] = w - a * d, c + b * d
        out[i] = left
    return 1.0 - float(out.mean())


@pytest.mark.parametrize("ratio", [0.1, 0.7, 1.0])
@pytest.mark.parametrize("NTU", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("how", ["counter", "co", "cross_mixed"])
def test_effectiveness(how: str, NTU: float, ratio: float) -> None:
    error = relative(float(effectiveness(how, NTU, ratio)), analytic(how, NTU, ratio))
    within(f"Effectiveness, {how}", error, 1e-12, "Kays and London")


def test_cross_current_unmixed() -> None:
    """The usual approximation; its error is known to be about one per cent of the effectiveness."""
    for N, r in ((0.5, 0.5), (1.0, 1.0), (2.0, 0.7)):
        error = float(effectiveness("cross", N, r)) - unmixed(N, r)
        within("Effectiveness, cross-current unmixed", error, 0.01, "the local equations on a grid")


def test_effectiveness_has_no_holes() -> None:
    """Equal capacity flows and no area are points like others."""
    assert float(effectiveness("counter", 2.0, 1.0 - 1e-12)) == pytest.approx(2.0 / 3.0, rel=1e-11)
    assert float(effectiveness("counter", 1e-9, 0.5)) == pytest.approx(1e-9)


class Both(tg.Component):
    """The same duty for both kinds of exchangers."""

    how = tg.parameter("counter", structural=True)
    n = tg.parameter(10, structural=True)
    flows = tg.parameter([1.0, 2.0, 1.0, 2.0], "kg/s")
    cells = fl.DynamicHeatExchanger(arrangement=how, n=n, G_1=8000.0, G_2=8000.0)
    by_ntu = fl.HeatExchangerNTU(arrangement=how, UA=4000.0)
    source = fl.MassFlowSource_T.array(4)
    end = fl.FixedBoundary.array(4)

    def equations(self) -> Any:
        yield self.source.m_flow == self.flows
        for k, T in enumerate((350.0, 300.0, 350.0, 300.0)):
            yield self.source[k].T == T

    def connections(self) -> Any:
        one, two = self.cells, self.by_ntu
        sides = ((one.port_a1, one.port_b1), (one.port_a2, one.port_b2))
        sides += ((two.port_a1, two.port_b1), (two.port_a2, two.port_b2))
        for k, (a, b) in enumerate(sides):
            yield self.source[k].port, a
            yield b, self.end[k].port


@pytest.mark.parametrize("how", ["counter", "co", "cross_mixed"])
def test_exchangers(how: str) -> None:
    """Upwind cells are of first order: of n and 2 n cells, 2 eps(2n) - eps(n) is of second. Friction warms a little."""
    exact = analytic(how, 4000.0 / WATER.c, 0.5)
    found = []
    for n in (10, 20):
        s = tg.simulate(Both(how=how, n=n), 120.0, points=[120.0])
        found.append(s["cells.Q_flow"][-1] / (WATER.c * 50.0))
    within(f"Exchanger without storage, {how}", relative(s["by_ntu.eps"][-1], exact), 1e-6, "effectiveness")
    better = 2 * found[1] - found[0]
    within(f"Exchanger of 10 and 20 cells, extrapolated, {how}", relative(better, exact), 5e-3, "effectiveness")
    assert abs(found[1] - exact) < 0.6 * abs(found[0] - exact), "twice the cells, half the error"


def test_a_piece_of_wall() -> None:
    """Between 350 K and 300 K with 10 and 30 W/K: the mean weighted by conductance, reached with C/(G_1 + G_2)."""
    system = tg.System("wall")
    system.add(wall=fl.WallPiece(G_1=10.0, G_2=30.0, C=100.0))
    system.add(a=th.FixedTemperature(T=350.0), b=th.FixedTemperature(T=300.0))
    system.connect(system.wall.port_1, system.a.port)
    system.connect(system.wall.port_2, system.b.port)
    s = tg.simulate(system, 10.0, rtol=1e-9)
    exact = 312.5 + (293.15 - 312.5) * np.exp(-s.time * 40.0 / 100.0)
    within("A piece of wall between two fluids", relative(s["wall.T"], exact), 1e-8, "exponential")


def test_exchanger_conserves_and_reverses() -> None:
    """What one side loses the other gains, also while one flow turns round.

    The tolerance is that of Newton's method: h_outflow is solved to 1e-8 of its size.
    """
    system = tg.System("reversing")
    system.add(hx=fl.HeatExchangerNTU(UA=4000.0), a=fl.MassFlowSource_T(T=350.0), b=fl.MassFlowSource_T(T=300.0))
    system.add(c=fl.FixedBoundary(T=330.0), d=fl.FixedBoundary())
    system.connect(system.a.port, system.hx.port_a1)
    system.connect(system.hx.port_b1, system.c.port)
    system.connect(system.b.port, system.hx.port_a2)
    system.connect(system.hx.port_b2, system.d.port)
    system.equation(system.a.m_flow == tg.cos(2.0 * tg.time) * 1.0 + 0.0 * system.b.m_flow)
    system.equation(system.b.m_flow == 1.5)
    s = tg.simulate(system, 5.0, rtol=1e-8)

    def gained(side: int) -> Any:
        m = s[f"hx.m_flow[{side - 1}]"]
        into_a, into_b = s[f"hx.port_a{side}.h_outflow.inflow"], s[f"hx.port_b{side}.h_outflow.inflow"]
        out_a, out_b = s[f"hx.port_a{side}.h_outflow"], s[f"hx.port_b{side}.h_outflow"]
        return np.where(m > 0, m * (out_b - into_a), -m * (out_a - into_b))

    scale = np.max(np.abs(gained(2)))
    within("Exchanger: one side gains what the other loses", (gained(1) + gained(2)) / scale, 1e-7, "conservation")
    assert np.min(s["hx.m_flow[0]"]) < -0.9
