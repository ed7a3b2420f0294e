"""Quasi-static circuits against complex arithmetic, and the examples of these names of the Modelica library.

All equations are algebraic, so what remains is rounding: 1e-9 of the values.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from shared_models import shared_model
from tellegen.library import blocks
from tellegen.library import electrical as el
from tellegen.library import quasi_static as qs
from validation.measured import within

W = 2.0 * np.pi * 50.0
A = np.exp(2j * np.pi / 3)


def phasor(solution: Any, name: str, kind: str = "i") -> Any:
    """A phasor of a solution, at the end of the run."""
    return solution[f"{name}.{kind}_re"][-1] + 1j * solution[f"{name}.{kind}_im"][-1]


def run(system: Any, stop: float = 1e-3, **options: Any) -> Any:
    return tg.simulate(system, stop, points=2, **options)


class Resonances(tg.Component):
    """SeriesResonance and ParallelResonance, at one frequency that rises from 1e-6 to 2 Hz."""

    reference = qs.VariableReference()
    f = blocks.Ramp(height=2.0, duration=1.0, offset=1e-6)
    v = qs.VariableVoltageSource()
    r, coil, c = qs.Resistor(R=0.1), qs.Inductor(L=0.5 / np.pi), qs.Capacitor(C=0.5 / np.pi)
    i = qs.VariableCurrentSource()
    r2, l2, c2 = qs.Conductor(G=0.1), qs.Inductor(L=0.5 / np.pi), qs.Capacitor(C=0.5 / np.pi)
    frequency, angle = qs.FrequencySensor(), qs.ReferenceSensor()
    ground = qs.Ground()

    def equations(self):
        yield self.reference.f == self.f.y
        yield self.v.V_re == [1.0]
        yield self.v.V_im == [0.0]
        yield self.i.I_re == [1.0]
        yield self.i.I_im == [0.0]

    def connections(self):
        yield self.v.p, self.r.p
        yield self.r.n, self.coil.p
        yield self.coil.n, self.c.p
        yield self.c.n, self.v.n, self.ground.p
        yield self.i.n, self.r2.p, self.l2.p, self.c2.p
        yield self.i.p, self.r2.n, self.l2.n, self.c2.n, self.ground.p


@pytest.mark.parametrize("solver", ["auto", "ida"])
def test_series_and_parallel_resonance(solver: str) -> None:
    s = shared_model(Resonances).simulate(1.0, rtol=1e-8, solver=solver)
    f = 1e-6 + 2.0 * s.time
    found = s["r.i_re"][:, 0] + 1j * s["r.i_im"][:, 0]
    exact = 1.0 / (0.1 + 1j * (f - 1.0 / f))
    within("Quasi-static series resonance", (found - exact) / abs(exact).max(), 1e-7, "1/(R + jwL + 1/jwC)", solver)
    found = s["l2.v_re"][:, 0] + 1j * s["l2.v_im"][:, 0]
    exact = 1.0 / (0.1 + 1j * (f - 1.0 / f))
    within("Quasi-static parallel resonance", (found - exact) / abs(exact).max(), 1e-7, "1/(G + jwC + 1/jwL)", solver)
    within("Frequency sensor", s["frequency.y"] - f, 1e-9, "ramp", solver)
    within("Angle of the axes", s["angle.y"] - 2 * np.pi * (1e-6 * s.time + s.time**2), 1e-6, "integral", solver)


class Balancing(tg.Component):
    """BalancingDelta and BalancingStar: loads that take symmetrical currents though each phase is another part."""

    reference = qs.Reference(f=50.0)
    source = qs.VoltageSource(m=3, V=100.0)
    star = qs.Star()
    aron, reactive = qs.AronSensor(), qs.ReactivePowerSensor()
    meter = qs.PowerSensor(m=3)
    line = qs.CurrentSensor(m=3)
    r, coil, c = (
        qs.Resistor(R=10.0),
        qs.Inductor(L=10.0 * np.sqrt(3.0) / W),
        qs.Capacitor(C=1.0 / (10.0 * np.sqrt(3.0) * W)),
    )
    rms, volts = qs.CurrentRMSSensor(m=3), qs.VoltageRMSSensor(m=3)
    ground = qs.Ground()

    def connections(self):
        yield self.source.n, self.star.p
        yield self.star.n, self.ground.p
        yield self.source.p, self.meter.pc, self.meter.pv, self.volts.p
        yield self.source.n, self.meter.nv, self.volts.n
        yield self.meter.nc, self.line.p
        yield self.line.n, self.aron.p
        yield self.aron.n, self.reactive.p
        yield self.reactive.n, self.rms.p
        yield self.rms.n[0], self.c.p[0], self.r.n[0]
        yield self.rms.n[1], self.c.n[0], self.coil.p[0]
        yield self.rms.n[2], self.coil.n[0], self.r.p[0]


def test_balancing_delta() -> None:
    """The load takes P = |v|^2/R of one phase; its line currents are P/(3 V) in phase with the voltages."""
    s = run(Balancing())
    found = phasor(s, "line", "y")
    power = 3 * 100.0**2 / 10.0
    exact = power / 300.0 * A ** -np.arange(3)
    within("Balanced delta, line currents", found - exact, 1e-9, "symmetrical currents, A")
    powers = [s["meter.P"][-1] - power, s["meter.Q"][-1], s["aron.P"][-1] - power, s["reactive.Q"][-1]]
    within("Balanced delta, powers", powers, 1e-7, "v^2/R and 0, W")
    within("Balanced delta, effective values", [s["rms.y"][-1] - 10.0, s["volts.y"][-1] - 100.0], 1e-9, "10 A, 100 V")


def network(seed: int) -> tuple[tg.System, Any, int]:
    """A random network of admittances between nodes, a current source, and its matrix of nodes."""
    random = np.random.default_rng(seed)
    nodes = 6
    s = tg.System("network")
    s.add(reference=qs.Reference(f=50.0), ground=qs.Ground(), source=qs.CurrentSource(I=2.0, phi=[0.7]))
    matrix = np.zeros((nodes + 1, nodes + 1), complex)
    pins: list[list[Any]] = [[] for _ in range(nodes + 1)]
    pairs = [(a, a + 1) for a in range(nodes)] + [tuple(random.choice(nodes + 1, 2, replace=False)) for _ in range(9)]
    for k, (a, b) in enumerate(pairs):
        x, z = random.uniform(0.5, 5.0, 2)
        part, y = [
            (qs.Resistor(R=x), 1.0 / x),
            (qs.Inductor(L=x / W), 1.0 / (1j * x)),
            (qs.Capacitor(C=x / W), 1j * x),
            (qs.Impedance(R=x, X=z, frequency_dependent=True, f_ref=25.0), 1.0 / (x + 2j * z)),
            (qs.Impedance(R=x, X=-z, frequency_dependent=True, f_ref=25.0), 1.0 / (x - 0.5j * z)),
            (qs.Admittance(G=x, B=-z), x - 1j * z),
        ][int(random.integers(6))]
        s.add(**{f"part{k}": part})
        pins[a].append(part.p)
        pins[b].append(part.n)
        matrix[[a, b], [a, b]] += y
        matrix[[a, b], [b, a]] -= y
    pins[0].append(s.ground.p)
    pins[0].append(s.source.p)
    pins[nodes].append(s.source.n)
    for at in pins:
        s.connect(*at)
    return s, matrix[1:, 1:], nodes


@pytest.mark.parametrize("seed", range(2))
def test_random_networks(seed: int) -> None:
    """The potentials are those of the matrix of nodes, and the complex powers of all parts sum to zero (Tellegen)."""
    s, matrix, nodes = network(seed)
    solution = run(s)
    currents = np.zeros(nodes, complex)
    currents[-1] = 2.0 * np.exp(0.7j)
    exact = np.linalg.solve(matrix, currents)
    found = solution["source.n.v_re"][-1] + 1j * solution["source.n.v_im"][-1]
    within("Quasi-static networks, potential", abs(found - exact[-1]) / abs(exact[-1]), 1e-9, "matrix of nodes")
    parts = ["source", *(f"part{k}" for k in range(15))]
    total = sum(solution[f"{name}.P"][-1] + 1j * solution[f"{name}.Q"][-1] for name in parts)
    size = sum(abs(solution[f"{name}.P"][-1]) + abs(solution[f"{name}.Q"][-1]) for name in parts)
    within("Quasi-static networks, complex powers", abs(total) / size, 1e-12, "Tellegen's theorem")


GROUPS = ["Yy0", "Yy10", "Dd2", "Dd4", "Dz0", "Dz6", "Yd1", "Yd7", "Dy5", "Dy9", "Yz3", "Yz11"]
PLATE = {"n": 4.0, "R1": 0.5, "R2": 0.04, "L1sigma": 5e-3, "L2sigma": 3e-4, "Lm1": 2.0, "Gc": 2e-4}


def groups() -> Any:
    """All groups on one source, loaded by 1e9 ohm."""
    s = tg.System("groups")
    s.add(reference=qs.Reference(f=50.0), source=qs.VoltageSource(m=3, V=1000.0), star=qs.Star(), ground=qs.Ground())
    s.connect(s.source.n, s.star.p)
    s.connect(s.star.n, s.ground.p)
    for k, group in enumerate(GROUPS):
        trafo = qs.ThreePhaseTransformer(group=group, magnetization=True, **PLATE)
        load = qs.Resistor(m=3, R=1e9)
        end = qs.Star()
        s.add(**{f"trafo{k}": trafo, f"load{k}": load, f"end{k}": end})
        s.connect(s.source.p, trafo.p1)
        s.connect(trafo.p2, load.p)
        s.connect(load.n, end.p)
        s.connect(end.n, s.ground.p)
        if "Y" in group:
            s.connect(trafo.starpoint1, s.ground.p)
        if group[1] != "d":
            s.connect(trafo.starpoint2, s.ground.p)
    return run(s)


def test_vector_groups() -> None:
    """Without load the lines of side 2 have V/n, less the drop of the excitation, and lag by 30 degrees an hour."""
    s = groups()
    winding = PLATE["R1"] + 1j * W * PLATE["L1sigma"]
    core = 1.0 / (PLATE["Gc"] + 1.0 / (1j * W * PLATE["Lm1"]))
    for k, group in enumerate(GROUPS):
        lag = np.exp(-1j * np.pi / 6 * int(group[2:]))
        exact = 250.0 * core / (core + winding) * lag * A ** -np.arange(3)
        error = abs(phasor(s, f"load{k}", "v") - exact).max() / 250.0
        within("Quasi-static vector groups", error, 1e-6, "1/n, 30 degrees each; 1e9 ohm at the end")


class Loaded(tg.Component):
    """A transformer in star and zigzag with a load between two lines, and transformers of one phase."""

    reference = qs.Reference(f=50.0)
    source = qs.VoltageSource(m=3, V=1000.0)
    star = qs.Star()
    trafo = qs.ThreePhaseTransformer(group="Yz11", n=4.0, R1=0.5, R2=0.04, L1sigma=5e-3, L2sigma=3e-4)
    load = qs.Impedance(R=30.0, X=40.0)
    one = qs.VoltageSource(V=230.0, phi=[0.3])
    ideal = qs.IdealTransformer(n=5.0)
    r = qs.Resistor(R=4.0)
    coupled = qs.Transformer(L1=0.5, L2=0.02, M=0.09)
    r2 = qs.Resistor(R=4.0)
    ground = qs.Ground()

    def build(self):
        self.loads = [
            qs.VariableResistor(),
            qs.VariableConductor(),
            qs.VariableInductor(),
            qs.VariableCapacitor(),
            qs.VariableAdmittance(frequency_dependent=True, f_ref=25.0),
        ]

    def equations(self):
        for load, name, value in zip(self.loads, "RGLCG", (2.0, 0.25, 3.0 / W, 0.2 / W, 0.3), strict=True):
            yield getattr(load, name) == [value]
        yield self.loads[4].B == [-0.8]

    def connections(self):
        for load in self.loads:
            yield self.one.p, load.p
            yield load.n, self.ground.p
        yield self.source.n, self.star.p
        yield self.star.n, self.ground.p
        yield self.source.p, self.trafo.p1
        yield self.trafo.starpoint1, self.ground.p
        yield self.trafo.starpoint2, self.ground.p
        yield self.trafo.p2[0], self.load.p[0]
        yield self.trafo.p2[1], self.load.n[0]
        yield self.one.p, self.ideal.p1, self.coupled.p1
        yield self.one.n, self.ideal.n1, self.coupled.n1, self.ideal.n2, self.coupled.n2, self.ground.p
        yield self.ideal.p2, self.r.p
        yield self.coupled.p2, self.r2.p
        yield self.r.n, self.r2.n, self.ground.p


def test_loaded_transformers() -> None:
    """A load between lines 1 and 2 of a zigzag: core 2 has two halves of windings, with opposite currents."""
    s = run(Loaded())
    n = np.sqrt(3.0) * 4.0
    z1 = 0.5 + 1j * W * 5e-3
    z2 = 0.04 + 1j * W * 3e-4
    v1 = 1000.0 * A ** -np.arange(3)
    halves = np.array([1.0, -2.0, 1.0]) / n  # of cores 1, 2, 3 in v2[0] - v2[1]
    i = (halves @ v1) / (30.0 + 40j + 2 * z2 + z1 * halves @ halves)
    within("Loaded zigzag", abs(phasor(s, "load")[0] - i) / abs(i), 1e-9, "equivalent circuit")
    v = 230.0 * np.exp(0.3j)
    within("Ideal transformer", phasor(s, "r") - v / 5.0 / 4.0, 1e-9, "v/(n R), A")
    admittances = [0.5, 0.25, 1.0 / 3j, 0.2j, 0.3 - 0.4j]
    for k, y in enumerate(admittances):
        within("Loads as signals", phasor(s, f"loads[{k}]")[0] - v * y, 1e-9, "v Y, A")
    L = np.array([[0.5, 0.09], [0.09, 0.02]]) * 1j * W + np.diag([0.0, 4.0])
    i2 = np.linalg.solve(L, [v, 0.0])[1]
    within("Coupled inductances", phasor(s, "r2") + i2, 1e-9, "matrix of inductances, A")


class Switched(tg.Component):
    """Switches, mutual inductances, a multiple star, a converter and what they feed."""

    reference = qs.AngleReference()
    source = qs.VoltageSource(m=6, V=100.0, phi=[0.0, -2.0, -4.0, 0.5, -1.5, -3.5])
    mutual = qs.MutualInductor(m=6, L=np.eye(6) * 0.1 + 0.02)
    closing, opening = qs.IdealClosingSwitch(m=6, Ron=0.0), qs.IdealOpeningSwitch(m=6, Goff=0.0)
    bank = qs.MultiStar(m=6)
    resistors = qs.MultiStarResistance(m=6, R=50.0)
    commuting = qs.IdealCommutingSwitch(Ron=1e-9, Goff=0.0)
    crossing = qs.IdealIntermediateSwitch(Ron=1e-9, Goff=0.0)
    one = qs.VoltageSource(V=10.0)
    r1, r2, r3, r4 = (qs.Resistor(R=float(k)) for k in (1, 2, 3, 4))
    short, idle = qs.Short(), qs.Idle()
    converter = qs.IdealACDCConverter(conversion_factor=1.5)
    r5 = qs.Resistor(R=1.0)
    dc = el.Resistor(R=20.0)
    star, ground, zero = qs.Star(m=6), qs.Ground(), el.Ground()

    def equations(self):
        yield self.reference.angle == 2 * tg.pi * 50.0 * tg.time
        on = tg.where(tg.time > 0.5e-3, 1.0, 0.0)
        yield self.closing.control == [on] * 6
        yield self.opening.control == [on] * 6
        yield self.commuting.control == [on]
        yield self.crossing.control == [on]

    def connections(self):
        yield self.source.n, self.star.p
        yield self.source.p, self.mutual.p
        yield self.mutual.n, self.closing.p, self.opening.p
        yield self.closing.n, self.bank.p
        yield self.opening.n, self.resistors.p
        yield self.bank.starpoints[0], self.ground.p[0]
        yield self.one.p, self.commuting.p, self.crossing.p1, self.short.p, self.r5.p
        yield self.commuting.n1, self.r1.p
        yield self.commuting.n2, self.r2.p
        yield self.crossing.n1, self.r3.p
        yield self.crossing.n2, self.r4.p
        yield self.short.n, self.idle.p
        yield self.r5.n, self.converter.ac_p
        yield self.converter.dc_p, self.dc.p
        yield self.converter.dc_n, self.dc.n, self.zero.p
        yield self.one.n, self.r1.n, self.r2.n, self.r3.n, self.r4.n, self.crossing.p2, self.idle.n, self.ground.p
        yield self.converter.ac_n, self.ground.p
        yield self.star.n, self.resistors.n, self.ground.p


def test_switches_stars_and_converter() -> None:
    s = run(Switched())
    v = 100.0 * np.exp(1j * np.array([0.0, -2.0, -4.0, 0.5, -1.5, -3.5]))
    z = 1j * W * (np.eye(6) * 0.1 + 0.02)
    # the second star point is open: its currents sum to zero, and it has a potential of its own
    rows = np.zeros((7, 7), complex)
    rows[:6, :6] = z
    rows[3:6, 6] = 1.0
    rows[6, 3:6] = 1.0
    exact = np.linalg.solve(rows, [*v, 0.0])[:6]
    within("Switched star of six phases", phasor(s, "mutual") - exact, 1e-8, "matrix of inductances, A")
    paths = [phasor(s, name)[0] for name in ("r1", "r2", "r3", "r4")]
    within("Paths of switches", np.array(paths) - [0.0, 5.0, 0.0, 2.5], 1e-7, "10 V over R, A")
    # dc voltage 1.5 V, so the resistance 20 ohm appears as 20/1.5^2 behind 1 ohm
    ac = 10.0 / (1.0 + 20.0 / 2.25)
    within("Ideal converter", [phasor(s, "r5")[0] - ac, s["dc.v"][-1] - 1.5 * (10.0 - ac)], 1e-8, "R/k^2")


class Signals(tg.Component):
    """Unsymmetrical voltages, their components, and back."""

    reference = qs.FrequencySweep(f_start=50.0, f_stop=100.0, duration=0.5e-3)
    source = qs.VoltageSource(m=3, V=[1.0, 2.0, 3.0], phi=[0.1, -2.2, 2.5])
    sensor, potentials = qs.VoltageSensor(m=3), qs.PotentialSensor(m=3)
    all_in_one = qs.MultiSensor(m=3)
    load = qs.VariableImpedance(m=3)
    parts, back = qs.SymmetricalComponents(), qs.FromSymmetricalComponents()
    space, phases, single, rms = qs.ToSpacePhasor(), qs.FromSpacePhasor(), qs.SingleToPolyphase(), qs.QuasiRMS()
    star, ground = qs.Star(), qs.Ground()

    def equations(self):
        yield self.load.R == [1.0, 2.0, 3.0]
        yield self.load.X == [0.5, 0.0, -1.0]
        for block in (self.parts, self.space, self.rms):
            yield block.u_re == self.sensor.y_re
            yield block.u_im == self.sensor.y_im
        yield self.back.u_re == self.parts.y_re
        yield self.back.u_im == self.parts.y_im
        yield self.phases.u == self.space.y
        yield self.single.u_re == self.parts.y_re[0]
        yield self.single.u_im == self.parts.y_im[0]

    def connections(self):
        yield self.source.p, self.sensor.p, self.potentials.p, self.all_in_one.pc, self.all_in_one.pv
        yield self.source.n, self.sensor.n, self.all_in_one.nv, self.load.n, self.star.p
        yield self.all_in_one.nc, self.load.p
        yield self.star.n, self.ground.p


def test_symmetrical_components_and_sensors() -> None:
    s = run(Signals())
    v = np.array([1.0, 2.0, 3.0]) * np.exp(1j * np.array([0.1, -2.2, 2.5]))
    found = phasor(s, "parts", "y")
    exact = [np.sum(v * A ** (n * np.arange(3))) / 3 for n in (1, 2, 3)]
    within("Symmetrical components", found - exact, 1e-12, "Fortescue")
    within("and back", phasor(s, "back", "y") - v, 1e-12, "the same")
    within("Potentials", phasor(s, "potentials", "y") - v, 1e-12, "the same")
    space = s["space.y"][-1] @ [1.0, 1j]
    within("Space phasor", space - np.sqrt(2.0) * exact[0], 1e-12, "sqrt(2) of the positive system")
    symmetrical = exact[0] * A ** -np.arange(3)
    both = np.array([phasor(s, "phases", "y"), phasor(s, "single", "y")])
    within("Phases of a space phasor", both - symmetrical, 1e-12, "positive system")
    within("Effective value", s["rms.y"][-1] - np.sqrt(14.0 / 3.0), 1e-12, "root of the mean square")
    assert s["reference.f"][-1] == pytest.approx(100.0, rel=1e-12)
    angle = 2 * np.pi * (50.0 * 0.5e-3 / np.log(2.0) + 100.0 * 0.5e-3)
    within("Angle of a sweep", s["reference.gamma"][-1] - angle, 1e-6, "integral of f_start 2^(t/T)")
    power = np.sum(abs(v) ** 2 / np.conj([1 + 0.5j, 2.0, 3 - 1j]))
    within("Complex power", s["all_in_one.P"][-1] + 1j * s["all_in_one.Q"][-1] - power, 1e-12, "|v|^2/conj(Z)")


def test_the_frequency_has_to_be_given() -> None:
    with pytest.raises(tg.TellegenError, match="reference"):
        tg.compile(qs.Inductor())
