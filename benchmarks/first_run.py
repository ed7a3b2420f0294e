"""How long a small model takes: the first run in a process (without and with the cache on disk), and repeated runs.

The model is a DC drive with a gear, 1 s. Import is excluded. Aims: first run below 150 ms without cache and below 30 ms
from the cache; a repeated run below 1 ms and at least 20 times faster than SciPy's LSODA on the same equations.

    python benchmarks/first_run.py
"""

from __future__ import annotations

import sys
import tempfile
import time
from typing import Any

import numpy as np
from _timing import best, in_new_process, peer, ratio, seconds, show
from scipy.integrate import solve_ivp

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot

R = 2.4
L = 4.8e-3
K = 0.04
J = 1e-3


class Drive(tg.Component):
    """A step of 12 V on a DC motor with inertia."""

    source = el.StepVoltage(V=12.0)
    r = el.Resistor(R=R)
    l = el.Inductor(L=L, i=tg.variable(start=0.0, fixed=True))  # noqa: E741
    emf = el.EMF(k=K)
    load = rot.Inertia(J=J)
    ground = el.Ground()

    def connections(self) -> Any:
        """A loop and a shaft."""
        yield self.source.p, self.r.p
        yield self.r.n, self.l.p
        yield self.l.n, self.emf.p
        yield self.emf.n, self.source.n, self.ground.p
        yield self.emf.flange, self.load.flange_a


def rhs(_: float, y: Any) -> Any:
    """The drive by hand."""
    i = y[0]
    w = y[1]
    return [(12.0 - R * i - K * w) / L, K * i / J, w]


def first() -> None:
    """Print the seconds of the stages of the first run of this process."""
    tg.simulate  # imports the engine
    begin = time.perf_counter()
    compiled = tg.compile(Drive())
    middle = time.perf_counter()
    compiled.simulate(1.0)
    print(middle - begin, time.perf_counter() - middle)


def fresh(cache: str, runs: int = 5) -> list[float]:
    """The fastest first run of several processes: compile, simulate."""
    found = [[float(x) for x in in_new_process(__file__, "--first", cache=cache).split()] for _ in range(runs)]
    return min(found, key=sum)


def cold(runs: int = 5) -> list[float]:
    """The fastest first run with an empty cache."""
    found = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            found.append(fresh(folder, 1))
    return min(found, key=sum)


def casadi_drive(casadi: Any) -> Any:
    """The drive as a CasADi integrator."""
    y = casadi.SX.sym("y", 3)
    ode = casadi.vertcat(*rhs(0.0, [y[0], y[1], y[2]]))
    options = {"reltol": 1e-6, "abstol": 1e-9}
    return casadi.integrator(
        "drive", "cvodes", {"x": y, "ode": ode}, 0.0, list(np.linspace(0.0, 1.0, 500)[1:]), options
    )


def main() -> None:
    """Print the tables."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        fresh(folder, 1)
        for name, (compiling, solving), aim in (("no cache", cold(), 0.15), ("from the cache", fresh(folder), 0.03)):
            total = compiling + solving
            verdict = "met" if total < aim else "MISSED"
            rows.append([name, seconds(compiling), seconds(solving), seconds(total), f"{verdict} (< {seconds(aim)})"])
    show("First run of a small model in a new process", ["", "compile", "simulate", "total", "aim"], rows)
    compiled = tg.compile(Drive())
    ours, s = best(lambda: compiled.simulate(1.0), 200)
    y0 = [0.0, 0.0, 0.0]
    times = np.linspace(0.0, 1.0, 500)
    lsoda, exact = best(lambda: solve_ivp(rhs, (0.0, 1.0), y0, "LSODA", times, rtol=1e-6, atol=1e-9), 200)
    error = np.abs(s["load.w"] - exact.y[1]).max()
    rows = [["Tellegen", seconds(ours), "1 x", f"{'met' if ours < 1e-3 else 'MISSED'} (< 1 ms)"]]
    rows.append(
        ["SciPy LSODA", seconds(lsoda), ratio(lsoda, ours), f"{'met' if lsoda > 20 * ours else 'MISSED'} (> 20 x)"]
    )
    for method in ("BDF", "Radau", "RK45"):
        t, _ = best(lambda m=method: solve_ivp(rhs, (0.0, 1.0), y0, m, times, rtol=1e-6, atol=1e-9), 3)
        rows.append([f"SciPy {method}", seconds(t), ratio(t, ours), ""])
    if (sundae := peer("sksundae")) is not None:

        def callback(t: float, y: Any, yp: Any) -> None:
            yp[:] = rhs(t, y)

        t, _ = best(lambda: sundae.cvode.CVODE(callback, rtol=1e-6, atol=1e-9).solve(times, np.zeros(3)), 10)
        rows.append(["scikit-sundae CVODE, Python callback", seconds(t), ratio(t, ours), ""])
    if (casadi := peer("casadi")) is None:
        rows.append(["CasADi cvodes", "not installed", "", ""])
    else:
        integrator = casadi_drive(casadi)
        t, _ = best(lambda: integrator(x0=[0.0, 0.0, 0.0]), 10)
        rows.append(["CasADi cvodes", seconds(t), ratio(t, ours), ""])
    note = f"500 output points, rtol 1e-6; largest difference of the speeds to LSODA {error:.1e} rad/s"
    show("Repeated runs of the compiled model", ["", "per run", "of ours", "aim"], rows, note)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--first"]:
        first()
    else:
        main()
