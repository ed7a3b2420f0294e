"""Water hammer: the pressure of a flow that is stopped, against Joukowsky, and the waves that follow.

A flow of the velocity v0 from a reservoir through a pipe is stopped at its end. The pressure rises by rho a v0 with the
velocity of sound a = 1/sqrt(rho (1/K + d/(t E))), runs to the reservoir in L/a, comes back as a relief, and the whole
repeats after 4 L/a. The closing takes a while, so that a front is some thirty pieces of the line long; sharper ones
ring, as in every scheme of second order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import hydraulic as hy
from validation.circuits import circuit
from validation.measured import relative, within

LENGTH, V0, CLOSING = 100.0, 0.5, 0.02
AREA = np.pi / 4  # a diameter of 1 m: friction takes less than a thousandth


def hammer(C_wall: float, n: int = 100, **options: Any) -> tg.Solution:
    """Steady flow until 10 ms, then closed in 20 ms. atol: flows of 400 kg/s need no nanograms where they pass zero."""
    times = [0.0, 0.01, 0.01 + CLOSING]
    whole = circuit(
        "reservoir.port pipe.port_a",
        "pipe.port_b valve.port",
        "signal.y valve.q",
        oil=hy.Water(),
        reservoir=hy.FixedPressure(p=30e5),
        pipe=hy.Line(n=n, d=1.0, L=LENGTH, roughness=0.0, C_wall=C_wall),
        valve=hy.PrescribedFlow(),
        signal=blocks.Table(times=times, values=[-V0 * AREA, -V0 * AREA, 0.0]),
    )
    return tg.simulate(whole, 1.0, initial="steady", points=4001, atol=1e-3, **options)


@pytest.mark.parametrize("C_wall", [0.0, 0.7e-9], ids=["rigid", "elastic"])
def test_joukowsky(C_wall: float) -> None:
    s = hammer(C_wall)
    rho = s["oil.rho0"]
    a = 1.0 / np.sqrt(rho * (1 / 2.19e9 + C_wall))
    name = "Water hammer, elastic wall" if C_wall else "Water hammer"
    end, middle = s["pipe.p"][:, -1], s["pipe.p"][:, 50]
    rise = end - end[0]
    closed = 0.01 + CLOSING
    plateau = rise[(s.time > closed + 0.01) & (s.time < 2 * LENGTH / a)]
    # 30 bar make 0.14 % of density and stiffness, friction along the pipe less
    within(f"{name}: pressure", relative(plateau.mean(), rho * a * V0), 3e-3, "Joukowsky, rho a v0")
    within(f"{name}: plateau", plateau / (rho * a * V0) - 1, 0.01, "Joukowsky, with what is left of ringing")
    half = 0.5 * rho * a * V0
    began, passed = crossings(s.time, rise, half)[0], crossings(s.time, middle - middle[0], half)[0]
    within(f"{name}: wave in the middle", relative(passed - began, LENGTH / 2 / a), 0.01, "L/(2 a)")
    later = s.time > 0.1
    again = crossings(s.time[later], rise[later], 0.0)
    within(f"{name}: period", relative(again[1] - again[0], 4 * LENGTH / a), 5e-3, "4 L/a, at ambient pressure")


def crossings(t: Any, y: Any, level: float) -> Any:
    """Instants at which a curve rises through a level, on straight lines between its points."""
    k = np.flatnonzero((y[:-1] < level) & (y[1:] >= level))
    return t[k] + (level - y[k]) / (y[k + 1] - y[k]) * (t[k + 1] - t[k])


def test_natural_frequency_of_one_piece() -> None:
    """A line of one piece, closed: its column swings between the oil of its two halves, w = 2 a/L."""
    whole = circuit(
        "pipe.port_a left.port", oil=hy.Oil(nu_40=0.8e-6, nu_100=0.4e-6), pipe=hy.Line(n=1, d=0.05), left=closed()
    )
    s = tg.simulate(whole, 0.01, initial={"pipe.m_flow[0]": 0.01, "pipe.p": 1e6}, points=2001)
    a = np.sqrt(1.6e9 / (s["oil.rho0"] * np.exp((1e6 - 101325.0) / 1.6e9)))
    rising = crossings(s.time, s["pipe.m_flow"][:, 0], 0.0)
    period = np.diff(rising).mean()
    within("Closed line of one piece, period", relative(period, np.pi * 1.0 / a), 1e-3, "pi L/a")


def closed() -> hy.FixedFlow:
    return hy.FixedFlow(q=0.0)


def test_mass_in_a_line() -> None:
    """What goes in less what goes out is what is in it, to the tolerance of the run."""
    s = hammer(0.0, 20)
    m = s["pipe.m"].sum(axis=1)
    flow = s["pipe.port_a.m_flow"] + s["pipe.port_b.m_flow"]
    gone = np.concatenate([[0.0], np.cumsum(0.5 * (flow[1:] + flow[:-1]) * np.diff(s.time))])
    within("Line, mass", (m - m[0] - gone) / m[0], 1e-7, "integral of the flows, trapezoids")
