"""Interfaces of the library, each bound to shipped parts and to all its implementations, against closed formulas."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.library import thermal
from tellegen.library import translational as trans
from tellegen.library.interfaces import (
    BatteryCellInterface,
    CapacitorInterface,
    DCMotorInterface,
    DiodeInterface,
    FluidLayerInterface,
    GearboxInterface,
    GearOfEfficiency,
    NMOSInterface,
    OpAmpInterface,
    ResistorInterface,
    SolarModuleInterface,
    SpringInterface,
)

CATALOGUE = tg.catalogue()
VT = 1.380649e-23 * 300.15 / 1.602176634e-19


IMPLEMENTATIONS = {
    BatteryCellInterface: {"linear": "LinearCell", "table": "TableCell"},
    CapacitorInterface: {"ideal": "IdealCapacitor", "losses": "CapacitorWithLosses"},
    DCMotorInterface: {"static": "StaticDCMotor", "dynamic": "DynamicDCMotor", "friction": "DCMotorWithFriction"},
    DiodeInterface: {"straight": "StraightDiode", "static": "StaticDiode", "dynamic": "DynamicDiode"},
    FluidLayerInterface: {"mixed": "MixedFluidLayer", "conducting": "StillFluidLayer"},
    GearboxInterface: {"ideal": "IdealGearbox", "inertia": "GearboxWithInertia", "lossy": "LossyGearbox"},
    NMOSInterface: {"switch": "SwitchedNMOS", "square law": "SquareLawNMOS"},
    OpAmpInterface: {"ideal": "PerfectOpAmp", "macromodel": "DynamicOpAmp"},
    ResistorInterface: {"ideal": "IdealResistor", "leads": "ResistorWithLeads"},
    SolarModuleInterface: {"lossless": "LosslessSolarModule", "single diode": "SingleDiodeSolarModule"},
    SpringInterface: {"massless": "MasslessSpring", "surge": "SpringWithMass"},
}


@pytest.mark.parametrize("interface", IMPLEMENTATIONS, ids=lambda interface: interface.__name__)
def test_implementations_by_name(interface: Any) -> None:
    """Names that users write in bindings do not change unnoticed, and every family has parts."""
    found = {name: model.__name__ for name, model in interface.implementations.items()}
    assert found == IMPLEMENTATIONS[interface]
    assert CATALOGUE.find(interface, limit=1)[0].interface is interface


class Drive(tg.Component):
    source = el.ConstantVoltage(V=24.0)
    ground = el.Ground()
    motor = DCMotorInterface()
    load = rot.Inertia(J=2e-5, w=tg.variable(start=0.0, fixed=True), phi=tg.variable(start=0.0, fixed=True))

    def connections(self) -> Any:
        yield self.source.p, self.motor.p
        yield self.source.n, self.motor.n, self.ground.p
        yield self.motor.flange, self.load.flange_a


def test_motors() -> None:
    part = CATALOGUE.find(DCMotorInterface, "voltage_nominal == 24 V", "torque_max > 50 mN.m", "tag == brushed")[0]
    k, R, J, I0 = (part.parameters[name] for name in ("k", "R", "J", "I0"))
    rate = k**2 / (R * 2e-5)
    stop = 20 / rate
    static = tg.simulate(tg.bind(Drive(), {"motor": part.using("static")}), stop=stop)
    assert static["load.w"] == pytest.approx(24.0 / k * (1.0 - np.exp(-rate * static.time)), rel=1e-3, abs=1e-2)
    dynamic = tg.simulate(tg.bind(Drive(), {"motor": part}), stop=stop)
    assert dynamic["load.w"][-1] == pytest.approx(24.0 / k, rel=1e-3)
    energy = 0.5 * (2e-5 + J) * dynamic["load.w"][-1] ** 2
    assert 0.0 < energy < 24.0 * np.trapezoid(dynamic["motor.p.i"], dynamic.time)
    friction = tg.simulate(tg.bind(Drive(), {"motor": part.using("friction")}), stop=stop)
    assert friction["load.w"][-1] == pytest.approx((24.0 - R * I0) / k, rel=1e-3)
    assert friction["load.w"][-1] == pytest.approx(part.limits["speed_no_load"].to("rad/s"), rel=0.07)


class Geared(tg.Component):
    torque = rot.ConstantTorque(tau_constant=0.01)
    gear = GearboxInterface()
    load = rot.Inertia(J=0.02, w=tg.variable(start=0.0, fixed=True), phi=tg.variable(start=0.0, fixed=True))

    def connections(self) -> Any:
        yield self.torque.flange, self.gear.flange_a
        yield self.gear.flange_b, self.load.flange_a


def test_gearboxes() -> None:
    part = CATALOGUE.find(GearboxInterface, "10 < ratio < 30", "J > 0 kg.m2", order_by="-J")[0]
    n, eta, J = (part.parameters[name] for name in ("ratio", "eta", "J"))
    expected = {
        "ideal": n * 0.01 / 0.02,
        "inertia": n * 0.01 / (0.02 + n**2 * J),
        "lossy": n * eta * 0.01 / (0.02 + eta * n**2 * J),
    }
    for name, acceleration in expected.items():
        solution = tg.simulate(tg.bind(Geared(), {"gear": part.using(name)}), stop=0.5)
        assert solution["load.w"][-1] == pytest.approx(0.5 * acceleration, rel=1e-6), name


class Backdriven(tg.Component):
    rotor = rot.Inertia(J=1e-4, w=tg.variable(start=0.0, fixed=True), phi=tg.variable(start=0.0, fixed=True))
    gear = GearOfEfficiency(ratio=4.0, eta=0.6)
    torque = rot.ConstantTorque(tau_constant=0.02)

    def connections(self) -> Any:
        yield self.rotor.flange_b, self.gear.flange_a
        yield self.gear.flange_b, self.torque.flange


def test_a_gear_of_efficiency_loses_as_much_when_the_load_drives_it() -> None:
    solution = tg.simulate(Backdriven(), stop=0.5)
    assert solution["rotor.w"][-1] == pytest.approx(0.5 * 0.6 * 0.02 / 4.0 / 1e-4, rel=1e-6)


class Discharge(tg.Component):
    current = tg.parameter(1.0, "A", "out of the cell")
    cell = BatteryCellInterface()
    load = el.ConstantCurrent(I=current)
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.cell.p, self.load.p
        yield self.cell.n, self.load.n, self.ground.p


@pytest.mark.parametrize("name", ["Samsung 94 Ah NMC", "Sony US26650FTC1", "LG M50"])
def test_cells(name: str) -> None:
    """After half an hour at the current of one hour the cell is half full, and its voltage that of the data."""
    part = CATALOGUE[name]
    current = part.parameters["Qnom"] / 3600.0
    drop = part.parameters.get("R0", 0.0) * current
    assert part.implementation == ("table" if "OCV_table" in part.parameters else "linear")
    solution = tg.simulate(tg.bind(Discharge(current=current), {"cell": part}), stop=1800.0)
    assert solution["cell.SOC"][-1] == pytest.approx(0.5, rel=1e-6)
    middle = (part.parameters["V_full"] + part.parameters["V_empty"]) / 2
    if part.implementation == "table":
        middle = part.parameters["OCV_table"][part.parameters["SOC_table"].index(0.5)]
    assert solution["cell.p.v"][-1] == pytest.approx(middle - drop, rel=1e-5)


class Suspended(tg.Component):
    base = trans.Fixed()
    spring = SpringInterface()
    mass = trans.Mass(m=0.1)

    def connections(self) -> Any:
        yield self.base.flange, self.spring.flange_a
        yield self.spring.flange_b, self.mass.flange_a


class Clamped(tg.Component):
    left = trans.Fixed()
    right = trans.Fixed(s0=0.02)
    spring = SpringInterface()

    def connections(self) -> Any:
        yield self.left.flange, self.spring.flange_a
        yield self.spring.flange_b, self.right.flange


def frequency(system: tg.Component) -> float:
    """The lowest natural frequency."""
    return float(min(abs(tg.linearize(system).eigenvalues.imag)))


def test_springs() -> None:
    part = CATALOGUE.find(SpringInterface, "c > 1 N/mm", order_by="c")[0]
    c, m = part.parameters["c"], part.parameters["m"]
    assert frequency(tg.bind(Suspended(), {"spring": part})) == pytest.approx(math.sqrt(c / 0.1), rel=1e-6)
    surging = tg.bind(Clamped(), {"spring": part.using("surge")})
    assert frequency(surging) == pytest.approx(math.pi * math.sqrt(c / m), rel=1e-6)


class Rectifier(tg.Component):
    current = tg.parameter(0.1, "A", "through the diode")
    source = el.ConstantCurrent(I=current)
    diode = DiodeInterface()
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.n, self.diode.p
        yield self.source.p, self.diode.n, self.ground.p


@pytest.mark.parametrize("name", ["1N4148", "1N5819", "MURS120"])
def test_diodes(name: str) -> None:
    part = CATALOGUE[name]
    Is, N, Rs = (part.parameters[key] for key in ("Is", "N", "Rs"))
    for current in (0.1, 0.15):
        expected = N * VT * math.log(current / Is + 1.0) + Rs * current
        for implementation in ("static", "dynamic", "straight"):
            system = tg.bind(Rectifier(current=current), {"diode": part.using(implementation)})
            voltage = tg.steady_state(system)["diode.p.v"]
            assert voltage == pytest.approx(expected, rel=0.02 if implementation == "straight" else 1e-4), (
                implementation
            )


class Switched(tg.Component):
    supply = el.ConstantVoltage(V=12.0)
    gate = el.ConstantVoltage(V=10.0)
    load = el.Resistor(R=10.0)
    switch = NMOSInterface()
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.supply.p, self.load.p
        yield self.load.n, self.switch.D
        yield self.gate.p, self.switch.G
        yield self.supply.n, self.gate.n, self.switch.S, self.ground.p


def test_transistors() -> None:
    part = CATALOGUE.find(NMOSInterface, "Ron > 5 mohm", "voltage_max > 20 V", order_by="Ron")[0]
    p = part.parameters
    switch = tg.steady_state(tg.bind(Switched(), {"switch": part.using("switch")}))
    assert switch["switch.D.i"] == pytest.approx(12.0 / (10.0 + p["Ron"]), rel=1e-9)
    law = tg.steady_state(tg.bind(Switched(), {"switch": part}))
    channel = 1.0 / (p["Kp"] * (10.0 - p["Vto"]))
    resistance = law["switch.D.v"] / law["switch.D.i"]
    assert resistance == pytest.approx(p["Rd"] + p["Rs"] + channel, rel=0.03)  # small voltages: the channel is linear
    assert resistance == pytest.approx(p["Ron"], rel=0.7)  # Ron is a maximum of the sheet, the model is typical


class Follower(tg.Component):
    step = el.StepVoltage(V=0.01)
    amplifier = OpAmpInterface()
    load = el.Resistor(R=1e4)
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.step.p, self.amplifier.in_p
        yield self.amplifier.out, self.amplifier.in_n, self.load.p
        yield self.step.n, self.load.n, self.ground.p


def test_amplifiers() -> None:
    part = CATALOGUE["TL074"]
    rate = 2 * math.pi * part.parameters["GBW"]
    ideal = tg.simulate(tg.bind(Follower(), {"amplifier": part.using("ideal")}), stop=5 / rate)
    assert ideal["load.v"][-1] == pytest.approx(0.01)
    slow = tg.simulate(tg.bind(Follower(), {"amplifier": part}), stop=1 / rate)
    assert slow["load.v"][-1] == pytest.approx(0.01 * (1 - math.exp(-1.0)), rel=2e-3)  # far below the slew rate


class Divider(tg.Component):
    source = el.ConstantVoltage(V=1.0)
    resistor = ResistorInterface()
    capacitor = CapacitorInterface()
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.resistor.p
        yield self.resistor.n, self.capacitor.p
        yield self.capacitor.n, self.source.n, self.ground.p


def test_passives() -> None:
    choices = {"resistor": CATALOGUE["E24 4.7 kohm"], "capacitor": CATALOGUE["E6 100 nF"]}
    simple = tg.bind(Divider(), choices)
    detailed = tg.bind(simple, {"resistor": "leads", "capacitor": "losses"})
    for system in (simple, detailed):
        slowest = max(tg.linearize(system).eigenvalues.real)
        assert slowest == pytest.approx(-1.0 / (4.7e3 * 100e-9), rel=1e-4)


class Wall(tg.Component):
    hot = thermal.FixedTemperature(T=303.15)
    cold = thermal.FixedTemperature(T=293.15)
    layer = FluidLayerInterface(A=2.0, thickness=0.02)

    def connections(self) -> Any:
        yield self.hot.port, self.layer.port_a
        yield self.cold.port, self.layer.port_b


def test_media() -> None:
    part = CATALOGUE.find(FluidLayerInterface, "tag == liquid", order_by="-conductivity")[0]
    assert part.name == "water, 90 degC"
    steady = tg.steady_state(tg.bind(Wall(), {"layer": part}))
    assert steady["layer.port_a.Q_flow"] == pytest.approx(part.parameters["conductivity"] * 2.0 * 10.0 / 0.02, rel=1e-9)
    capacity = part.parameters["rho"] * part.parameters["cp"] * 2.0 * 0.02

    class Heated(tg.Component):
        source = thermal.FixedHeatFlow(Q_flow=1e4)
        layer = FluidLayerInterface(A=2.0, thickness=0.02)

        def connections(self) -> Any:
            yield self.source.port, self.layer.port_a

    solution = tg.simulate(tg.bind(Heated(), {"layer": part.using("mixed")}), stop=100.0)
    assert solution["layer.port_a.T"][-1] - solution["layer.port_a.T"][0] == pytest.approx(1e6 / capacity, rel=1e-6)


class Roof(tg.Component):
    voltage = tg.parameter(30.0, "V", "at the module")
    module = SolarModuleInterface()
    load = el.ConstantVoltage(V=voltage)
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.module.p, self.load.p
        yield self.module.n, self.load.n, self.ground.p

    def equations(self) -> Any:
        yield self.module.G == 1000.0


@pytest.mark.parametrize("name", ["BP Solar SX305", "Photowatt PWX500 (42W)"])
def test_solar_modules(name: str) -> None:
    """The current at the voltage of the maximum is that of the data; without resistances it is the diode's."""
    part = CATALOGUE[name]
    p = part.parameters
    voltage = part.limits["voltage_mp"].to("V")
    steady = tg.steady_state(tg.bind(Roof(voltage=voltage), {"module": part}))
    assert -steady["module.p.i"] == pytest.approx(part.limits["current_mp"].to("A"), rel=1e-5)
    lossless = tg.steady_state(tg.bind(Roof(voltage=voltage), {"module": part.using("lossless")}))
    a = p["N"] * p["Ns"] * 1.380649e-23 * 298.15 / 1.602176634e-19
    assert -lossless["module.p.i"] == pytest.approx(p["Iph_ref"] - p["I0_ref"] * math.expm1(voltage / a), rel=1e-9)
