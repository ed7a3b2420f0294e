"""The electrical transmission line of the ScalableTestSuite, from components.

A step through a second-order low-pass (w = 5e6 rad/s, D = 1, at rest) drives N segments of series R and L and shunt C
(r = 48e-6 ohm/m, l = 253e-9 H/m, c = 101e-12 F/m, 100 m), loaded with sqrt(l/c); t = 0..4e-6 s, 2000 outputs,
rtol 1e-8.

    python benchmarks/transmission_line.py [largest n]
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from _timing import best, exponent, peer, ratio, seconds, show
from scipy.integrate import solve_ivp

import tellegen as tg
from tellegen.library import blocks as bl
from tellegen.library import electrical as el

SIZES = (40, 160, 640, 1280, 5120)
OHM = 48e-6
HENRY = 253e-9
FARAD = 101e-12
LENGTH = 100.0
STOP = 4e-6
OPENMODELICA = {160: "74 + 4.3 (2026: 17)", 640: "934 + 141", 1280: "6072 + 1568"}


class Line(tg.Component):
    """The whole network."""

    n = tg.parameter(40, structural=True)
    step = bl.Step()
    low_pass = bl.SecondOrder(w=5e6, D=1.0)
    source = el.SignalVoltage()
    R = el.Resistor.array(n, R=OHM * LENGTH / n)
    L = el.Inductor.array(n, L=HENRY * LENGTH / n)
    C = el.Capacitor.array(n, C=FARAD * LENGTH / n)
    load = el.Resistor(R=float(np.sqrt(HENRY / FARAD)))
    ground = el.Ground()

    def connections(self) -> Any:
        """Source, segments, load."""
        yield self.step.y, self.low_pass.u
        yield self.low_pass.y, self.source.u
        yield self.source.p, self.R[0].p
        yield self.R.n, self.L.p
        yield self.L.n, self.C.p
        yield self.L[:-1].n, self.R[1:].p
        yield self.L[-1].n, self.load.p
        yield self.C.n, self.ground.p
        yield self.ground.p, self.source.n, self.load.n


def rhs(n: int) -> Any:
    """The line by hand: states are the filter, inductor currents, capacitor voltages."""
    R = OHM * LENGTH / n
    L = HENRY * LENGTH / n
    C = FARAD * LENGTH / n
    load = np.sqrt(HENRY / FARAD)
    w = 5e6

    def f(_: float, y: Any) -> Any:
        v0 = y[0]
        rate = y[1]
        i = y[2 : 2 + n]
        v = y[2 + n :]
        before = np.concatenate(([v0], v[:-1]))
        after = np.append(i[1:], v[-1] / load)
        return np.concatenate(([rate, w * (w * (1 - v0) - 2 * rate)], (before - v - R * i) / L, (i - after) / C))

    return f


def main(largest: int) -> None:
    """Print the table."""
    tg.simulate(Line(n=5), STOP, rtol=1e-8)
    times = np.linspace(0.0, STOP, 2000)
    rows = []
    totals = {}
    for n in [n for n in SIZES if n <= largest]:
        compiling, compiled = best(lambda n=n: tg.compile(Line(n=n)), 2)
        solving, s = best(lambda m=compiled: m.simulate(STOP, rtol=1e-8, points=2000, throw=False), 1)
        totals[n] = compiling + solving
        before = [(m, totals[m]) for m in totals if m < n]
        growth = f"{exponent(before[-1], (n, totals[n])):.2f}" if before else ""
        peers = []
        if n <= 640:
            reference = solve_ivp(rhs(n), (0.0, STOP), np.zeros(2 * n + 2), "DOP853", [STOP], rtol=1e-10, atol=1e-12)
            error = f"{abs(s['load.v'][-1] - reference.y[-1, -1]):.1e}"
            zero: Any = np.zeros(2 * n + 2)
            for method in ("RK45", "LSODA"):
                t, _ = best(lambda m=method, n=n, y=zero: solve_ivp(rhs(n), (0.0, STOP), y, m, times, rtol=1e-8), 1)
                peers.append(f"{seconds(t)} ({ratio(t, solving)})")
        else:
            error = ""
            peers = ["", ""]
        ours = [seconds(compiling), seconds(solving), str(s.stats["steps"]), error, seconds(totals[n]), growth]
        rows.append([str(n), *ours, *peers, OPENMODELICA.get(n, "")])
    heads = ["N", "compile", "simulate", "steps", "error/V", "total", "exponent", "SciPy RK45", "SciPy LSODA"]
    note = "peers only solve equations written by hand in NumPy; OpenModelica: compile + simulate on a laptop of 2015"
    show("Transmission line from components", [*heads, "OpenModelica/s"], rows, note)
    if peer("casadi") is None:
        print("CasADi: not installed")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SIZES[-1])
