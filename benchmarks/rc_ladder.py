"""The RC ladder of the SciMLBenchmarks, from Python objects to the result.

n resistors of 1 ohm in series, n capacitors of 1 F to ground (start 0, fixed), a sine source of 1 V and 0.05 Hz;
t = 0..10 s. Times are those of one process after import; peers run in the same process. The published totals are
translation, compilation and solution on other machines (SciMLBenchmarks, 2024).

    python benchmarks/rc_ladder.py [largest n]
"""

from __future__ import annotations

import gc
import sys
import tempfile
import time
from itertools import pairwise
from typing import Any

import numpy as np
from _timing import best, console, exponent, in_new_process, peer, ratio, seconds, show
from scipy import sparse
from scipy.integrate import solve_ivp

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.stages import build_model

SIZES = (10, 100, 1000, 4000, 20_000, 100_000)
STOP = 10.0
RC = 1.0

# n: ModelingToolkit, JuliaSimCompiler, OpenModelica, Dymola
PUBLISHED: dict[int, tuple[float | None, ...]] = {
    10: (0.7, 0.07, 2.3, 2.8),
    80: (2.1, 0.24, 6.5, 2.1),
    320: (14.4, 0.94, 23, 3.3),
    1000: (91, 4.1, 80.6, 6.8),
    2000: (293, 9.9, 169, 12.1),
    4000: (1161, 32.7, 382, 24),
    9000: (None, 176, 1591, 57),
    20_000: (None, 1126, None, None),
}
TARGETS = {1000: 0.5, 20_000: 6.0}


def ladder(n: int) -> tg.System:
    """One Python object for each component."""
    system = tg.System("ladder")
    system.add(source=el.SineVoltage(V=1.0, f=0.05), ground=el.Ground())
    ground = system.ground.p
    previous = system.source.p
    system.connect(system.source.n, ground)
    for k in range(n):
        resistor = el.Resistor(R=1.0)
        capacitor = el.Capacitor(C=1.0, v=tg.variable(start=0.0, fixed=True))
        system.add(**{f"r{k}": resistor, f"c{k}": capacitor})
        system.connect(previous, resistor.p)
        system.connect(resistor.n, capacitor.p)
        system.connect(capacitor.n, ground)
        previous = resistor.n
    return system


def phases(n: int) -> tuple[dict[str, float], Any]:
    """Seconds of each stage and the solution."""
    gc.collect()
    marks = [("", time.perf_counter())]

    def mark(name: str) -> None:
        marks.append((name, time.perf_counter()))

    system = ladder(n)
    mark("objects")
    model = build_model(system)
    mark("freeze")
    flat = tg.flatten(model)
    mark("flatten")
    compiled = tg.compile(flat)
    mark("compile")
    solution = compiled.simulate(STOP)
    mark("simulate")
    steps = {name: now - before for (_, before), (name, now) in pairwise(marks)}
    return steps, solution


def check(n: int, solution: Any) -> float:
    """The first capacitor against the same ladder as an ODE (for small n)."""
    end = solve_ivp(rhs, (0.0, STOP), np.zeros(n), "LSODA", [STOP], rtol=1e-9, atol=1e-12).y[0, -1]
    return abs(solution["c0.v"][-1] - end)


def rhs(t: float, v: Any) -> Any:
    """The ladder as a person would write it for a plain ODE solver."""
    left = np.concatenate(([np.sin(2 * np.pi * 0.05 * t)], v[:-1]))
    right = np.append(v[1:], v[-1])
    return (left - 2.0 * v + right) / RC


def modelica(n: int) -> str:
    """The ladder in Modelica, as arrays of components."""
    return f"""
connector Pin Real v; flow Real i; end Pin;
model R Pin p; Pin n; parameter Real R = 1; equation p.v - n.v = R*p.i; p.i + n.i = 0; end R;
model C Pin p; Pin n; parameter Real C = 1; Real v(start = 0, fixed = true);
equation v = p.v - n.v; C*der(v) = p.i; p.i + n.i = 0; end C;
model S Pin p; Pin n; equation p.v - n.v = sin(2*3.141592653589793*0.05*time); p.i + n.i = 0; end S;
model G Pin p; equation p.v = 0; end G;
model Ladder R r[{n}]; C c[{n}]; S s; G g;
equation connect(s.p, r[1].p); connect(s.n, g.p);
for k in 1:{n - 1} loop connect(r[k].n, r[k + 1].p); end for;
for k in 1:{n} loop connect(r[k].n, c[k].p); connect(c[k].n, g.p); end for;
end Ladder;
"""


