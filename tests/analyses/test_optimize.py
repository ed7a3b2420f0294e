"""tg.optimize: optima known in closed form, by every method; failures, interrupts, choices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize_scalar

import tellegen as tg
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.optimization.single_objective.search import Search
from tellegen.library import electrical as el


def fixed(value: float) -> Any:
    return tg.variable(start=value, fixed=True)


class Oscillator(tg.Component):
    """Of second order, after a unit step."""

    y = tg.variable(start=0.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)
    w = tg.parameter(5.0)
    d = tg.parameter(0.3)

    def equations(self):
        yield tg.der(self.y) == self.v
        yield tg.der(self.v) == self.w**2 * (1 - self.y) - 2 * self.d * self.w * self.v


ITAE = tg.integral("time * abs(1 - y)")


def itae_of(d: float, w: float = 5.0, stop: float = 6.0) -> float:
    """By SciPy on the closed-form solution."""
    r = np.sqrt(1 - d * d)

    def error(t: float) -> float:
        return float(np.exp(-d * w * t) * (np.cos(w * r * t) + d / r * np.sin(w * r * t)))

    zeros = [(np.pi - np.arccos(d) + k * np.pi) / (w * r) for k in range(20)]
    return quad(lambda t: t * abs(error(t)), 0, stop, points=[z for z in zeros if z < stop], limit=200)[0]


@pytest.mark.parametrize("method", ["auto", "ipopt", "trust-constr", "nelder-mead"])
def test_itae(method: str) -> None:
    """The damping that is best by ITAE. A minimum is flat: the place is known to the root of the tolerance."""
    if method == "ipopt":
        pytest.importorskip("ipyopt")
    best = tg.optimize(Oscillator(), 6.0, minimize=ITAE, variables={"d": (0.1, 0.95)}, method=method)
    known = minimize_scalar(itae_of, bounds=(0.1, 0.95), method="bounded", options={"xatol": 1e-9})
    assert best.success
    assert best.objective == pytest.approx(known.fun, rel=1e-6)
    assert best.variables["d"] == pytest.approx(known.x, abs=1e-3)
    if method != "nelder-mead":
        assert best.runs <= 30
        assert not best.active


@pytest.mark.parametrize("method", ["slsqp", "ipopt", "trust-constr"])
def test_a_constraint_holds_the_optimum(method: str) -> None:
    """Fastest rise under a limit of the overshoot: exp(-pi d / sqrt(1 - d^2)) = 0.1 gives d, and w is at its bound."""
    if method == "ipopt":
        pytest.importorskip("ipyopt")
    best = tg.optimize(
        Oscillator(),
        4.0,
        minimize=tg.time_when("y > 0.9"),
        variables={"d": (0.2, 0.9), "w": (2.0, 8.0)},
        subject_to=[tg.peak("y") <= 1.1],
        method=method,
    )
    log = np.log(0.1)
    assert best.success, best.message
    assert best.variables["d"] == pytest.approx(-log / np.hypot(np.pi, log), rel=2e-3)
    assert best.variables["w"] == pytest.approx(8.0, rel=1e-3)
    if method != "trust-constr":  # which stays a little inside
        assert set(best.active) == {"peak(y) <= 1.1", "w <= 8"}
    assert best.constraints["peak(y) <= 1.1"] == pytest.approx(1.1, rel=1e-3)


def test_multipliers_say_what_a_limit_costs() -> None:
    """The change of the optimal objective per change of the limit, by optimizing again."""

    def solve(limit: float) -> Any:
        return tg.optimize(
            model,
            4.0,
            minimize=ITAE,
            variables={"d": (0.3, 1.5), "w": (2.0, 20.0)},
            subject_to=[tg.peak("v") <= limit],
            tolerance=1e-8,
            rtol=1e-9,
        )

    model = tg.compile(Oscillator())
    best, more = solve(3.0), solve(3.01)
    multiplier = best.multipliers["peak(v) <= 3"]
    assert multiplier > 0
    assert (more.objective - best.objective) / 0.01 == pytest.approx(-multiplier, rel=0.02)
    assert best.remains < 1e-4


class Filter(tg.Component):
    """A coil and a capacitor, with a resistance that damps them."""

    source = el.ConstantVoltage(V=1.0)
    r = el.Resistor(R=20.0)
    coil = el.Inductor(L=1e-3, i=fixed(0.0))
    c = el.Capacitor(C=1e-6, v=fixed(0.0))
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.r.n, self.coil.p
        yield self.coil.n, self.c.p
        yield self.c.n, self.source.n, self.ground.p


def test_filter() -> None:
    """The integral of the squared error is (1 + 4 d^2) / (4 d w), smallest at d = 1/2: R = sqrt(L/C)."""
    best = tg.optimize(Filter(), 1e-3, minimize=1e6 * tg.integral("(1 - c.v)**2"), variables={"r.R": (5.0, 200.0)})
    assert best.success
    assert best.variables["r.R"] == pytest.approx(np.sqrt(1e-3 / 1e-6), rel=1e-3)
    assert best.objective == pytest.approx(1e6 * np.sqrt(1e-3 * 1e-6), rel=1e-6)


class Move(tg.Component):
    """A motor with limited torque turns a load by an angle: as fast as it can, then braking as hard."""

    J_motor = tg.parameter(2e-4)
    J_load = tg.parameter(8e-3)
    ratio = tg.parameter(3.0)
    torque = tg.parameter(0.5)
    angle = tg.parameter(1.0)
    phi = tg.variable(start=0.0, fixed=True)
    w = tg.variable(start=0.0, fixed=True)

    def equations(self):
        drive = tg.where(self.phi < 0.5 * self.angle, self.torque, -self.torque)
        yield tg.der(self.phi) == self.w
        yield (self.J_motor * self.ratio**2 + self.J_load) * tg.der(self.w) == self.ratio * drive
        yield tg.when((self.w < 0) & (self.phi > 0.5 * self.angle), tg.terminate("there"))


@pytest.mark.parametrize("method", ["slsqp", "ipopt"])
def test_gear_ratio_for_the_shortest_move(method: str) -> None:
    """n = sqrt(J_load / J_motor), and the time is 2 sqrt(angle (J_motor n^2 + J_load) / (n torque)); the end moves."""
    if method == "ipopt":
        pytest.importorskip("ipyopt")
    best = tg.optimize(Move(), 5.0, minimize=tg.final("time"), variables={"ratio": (1.0, 30.0)}, method=method)
    n = np.sqrt(8e-3 / 2e-4)
    assert best.success, best.message
    assert best.variables["ratio"] == pytest.approx(n, rel=2e-3)
    assert best.objective == pytest.approx(2 * np.sqrt((2e-4 * n**2 + 8e-3) / (0.5 * n)), rel=1e-6)


class Escape(tg.Component):
    """x' = p x^2 from 1: x = 1 / (1 - p t) is infinite at t = 1/p."""

    x = tg.variable(start=1.0, fixed=True)
    p = tg.parameter(0.2)

    def equations(self):
        yield tg.der(self.x) == self.p * self.x**2


