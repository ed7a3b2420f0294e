"""Heat conduction in a rod (ScalableTestSuite, HeatConductionTT): as equations on arrays and from components.

L = 0.2 m, cross section 0.05 m2, cp = 910, lambda = 237, rho = 2712, start 273.15 K, ends at 330 K and 300 K;
t = 0..350 s, rtol 1e-6. Compared: OpenModelica 2015 and 2026 figures, and SciPy on the same equations in NumPy.

    python benchmarks/heat_rod.py [largest n]
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from _timing import best, exponent, peer, ratio, seconds, show
from scipy import sparse
from scipy.integrate import solve_ivp

import tellegen as tg
from tellegen.library import thermal as th

SIZES = (80, 320, 1280, 5120, 20_480)
LENGTH = 0.2
AREA = 0.05
CP = 910.0
LAMBDA = 237.0
RHO = 2712.0
STOP = 350.0
OPENMODELICA = {1280: ("86 + 6.1", "300 + 8.2")}


class Equations(tg.Component):
    """n nodes with one array of temperatures; the first and the last are given."""

    n = tg.parameter(80, structural=True)
    T = tg.variable("K", shape=n - 2, start=273.15)
    k = tg.parameter(1.0, "1/s", "lambda / (rho cp dx^2)")

    def equations(self) -> Any:
        """Second differences."""
        T = self.T
        yield tg.der(T[0]) == self.k * (330.0 - 2 * T[0] + T[1])
        yield tg.der(T[1:-1]) == self.k * (T[:-2] - 2 * T[1:-1] + T[2:])
        yield tg.der(T[-1]) == self.k * (T[-2] - 2 * T[-1] + 300.0)


class Components(tg.Component):
    """The same from heat capacitors and conductors."""

    n = tg.parameter(80, structural=True)
    left = th.FixedTemperature(T=330.0)
    right = th.FixedTemperature(T=300.0)
    cell = th.HeatCapacitor.array(n - 2, T=tg.variable(start=273.15))
    wall = th.ThermalConductor.array(n - 1)

    def connections(self) -> Any:
        """A chain."""
        yield self.left.port, self.wall[0].port_a
        yield self.wall[:-1].port_b, self.cell.port
        yield self.cell.port, self.wall[1:].port_a
        yield self.wall[-1].port_b, self.right.port


def rate(n: int) -> float:
    """lambda / (rho cp dx^2)."""
    return LAMBDA / (RHO * CP * (LENGTH / (n - 1)) ** 2)


def equations(n: int) -> Any:
    """The model as equations."""
    return Equations(n=n, k=rate(n))


def components(n: int) -> Any:
    """The model from components."""
    dx = LENGTH / (n - 1)
    model = Components(n=n)
    model.cell.C = RHO * CP * AREA * dx
    model.wall.G = LAMBDA * AREA / dx
    return model


def measure(make: Any, n: int) -> tuple[float, float, Any]:
    """Seconds to compile and to simulate, and the solution."""
    compile_time, compiled = best(lambda: tg.compile(make(n)), 2)
    first, solution = best(lambda: compiled.simulate(STOP, points=[STOP], throw=False), 1)
    return compile_time, first, solution


def scipy_rod(n: int, method: str) -> Any:
    """The rod for SciPy."""
    k = rate(n)

    def rhs(_: float, T: Any) -> Any:
        padded = np.concatenate(([330.0], T, [300.0]))
        return k * (padded[:-2] - 2 * T + padded[2:])

    m = n - 2
    band: Any = sparse.diags([np.ones(m - 1), np.ones(m), np.ones(m - 1)], [-1, 0, 1])  # type: ignore[arg-type]
    extra: dict[str, Any] = {"lband": 1, "uband": 1} if method == "LSODA" else {"jac_sparsity": band}
    return solve_ivp(rhs, (0.0, STOP), np.full(m, 273.15), method, [STOP], rtol=1e-6, atol=1e-6, **extra)


def sundae_rod(sundae: Any, n: int) -> Any:
    """The rod for scikit-sundae."""
    k = rate(n)
    m = n - 2

    def rhs(_: float, T: Any, Tp: Any) -> None:
        padded = np.concatenate(([330.0], T, [300.0]))
        Tp[:] = k * (padded[:-2] - 2 * T + padded[2:])

    solver = sundae.cvode.CVODE(rhs, linsolver="band", lband=1, uband=1, rtol=1e-6, atol=1e-6)
    return solver.solve(np.array([0.0, STOP]), np.full(m, 273.15))


def main(largest: int) -> None:
    """Print the tables."""
    for make in (equations, components):
        tg.simulate(make(20), 1.0)
    for name, make in (("equations on arrays", equations), ("thermal components", components)):
        rows = []
        totals = {}
        for n in [n for n in SIZES if n <= largest]:
            compiling, solving, solution = measure(make, n)
            totals[n] = compiling + solving
            before = [(m, totals[m]) for m in totals if m < n]
            growth = f"{exponent(before[-1], (n, totals[n])):.2f}" if before else ""
            times = [best(lambda m=m, n=n: scipy_rod(n, m), 1)[0] for m in ("LSODA", "BDF")]
            sundae = peer("sksundae")
            times.append(best(lambda s=sundae, n=n: sundae_rod(s, n), 1)[0])
            published = OPENMODELICA.get(n, ("", ""))[make is components]
            steps = str(solution.stats["steps"]) if solution.outcome.ok else solution.outcome.code
            ours = [seconds(compiling), seconds(solving), steps, seconds(totals[n]), growth]
            rows.append([str(n), *ours, *(f"{seconds(t)} ({ratio(t, solving)})" for t in times), published])
        heads = ["n", "compile", "simulate", "steps", "total", "exponent", "SciPy LSODA", "SciPy BDF", "scikit-sundae"]
        note = "peers only solve equations written by hand in NumPy; ratios to simulate"
        show(f"Heat rod, {name}", [*heads, "OM 2015"], rows, note)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SIZES[-1])
