"""Electrical components against closed-form solutions.

Tolerances: runs at rtol 1e-9 leave errors of some hundred times that; a thousand times is allowed. Values without
dynamics are exact up to rounding.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator
from scipy.linalg import expm
from scipy.optimize import brentq

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.library import thermal as th
from tellegen.library import translational as tr
from validation.measured import relative, within
from validation.ngspice_circuits import circuit

AT_ZERO: Any = {"start": 0.0, "fixed": True}


def run(parts: dict[str, tuple[Any, ...]], stop: float, **options: Any) -> tg.Solution:
    return tg.simulate(circuit("case", parts, {}), stop, **dict[str, Any]({"rtol": 1e-9, "atol": 1e-12}, **options))


def sine(V: float = 2.0, f: float = 1.0) -> Any:
    return el.SineVoltage(V=V, f=f)


def test_transformers_of_all_kinds() -> None:
    """Ideal: v/n and i n. With magnetization the current V (1 - cos)/(w Lm) in addition. Coupled: open and shorted."""
    zero = tg.variable(**AT_ZERO)
    magnetized = el.IdealTransformer(n=4.0, consider_magnetization=True, Lm1=0.3, im1=zero)
    parts = {
        "v1": (sine(), "in", "0"),
        "t1": (el.IdealTransformer(n=4.0), "a", "0", "in", "0"),
        "r1": (el.Resistor(R=0.5), "a", "0"),
        "t2": (
            magnetized,
            "b",
            "0",
            "in",
            "0",
        ),
        "r2": (el.Resistor(R=0.5), "b", "0"),
        "t3": (el.Transformer(L1=0.4, L2=0.1, M=0.15, i1=zero, i2=zero), "0", "0", "in", "0"),
        "g": (el.Gyrator(G1=0.5, G2=0.5), "c", "0", "in", "0"),
        "r4": (el.Resistor(R=3.0), "c", "0"),
    }
    s = run(parts, 1.0)
    v, flux = s["v1.v"], 2.0 / (2 * np.pi) * (1 - np.cos(2 * np.pi * s.time))
    within("ideal transformer, voltage", s["r1.v"] - v / 4, 1e-12, "v1/n, V")
    within("ideal transformer, current", s["t1.i1"] - v / 4 / 0.5 / 4, 1e-12, "v1/(n^2 R), A")
    within("magnetizing current", s["t2.im1"] - flux / 0.3, 1e-6, "flux over Lm1, A")
    within("magnetized transformer, current", s["t2.i1"] - flux / 0.3 - v / 8, 1e-6, "sum of both, A")
    within("shorted transformer", s["t3.i1"] - flux / (0.4 - 0.15**2 / 0.1), 1e-6, "flux over L1 - M^2/L2, A")
    within("gyrator with a resistor", s["g.i1"] - v * 0.25 * 3.0, 1e-12, "G^2 R v1, A")


def test_a_core_that_saturates() -> None:
    """On a voltage without resistance the flux is the integral; the current inverts the curve, here done by SciPy."""
    part = (0.4 - 0.1) / (1.2 - 0.1)
    root: Any = brentq(lambda x: np.arctan(x) / x - part, 1e-3, 1e3, xtol=1e-14)
    bend = 2.0 / root
    coil = el.SaturatingInductor(Inom=2.0, Lnom=0.4, Lzer=1.2, Linf=0.1, i=tg.variable(**AT_ZERO))
    s = run({"v1": (sine(V=8.0), "in", "0"), "l1": (coil, "in", "0")}, 1.0)
    flux = 8.0 / (2 * np.pi) * (1 - np.cos(2 * np.pi * s.time))
    i = s["l1.i"]
    within("saturating inductor, flux", s["l1.Psi"] - flux, 1e-6, "integral of the voltage, V s")
    curve = 0.1 * i + 1.1 * bend * np.arctan(i / bend)
    within("saturating inductor, current", curve - flux, 1e-6, "inverse of the curve, V s")
    within("inductance at Inom", (0.1 * 2.0 + 1.1 * bend * np.arctan(2.0 / bend)) / 2.0 - 0.4, 1e-12, "Lnom, H")


@pytest.mark.parametrize("kind", ["linear", "monotone"])
def test_curves_of_points(kind: str) -> None:
    """The same points in NumPy or SciPy; a sine covers them and goes beyond on one side."""
    x, y = np.array([-2.0, -0.5, 0.0, 1.0, 1.5]), np.array([-1.1, -1.0, 0.0, 0.4, 2.0])
    points = (tuple(x), tuple(y))
    parts = {
        "v1": (sine(V=1.9), "in", "0"),
        "r1": (el.NonlinearResistor(characteristic=points, kind=kind), "in", "0"),
        "l1": (el.NonlinearInductor(characteristic=points, kind=kind, i=tg.variable(**AT_ZERO)), "in", "0"),
        "i1": (el.ConstantCurrent(I=-1.0), "c", "0"),
        "c1": (el.NonlinearCapacitor(characteristic=points, kind=kind, v=tg.variable(**AT_ZERO)), "c", "0"),
    }
    s = run(parts, 1.0)

    def curve(at: Any) -> Any:
        """With a point more at each end, in the direction of the last two."""
        far_x, far_y = [-3.5, *x, 2.0], [-1.2, *y, 3.6]
        return PchipInterpolator(far_x, far_y)(at) if kind == "monotone" else np.interp(at, far_x, far_y)

    flux = 1.9 / (2 * np.pi) * (1 - np.cos(2 * np.pi * s.time))
    within(f"resistor by points, {kind}", s["r1.i"] - curve(s["v1.v"]), 1e-12, "SciPy, A")
    within(f"inductor by points, {kind}", curve(s["l1.i"]) - flux, 1e-6, "integral of the voltage, V s")
    within(f"capacitor by points, {kind}", curve(s["c1.v"]) - s.time, 1e-6, "charge 1 A t, C")


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (el.NonlinearInductor(characteristic=((0.0, 1.0, 2.0), (0.0, 1.0, 0.9))), "must rise, but 0.9 follows 1"),
        (el.NonlinearResistor(characteristic=((0.0, 1.0), (0.0, 1.0, 2.0))), "neither a function nor two rows"),
        (el.NonlinearResistor(characteristic=3.0), "neither a function nor two rows"),
        (el.SaturatingInductor(Lnom=1.0, Lzer=0.9, Linf=0.1), "Lzer > Lnom > Linf"),
        (el.VariableCapacitor(C=-1e-6), "a capacitance is not negative"),
        (el.VariableInductor(L=-1e-6), "an inductance is not negative"),
    ],
)
def test_what_is_no_law_is_refused(part: Any, message: str) -> None:
    with pytest.raises(tg.TellegenError, match=message):
        run({"v1": (sine(), "in", "0"), "r1": (el.Resistor(), "in", "a"), "x": (part, "a", "0")}, 1.0)


def test_windings_that_make_energy_are_refused() -> None:
    """Couplings of 0.9, 0.9 and -0.9 look right pair by pair; the field of 1, 1, -1 A has a negative energy."""
    matrices = {
        "symmetric": [[1.0, 0.5, 0.1], [0.4, 1.0, 0.1], [0.1, 0.1, 1.0]],
        "positive definite": [[1.0, 0.9, 0.9], [0.9, 1.0, -0.9], [0.9, -0.9, 1.0]],
    }
    for message, L in matrices.items():
        parts = {"v1": (sine(), "a", "0"), "l": (el.CoupledInductors(L=L), "a", "0", "0", "0", "0", "0")}
        with pytest.raises(tg.NumericError, match=message):
            run(parts, 1.0)
    with pytest.raises(tg.NumericError, match="M must be below"):
        run({"v1": (sine(), "a", "0"), "t": (el.Transformer(M=1.1), "0", "0", "a", "0")}, 1.0)


def test_a_transformer_with_losses() -> None:
    """A step of 10 V: three states, solved by SciPy's matrix exponential."""
    n, R1, R2, L1, L2, Lm, G, load = 2.0, 0.3, 0.2, 0.02, 0.01, 0.5, 0.05, 4.0
    zero = tg.variable(**AT_ZERO)
    numbers = {"n": n, "R1": R1, "R2": R2, "L1sigma": L1, "L2sigma": L2, "Lm1": Lm, "Gc": G}
    parts = {
        "v1": (el.ConstantVoltage(V=10.0), "in", "0"),
        "t": (el.LossyTransformer(i1=zero, i2=zero, im1=zero, **numbers), "out", "0", "in", "0"),
        "rl": (el.Resistor(R=load), "out", "0"),
    }
    s = run(parts, 1.0, points=21)
    induced = np.array([1.0, 1.0 / n, -1.0]) / G  # v_m as a row, of i1, i2 and im1
    A = np.array([-induced / L1, -induced / (n * L2), induced / Lm])
    A[0, 0] -= R1 / L1
    A[1, 1] -= (R2 + load) / L2
    forced = np.linalg.solve(A, [10.0 / L1, 0.0, 0.0])
    wanted = np.array([(expm(A * t) - np.eye(3)) @ forced for t in s.time])
    for k, name in enumerate(("t.i1", "t.i2", "t.im1")):
        within(f"lossy transformer, {name}", s[name] - wanted[:, k], 1e-7, "matrix exponential, A")


