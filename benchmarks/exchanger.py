"""The counter-current heat exchanger of the ScalableTestSuite, as equations on arrays.

Channels A and B of 10 m and 5e-5 m2 with N nodes each, a wall of N - 1 segments (cpW = 2000 J/K in all), gammaA = 4000,
gammaB = 10000 W/(m2 K), perimeter 0.1 m, rho = 1000, cp = 4200, wB = 1 kg/s, wA = 1 (1.1 after 15 s), A enters at 300 K
(301 K after 8 s), B at 310 K, everything starts at 300 K; heat of a segment from the mean of its two nodes;
t = 0..20 s, rtol 1e-8.

    python benchmarks/exchanger.py [largest n]
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from _timing import best, exponent, ratio, seconds, show
from scipy.integrate import solve_ivp

import tellegen as tg

SIZES = (20, 80, 320, 1280, 5120)
STOP = 20.0
LENGTH = 10.0
AREA = 5e-5
RHO = 1000.0
CP = 4200.0
CPW = 2000.0
GAMMA_A = 4000.0
GAMMA_B = 10000.0
OMEGA = 0.1
WB = 1.0
OPENMODELICA = {320: "116 + 15.8 (2026: 28)", 1280: "3190 + 797"}


class Exchanger(tg.Component):
    """TA[0] is the inlet of A, TB[N-1] the inlet of B; the nodes behind are states."""

    n = tg.parameter(20, structural=True)
    TA = tg.variable("K", shape=n, start=300.0)
    TB = tg.variable("K", shape=n, start=300.0)
    TW = tg.variable("K", shape=n - 1, start=300.0)
    QA = tg.variable("W", "from A into the wall", shape=n - 1)
    QB = tg.variable("W", "from the wall into B", shape=n - 1)
    wA = tg.variable("kg/s")
    segment = tg.parameter(1.0, "m", "length of a segment")
    CW = tg.parameter(1.0, "J/K", "heat capacity of a segment of the wall")
    rho = tg.parameter(RHO, "kg/m3")
    cp = tg.parameter(CP, "J/(kg.K)")
    area = tg.parameter(AREA, "m2")
    omega = tg.parameter(OMEGA, "m")
    gamma_a = tg.parameter(GAMMA_A, "W/(m2.K)")
    gamma_b = tg.parameter(GAMMA_B, "W/(m2.K)")
    wB = tg.parameter(WB, "kg/s")

    def equations(self) -> Any:
        """Energy of every segment of A, B and the wall."""
        TA = self.TA
        TB = self.TB
        TW = self.TW
        dx = self.segment
        yield self.wA == tg.where(tg.time < 15.0, 1.0, 1.1)
        yield TA[0] == tg.where(tg.time < 8.0, 300.0, 301.0)
        yield TB[-1] == 310.0
        heat = self.rho * dx * self.cp * self.area
        yield heat * tg.der(TA[1:]) == self.wA * self.cp * (TA[:-1] - TA[1:]) - self.QA
        yield heat * tg.der(TB[:-1]) == self.wB * self.cp * (TB[1:] - TB[:-1]) + self.QB
        yield self.QA == ((TA[:-1] + TA[1:]) / 2 - TW) * self.omega * dx * self.gamma_a
        yield self.QB == (TW - (TB[:-1] + TB[1:]) / 2) * self.omega * dx * self.gamma_b
        yield self.CW * tg.der(TW) == self.QA - self.QB


def make(n: int) -> Any:
    """The model with its segments."""
    return Exchanger(n=n, segment=LENGTH / (n - 1), CW=CPW / (n - 1))


def reference(n: int, method: str, rtol: float) -> Any:
    """The exchanger for SciPy, in three pieces between the two steps."""
    dx = LENGTH / (n - 1)
    cw = CPW / (n - 1)
    heat = RHO * dx * CP * AREA
    m = n - 1

    def rhs(_: float, y: Any, inlet: float, wA: float) -> Any:
        A = y[:m]
        B = y[m : 2 * m]
        W = y[2 * m :]
        TA = np.concatenate(([inlet], A))
        TB = np.append(B, 310.0)
        QA = ((TA[:-1] + TA[1:]) / 2 - W) * OMEGA * dx * GAMMA_A
        QB = (W - (TB[:-1] + TB[1:]) / 2) * OMEGA * dx * GAMMA_B
        return np.concatenate(
            [(wA * CP * (TA[:-1] - A) - QA) / heat, (WB * CP * (TB[1:] - B) + QB) / heat, (QA - QB) / cw]
        )

    y: Any = np.full(3 * m, 300.0)
    for start, stop, inlet, wA in ((0.0, 8.0, 300.0, 1.0), (8.0, 15.0, 301.0, 1.0), (15.0, 20.0, 301.0, 1.1)):
        y = solve_ivp(rhs, (start, stop), y, method, [stop], rtol=rtol, atol=1e-8, args=(inlet, wA)).y[:, -1]
    return y


def main(largest: int) -> None:
    """Print the table."""
    tg.simulate(make(5), STOP, rtol=1e-8)
    rows = []
    totals = {}
    for n in [n for n in SIZES if n <= largest]:
        compiling, compiled = best(lambda n=n: tg.compile(make(n)), 2)
        solving, s = best(lambda m=compiled: m.simulate(STOP, rtol=1e-8, points=[STOP], throw=False), 1)
        totals[n] = compiling + solving
        before = [(m, totals[m]) for m in totals if m < n]
        growth = f"{exponent(before[-1], (n, totals[n])):.2f}" if before else ""
        error = ""
        peers = ["", ""]
        if n <= 320 and s.outcome.ok:
            exact = reference(n, "DOP853", 1e-10)
            error = f"{np.abs(s['TA'][-1, 1:] - exact[: n - 1]).max():.1e}"
            times = [best(lambda m=m, n=n: reference(n, m, 1e-8), 1)[0] for m in ("LSODA", "RK45")]
            peers = [f"{seconds(t)} ({ratio(t, solving)})" for t in times]
        error = error or s.outcome.code
        ours = [seconds(compiling), seconds(solving), str(s.stats["steps"]), error, seconds(totals[n])]
        rows.append([str(n), *ours, growth, *peers, OPENMODELICA.get(n, "")])
    heads = ["N", "compile", "simulate", "steps", "error/K", "total", "exponent", "SciPy LSODA", "SciPy RK45"]
    note = "peers only solve equations written by hand in NumPy; OpenModelica: compile + simulate on a laptop of 2015"
    show("Counter-current heat exchanger", [*heads, "OpenModelica/s"], rows, note)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SIZES[-1])
