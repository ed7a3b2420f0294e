"""Quantities of any size: curves scaled by powers of ten are the same curves, with every solver and near zero."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import multibody
from tellegen.library import translational as tr

SOLVERS = ("auto", "rk45", "rodas", "cvode", "ida")
STATES = 3
STOP = 6.0


def mems() -> tuple[Any, float, str, Any, float]:
    """1 ng on 1 N/m, deflected by 1 nm."""
    model = tg.System("mems")
    start = tg.variable(start=1e-9, fixed=True)
    model.add(mass=tr.Mass(m=1e-9, s=start, v=tg.variable(start=0.0, fixed=True)), k=tr.Spring(c=1.0), wall=tr.Fixed())
    model.connect(model.wall.flange, model.k.flange_a)
    model.connect(model.k.flange_b, model.mass.flange_a)
    w = math.sqrt(1e9)
    return model, 20.0 / w, "mass.s", lambda t: 1e-9 * np.cos(w * t), 1e-9


def coil() -> tuple[Any, float, str, Any, float]:
    """1 nA into 1 mH."""
    model = tg.System("coil")
    current = tg.variable(start=0.0, fixed=True)
    model.add(v=el.ConstantVoltage(V=1.0), r=el.Resistor(R=1e9), l=el.Inductor(L=1e-3, i=current), g=el.Ground())
    model.connect(model.v.p, model.r.p)
    model.connect(model.r.n, model.l.p)
    model.connect(model.v.n, model.l.n, model.g.p)
    return model, 3e-12, "l.i", lambda t: 1e-9 * (1.0 - np.exp(-t / 1e-12)), 1e-9


def tank() -> tuple[Any, float, str, Any, float]:
    """1 pV on 1 pF and 1 nH."""
    model = tg.System("tank")
    current = tg.variable(start=0.0, fixed=True)
    voltage = tg.variable(start=1e-12, fixed=True)
    model.add(l=el.Inductor(L=1e-9, i=current), c=el.Capacitor(C=1e-12, v=voltage), g=el.Ground())
    model.connect(model.l.p, model.c.p)
    model.connect(model.l.n, model.c.n, model.g.p)
    w = 1.0 / math.sqrt(1e-21)
    return model, 10.0 / w, "c.v", lambda t: 1e-12 * np.cos(w * t), 1e-12


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("make", [mems, coil, tank])
def test_small_quantities(make: Any, solver: str) -> None:
    """Errors of an oscillation add up over its periods: 100 rtol. Without scales they were 1e-4 to 1000."""
    model, stop, path, exact, size = make()
    solution = tg.simulate(model, stop, points=101, solver=solver)
    np.testing.assert_allclose(solution[path], exact(solution.time), rtol=0.0, atol=1e-4 * size)
    assert solution.stats["scales"][solution.states()[0]] < 1e-2


class Scaled(tg.Component):
    """x = S z and the time T s of z' = A z + sin(s) - z^3, w + w^3 = z_0; and what is zero: a difference of equals."""

    A = tg.parameter(np.zeros((STATES, STATES)))
    S = tg.parameter(np.ones(STATES))
    T = tg.parameter(1.0)
    W = tg.parameter(1.0)
    x = tg.variable(shape=STATES, start=0.0, fixed=True)
    twin = tg.variable(start=0.0, fixed=True)
    difference = tg.variable(start=0.0, fixed=True)
    w = tg.variable(start=0.0)

    def equations(self) -> Any:
        for k in range(STATES):
            yield self.T / self.S[k] * tg.der(self.x[k]) == self._rate(k, self.x[k] / self.S[k])
        yield self.T / self.S[0] * tg.der(self.twin) == self._rate(0, self.twin / self.S[0])
        yield self.T / self.S[1] * tg.der(self.difference) == (self.x[0] - self.twin) / self.S[0]
        yield self.w / self.W + (self.w / self.W) ** 3 == self.x[0] / self.S[0]

    def _rate(self, k: int, own: Any) -> Any:
        z = [own if j == k else self.x[j] / self.S[j] for j in range(STATES)]
        drive = tg.sin(tg.time / self.T) if k == 0 else 0.0
        return sum(self.A[k, j] * z[j] for j in range(STATES)) - own**3 + drive


