"""What sensitivities cost, and how exact they are: in simulations, beside finite differences and beside CasADi.

The first table is E5 of the validation (a slider-crank behind a rectifier, 1 s, Runge-Kutta): p parameters may cost
1 + 0.6 p simulations. The second is a DC motor written twice: from components, and by hand for CasADi's interface to
CVODES; errors are to the exact derivatives of the matrix exponential. Times are least CPU seconds of runs in turns.

    python benchmarks/sensitivities.py [picture.png]        the picture shows differences near a dead centre
"""

from __future__ import annotations

import runpy
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from _timing import best, cheapest, peer, seconds, show
from scipy.linalg import expm

import tellegen as tg
from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
from tellegen.library import electrical as el
from tellegen.library import rotational as rot

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
MECHANISM = (
    *("source.V", "mechanism.slider.m", "motor.d", "mechanism.rod.I", "source.f", "diode.Is", "diode.N", "diode.Rs"),
    *("c.C", "motor.Jr", "motor.Ra", "motor.La", "motor.k", "motor.k_t", "mechanism.crank_length"),
    *("mechanism.rod_length", "mechanism.rod.m", "mechanism.crank.I"),
)
RUN: dict[str, Any] = {"stop": 1.0, "points": 11, "solver": "rk45"}
MOTOR = {"source.V": 12.0, "r.R": 2.4, "l.L": 4.8e-3, "emf.k": 0.04, "load.J": 1e-3, "friction.d": 1e-4}


def mechanism() -> Any:
    """E5, as in examples/slider_crank.py."""
    return tg.compile(runpy.run_path(str(EXAMPLES / "slider_crank.py"))["RectifiedDrive"]())


def cost_in_simulations(rtol: float) -> None:
    """The first table."""
    model = mechanism()
    names = MECHANISM
    counts = (1, 2, 4, len(names))
    made = {p: SensitivityModel(model, names[:p]) for p in counts}
    actions: dict[Any, Any] = {0: lambda: model.simulate(rtol=rtol, **RUN)}
    actions |= {p: lambda p=p: made[p].run(made[p].request(rtol=rtol, **RUN)) for p in counts}
    steps = {p: _steps(action()) for p, action in actions.items()}  # compiled
    times = cheapest(actions)
    exact = made[4].run(made[4].request(rtol=1e-12, **RUN))
    errors = _errors_of_differences(model, exact, rtol)
    own = _error(made[4].run(made[4].request(rtol=rtol, **RUN)), exact)
    rows = []
    for p in counts:
        cost = times[p] / times[0]
        aim = 1.0 + 0.6 * p
        verdict = f"{'met' if cost <= aim else 'MISSED'} (<= {aim:.1f})"
        row = [str(p), seconds(times[p]), f"{cost:.2f}", verdict, f"{steps[p] / steps[0]:.2f}"]
        rows.append([*row, f"{p + 1}", f"{2 * p}"])
    note = f"one simulation: {seconds(times[0])}; largest error of a sensitivity at any tenth of a second, relative to "
    note += f"its largest: {own:.0e}; of one-sided differences {errors[0]:.0e}, of central ones {errors[1]:.0e}"
    columns = ["parameters", "tg.sensitivity", "in simulations", "aim", "steps", "one-sided", "central differences"]
    show(f"Sensitivities of the slider-crank behind a rectifier, rtol {rtol:g}", columns, rows, note)


def _steps(run: Any) -> int:
    return getattr(run, "solution", run).stats["steps"]


def _error(found: Any, exact: Any) -> float:
    off = [
        np.abs(found["motor.ia", w] - exact["motor.ia", w]).max() / np.abs(exact["motor.ia", w]).max()
        for w in found.wrt
    ]
    return float(max(off))


def _errors_of_differences(model: Any, exact: Any, rtol: float) -> tuple[float, float]:
    """Of the best of four steps each, which a user would have to find."""

    def current(name: str, value: float) -> Any:
        return model.simulate(rtol=rtol, parameters={name: value}, **RUN)["motor.ia"]

    one_sided = []
    central = []
    for name in exact.wrt:
        own = float(np.ravel(exact.solution[name])[0])
        true = exact["motor.ia", name]
        base = current(name, own)
        off: list[tuple[float, float]] = []
        for part in (1e-2, 1e-3, 1e-4, 1e-5):
            h = part * own
            ahead = current(name, own + h)
            behind = current(name, own - h)
            tried = (ahead - base) / h, (ahead - behind) / (2.0 * h)
            off.append(tuple(float(np.abs(each - true).max() / np.abs(true).max()) for each in tried))  # type: ignore[arg-type]
        one_sided.append(min(each[0] for each in off))
        central.append(min(each[1] for each in off))
    return max(one_sided), max(central)


class Motor(tg.Component):
    """A DC motor with friction, from components."""

    source = el.ConstantVoltage(V=12.0)
    r = el.Resistor(R=2.4)
    l = el.Inductor(L=4.8e-3, i=tg.variable(start=0.0, fixed=True))  # noqa: E741
    emf = el.EMF(k=0.04)
    load = rot.Inertia(J=1e-3, w=tg.variable(start=0.0, fixed=True))
    friction = rot.Damper(d=1e-4)
    housing = rot.Fixed()
    ground = el.Ground()

    def connections(self) -> Any:
        """A loop and a shaft."""
        yield self.source.p, self.r.p
        yield self.r.n, self.l.p
        yield self.l.n, self.emf.p
        yield self.emf.n, self.source.n, self.ground.p
        yield self.emf.flange, self.load.flange_a, self.friction.flange_a
        yield self.friction.flange_b, self.housing.flange


