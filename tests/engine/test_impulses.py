"""States that jump together: charge, flux and momentum are conserved where a source steps or a speed is reinitialized.

Oracles: closed solutions, the laws of Kirchhoff for impulses and for jumps written out for a network, momentum.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field

import numpy as np
import pytest

import tellegen as tg
from shared_models import shared_model
from tellegen.engine.events.impulses import Impulses
from tellegen.library import blocks
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.library import translational as tr

SOLVERS = ("rk45", "cvode", "ida", "rodas")


def jump(solution: tg.Solution, path: str, t: float) -> float:
    """How far a variable jumps at a time."""
    at = np.flatnonzero(solution.time == t)
    return float(solution[path][at[-1]] - solution[path][at[0]])


# -- circuits ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("order", [("c1", "c2"), ("c2", "c1")])
def test_capacitive_divider(solver: str, order: tuple[str, str]) -> None:
    """10 V across 1 F and 3 F: the same charge passes through both, whichever was declared first."""
    s = tg.System("divider")
    parts = {"c1": el.Capacitor(C=1.0), "c2": el.Capacitor(C=3.0)}
    s.add(v=el.StepVoltage(V=10.0, start_time=0.5), r=el.Resistor(R=1e6), g=el.Ground())
    s.add(**{name: parts[name] for name in order})
    s.connect(s.v.p, s.c1.p)
    s.connect(s.c1.n, s.c2.p, s.r.p)
    s.connect(s.v.n, s.c2.n, s.r.n, s.g.p)
    solution = tg.simulate(s, 1.0, solver=solver, points=11)
    assert jump(solution, "c1.v", 0.5) == pytest.approx(7.5, rel=1e-9)
    assert jump(solution, "c2.v", 0.5) == pytest.approx(2.5, rel=1e-9)


def test_large_systems_are_factored_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for no dense matrix the factors are sparse ones, and the jumps the same; contacts have reinits too."""
    monkeypatch.setattr("tellegen.engine.events.impulses.DENSE", 0)
    test_capacitive_divider("rk45", ("c1", "c2"))
    test_current_divider_of_inductors("rk45")
    test_clutched_shafts_conserve_momentum("rk45")
    test_trains_of_rigid_masses_that_collide(0)


def test_room_for_jumps_is_made_at_the_first_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that ends before a constraint between states jumps has none: it would be a tenth of a large circuit's."""
    made: list[int] = []
    make = Impulses._make_room
    monkeypatch.setattr(Impulses, "_make_room", lambda own, rows: (made.append(rows), make(own, rows)))
    s = tg.System("divider")
    s.add(v=el.StepVoltage(V=10.0, start_time=0.5), c1=el.Capacitor(C=1.0), c2=el.Capacitor(C=3.0), g=el.Ground())
    s.connect(s.v.p, s.c1.p)
    s.connect(s.c1.n, s.c2.p)
    s.connect(s.v.n, s.c2.n, s.g.p)
    compiled = tg.compile(s)
    tg.simulate(compiled, 0.4, points=3)
    assert not made
    assert jump(tg.simulate(compiled, 1.0, points=3), "c1.v", 0.5) == pytest.approx(7.5, rel=1e-9)
    assert len(made) == 1


@pytest.mark.parametrize("solver", SOLVERS)
def test_current_divider_of_inductors(solver: str) -> None:
    """A step of current divides between two inductors as 1/L."""
    s = tg.System("dual")
    s.add(i=el.StepCurrent(I=4.0, start_time=0.5), l1=el.Inductor(L=1.0), l2=el.Inductor(L=3.0), g=el.Ground())
    s.connect(s.i.n, s.l1.p, s.l2.p)
    s.connect(s.i.p, s.l1.n, s.l2.n, s.g.p)
    solution = tg.simulate(s, 1.0, solver=solver, points=11)
    assert jump(solution, "l1.i", 0.5) == pytest.approx(3.0, rel=1e-9)
    assert jump(solution, "l2.i", 0.5) == pytest.approx(1.0, rel=1e-9)


