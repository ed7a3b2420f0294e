"""Cases V8, V9, V10 and V15 of the seeds: a reconfigurable DC motor, its energies, families of components."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import scipy

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.library import thermal

FILE = Path(__file__).resolve().parent.parent.parent / "examples" / "reconfigurable_motor.py"
K, RA, LA, JM, BM, JL = 32e-3, 10.0, 0.1, 1e-5, 1e-5, 4e-5
V, W = 12.0, 2.0 * np.pi * 2.0


@pytest.fixture(scope="module")
def motors() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reconfigurable_motor", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["reconfigurable_motor"] = module
    spec.loader.exec_module(module)
    return module


def closed_speed(binding: dict[str, str], t: float) -> float:
    """The speed of the load at 12 V sin(4 pi t), by the matrix exponential of motor and oscillator."""
    if binding["motor"] == "ideal":
        return V / K * np.sin(W * t)
    J = JM + JL
    B = BM if binding["motor.mech"] == "friction" else 0.0
    drive = np.zeros((4, 4))  # i, w, and the source as an oscillator: s' = W c, c' = -W s
    drive[2:, 2:] = [[0.0, W], [-W, 0.0]]
    if binding["motor.elect"] == "resistance":
        drive[1, 1:3] = [-(B + K**2 / RA) / J, K * V / RA / J]
    else:
        drive[0, :3] = [-RA / LA, -K / LA, V / LA]
        drive[1, :2] = [K / J, -B / J]
    return float((scipy.linalg.expm(drive * t) @ [0.0, 0.0, 0.0, 1.0])[1])


def test_v9_every_induced_tree_against_its_closed_solution(motors: ModuleType) -> None:
    space = tg.model_space(motors.Drive())
    assert space.count == 7
    linear = space.restrict({"motor.elect.la": "linear"})
    assert linear.count == 5
    for binding in linear:
        solution = tg.simulate(linear.bind(binding), stop=0.7, rtol=1e-8)
        assert solution["load.w"][-1] == pytest.approx(closed_speed(binding, 0.7), rel=1e-5)
        assert solution.bindings == binding


def test_v9_the_induced_tree_of_the_thesis(motors: ModuleType) -> None:
    """Armature losses, conversion and friction; actual parameters are expressions of the formal ones."""
    drive = motors.Drive()
    drive.motor.Ra = 20.0
    chosen = {"motor": "network", "motor.elect": "armature losses", "motor.mech": "friction"}
    solution = tg.simulate(tg.bind(drive, chosen), stop=0.01)
    assert solution["motor.elect.ra.R"] == 20.0
    assert solution["motor.elect.la.coil.L"] == 0.1
    assert solution["motor.conv.Kt"] == solution["motor.conv.Km"] == 32e-3
    assert solution["motor.mech.bearing.d"] == 1e-5
    tokens = {decl.semantics for decl in motors.DCMotor._info.parameters.values()}
    assert tokens == {
        "torque_constant",
        "motor_constant",
        "armature_resistance",
        "armature_inductance",
        "rotor_inertia",
        "friction",
    }


def test_v9_the_saturating_winding_is_linear_for_small_currents(motors: ModuleType) -> None:
    drive = motors.Drive(source=el.SineVoltage(V=1e-3, f=2.0))
    ends = [
        tg.simulate(tg.bind(drive, {"motor.elect.la": one}), stop=0.3, rtol=1e-9)["load.phi"][-1]
        for one in ("linear", "saturating")
    ]
    assert ends[0] == pytest.approx(ends[1], rel=1e-6)


def test_v10_the_energies_of_the_machine_balance(motors: ModuleType) -> None:
    """What the source gives is lost in the resistor and the bearing, or stored in field, rotor and load."""
    solution = tg.simulate(motors.Drive(), stop=0.6, rtol=1e-9, points=4000)
    supplied = -tg.integral("source.v * source.i")(solution)
    lost_electrical = tg.integral("motor.elect.ra.v * motor.elect.ra.i")(solution)
    lost_mechanical = tg.integral("motor.mech.bearing.d * motor.mech.bearing.w_rel ** 2")(solution)
    field = 0.5 * LA * solution["motor.elect.la.coil.i"][-1] ** 2
    kinetic = 0.5 * (JM + JL) * solution["load.w"][-1] ** 2
    into_field = tg.integral("(motor.conv.elect.v - motor.conv.neg.v) * motor.conv.elect.i")(solution)
    out_of_field = -tg.integral("motor.conv.mech.tau * der(motor.conv.mech.phi)")(solution)
    assert supplied == pytest.approx(lost_electrical + field + into_field, rel=1e-6)
    assert into_field == pytest.approx(out_of_field, rel=1e-6)  # W_f + W_fL = 0: no storage, no loss
    assert out_of_field == pytest.approx(lost_mechanical + kinetic, rel=1e-6)


class Machine(tg.Interface):
    """V8: a motor or generator whose constraints all implementations have."""

    J1 = el.Pin()
    n = el.Pin()
    J2 = rot.Flange()
    Im = tg.parameter(4.0, "A", "largest current", semantics="current_limit")
    Tm = tg.parameter(0.13, "N.m", "largest torque", semantics="torque_limit")
    semantics = tg.Semantics(
        functions=[
            {"requires": {"J1": "current"}, "provides": {"J2": "torque"}},
            {"requires": {"J2": "torque"}, "provides": {"J1": "current"}},
        ]
    )

    def equations(self):
        yield tg.assert_(abs(self.J1.i) < self.Im, "the current is below its limit")  # noqa: PT009
        yield tg.assert_(abs(self.J2.tau) < self.Tm, "the torque is below its limit")  # noqa: PT009


class PlainMachine(tg.Component, implements=Machine, default=True):
    """v = 2.4 i + 0.05 w, tau = 0.05 i."""

    def equations(self):
        yield self.J1.v - self.n.v == 2.4 * self.J1.i + 0.05 * tg.der(self.J2.phi)
        yield self.J1.i + self.n.i == 0
        yield self.J2.tau == -0.05 * self.J1.i


class Bench(tg.Component):
    """The machine as a motor at a voltage, or as a generator turned by a torque."""

    source = el.StepVoltage(V=5.0)
    machine = Machine()
    load = rot.Inertia(J=1e-3)
    drive = rot.ConstantTorque(tau_constant=0.0)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.machine.J1
        yield self.source.n, self.machine.n, self.ground.p
        yield self.machine.J2, self.load.flange_a
        yield self.drive.flange, self.load.flange_b


def test_v8_functions_with_alternatives_and_constraints() -> None:
    first, second = Machine.semantics.functions
    assert str(first) == "requires current at J1, provides torque at J2"
    assert (second.requires, second.provides) == (first.provides, first.requires)
    bench = tg.compile(Bench())
    motor = bench.simulate(stop=0.1)
    assert motor["load.w"][-1] > 0.0
    assert bench.simulate(stop=0.1, parameters={"source.V": 0.0, "drive.tau_constant": 0.1})["source.i"][-1] > 0.0
    broken = bench.simulate(stop=0.1, parameters={"source.V": 12.0}, throw=False)
    assert "the current is below its limit" in broken.message
    strained = bench.simulate(stop=0.1, parameters={"source.V": 7.0}, throw=False)
    assert "the torque is below its limit" in strained.message


class OnePort(tg.Interface):
    p = el.Pin()
    n = el.Pin()


class ResistorFamily(OnePort):
    R = tg.parameter(1.0, "ohm", semantics="resistance")


class CapacitorFamily(OnePort):
    C = tg.parameter(1.0, "F", semantics="capacitance")


class Diode(OnePort):
    Is = tg.parameter(1e-9, "A", semantics="saturation_current")


class ThermalDiode(Diode):
    heat = thermal.HeatPort()
    k = tg.parameter(2e-3, "V/K", semantics="temperature_coefficient")


class ForeignDiode(tg.Interface):
    """Of another author: the same members and meanings, no common base."""

    p = el.Pin()
    n = el.Pin()
    Is = tg.parameter(1e-12, "A", semantics="saturation_current")
    gap = tg.parameter(1.1, "V", semantics="band_gap")


class MisnamedDiode(tg.Interface):
    p = el.Pin()
    n = el.Pin()
    Is = tg.parameter(1e-12, "A", semantics="short_circuit_current")


class HoleDiode(tg.Component, implements=ThermalDiode, name="warm"):
    """An implementation of the subtype."""

    def equations(self):
        yield self.p.i == self.Is
        yield self.p.i + self.n.i == 0
        yield self.heat.Q_flow == 0


def holds(given: Any, wanted: Any) -> bool:
    return bool(tg.subtype(given, wanted))


def test_v15_families_and_subtypes() -> None:
    assert not holds(ResistorFamily, CapacitorFamily)
    assert "no parameter 'C' (capacitance)" in str(tg.subtype(ResistorFamily, CapacitorFamily))
    assert holds(ThermalDiode, Diode)
    assert not holds(Diode, ThermalDiode)
    assert tg.subtype(Diode, ThermalDiode).missing[0].startswith("it has no port 'heat' (HeatPort)")
    assert holds(ForeignDiode, Diode)
    assert not holds(Diode, ForeignDiode)
    assert tg.subtype(MisnamedDiode, Diode).missing == (
        "its parameter 'Is' means short_circuit_current, not saturation_current",
    )
    assert not holds(MisnamedDiode, OnePort)
    assert "gives no parameter a semantics token" in str(tg.subtype(MisnamedDiode, OnePort))


def test_r6_subtyping_is_reflexive_and_transitive() -> None:
    families = [OnePort, ResistorFamily, CapacitorFamily, Diode, ThermalDiode, ForeignDiode, MisnamedDiode]
    assert all(holds(one, one) for one in families)
    for a in families:
        for b in families:
            for c in families:
                if holds(a, b) and holds(b, c):
                    assert holds(a, c)


def test_r7_specialization_and_generalization() -> None:
    assert ThermalDiode.supertypes == (Diode, OnePort)
    assert OnePort.subtypes == (ResistorFamily, CapacitorFamily, Diode, ThermalDiode)
    assert Diode.subtypes == (ThermalDiode,)

    class Clamp(tg.Component):
        diode = Diode()

    assert type(tg.bind(Clamp(), {"diode": "warm"}).diode) is HoleDiode
    with pytest.raises(tg.BindingError, match="E805"):
        tg.bind(Clamp(), {"diode": ResistorFamily})