def random_case(seed: int) -> dict[str, Any]:
    """Damped and coupled, in any units."""
    random = np.random.default_rng(seed)
    a = random.normal(size=(STATES, STATES)) - 1.5 * np.eye(STATES)
    return {
        "A": a,
        "S": 10.0 ** random.uniform(-15.0, 12.0, STATES),
        "T": 10.0 ** random.uniform(-9.0, 6.0),
        "W": 10.0 ** random.uniform(-15.0, 12.0),
    }


def exact(a: Any, times: Any) -> tuple[Any, Any]:
    """z at some times by SciPy, and w from z_0."""

    def rates(s: float, z: Any) -> Any:
        return a @ z - z**3 + np.array([math.sin(s), 0.0, 0.0])

    z = solve_ivp(rates, (0.0, STOP), np.zeros(STATES), method="DOP853", t_eval=times, rtol=1e-11, atol=1e-13).y
    half = 0.5 * z[0]
    root = np.sqrt(half**2 + 1.0 / 27.0)
    return z, np.cbrt(half + root) + np.cbrt(half - root)


def check(compiled: Any, seed: int, solver: str) -> None:
    """A random case with a solver: 1e-4 of the largest value, 100 rtol for all steps together."""
    case = random_case(seed)
    solution = compiled.simulate(case["T"] * STOP, parameters=case, points=61, solver=solver)
    z, w = exact(case["A"], np.linspace(0.0, STOP, 61))
    sizes = np.abs(z).max(axis=1)
    off = np.abs(solution["x"] / case["S"] - z.T).max(axis=0) / sizes
    assert off.max() < 1e-4, seed
    assert np.abs(solution["w"] / case["W"] - w).max() < 1e-4 * np.abs(w).max(), seed
    assert np.abs(solution["difference"]).max() < 1e-4 * sizes[0] * case["S"][1], seed
    assert solution.stats["steps"] < 10_000, seed


@pytest.fixture(scope="module")
def scaled() -> Any:
    return tg.compile(Scaled())


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", range(6))
def test_any_units(scaled: Any, seed: int, solver: str) -> None:
    check(scaled, seed, solver)


@pytest.mark.parametrize("seed", [101, 121, 154])
def test_elements_far_below_the_others_of_their_array(scaled: Any, seed: int) -> None:
    """x_0 is below 1e-15 of other elements: with their tolerance w was off by 3 %, by 85 and by 14 times its size."""
    for solver in SOLVERS:
        check(scaled, seed, solver)


class Pair(tg.Component):
    """Two independent oscillations in one array, the smaller one faster; one is driven from zero."""

    size = tg.parameter(1.0)
    x = tg.variable(shape=2, start=0.0, fixed=True)
    v = tg.variable(shape=2, start=0.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x[0]) == self.v[0]
        yield tg.der(self.v[0]) == self.size * tg.cos(9.0 * tg.time) - 100.0 * self.x[0]
        yield tg.der(self.x[1]) == self.v[1]
        yield tg.der(self.v[1]) == tg.cos(0.5 * tg.time) - self.x[1]


def check_pair(solution: tg.Solution, size: float) -> None:
    """Within 1e-3 of the largest value: the errors of 16 periods at rtol = 1e-6."""
    t = solution.time
    exact = size * (np.cos(9.0 * t) - np.cos(10.0 * t)) / 19.0
    np.testing.assert_allclose(solution["x[0]"], exact, rtol=0.0, atol=1e-3 * np.abs(exact).max())


@pytest.fixture(scope="module")
def pair() -> Any:
    return tg.compile(Pair())


@pytest.mark.parametrize("size", [1e-6, 1e-12, 1e-15, 1e-20, 1e-40])
def test_each_element_of_an_array_is_controlled(pair: Any, size: float) -> None:
    """With one size for the array, or its digits as the least one, the smaller was off by half its amplitude."""
    for solver in SOLVERS:
        check_pair(pair.simulate(10.0, parameters={"size": size}, points=101, solver=solver), size)


class PairWithEvents(Pair):
    """The same beside a counter."""

    n = tg.variable(start=0.0, discrete=True)

    def equations(self) -> Any:
        yield tg.when(self.x[1] > 0.5, self.n == tg.pre(self.n) + 1.0)