def test_laws_given_as_functions() -> None:
    """Charge C0 v + C1 v^3 under a current of both signs comes back to zero, and so does the voltage."""
    law = {"characteristic": lambda v: 1.0 * v + 0.5 * v**3}
    parts = {
        "i1": (el.ConstantCurrent(I=2.0), "0", "c"),
        "c1": (el.NonlinearCapacitor(v=tg.variable(**AT_ZERO), **law), "c", "0"),
        "r1": (el.NonlinearResistor(characteristic=lambda v: tg.tanh(v / 0.1)), "c", "0"),
    }
    s = run(parts, 1.0)
    v = s["c1.v"]
    within("charge of a voltage", s["c1.Q"] - (v + 0.5 * v**3), 1e-9, "the law, C")
    within("resistor by a function", s["r1.i"] - np.tanh(v / 0.1), 1e-12, "tanh, A")


class Varied(tg.Component):
    """A charged capacitor alone, a coil with a current alone, and a potentiometer, all moved by sines."""

    c = el.VariableCapacitor(v=tg.variable(start=5.0, fixed=True))
    nothing = el.Idle()
    coil = el.VariableInductor(i=tg.variable(start=2.0, fixed=True))
    wire = el.Short()
    source = el.ConstantVoltage(V=10.0)
    pot = el.Potentiometer(R=100.0)
    load = el.Resistor(R=50.0)
    r = el.VariableResistor()
    g = el.VariableConductor()
    ground = el.Ground()

    def connections(self) -> Any:
        yield (
            self.ground.p,
            self.c.n,
            self.nothing.n,
            self.coil.n,
            self.wire.n,
            self.source.n,
            self.pot.pin_n,
            self.load.n,
        )
        yield self.c.p, self.nothing.p
        yield self.coil.p, self.wire.p
        yield self.source.p, self.pot.pin_p, self.r.p, self.g.p
        yield self.ground.p, self.r.n, self.g.n
        yield self.pot.contact, self.load.p

    def equations(self) -> Any:
        move = 0.5 + 0.4 * tg.sin(2 * tg.pi * tg.time)
        yield self.c.C == 1e-6 * move
        yield self.coil.L == 1e-3 * move
        yield self.pot.r == 1.0 * move
        yield self.r.R == 1.0 * move
        yield self.g.G == 1.0 * move


