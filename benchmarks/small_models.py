"""Repeated runs of small compiled models against SciPy and scikit-sundae on the same right-hand side.

Ours is the whole call `compiled.simulate(...)` from Python, with all unknowns at all output points. The peers get the
right-hand side as a Python function of the states alone, written by hand as tersely as possible. All in one process,
minima of many runs; accuracy is the largest error of a state at the output points, relative to its size, against a run
of ours with rtol 1e-11.

    python benchmarks/small_models.py
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from _timing import peer, ratio, seconds, show
from scipy.integrate import odeint, solve_ivp

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot

RTOL = 1e-6
ATOL = 1e-9


class Motor(tg.Component):
    """A DC motor with its load, from library parts."""

    source = el.ConstantVoltage(V=12.0)
    r = el.Resistor(R=2.4)
    l = el.Inductor(L=4.8e-3)  # noqa: E741
    emf = el.EMF(k=0.04)
    load = rot.Inertia(J=1e-3)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.r.n, self.l.p
        yield self.l.n, self.emf.p
        yield self.emf.n, self.source.n, self.ground.p
        yield self.emf.flange, self.load.flange_a


def motor(t: float, y: Any) -> Any:  # noqa: ARG001
    i, w, phi = y  # noqa: RUF059
    return ((12.0 - 2.4 * i - 0.04 * w) / 4.8e-3, 0.04 * i / 1e-3, w)


class VanDerPol(tg.Component):
    """Stiff, mu = 1000."""

    x = tg.variable(start=2.0)
    v = tg.variable(start=0.0)

    def equations(self):
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == 1000.0 * (1.0 - self.x * self.x) * self.v - self.x


def van_der_pol(t: float, y: Any) -> Any:  # noqa: ARG001
    x, v = y
    return (v, 1000.0 * (1.0 - x * x) * v - x)


class Lorenz(tg.Component):
    """Not stiff."""

    x = tg.variable(start=1.0)
    y = tg.variable(start=1.0)
    z = tg.variable(start=1.0)

    def equations(self):
        yield tg.der(self.x) == 10.0 * (self.y - self.x)
        yield tg.der(self.y) == self.x * (28.0 - self.z) - self.y
        yield tg.der(self.z) == self.x * self.y - 8.0 / 3.0 * self.z


def lorenz(t: float, s: Any) -> Any:  # noqa: ARG001
    x, y, z = s
    return (10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z)


@dataclass(frozen=True)
class Case:
    """A model, its right-hand side by hand, and the names of the states in its order."""

    name: str
    model: tg.Component
    rhs: Callable[[float, Any], Any]
    start: tuple[float, ...]
    states: tuple[str, ...]
    stop: float
    points: int


CASES = (
    Case("DC motor, 1 s, 500 points", Motor(), motor, (0.0, 0.0, 0.0), ("l.i", "load.w", "load.phi"), 1.0, 500),
    Case("Van der Pol mu = 1000, 3000 s, 100 points", VanDerPol(), van_der_pol, (2.0, 0.0), ("x", "v"), 3000.0, 100),
    Case("Lorenz, 5 s, 500 points", Lorenz(), lorenz, (1.0, 1.0, 1.0), ("x", "y", "z"), 5.0, 500),
)


def in_turns(actions: dict[str, Callable[[], Any]], rounds: int = 4, in_a_row: int = 20) -> dict[str, float]:
    """Seconds of the fastest single call of each: all take their turn on a noisy machine.

    The rule is the same for all: so many calls in a row, every one timed by itself. Fewer calls in a row for one of
    them would charge it for cold caches that the others have left behind.
    """
    fastest = dict.fromkeys(actions, math.inf)
    for _ in range(rounds):
        for name, action in actions.items():
            for _ in range(in_a_row):
                begin = time.perf_counter()
                action()
                fastest[name] = min(fastest[name], time.perf_counter() - begin)
    return fastest


def sundae(case: Case, times: Any) -> Callable[[], Any] | None:
    """CVODE of scikit-sundae with a Python callback."""
    module = peer("sksundae")
    if module is None:
        return None

    def callback(t: float, y: Any, yp: Any) -> None:
        yp[:] = case.rhs(t, y)

    solver = module.cvode.CVODE(callback, rtol=RTOL, atol=ATOL, max_num_steps=100_000)
    return lambda: solver.solve(times, np.array(case.start)).y


def peers(case: Case, times: Any) -> dict[str, Callable[[], Any] | None]:
    """The competitors, each returning the states over the output times."""

    def ivp(method: str) -> Callable[[], Any]:
        span = (0.0, case.stop)
        return lambda: solve_ivp(case.rhs, span, case.start, method=method, t_eval=times, rtol=RTOL, atol=ATOL).y.T

    return {
        "SciPy solve_ivp LSODA": ivp("LSODA"),
        "SciPy odeint (LSODA, loop in Fortran)": lambda: odeint(
            case.rhs, case.start, times, rtol=RTOL, atol=ATOL, tfirst=True, mxstep=100_000
        ),
        "SciPy solve_ivp BDF": ivp("BDF"),
        "SciPy solve_ivp RK45": ivp("RK45") if case.rhs is not van_der_pol else None,
        "scikit-sundae CVODE, Python callback": sundae(case, times),
    }


def measure(case: Case) -> None:
    """Print the table of one case."""
    compiled = tg.compile(case.model)
    times = np.linspace(0.0, case.stop, case.points)

    def states(solution: Any) -> Any:
        return np.stack([solution[name] for name in case.states], axis=1)

    exact = states(compiled.simulate(case.stop, points=case.points, rtol=1e-11, solver="cvode"))
    size = np.abs(exact).max(axis=0)
    actions: dict[str, Callable[[], Any]] = {}
    errors: dict[str, float] = {}
    steps: dict[str, str] = {}
    for solver in ("auto", "rk45", "ida"):
        if solver == "rk45" and case.rhs is van_der_pol:
            continue
        first = compiled.simulate(case.stop, points=case.points, solver=solver)
        name = f"tellegen {solver}" + (f" ({first.stats['solver']})" if solver == "auto" else "")
        actions[name] = lambda solver=solver: compiled.simulate(case.stop, points=case.points, solver=solver)
        errors[name], steps[name] = (np.abs(states(first) - exact) / size).max(), str(first.stats["steps"])
    for name, action in peers(case, times).items():
        if action is not None:
            actions[name] = action
            errors[name] = (np.abs(np.asarray(action()) - exact) / size).max()
    taken = in_turns(actions)
    ours = next(iter(taken.values()))
    rows = [
        [name, seconds(value), ratio(value, ours), steps.get(name, ""), f"{errors[name]:.0e}"]
        for name, value in taken.items()
    ]
    show(case.name, ("solver", "one run", "against auto", "steps", "error"), rows)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for each in CASES:
        measure(each)