def peers(n: int, total: float, solve: float) -> list[list[str]]:
    """Times of others; all but rumoca start from equations written by hand and only solve."""
    times = np.linspace(0.0, STOP, 500)
    bands = [np.ones(n - 1), np.ones(n), np.ones(n - 1)]
    tridiagonal: Any = sparse.diags(bands, [-1, 0, 1])  # type: ignore[arg-type]
    rows: list[list[str]] = []

    def row(name: str, what: str, value: float | None, ours: float, note: str = "") -> None:
        rows.append([name, what, note or seconds(value), "" if note else ratio(value, ours)])

    cases: dict[str, Any] = {"LSODA": {"lband": 1, "uband": 1}}
    cases |= {"BDF": {"jac_sparsity": tridiagonal}, "Radau": {"jac_sparsity": tridiagonal}}
    for method, extra in cases.items():
        extra |= {"rtol": 1e-6, "atol": 1e-9}
        t, _ = best(lambda m=method, e=extra: solve_ivp(rhs, (0.0, STOP), np.zeros(n), m, times, **e), 2)
        row(f"SciPy {method}", "solve", t, solve)
    if (sundae := peer("sksundae")) is not None:

        def python_rhs(t: float, y: Any, yp: Any) -> None:
            yp[:] = rhs(t, y)

        options = {"linsolver": "band", "lband": 1, "uband": 1, "rtol": 1e-6, "atol": 1e-9}
        t, _ = best(lambda: sundae.cvode.CVODE(python_rhs, **options).solve(times, np.zeros(n)), 2)
        row("scikit-sundae CVODE, Python callback", "solve", t, solve)
    if (casadi := peer("casadi")) is None:
        row("CasADi", "", None, solve, "not installed")
    else:
        t, _ = best(lambda: casadi_ladder(casadi, n, times), 1)
        row("CasADi cvodes (SX)", "build + solve", t, solve)
    if (rumoca := peer("rumoca")) is None:
        row("rumoca", "", None, total, "not installed")
    else:
        t, _ = best(lambda: rumoca.Session().loads(modelica(n), model="Ladder").simulate(t=STOP), 1)
        row("rumoca (Modelica, arrays)", "total", t, total)
    return rows


def casadi_ladder(casadi: Any, n: int, times: Any) -> Any:
    """Build the graph and integrate."""
    v = casadi.SX.sym("v", n)
    t = casadi.SX.sym("t")
    left = casadi.vertcat(casadi.sin(2 * np.pi * 0.05 * t), v[:-1])
    right = casadi.vertcat(v[1:], v[-1])
    problem = {"x": v, "t": t, "ode": (left - 2 * v + right) / RC}
    options = {"reltol": 1e-6, "abstol": 1e-9}
    integrator = casadi.integrator("ladder", "cvodes", problem, 0.0, list(times[1:]), options)
    return integrator(x0=np.zeros(n))


def cold(n: int) -> float:
    """Total seconds in a fresh process with an empty cache on disk."""
    with tempfile.TemporaryDirectory() as folder:
        return float(in_new_process(__file__, "--one", str(n), cache=folder))


def main(largest: int) -> None:
    """Print the tables."""
    phases(10)  # everything imported and the native runtime loaded, as in the middle of a session
    rows: list[list[str]] = []
    totals: dict[int, float] = {}
    solves: dict[int, float] = {}
    for n in [n for n in SIZES if n <= largest]:
        runs = [phases(n) for _ in range(3 if n <= 4000 else 1)]
        steps, solution = min(runs, key=lambda run: sum(run[0].values()))
        totals[n] = sum(steps.values())
        solves[n] = steps["simulate"]
        if n <= 100 and (error := check(n, solution)) > 1e-5:
            console.print(f"[red]n = {n}: wrong by {error:.2g} V[/]")
        before = [(m, totals[m]) for m in totals if m < n]
        growth = f"{exponent(before[-1], (n, totals[n])):.2f}" if before else ""
        aim = f"{'met' if totals[n] < TARGETS[n] else 'MISSED'} (< {TARGETS[n]:g} s)" if n in TARGETS else ""
        published = [f"{v:g}" if v else "-" for v in PUBLISHED.get(n, ())] or [""] * 4
        stages = [seconds(value) for value in steps.values()]
        rows.append([str(n), *stages, seconds(totals[n]), growth, aim, *published])
    heads = ["n", "objects", "freeze", "flatten", "compile", "simulate", "total", "exponent", "aim"]
    note = "published totals in s (SciMLBenchmarks 2024, other machines); exponent: growth from the row above"
    show("RC ladder from Python objects", [*heads, "MTK", "JuliaSim", "OpenModelica", "Dymola"], rows, note)
    points = [(float(n), t) for n, t in totals.items() if n >= 1000]
    if len(points) > 1:
        span = f"from n = {points[0][0]:g} to {points[-1][0]:g}"
        console.print(f"growth exponent {span}: {exponent(points[0], points[-1]):.3f} (aim: at most 1.15)")
    console.print(f"n = 1000 in a fresh process with an empty cache: {seconds(cold(1000))}")
    for n in [n for n in (100, 1000) if n in totals]:
        table = [["Tellegen", "total", seconds(totals[n]), ""], ["Tellegen", "solve", seconds(solves[n]), "1 x"]]
        table += peers(n, totals[n], solves[n])
        show(f"Peers in the same process, n = {n}", ["", "what", "time", "of ours"], table)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(sum(phases(int(sys.argv[2]))[0].values()))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else SIZES[-1])