def exact_motor(values: dict[str, Any]) -> Any:
    """Current and speed after a second, by the matrix exponential."""
    V, R, L, k, J, d = values.values()
    matrix = np.zeros((3, 3), complex)
    matrix[:2] = [[-R / L, -k / L, V / L], [k / J, -d / J, 0.0]]
    return expm(matrix)[:2, 2]


def casadi_motor(casadi: Any, count: int, rtol: float) -> tuple[Any, Any]:
    """CasADi's CVODES alone, and with the Jacobian of the final state by the first parameters."""
    x = casadi.SX.sym("x", 2)
    p = casadi.SX.sym("p", count)
    V, R, L, k, J, d = [*casadi.vertsplit(p), *list(MOTOR.values())[count:]]
    ode = casadi.vertcat((V - R * x[0] - k * x[1]) / L, (k * x[0] - d * x[1]) / J)
    options = {"reltol": rtol, "abstol": 1e-3 * rtol, "max_num_steps": 100000, "ad_weight": 0.0}  # forward
    alone = casadi.integrator("alone", "cvodes", {"x": x, "p": p, "ode": ode}, 0.0, 1.0, options)
    both = alone.factory("both", ["x0", "p"], ["xf", "jac:xf:p"])
    given = np.array(list(MOTOR.values())[:count])
    return lambda: alone(x0=[0.0, 0.0], p=given), lambda: both([0.0, 0.0], given)


def beside_casadi(rtol: float = 1e-8) -> None:
    """The second table."""
    casadi = peer("casadi")
    model = tg.compile(Motor())
    run: dict[str, Any] = {"stop": 1.0, "points": 2, "rtol": rtol}
    exact = {}
    for name in MOTOR:
        moved = {key: value + (1e-30j if key == name else 0.0) for key, value in MOTOR.items()}
        exact[name] = exact_motor(moved).imag / 1e-30
    rows = []
    for p in (1, 2, 4, 6):
        names = list(MOTOR)[:p]
        made = SensitivityModel(model, names)
        found = made.run(made.request(**run))
        columns = [[found[of, name][-1] for of in ("l.i", "load.w")] for name in names]
        true = np.array([exact[name] for name in names])
        ours = best(lambda m=made: m.run(m.request(**run)), 20)[0]
        base = best(lambda: model.simulate(**run), 20)[0]
        row = [
            str(p),
            seconds(base),
            seconds(ours),
            f"{ours / base:.2f}",
            f"{np.abs(np.array(columns) / true - 1).max():.0e}",
        ]
        if casadi is not None:
            alone, both = casadi_motor(casadi, p, rtol)
            theirs = best(alone, 20)[0]
            with_theirs = best(both, 20)[0]
            jacobian = np.array(both()[1]).T
            row += [seconds(theirs), seconds(with_theirs), f"{with_theirs / theirs:.2f}"]
            row += [f"{np.abs(jacobian / true - 1).max():.0e}"]
        rows.append(row)
    columns_ = ["parameters", "simulation", "sensitivity", "ratio", "error"]
    columns_ += ["CasADi", "with Jacobian", "ratio", "error"] if casadi is not None else []
    show(f"Sensitivities of a DC motor, 1 s, rtol {rtol:g}", columns_, rows, "largest relative error of all at 1 s")


def picture(path: str) -> None:
    """How far differences of the current are off near a dead centre, for smaller and smaller changes."""
    import matplotlib.pyplot as plt

    model = mechanism()
    change = 0.01
    times = np.linspace(0.6, 0.85, 400)
    asked: dict[str, Any] = {"stop": 0.85, "points": np.append(0.0, times), "solver": "rk45", "rtol": 1e-10}
    found = tg.sensitivity(model, wrt=["source.V"], **asked)
    exact = found["motor.ia", "source.V"][1:]
    figure, (upper, lower) = plt.subplots(2, 1, sharex=True, figsize=(8.0, 5.0), layout="constrained")
    upper.plot(times, exact, color="k", lw=1.2)
    upper.set_ylabel("d motor.ia / d source.V [A/V]", fontsize="small")
    base = model.simulate(**asked)["motor.ia"][1:]
    for part in (1.0, 0.5, 0.25, 0.125):
        moved = model.simulate(parameters={"source.V": 5.0 + part * change}, **asked)["motor.ia"][1:]
        lower.plot(times, (moved - base) / (part * change) - exact, label=f"change of {1e3 * part * change:g} mV")
    lower.set_ylabel("difference quotient, less this", fontsize="small")
    lower.set_xlabel("time [s]   (dead centre at 0.726 s)")
    lower.legend(fontsize="small")
    for axis in (upper, lower):
        axis.axvline(0.726075, color="0.7", lw=1.0)
        axis.grid(alpha=0.3)
    figure.savefig(path, dpi=110)


def main() -> None:
    """Both tables, and the picture if it is asked for."""
    warnings.filterwarnings("ignore", ".*does not monitor|.*two constants")
    for rtol in (1e-6, 1e-8):
        cost_in_simulations(rtol)
    beside_casadi()
    if len(sys.argv) > 1:
        picture(sys.argv[1])


if __name__ == "__main__":
    main()
