"""An array pipe: hot water pushes cold water out of a pipe of n cells, with friction, storage and heat to the ground.

One kilometre of 30 mm pipe, 0.3 kg/s; what enters rises from 20 to 80 degC in two of ten minutes. Every cell stores
energy and has its own pressure; the equations are one template each, whatever n is. Compared with SciPy (LSODA) on
temperatures alone, written by hand in NumPy: what is left when pressures, enthalpies and flows are worked out by hand.

    python benchmarks/pipe.py [cells ...]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from _timing import exponent, seconds, show
from scipy.integrate import solve_ivp

import tellegen as tg
from tellegen.library import fluid, media, thermal

SIZES = (100, 300, 1000, 3000, 10_000)
STOP = 600.0
LENGTH = 1000.0
DIAMETER = 0.03
M_FLOW = 0.3
ALPHA = 5.0
HOT = 353.15
COLD = 293.15
RISE = 120.0


class Pipe(tg.Component):
    """A source, the pipe with the ground around it, and an open end."""

    n = tg.parameter(100, structural=True)
    source = fluid.MassFlowSource_T(m_flow=M_FLOW)
    pipe = fluid.DynamicPipe(
        n=n, length=LENGTH, diameter=DIAMETER, T_start=COLD, m_flow_start=M_FLOW, use_heat_transfer=True, alpha=ALPHA
    )
    ground = thermal.FixedTemperature(T=COLD)
    end = fluid.FixedBoundary()

    def equations(self) -> Any:
        """What enters grows warm within RISE."""
        yield self.source.T == COLD + (HOT - COLD) * tg.no_event(tg.minimum(tg.time / RISE, 1.0))

    def connections(self) -> Any:
        """In a row."""
        yield self.source.port, self.pipe.port_a
        yield self.pipe.port_b, self.end.port
        yield self.ground.port, self.pipe.heat_ports


def by_hand(n: int) -> Any:
    """Temperatures of the cells at the end; friction warms them by 1 mK at most and is left out."""
    water = media.Water()
    mass = water.rho * np.pi / 4 * DIAMETER**2 * LENGTH / n
    loss = ALPHA * np.pi * DIAMETER * LENGTH / n

    def rates(t: float, T: Any) -> Any:
        entering = COLD + (HOT - COLD) * min(t / RISE, 1.0)
        flow = M_FLOW * water.c * (np.concatenate(([entering], T[:-1])) - T)
        return (flow - loss * (T - COLD)) / (mass * water.c)

    return solve_ivp(rates, (0.0, STOP), np.full(n, COLD), "LSODA", [STOP], rtol=1e-6, lband=1, uband=0).y[:, -1]


def cpu(action: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of processor time, which others on the machine do not change much, and the result."""
    begin = time.process_time()
    result = action()
    return time.process_time() - begin, result


def main(sizes: tuple[int, ...]) -> None:
    """Print the table."""
    tg.compile(Pipe(n=5)).simulate(1.0)
    rows = []
    totals = {}
    for n in sizes:
        compiling, compiled = cpu(lambda n=n: tg.compile(Pipe(n=n)))
        solving, s = cpu(lambda m=compiled: m.simulate(STOP, points=[STOP]))
        totals[n] = compiling + solving
        before = [(m, totals[m]) for m in totals if m < n]
        growth = f"{exponent(before[-1], (n, totals[n])):.2f}" if before else ""
        peer, T = cpu(lambda n=n: by_hand(n))
        error = f"{np.abs(s['pipe.T'][-1] - T).max():.1e}"
        ours = [str(len(compiled.reduced.unknowns)), seconds(compiling), seconds(solving), str(s.stats["steps"])]
        rows.append([str(n), *ours, seconds(totals[n]), growth, s.stats["solver"], error, seconds(peer)])
    heads = [
        "cells",
        "unknowns",
        "compile",
        "simulate",
        "steps",
        "total",
        "exponent",
        "solver",
        "difference/K",
        "by hand",
    ]
    fitted = [n for n in totals if n >= 1000]
    note = ""
    if len(fitted) > 1:
        slope = np.polyfit(np.log(fitted), np.log([totals[n] for n in fitted]), 1)[0]
        note = f"exponent fitted over {fitted[0]} to {fitted[-1]} cells: {slope:.2f}"
    show("Array pipe", heads, rows, note)


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