@pytest.mark.parametrize("method", ["slsqp", "ipopt", "trust-constr", "nelder-mead"])
def test_runs_that_fail_are_stepped_back_from(method: str) -> None:
    """The optimum, x = 10 at p = 0.9, stands close to where no run succeeds: 70 % of the range."""
    if method == "ipopt":
        pytest.importorskip("ipyopt")
    aim = (tg.log(tg.final("x")) - np.log(10.0)) ** 2
    best = tg.optimize(Escape(), 1.0, minimize=aim, variables={"p": (0.0, 3.0)}, method=method, max_iterations=200)
    assert best.variables["p"] == pytest.approx(0.9, abs=2e-3)
    everywhere = tg.optimize(Escape(), 1.0, minimize=aim, variables={"p": (0.0, 3.0)}, guess={"p": 2.5}, method=method)
    assert everywhere.failed_runs >= 1
    assert everywhere.variables["p"] == pytest.approx(0.9, abs=2e-3)


def test_a_search_says_which_runs_failed_and_why() -> None:
    """Values, reason and how often; before, the guess was blamed in any case."""
    aim = (tg.log(tg.final("x")) - np.log(10.0)) ** 2
    with pytest.raises(tg.DesignError, match=r"E625") as raised:
        tg.optimize(Escape(), 1.0, minimize=aim, variables={"p": (1.5, 3.0)}, guess={"p": 2.5})
    assert "runs failed, the first with p = 2.5: E310: the simulation of Escape stopped at t = 0.4" in str(raised.value)
    assert "tg.simulate works" in str(raised.value)
    found = tg.optimize(Escape(), 1.0, minimize=aim, variables={"p": (0.0, 3.0)}, guess={"p": 2.5})
    assert "the first with p = 2.5: E310" in found.failures[0]
    assert found.failures[0] in str(found)