def test_elements_that_roundings_of_events_may_move_are_warned_of() -> None:
    """Above 1e-15 of the largest they are right; below it they are named, unless their size is declared."""
    compiled = tg.compile(PairWithEvents())
    check_pair(compiled.simulate(10.0, parameters={"size": 1e-12}, points=101), 1e-12)
    with pytest.warns(UserWarning, match=r"all values of x\[0\], v\[0\] are below 1e-15 of others of their kind"):
        compiled.simulate(10.0, parameters={"size": 1e-18}, points=101)
    small = tg.variable(shape=2, start=0.0, fixed=True, nominal=[1e-20, 1.0])
    declared = tg.compile(PairWithEvents(x=small, v=small))
    check_pair(declared.simulate(10.0, parameters={"size": 1e-18}, points=101), 1e-18)


class Rod(tg.Component):
    """Heat enters a hundred cells: far from the end temperatures are a power of time."""

    T = tg.variable(shape=100, start=0.0, fixed=True)

    def equations(self) -> Any:
        for k in range(100):
            before = self.T[k - 1] if k else 1.0
            after = self.T[min(k + 1, 99)]
            yield tg.der(self.T[k]) == before - 2.0 * self.T[k] + after


def test_the_front_of_a_wave_costs_few_steps() -> None:
    """Cells above 1e-15 of the first are right to 100 rtol, others are not followed: 8 and 47 steps with one size."""
    rod = tg.compile(Rod())
    for stop, most in ((0.1, 60), (10.0, 110)):
        found = rod.simulate(stop, points=11)
        exact = rod.simulate(stop, points=11, rtol=1e-12, atol=1e-22)
        largest = np.abs(exact["T"]).max(axis=0)
        off = np.abs(found["T"] - exact["T"]).max(axis=0)
        assert (off < 1e-4 * largest)[largest > 1e-15].all()
        assert found.stats["steps"] < most


class Initial(tg.Component):
    """w + w^3 = 2 in any units, found at the start and in steady state."""

    W = tg.parameter(1.0)
    x = tg.variable(start=2.0, fixed=True)
    w = tg.variable(start=0.0)

    def equations(self) -> Any:
        yield tg.der(self.x) == 2.0 - self.x
        yield self.w / self.W + (self.w / self.W) ** 3 == self.x


@pytest.mark.parametrize("exponent", [-15, -9, -3, 3, 9, 12])
def test_initial_values_in_any_units(exponent: int) -> None:
    compiled = tg.compile(Initial())
    unit = 10.0**exponent
    for solver in SOLVERS:
        first = compiled.simulate(1.0, parameters={"W": unit}, solver=solver)
        np.testing.assert_allclose(first["w"] / unit, 1.0, rtol=1e-6)
    assert tg.steady_state(compiled, parameters={"W": unit})["w"] / unit == pytest.approx(1.0, rel=1e-9)


def test_a_declared_size_is_kept() -> None:
    """It is asked for, so nothing is repeated; what stays below its tolerance is said."""

    class Small(tg.Component):
        x = tg.variable(start=1e-12, fixed=True, nominal=1.0)

        def equations(self) -> Any:
            yield tg.der(self.x) == -self.x

    with pytest.warns(UserWarning, match=r"the absolute tolerance is larger than all values of x"):
        solution = tg.simulate(Small(), 1.0)
    assert solution.stats["scales"]["x"] == 1.0
    with pytest.warns(UserWarning, match=r"the absolute tolerance is larger than all values of x"):
        tg.simulate(Small(), 1.0, atol=1e-9)


def test_a_tolerance_grows_with_the_largest_value() -> None:
    class Large(tg.Component):
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == 1e9 * tg.cos(tg.time)

    for solver in SOLVERS:
        assert tg.simulate(Large(), 10.0, solver=solver).stats["scales"]["x"] == pytest.approx(1e9, rel=1e-2)