def test_values_that_are_moved() -> None:
    s = tg.simulate(Varied(), 1.0, rtol=1e-9)
    move = 0.5 + 0.4 * np.sin(2 * np.pi * s.time)
    within("capacitor with plates that move", relative(s["c.v"], 5.0 * 0.5 / move), 1e-12, "constant charge, relative")
    within("coil that is deformed", relative(s["coil.i"], 2.0 * 0.5 / move), 1e-12, "constant flux, relative")
    lower = 1.0 / (1.0 / (100.0 * move) + 1.0 / 50.0)
    wanted = 10.0 * lower / (lower + 100.0 * (1 - move))
    within("loaded potentiometer", relative(s["load.v"], wanted), 1e-12, "divider, relative")
    within("variable resistor", relative(s["r.i"], 10.0 / move), 1e-12, "v/R, relative")
    within("variable conductor", relative(s["g.i"], 10.0 * move), 1e-12, "G v, relative")


class Heated(tg.Component):
    """A heating resistor on a current and a conductor on a voltage, each on a heat capacity of its own."""

    current = el.ConstantCurrent(I=-2.0)
    heater = el.HeatingResistor(R_ref=3.0, alpha=0.01)
    body = th.HeatCapacitor(C=10.0, T=tg.variable(start=300.15, fixed=True))
    voltage = el.ConstantVoltage(V=2.0)
    conductor = el.Conductor(G=3.0, alpha=0.01, use_heat_port=True)
    other = th.HeatCapacitor(C=10.0, T=tg.variable(start=300.15, fixed=True))
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.current.p, self.heater.p
        yield self.voltage.p, self.conductor.p
        yield self.current.n, self.heater.n, self.voltage.n, self.conductor.n, self.ground.p
        yield self.heater.heat_port, self.body.port
        yield self.conductor.heat_port, self.other.port