class ChargeCapacitor(tg.Component):
    """q = C v + k v**3."""

    p = el.Pin()
    n = el.Pin()
    v = tg.variable("V", start=0.0)
    q = tg.variable("C", start=0.0, fixed=True)
    C = tg.parameter(1.0, "F")
    k = tg.parameter(0.0, "F/V2")

    def equations(self):
        yield self.v == self.p.v - self.n.v
        yield self.q == self.C * self.v + self.k * self.v**3
        yield self.p.i == tg.der(self.q)
        yield self.n.i == -self.p.i


class SlopeCapacitor(tg.Component):
    """C(v) der(v) = i: the charge of a jump depends on the way."""

    p = el.Pin()
    n = el.Pin()
    v = tg.variable("V", start=0.0, fixed=True)
    C = tg.parameter(1.0, "F")
    k = tg.parameter(1.0, "F/V2")

    def equations(self):
        yield self.v == self.p.v - self.n.v
        yield (self.C + self.k * self.v**2) * tg.der(self.v) == self.p.i
        yield self.n.i == -self.p.i


def _in_series(a: tg.Component, b: tg.Component) -> tg.System:
    s = tg.System("series")
    s.add(v=el.StepVoltage(V=10.0, start_time=0.5), r=el.Resistor(R=1e6), g=el.Ground(), a=a, b=b)
    s.connect(s.v.p, s.a.p)
    s.connect(s.a.n, s.b.p, s.r.p)
    s.connect(s.v.n, s.b.n, s.r.n, s.g.p)
    return s


@pytest.mark.parametrize("solver", ["auto", "ida"])
def test_nonlinear_charge(solver: str) -> None:
    """v + 0.1 v**3 = 3 (10 - v): the same charge, by Newton's method."""
    model = _in_series(ChargeCapacitor(k=0.1), ChargeCapacitor(C=3.0))
    solution = tg.simulate(model, 1.0, solver=solver, points=11, initial={"a.q": 0.0, "b.q": 0.0})
    roots = np.roots([0.1, 0.0, 4.0, -30.0])
    expected = roots[abs(roots.imag) < 1e-9].real[0]
    assert jump(solution, "a.v", 0.5) == pytest.approx(expected, rel=1e-8)


def test_a_capacitance_that_jumps_with_its_voltage_is_warned_of() -> None:
    """Without the charge the integral over the instant has no value."""
    with pytest.warns(UserWarning, match=r"coefficient of a derivative.*der\(a\.v\)"):
        tg.simulate(_in_series(SlopeCapacitor(), el.Capacitor(C=1.0)), 1.0, points=11)


