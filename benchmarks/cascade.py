"""Cascaded first-order systems (ScalableTestSuite): tau x_i' = x_{i-1} - x_i, tau = 1/N, input 1; t = 0..2 s.

python benchmarks/cascade.py [largest n]
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from _timing import best, exponent, ratio, seconds, show
from scipy.integrate import solve_ivp
from scipy.special import gammainc

import tellegen as tg

SIZES = (100, 400, 1600, 6400, 25_600)
STOP = 2.0
OPENMODELICA = {1600: "18 (simulate 4.0)", 25_600: "simulate 17-41"}


class Cascade(tg.Component):
    """N states in a row."""

    n = tg.parameter(100, structural=True)
    x = tg.variable(shape=n, start=0.0)
    rate = tg.parameter(100.0, "1/s")

    def equations(self) -> Any:
        """Each follows the one before."""
        yield tg.der(self.x[0]) == self.rate * (1 - self.x[0])
        yield tg.der(self.x[1:]) == self.rate * (self.x[:-1] - self.x[1:])


def scipy_cascade(n: int, method: str) -> Any:
    """The cascade for SciPy."""

    def rhs(_: float, x: Any) -> Any:
        return n * (np.concatenate(([1.0], x[:-1])) - x)

    extra: dict[str, Any] = {"lband": 1, "uband": 0} if method == "LSODA" else {}
    return solve_ivp(rhs, (0.0, STOP), np.zeros(n), method, [STOP], rtol=1e-6, atol=1e-9, **extra)


def main(largest: int) -> None:
    """Print the table. The closed solution is the regularized incomplete gamma function P(i + 1, N t)."""
    tg.simulate(Cascade(n=10), 1.0)
    rows = []
    totals = {}
    for n in [n for n in SIZES if n <= largest]:
        compiling, compiled = best(lambda n=n: tg.compile(Cascade(n=n, rate=float(n))), 2)
        solving, s = best(lambda m=compiled: m.simulate(STOP, points=[1.0, STOP]), 1)
        error = np.abs(s["x"][1] - gammainc(np.arange(1, n + 1), n * 1.0)).max()
        totals[n] = compiling + solving
        before = [(m, totals[m]) for m in totals if m < n]
        growth = f"{exponent(before[-1], (n, totals[n])):.2f}" if before else ""
        peers = []
        for method in ("LSODA", "RK45"):
            t = best(lambda m=method, n=n: scipy_cascade(n, m), 1)[0] if n <= 6400 else None
            peers.append(f"{seconds(t)} ({ratio(t, solving)})" if t else "")
        ours = [seconds(compiling), seconds(solving), str(s.stats["steps"]), f"{error:.1e}", seconds(totals[n]), growth]
        rows.append([str(n), *ours, *peers, OPENMODELICA.get(n, "")])
    heads = ["N", "compile", "simulate", "steps", "error", "total", "exponent", "SciPy LSODA", "SciPy RK45"]
    note = "error at t = 1 against the closed solution"
    show("Cascaded first-order systems", [*heads, "OpenModelica/s"], rows, note)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SIZES[-1])