def test_a_search_says_where_only_sensitivities_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> None:
        raise tg.RunFailedError("E310", "the run with sensitivities stopped")

    monkeypatch.setattr("tellegen.analyses.sensitivities.sensitivity.SensitivityModel.run", fails)
    with pytest.raises(tg.DesignError, match=r"(?s)E625.*with sensitivities stopped.*only the run with sensitivities"):
        tg.optimize(Escape(), 1.0, minimize=tg.final("x"), variables={"p": (0.1, 0.5)})


class Hills(tg.Component):
    """y(1) = cos(3 p) + 0.1 p: several minima."""

    y = tg.variable(start=0.0, fixed=True)
    p = tg.parameter(5.2)

    def equations(self):
        yield tg.der(self.y) == tg.cos(3 * self.p) + 0.1 * self.p


def test_many_starts_find_the_lowest_of_many_minima() -> None:
    p = np.linspace(0, 10, 100001)
    heights = np.cos(3 * p) + 0.1 * p
    lowest = p[heights.argmin()]
    one = tg.optimize(Hills(), 1.0, minimize=tg.final("y"), variables={"p": (0.0, 10.0)})
    many = tg.optimize(Hills(), 1.0, minimize=tg.final("y"), variables={"p": (0.0, 10.0)}, starts=12)
    evolved = tg.optimize(
        Hills(), 1.0, minimize=tg.final("y"), variables={"p": (0.0, 10.0)}, method="differential-evolution"
    )
    assert one.objective > heights.min() + 0.1
    assert many.variables["p"] == pytest.approx(lowest, abs=1e-3)
    assert evolved.variables["p"] == pytest.approx(lowest, abs=1e-2)


def test_choices_of_a_catalogue() -> None:
    """All combinations against runs by hand; for each the remaining variable is optimized."""
    motors = [
        {"name": "small", "J_motor": 1e-4, "torque": 0.3},
        {"name": "middle", "J_motor": 3e-4, "torque": 0.6},
        {"name": "large", "J_motor": 2e-3, "torque": 1.0},
    ]
    gears = [3.0, 5.0, 8.0, 12.0]
    compiled = tg.compile(Move())
    best = tg.optimize(compiled, 5.0, minimize=tg.final("time"), choices={"motor": motors, "ratio": gears})
    times = {}
    for motor in motors:
        for gear in gears:
            numbers = {key: value for key, value in motor.items() if key != "name"}
            times[motor["name"], gear] = compiled.simulate(5.0, parameters={**numbers, "ratio": gear}).time[-1]
    name, ratio = min(times, key=lambda key: times[key])
    assert best.choice == {"motor": name, "ratio": ratio}
    assert best.objective == pytest.approx(times[name, ratio], rel=1e-5)
    assert best.runs == 12
    assert best.parameters["ratio"] == ratio
    free = tg.optimize(
        compiled, 5.0, minimize=tg.final("time"), choices={"motor": motors}, variables={"ratio": (1.0, 30.0)}
    )
    by_formula = {m["name"]: 2 * np.sqrt(2 * np.sqrt(m["J_motor"] * 8e-3) / m["torque"]) for m in motors}
    assert free.choice["motor"] == min(by_formula, key=lambda key: by_formula[key])
    assert free.objective == pytest.approx(min(by_formula.values()), rel=1e-6)
    assert free.solution.time[-1] == pytest.approx(free.objective, rel=1e-5)