# -- random networks -----------------------------------------------------------------------------------------------
@dataclass
class Network:
    """Branches by kind: (a, b, value), and for sources the time of their step."""

    nodes: int
    branches: dict[str, list[tuple[int, int, float]]] = field(default_factory=lambda: {k: [] for k in "RCLVI"})
    steps: dict[str, list[float]] = field(default_factory=lambda: {"V": [], "I": []})

    def incidence(self, kind: str) -> np.ndarray:
        """One column for each branch, without the ground."""
        out = np.zeros((self.nodes + 1, len(self.branches[kind])))
        for k, (a, b, _) in enumerate(self.branches[kind]):
            out[a, k] += 1.0
            out[b, k] -= 1.0
        return out[1:]

    def values(self, kind: str) -> np.ndarray:
        """The values of all branches of a kind."""
        return np.array([value for *_, value in self.branches[kind]])

    def jumps(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Voltages of capacitors and currents of inductors jump at a time, by Kirchhoff's laws of impulses and jumps.

        Unknown are the impulses of potentials, their jumps, impulses of the currents of voltage sources, jumps of the
        currents of inductors, voltage sources and capacitors.
        """
        a = {kind: self.incidence(kind) for kind in "RCLVI"}
        conductance = a["R"] @ np.diag(1 / self.values("R")) @ a["R"].T
        capacitance = a["C"] @ np.diag(self.values("C")) @ a["C"].T
        stepped = {kind: self.values(kind) * (np.array(self.steps[kind]) == t) for kind in "VI"}
        n, c, ind, v = self.nodes, len(self.values("C")), len(self.values("L")), len(self.values("V"))

        def zero(*shape: int) -> np.ndarray:
            return np.zeros(shape)

        rows = [
            [a["C"].T, zero(c, n), zero(c, v), zero(c, ind), zero(c, v), zero(c, c)],
            [a["V"].T, zero(v, n), zero(v, v), zero(v, ind), zero(v, v), zero(v, c)],
            [zero(v, n), a["V"].T, zero(v, v), zero(v, ind), zero(v, v), zero(v, c)],
            [a["L"].T, zero(ind, n), zero(ind, v), -np.diag(self.values("L")), zero(ind, v), zero(ind, c)],
            [conductance, capacitance, a["V"], zero(n, ind), zero(n, v), zero(n, c)],
            [zero(n, n), conductance, zero(n, v), a["L"], a["V"], a["C"]],
        ]
        right = [zero(c), zero(v), stepped["V"], zero(ind), zero(n), -a["I"] @ stepped["I"]]
        matrix, rhs = np.block(rows), np.concatenate(right)
        found = np.linalg.lstsq(matrix, rhs, rcond=1e-11)[0]
        np.testing.assert_allclose(matrix @ found, rhs, atol=1e-8)
        return a["C"].T @ found[n : 2 * n], found[2 * n + v : 2 * n + v + ind]

    def system(self) -> tg.System:
        """The network of library parts."""
        s = tg.System("network")
        make = {
            "R": lambda value, _: el.Resistor(R=value),
            "C": lambda value, _: el.Capacitor(C=value),
            "L": lambda value, _: el.Inductor(L=value),
            "V": lambda value, t: el.StepVoltage(V=value, start_time=t),
            "I": lambda value, t: el.StepCurrent(I=value, start_time=t),
        }
        pins: dict[int, list[tuple[str, str]]] = {k: [] for k in range(self.nodes + 1)}
        s.add(ground=el.Ground())
        for kind, branches in self.branches.items():
            for k, (a, b, value) in enumerate(branches):
                name = f"{kind.lower()}{k}"
                s.add(**{name: make[kind](value, self.steps.get(kind, [0.0] * (k + 1))[k])})
                pins[a].append((name, "p"))
                pins[b].append((name, "n"))
        for node, ends in pins.items():
            points = [getattr(getattr(s, name), end) for name, end in ends]
            points += [s.ground.p] if node == 0 else []
            if len(points) > 1:
                s.connect(*points)
        return s


def random_network(rng: np.random.Generator) -> Network:
    """Connected, without loops of voltage sources; loops of capacitors and cut-sets of inductors are likely."""
    net = Network(int(rng.integers(2, 6)))

    def value() -> float:
        return float(np.round(10.0 ** rng.uniform(-0.5, 0.5), 3))

    for node in range(1, net.nodes + 1):  # a tree
        kind = str(rng.choice(list("RCLV"), p=[0.3, 0.35, 0.2, 0.15]))
        _add(net, kind, node, int(rng.integers(0, node)), value(), rng)
    if not net.branches["V"]:
        kind = "I" if net.branches["L"] and rng.random() < 0.5 else "V"
        net.nodes += kind == "V"
        _add(net, kind, net.nodes, 0, value(), rng)
        if kind == "V":
            _add(net, str(rng.choice(["R", "C"])), net.nodes, int(rng.integers(1, net.nodes)), value(), rng)
    for _ in range(int(rng.integers(1, 5))):
        a, b = rng.choice(net.nodes + 1, 2, replace=False)
        _add(net, str(rng.choice(list("RCCLI"))), int(a), int(b), value(), rng)
    return net


def _add(net: Network, kind: str, a: int, b: int, value: float, rng: np.random.Generator) -> None:
    net.branches[kind].append((a, b, value))
    if kind in net.steps:
        net.steps[kind].append(float(rng.choice([0.25, 0.5])))


def compare_with_kirchhoff(rng: np.random.Generator) -> bool:
    """Whether a random network was simulated; its jumps are compared with those that Kirchhoff's laws give."""
    net = random_network(rng)
    try:
        solution = tg.simulate(net.system(), 0.75, points=16, solver=str(rng.choice(["auto", "ida"])), rtol=1e-8)
    except tg.StructureError:
        return False  # a cut-set of current sources, a loop of voltage sources
    for t in sorted({*net.steps["V"], *net.steps["I"]}):
        of_voltage, of_current = net.jumps(t)
        found_v = [jump(solution, f"c{k}.v", t) for k in range(len(of_voltage))]
        found_i = [jump(solution, f"l{k}.i", t) for k in range(len(of_current))]
        np.testing.assert_allclose(found_v, of_voltage, atol=1e-7)
        np.testing.assert_allclose(found_i, of_current, atol=1e-7)
    return True


def test_random_networks() -> None:
    """Loops of capacitors and cut-sets of inductors in every arrangement."""
    rng = np.random.default_rng(5)
    done = sum(compare_with_kirchhoff(rng) for _ in range(16))
    assert done >= 8


# -- mechanics -----------------------------------------------------------------------------------------------------
class DogClutch(tg.Component):
    """Engages at once, at whatever difference of speed."""

    a = rot.Flange()
    b = rot.Flange()
    phi = tg.variable("rad", "relative angle", start=0.0, fixed=True)
    w = tg.variable("rad/s", "relative speed")
    tau = tg.variable("N.m")
    engages = tg.parameter(1.0, "s")

    def equations(self):
        yield self.phi == self.b.phi - self.a.phi
        yield tg.der(self.phi) == self.w
        yield self.b.tau == self.tau
        yield self.a.tau == -self.tau
        yield tg.modes(
            tg.mode("open", self.tau == 0),
            tg.mode("engaged", tg.der(self.w) == 0),
            tg.transition("open", "engaged", tg.time > self.engages, tg.reinit(self.w, 0.0)),
        )


class Shafts(tg.Component):
    """A rotor is clutched to another one that drives a third through a gear."""

    j1 = rot.Inertia(J=1.0, w=tg.variable(start=10.0, fixed=True), phi=tg.variable(start=0.0, fixed=True))
    clutch = DogClutch()
    j2 = rot.Inertia(J=2.0, w=tg.variable(start=1.0, fixed=True))
    gear = rot.IdealGear(ratio=2.0)
    j3 = rot.Inertia(J=4.0)

    def connections(self):
        yield self.j1.flange_b, self.clutch.a
        yield self.clutch.b, self.j2.flange_a
        yield self.j2.flange_b, self.gear.flange_a
        yield self.gear.flange_b, self.j3.flange_a


@pytest.mark.parametrize("solver", SOLVERS)
def test_clutched_shafts_conserve_momentum(solver: str) -> None:
    """J1 w1 + (J2 + J3/ratio**2) w2 is the same before and after."""
    solution = shared_model(Shafts).simulate(2.0, solver=solver)
    expected = (1.0 * 10.0 + 3.0 * 1.0) / 4.0
    assert solution["j1.w"][-1] == pytest.approx(expected, rel=1e-8)
    assert solution["j2.w"][-1] == pytest.approx(expected, rel=1e-8)
    assert solution["j3.w"][-1] == pytest.approx(expected / 2.0, rel=1e-8)


def test_sensitivity_of_the_speed_after_clutching() -> None:
    """d/dJ1 of (J1 w1 + J w2)/(J1 + J)."""
    found = tg.sensitivity(Shafts(), 2.0, wrt=["j1.J", "j3.J"], rtol=1e-9)
    assert found["j2.w", "j1.J"][-1] == pytest.approx((10.0 * 4.0 - 13.0) / 16.0, rel=1e-6)
    assert found["j2.w", "j3.J"][-1] == pytest.approx(0.25 * (1.0 * 4.0 - 13.0) / 16.0, rel=1e-6)


class Impact(tg.Component):
    """Two bodies that bounce off each other where they touch."""

    a = tr.Flange()
    b = tr.Flange()
    gap = tg.variable("m", start=0.0)
    v = tg.variable("m/s", "speed at which the gap opens")
    acceleration = tg.variable("m/s2")
    f = tg.variable("N", "force between impacts")
    rest = tg.parameter(0.0, "N")
    e = tg.parameter(1.0, "1", "restitution")

    def equations(self):
        yield self.gap == self.b.s - self.a.s
        yield tg.der(self.gap) == self.v
        yield tg.der(self.v) == self.acceleration
        yield self.a.f == self.f
        yield self.b.f == -self.f
        yield self.f == self.rest
        yield tg.when((self.gap <= 0) & (self.v < 0), tg.reinit(self.v, -self.e * tg.pre(self.v)))


def train(masses: np.ndarray, speeds: np.ndarray, impacts: np.ndarray, e: float) -> tg.System:
    """Masses in a row; between two of them is an impact or a rigid rod. The first comes from the left."""
    s = tg.System("train")
    for k, (m, v) in enumerate(zip(masses, speeds, strict=True)):
        is_free = k == 0 or impacts[k - 1]
        start = {"s": tg.variable(start=-0.5 * (k == 0), fixed=True), "v": tg.variable(start=v, fixed=True)}
        s.add(**{f"m{k}": tr.Mass(m=m, **(start if is_free else {}))})
    for k, is_impact in enumerate(impacts):
        left = getattr(s, f"m{k}").flange_b
        right = getattr(s, f"m{k + 1}").flange_a
        if is_impact:
            s.add(**{f"i{k}": Impact(e=e)})
            s.connect(left, getattr(s, f"i{k}").a)
            s.connect(getattr(s, f"i{k}").b, right)
        else:
            s.connect(left, right)
    return s


@pytest.mark.parametrize("seed", range(6))
def test_trains_of_rigid_masses_that_collide(seed: int) -> None:
    """The impulse acts on all masses that are rigidly connected: momentum is conserved, speeds part as e says."""
    rng = np.random.default_rng(seed)
    masses = 10.0 ** rng.uniform(-0.5, 0.5, rng.integers(2, 6))
    impacts = np.zeros(len(masses) - 1, bool)
    impacts[0] = True
    e = rng.uniform(0.0, 1.0)
    speeds = np.zeros(len(masses))
    speeds[0] = 1.0
    solution = tg.simulate(train(masses, speeds, impacts, e), 0.75, solver=str(rng.choice(SOLVERS)))
    other = masses[1:].sum()
    after = (masses[0] - e * other) / (masses[0] + other)
    assert solution["m0.v"][-1] == pytest.approx(after, abs=1e-9)
    for k in range(1, len(masses)):
        assert solution[f"m{k}.v"][-1] == pytest.approx(after + e, abs=1e-9)


@pytest.mark.parametrize("solver", SOLVERS)
def test_cradle_of_impacts(solver: str) -> None:
    """Impacts that set each other off pass the speed on."""
    speeds = np.eye(4)[0]
    solution = tg.simulate(train(np.ones(4), speeds, np.ones(3, bool), 1.0), 0.75, solver=solver)
    np.testing.assert_allclose([solution[f"m{k}.v"][-1] for k in range(4)], [0, 0, 0, 1], atol=1e-9)


# -- ideal switches ----------------------------------------------------------------------------------------------
class ModeSwitch(el.OnePort):
    """Closes at 0.5 s, without resistance; by modes."""

    def equations(self):
        yield tg.modes(
            tg.mode("open", self.i == 0.0),
            tg.mode("closed", self.v == 0.0),
            tg.transition("open", "closed", tg.time > 0.5),
        )


class WhereSwitch(el.OnePort):
    """The same by a condition."""

    volt = tg.parameter(1.0, "1/V")
    ampere = tg.parameter(1.0, "1/A")

    def equations(self):
        yield tg.where(tg.time > 0.5, self.volt * self.v, self.ampere * self.i) == 0.0


def switched(switch: tg.Component, circuit: str) -> tg.System:
    """A switch between two capacitors (the second one empty), across one, or in series with an inductor."""
    charged = {"v": tg.variable(start=8.0, fixed=True)}
    s = tg.System(circuit)
    s.add(sw=switch, g=el.Ground())
    if circuit == "coil":
        s.add(v=el.ConstantVoltage(V=1.0), l=el.Inductor(L=1.0, i=tg.variable(start=0.0, fixed=True)))
        s.connect(s.v.p, s.sw.p)
        s.connect(s.sw.n, s.l.p)
        s.connect(s.v.n, s.l.n, s.g.p)
        return s
    s.add(c1=el.Capacitor(C=1.0, **charged))
    s.connect(s.c1.p, s.sw.p)
    if circuit == "shorted":
        s.connect(s.sw.n, s.c1.n, s.g.p)
        return s
    s.add(c2=el.Capacitor(C=3.0, v=tg.variable(start=0.0, fixed=True)))
    s.connect(s.sw.n, s.c2.p)
    s.connect(s.c1.n, s.c2.n, s.g.p)
    return s


@pytest.mark.parametrize("circuit", ["shared", "shorted", "coil"])
def test_ideal_switches_that_tie_states_are_rejected(circuit: str) -> None:
    """In one position nothing determines a current or a voltage: an error before the run, or where it gets there."""
    with pytest.raises(tg.StructureError, match="E209"):
        tg.simulate(switched(ModeSwitch(), circuit), 1.0)
    for solver in ("auto", "ida"):
        ended = tg.simulate(switched(WhereSwitch(), circuit), 1.0, solver=solver, throw=False)
        assert not ended.success
        assert ended.time[-1] == (0.0 if circuit == "coil" else 0.5)


def test_a_switch_with_a_little_resistance_shares_the_charge() -> None:
    """8 V on 1 F and nothing on 3 F: 2 V on both."""
    s = switched(el.IdealClosingSwitch(Ron=1e-6, Goff=0.0), "shared")
    s.add(u=blocks.Step(start_time=0.5))
    s.connect(s.u.y, s.sw.control)
    solution = tg.simulate(s, 1.0)
    np.testing.assert_allclose([solution["c1.v"][-1], solution["c2.v"][-1]], 2.0, atol=1e-6)


# -- what stays as it is ---------------------------------------------------------------------------------------------
def test_no_jump_without_a_constraint() -> None:
    """A step behind a resistor moves no capacitor, and nothing is said."""
    s = tg.System("rc")
    s.add(v=el.StepVoltage(V=1.0, start_time=0.5), r=el.Resistor(R=1.0), c=el.Capacitor(C=1.0), g=el.Ground())
    s.connect(s.v.p, s.r.p)
    s.connect(s.r.n, s.c.p)
    s.connect(s.v.n, s.c.n, s.g.p)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        solution = tg.simulate(s, 1.0)
    assert jump(solution, "c.v", 0.5) == 0.0


def test_positions_that_jump_are_warned_of() -> None:
    """s1 + s2 follows a step: two rigid masses cannot share a jump of positions by an impulse."""

    class Lever(tg.Component):
        s1 = tg.variable("m", start=0.0, fixed=True)
        s2 = tg.variable("m")
        v1 = tg.variable("m/s", start=0.0, fixed=True)
        v2 = tg.variable("m/s")
        f = tg.variable("N")

        def equations(self):
            yield tg.der(self.s1) == self.v1
            yield tg.der(self.s2) == self.v2
            yield 1.0 * tg.der(self.v1) == self.f
            yield 2.0 * tg.der(self.v2) == self.f
            yield self.s1 + self.s2 == tg.where(tg.time > 0.5, 1.0, 0.0)

    with pytest.warns(UserWarning, match="positions"):
        tg.simulate(Lever(), 1.0)


def test_adjoint_gradients_say_that_they_cannot_follow() -> None:
    """The transpose of an impulse is not built: forward sensitivities are."""
    s = _in_series(el.Capacitor(C=1.0), el.Capacitor(C=3.0))
    with pytest.raises(tg.TellegenError, match=r"(?s)E643.*impulse"):
        tg.gradient(s, 1.0, of=tg.final("b.v"), wrt=["a.C"], method="adjoint")


def test_a_reinit_of_a_state_on_its_own_moves_nothing_else() -> None:
    """An integrator beside clutched shafts is set to zero every tenth of a second."""

    class Beside(Shafts):
        x = tg.variable(start=0.0, fixed=True)

        def equations(self):
            yield tg.der(self.x) == 1.0
            yield tg.when(tg.sample(0.1, 0.1), tg.reinit(self.x, 0.0))

    solution = tg.simulate(Beside(), 2.0)
    assert solution["x"].max() == pytest.approx(0.1, abs=1e-6)
    assert solution["j2.w"][-1] == pytest.approx(3.25, rel=1e-8)
    assert solution["j2.w"][solution.time < 1.0].max() == pytest.approx(1.0, rel=1e-8)