def test_resistance_that_follows_its_own_heat() -> None:
    """Constant current: the rise grows exponentially, (e^(alpha I^2 R t/C) - 1)/alpha; constant voltage: as a root."""
    s = tg.simulate(Heated(), 60.0, rtol=1e-9)
    power = 12.0 / 10.0  # W over J/K, for both
    rise = (np.exp(0.01 * power * s.time) - 1) / 0.01
    within("heating resistor", s["body.T"] - 300.15 - rise, 1e-5, "exponential, K")
    root = (np.sqrt(1 + 2 * 0.01 * power * s.time) - 1) / 0.01
    within("conductor", s["other.T"] - 300.15 - root, 1e-5, "root, K")


class Free(tg.Component):
    """A machine in space: rotor and stator, rod and housing move against each other."""

    source = el.ConstantVoltage(V=3.0)
    r1 = el.Resistor(R=0.5)
    emf = el.EMF(k=0.2, use_support=True)
    rotor = rot.Inertia(J=0.02, phi=tg.variable(**AT_ZERO), w=tg.variable(**AT_ZERO))
    stator = rot.Inertia(J=0.05, phi=tg.variable(**AT_ZERO), w=tg.variable(**AT_ZERO))
    r2 = el.Resistor(R=0.5)
    coil = el.TranslationalEMF(k=0.2, use_support=True)
    rod = tr.Mass(m=0.02, s=tg.variable(**AT_ZERO), v=tg.variable(**AT_ZERO))
    housing = tr.Mass(m=0.05, s=tg.variable(**AT_ZERO), v=tg.variable(**AT_ZERO))
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.r1.p, self.r2.p
        yield self.r1.n, self.emf.p
        yield self.r2.n, self.coil.p
        yield self.source.n, self.emf.n, self.coil.n, self.ground.p
        yield self.emf.flange, self.rotor.flange_a
        yield self.emf.support, self.stator.flange_a
        yield self.coil.flange, self.rod.flange_a
        yield self.coil.support, self.housing.flange_a


def test_machines_with_a_support() -> None:
    """Relative speed V/k (1 - exp(-k^2 t/(R J))) with J = J1 J2/(J1 + J2); momentum stays zero."""
    s = tg.simulate(Free(), 1.0, rtol=1e-9)
    J = 0.02 * 0.05 / 0.07
    wanted = 15.0 * (1 - np.exp(-0.04 / (0.5 * J) * s.time))
    within("EMF with a support", s["emf.w"] - wanted, 1e-6, "exponential, rad/s")
    within("linear EMF with a support", s["coil.vel"] - wanted, 1e-6, "exponential, m/s")
    within("angular momentum", 0.02 * s["rotor.w"] + 0.05 * s["stator.w"], 1e-9, "zero, kg m2/s")
    within("momentum", 0.02 * s["rod.v"] + 0.05 * s["housing.v"], 1e-9, "zero, kg m/s")


class Measured(tg.Component):
    """All sensors around one load of 2 ohm behind 1 ohm."""

    source = el.SineVoltage(V=6.0)
    r = el.Resistor(R=1.0)
    multi = el.MultiSensor()
    power = el.PowerSensor()
    current = el.CurrentSensor()
    voltage = el.VoltageSensor()
    potential = el.PotentialSensor()
    load = el.Resistor(R=2.0)
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.r.p
        yield self.r.n, self.multi.pc, self.multi.pv
        yield self.multi.nc, self.power.pc, self.power.pv
        yield self.power.nc, self.current.p
        yield self.current.n, self.load.p, self.voltage.p, self.potential.p
        yield self.source.n, self.load.n, self.voltage.n, self.multi.nv, self.power.nv, self.ground.p


def test_sensors() -> None:
    s = tg.simulate(Measured(), 1.0, rtol=1e-9)
    v, i = s["source.v"] * 2 / 3, s["source.v"] / 3
    found = {"multi.v": v, "multi.i": i, "multi.power": v * i, "power.power": v * i, "current.i": i, "voltage.v": v}
    for name, wanted in {**found, "potential.phi": v}.items():
        within(name, s[name] - wanted, 1e-6, "divider of 1 and 2 ohm")