def test_maximize_start_values_and_equality() -> None:
    """The longest throw from a height h with speed v in total; at 45 degrees from the ground."""

    class Throw(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        z = tg.variable(start=0.0, fixed=True)
        u = tg.variable(start=2.0, fixed=True)
        w = tg.variable(start=5.0, fixed=True)

        def equations(self):
            yield tg.der(self.x) == self.u
            yield tg.der(self.z) == self.w
            yield tg.der(self.u) == 0
            yield tg.der(self.w) == -10.0

    best = tg.optimize(
        Throw(),
        2.5,
        maximize=tg.value("x", at=tg.time_when("z < 0")),
        variables={"u": (1.0, 9.0), "w": (1.0, 9.0)},
        subject_to=[tg.value("u**2 + w**2", at=0.0) == 100.0],
    )
    assert best.success, best.message
    assert best.variables == pytest.approx({"u": np.sqrt(50), "w": np.sqrt(50)}, rel=1e-3)
    assert best.objective == pytest.approx(10.0, rel=1e-5)


def test_points_are_added_where_curves_need_them() -> None:
    """A filter of 30 us in a run of 1 s: 500 points show nothing of it."""
    best = tg.optimize(Filter(), 1.0, minimize=1e6 * tg.integral("(1 - c.v)**2"), variables={"r.R": (5.0, 200.0)})
    assert best.variables["r.R"] == pytest.approx(np.sqrt(1e-3 / 1e-6), rel=2e-3)


class Ends(tg.Component):
    """Ends itself at 1/p, which may be long before the stop; meanwhile y swings thirty times in a second."""

    x = tg.variable(start=0.0, fixed=True)
    y = tg.variable(start=0.0, fixed=True)
    z = tg.variable(start=1.0, fixed=True)
    p = tg.parameter(2.0)

    def equations(self):
        yield tg.der(self.x) == self.p
        yield tg.der(self.y) == 200 * self.z
        yield tg.der(self.z) == -200 * self.y
        yield tg.when(self.x > 1.0, tg.terminate("there"))


@pytest.mark.parametrize("order", [(4.0, 2.0, 1.0, 0.5), (0.5, 4.0, 1.0, 2.0)])
def test_points_in_runs_that_end_themselves(order: tuple[float, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Few points for short runs, and refined ones that end where an earlier, shorter run has ended: all are exact.

    The mean square of sin(w t) until T is 1/2 - sin(2 w T) / (4 w T).
    """
    made: list[Problem] = []

    def caught(self: Any, *_: Any) -> Any:
        made.append(self.problem)
        raise KeyboardInterrupt

    monkeypatch.setattr(Search, "run", caught)
    aim = tg.final("time") + tg.rms("y") ** 2
    with pytest.raises(KeyboardInterrupt):
        tg.optimize(Ends(), 5.0, minimize=aim, variables={"p": (0.5, 4.0)}, points=50)
    for p in order:
        found, end = made[0].evaluate(np.array([p])), 1 / p
        assert found.objective == pytest.approx(end + 0.5 - np.sin(400 * end) / (800 * end), rel=1e-5)


def test_what_the_result_tells(tmp_path: Any) -> None:
    best = tg.optimize(Oscillator(), 6.0, minimize=ITAE, variables={"d": (0.1, 0.95)}, subject_to=tg.peak("y") <= 1.01)
    assert "peak(y) <= 1.01" in str(best)
    table = best.to_pandas()
    assert len(table) == best.runs
    best.plot().savefig(tmp_path / "search.png", dpi=150)
    assert (tmp_path / "search.png").stat().st_size > 5000
    assert tg.peak("y")(best.solution) == pytest.approx(1.01, abs=1e-4)


def test_gradients_are_not_needed_with_delays() -> None:
    class Late(tg.Component):
        x = tg.variable(start=1.0, fixed=True)
        k = tg.parameter(0.5)

        def equations(self):
            yield tg.der(self.x) == -self.k * tg.delay(self.x, 0.2)

    best = tg.optimize(Late(), 3.0, minimize=tg.rms("x"), variables={"k": (0.1, 6.0)}, tolerance=1e-4)
    assert best.method.startswith("nelder-mead")
    assert 0.5 < best.variables["k"] < 6.0


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"minimize": "y"}, "E622"),
        ({"minimize": None}, "E622"),
        ({"maximize": ITAE}, "E622"),
        ({"subject_to": [True]}, "E622"),
        ({"variables": {"d": 0.5}}, "E621"),
        ({"variables": {"d": (0.9, 0.1)}}, "E621"),
        ({"variables": {"q": (0.1, 0.9)}}, "E100"),
        ({"guess": {"w": 3.0}}, "E621"),
        ({"method": "newton"}, "E621"),
        ({"choices": {"w": 3.0}}, "E621"),
        ({"tol": 1.0}, "E173"),
        ({"minimize": tg.time_when("y > 99")}, "E625"),
        ({"minimize": tg.final("nowhere")}, "E100"),
    ],
)
def test_mistakes(change: dict[str, Any], code: str) -> None:
    given = {"minimize": ITAE, "variables": {"d": (0.1, 0.95)}, "stop": 1.0, **change}
    with pytest.raises(tg.TellegenError, match=code):
        tg.optimize(Oscillator(), **given)


def test_without_ipyopt(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "ipyopt", None)
    with pytest.raises(tg.TellegenError, match=r"tellegen\[ipopt\]"):
        tg.optimize(Oscillator(), 1.0, minimize=ITAE, variables={"d": (0.1, 0.95)}, method="ipopt")


def test_a_limit_that_cannot_be_kept_is_told() -> None:
    """An oscillator overshoots by exp(-pi d/sqrt(1 - d^2)) at most, so its peak cannot reach 3."""
    asked = [tg.peak("y") >= 3.0, tg.peak("y") <= 10.0]
    with pytest.warns(UserWarning, match=r"satisfy peak\(y\) >= 3 \(it is 1\.") as told:
        best = tg.optimize(Oscillator(), 6.0, minimize=ITAE, variables={"d": (0.1, 0.9)}, subject_to=asked)
    assert told[0].filename == __file__
    assert best.broken == ("peak(y) >= 3",)
    assert not best.success
    assert "peak(y) >= 3 " in str(best)
    assert str(best).count("violated") == 1


def test_an_objective_without_the_variables_is_told() -> None:
    """The end of the run has nothing to do with the damping: what comes back is where the search began."""
    with pytest.warns(UserWarning, match=r"final\(time\) does not depend on d"):
        best = tg.optimize(Oscillator(), 1.0, minimize=tg.final("time"), variables={"d": (0.1, 0.9)})
    assert best.variables["d"] == 0.3


class Parabola(tg.Component):
    """The integral of (p - c)^2 / 2 over a second, and g = 2 p."""

    p = tg.parameter(0.1)
    c = tg.parameter(2.0)
    z = tg.variable(start=0.0, fixed=True)
    g = tg.variable()

    def equations(self) -> Any:
        yield tg.der(self.z) == 0.5 * (self.p - self.c) ** 2
        yield self.g == 2.0 * self.p


@pytest.mark.parametrize("seed", range(4))
def test_trust_constr_goes_to_active_limits(seed: int) -> None:
    """Its barrier once kept it up to 2 % away; the optimum is the nearest point that bound and constraint allow."""
    random = np.random.default_rng(seed)
    center = float(random.uniform(-2.0, 2.0))
    limit = float(random.uniform(-0.9, 0.9))
    found = tg.optimize(
        Parabola(c=center),
        stop=1.0,
        minimize=tg.final("z"),
        variables={"p": (-1.0, 1.0)},
        subject_to=[tg.final("g") <= 2.0 * limit],
        method="trust-constr",
    )
    assert found.success
    assert found.variables["p"] == pytest.approx(max(-1.0, min(center, limit)), abs=1e-5)