def test_sensitivities_of_small_quantities() -> None:
    """C dv/dt = -v / R at 1 nV: dv/dC = v t / (R C^2)."""

    class Discharge(tg.Component):
        C = tg.parameter(1e-12)
        v = tg.variable(start=1e-9, fixed=True)

        def equations(self) -> Any:
            yield self.C * tg.der(self.v) == -self.v / 1e3

    slopes = tg.sensitivity(Discharge(), 2e-9, wrt=["C"], points=21)
    t = slopes.solution.time
    expected = 1e-9 * np.exp(-t / 1e-9) * t / (1e3 * 1e-24)
    np.testing.assert_allclose(slopes["v", "C"], expected, rtol=0.0, atol=1e-5 * expected.max())


@pytest.mark.parametrize("solver", ["cvode", "ida"])
def test_a_curve_without_error_control_is_reported(solver: str) -> None:
    """The run with tolerances that fit needs more steps than are allowed; the one without is far off."""

    class Resonator(tg.Component):
        x = tg.variable("m", start=1e-12, fixed=True)
        v = tg.variable("m/s", start=0.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == self.v
            yield tg.der(self.v) == -1e4 * self.x

    with pytest.warns(
        UserWarning, match=r"values of x, v, and with a smaller one the run stops at t = 0\.\d+ \(too-many"
    ):
        tg.simulate(Resonator(), 1.0, points=2, max_steps=100, solver=solver)


LINKS = 100


@pytest.fixture(scope="module")
def links() -> Any:
    """Rods on hinges, one after the other, that begin to fall: far down the chain they hardly move at first."""
    chain = tg.System("links")
    chain.add(world=multibody.World(n=[0, 0, -1]))
    below = chain.world.frame_b
    for k in range(LINKS):
        hinge = multibody.Revolute(n=[0, 1, 0] if k % 2 else [0.0, 0.6, 0.8])
        rod = multibody.BodyShape(r=[0.5, 0, 0], r_CM=[0.25, 0, 0], m=1.0, I_11=0.001, I_22=0.02, I_33=0.02)
        chain.add(**{f"j{k}": hinge, f"rod{k}": rod})
        chain.connect(below, getattr(chain, f"j{k}").frame_a)
        chain.connect(getattr(chain, f"j{k}").frame_b, getattr(chain, f"rod{k}").frame_a)
        below = getattr(chain, f"rod{k}").frame_b
    return tg.compile(chain)


def test_what_is_beyond_the_digits_of_its_kind_is_not_followed(links: Any) -> None:
    """Angles go down to 1e-26; sizes of that kind took 5000 steps. Those above 1e-12 are right to 100 rtol."""
    found = links.simulate(0.05, points=2)
    assert found.stats["steps"] < 40
    exact = links.simulate(0.05, points=2, rtol=1e-10, atol=1e-22)
    angle = np.array([exact[f"j{k}.phi"][-1] for k in range(LINKS)])
    followed = np.abs(angle) > 1e-12 * np.abs(angle).max()
    assert 10 < followed.sum() < LINKS
    off = np.array([found[f"j{k}.phi"][-1] for k in range(LINKS)]) - angle
    assert (np.abs(off[followed]) < 1e-4 * np.abs(angle[followed])).all()
    assert np.abs(off).max() < 1e-4 * np.abs(angle).max()


@pytest.mark.parametrize("small", [1e-9, 1e-12, 1e-14])
def test_small_beside_large_of_the_same_kind(small: float) -> None:
    """Two oscillations that do not touch each other, one of them 1e-14 of the other: both are right."""
    model = tg.System("two")
    model.add(wall=tr.Fixed())
    for name, start in (("large", 100.0), ("small", 100.0 * small)):
        mass = tr.Mass(m=1.0, s=tg.variable(start=start, fixed=True), v=tg.variable(start=0.0, fixed=True))
        model.add(**{name: mass, f"{name}_spring": tr.Spring(c=4.0)})
        model.connect(model.wall.flange, getattr(model, f"{name}_spring").flange_a)
        model.connect(getattr(model, f"{name}_spring").flange_b, getattr(model, name).flange_a)
    solution = tg.simulate(model, 5.0, points=51)
    cosine = np.cos(2.0 * solution.time)
    np.testing.assert_allclose(solution["large.s"], 100.0 * cosine, rtol=0.0, atol=1e-2)
    np.testing.assert_allclose(solution["small.s"], 100.0 * small * cosine, rtol=0.0, atol=1e-2 * small)


class FastAndSmall(tg.Component):
    """The fast state is many orders below the slow one, as the voltage of a diode without current."""

    slow = tg.variable(start=1.0, fixed=True)
    fast = tg.variable(start=1e-16, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.slow) == -self.slow
        yield tg.der(self.fast) == -1e5 * (self.fast - 1e-16 * self.slow)


def test_a_small_fast_state_makes_a_model_stiff() -> None:
    """Stability limited 300 000 steps of the explicit method; fast = slow/1e16 but for a factor of 1 + 1e-5."""
    solution = tg.simulate(FastAndSmall(), stop=10.0)
    assert solution.stats["steps"] < 1000
    assert solution["fast"][-1] == pytest.approx(1e-16 * np.exp(-10.0), rel=1e-3)


class Charges(tg.Component):
    """Begins at zero, where tolerances are absolute."""

    to = tg.parameter(1.0)
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == self.to - self.x


def test_rates_whose_norm_is_infinite_begin_with_the_shortest_step() -> None:
    ends = [1.0, 1e150, 1e200, -1e250]
    runs: dict[str, Any] = {"outputs": ["final(x)"], "solver": "rk45", "stop": 1.0}
    single = tg.study(Charges(), {"to": ends}, executor="serial", **runs)
    lanes = tg.study(Charges(), {"to": ends}, device="cpu", workers=1, **runs)
    for study in (single, lanes):
        assert study["final(x)"].values == pytest.approx(np.array(ends) * (1.0 - math.exp(-1.0)), rel=1e-6)
    assert "one by one" not in str(lanes.device)


def shared_charge(resistance: float) -> tg.System:
    """Two capacitors after 1 kohm that a resistance joins."""
    model = tg.System("shared_charge")
    model.add(v=el.StepVoltage(V=12.0), r=el.Resistor(R=1e3), short=el.Resistor(R=resistance), g=el.Ground())
    model.add(c=el.Capacitor(C=1e-6), d=el.Capacitor(C=2e-6))
    model.connect(model.v.p, model.r.p)
    model.connect(model.r.n, model.c.p, model.short.p)
    model.connect(model.short.n, model.d.p)
    model.connect(model.v.n, model.c.n, model.d.n, model.g.p)
    return model


@pytest.mark.parametrize("solver", ["auto", "cvode", "rodas", "ida"])
@pytest.mark.parametrize("resistance", [1e-9, 1e-18, 1e-24])
def test_capacitors_that_are_joined_are_a_single_one(resistance: float, solver: str) -> None:
    """Rates of up to 1e30 1/s beside one of 333 1/s: corrections of the voltages are roundings of these rates."""
    solution = tg.simulate(shared_charge(resistance), 10e-3, solver=solver, points=20)
    for name in ("c.v", "d.v"):
        exact = 12.0 * (1.0 - np.exp(-solution.time / 3e-3))
        np.testing.assert_allclose(solution[name], exact, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("solver", ["auto", "cvode", "rodas"])
def test_a_fast_state_stays_at_rest(solver: str) -> None:
    """A time constant of 1e-21 s: with corrections of no digits the voltage had left 12 V for 1e28 V, silently."""
    model = tg.System("fast")
    model.add(v=el.StepVoltage(V=12.0), r=el.Resistor(R=1e-15), c=el.Capacitor(C=1e-6), g=el.Ground())
    model.connect(model.v.p, model.r.p)
    model.connect(model.r.n, model.c.p)
    model.connect(model.v.n, model.c.n, model.g.p)
    for resistance in (1e-15, 1e-21):
        solution = tg.simulate(model, 10e-3, solver=solver, parameters={"r.R": resistance})
        assert solution["c.v"][1:] == pytest.approx(12.0, rel=1e-8)


def test_lanes_leave_rates_without_digits_to_single_runs() -> None:
    """From 1e-17 ohm on the charge of both was lost in lanes, up to 0.06 V of 12, silently."""
    design = {"short.R": [1e-2, 1e-9, 1e-17, 3e-19]}
    study = tg.study(shared_charge(1.0), design, outputs=["final(c.v)"], stop=10e-3, device="cpu", workers=1)
    assert study["final(c.v)"].values == pytest.approx(12.0 * (1.0 - math.exp(-10.0 / 3.0)), rel=1e-5)
    assert "2 of 4 one by one" in str(study.device)
