"""Hydraulic cylinders, pumps, motors, accumulators and tanks against textbook formulas; conservation of mass."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import hydraulic as hy
from tellegen.library import rotational as rot
from tellegen.library import translational as tr
from validation.circuits import at, circuit
from validation.measured import relative, within

AMBIENT = 101325.0
CD = 0.7


def speed(area_in: float, area_out: float, force: float, ps: float, edge: float, rho: float) -> float:
    """Steady speed of a piston: what the supply pushes in and the tank takes through two edges balances the force."""
    lost = rho / 2 * (1 / (CD * edge)) ** 2 * (area_in**3 + area_out**3)
    return np.sqrt((area_in * (ps - AMBIENT) - force) / lost)


@cache
def compiled_valve_and_cylinder(x: float) -> tg.CompiledModel:
    return tg.compile(valve_and_cylinder(x))


@pytest.mark.parametrize("x", [1.0, -1.0, 0.4])
@pytest.mark.parametrize("solver", ["auto", "cvode", "ida"])
def test_cylinder_with_43_valve(x: float, solver: str) -> None:
    """Steady speeds out and in; p_a A_a - p_b A_b = F with p_s - p_a and p_b - p_t by the orifice law."""
    s = compiled_valve_and_cylinder(x).simulate(1.0, solver=solver)
    A_a, A_b = np.pi / 4 * 0.05**2, np.pi / 4 * (0.05**2 - 0.03**2)
    if x > 0:
        exact = speed(A_a, A_b, 5e3, 150e5, x * 5e-6, s["oil.rho0"])
    else:
        exact = -speed(A_b, A_a, -5e3, 150e5, -x * 5e-6, s["oil.rho0"])
    now = s.at(0.6)
    # rho is that at ambient pressure in the formula; 150 bar make a percent of it, half of that in the speed
    within(f"Cylinder with 4/3 valve, x = {x:g}", relative(now["cyl.v"], exact), 5e-3, "steady speed", solver)


def valve_and_cylinder(x: float, K: float = 1.6e9, d: float = 0.0, air: float = 0.0) -> tg.System:
    return circuit(
        "supply.port valve.port_p",
        "tank.port valve.port_t",
        "valve.port_a cyl.port_a",
        "valve.port_b cyl.port_b",
        "cyl.flange mass.flange_a",
        "mass.flange_b force.flange",
        "signal.y valve.x",
        oil=hy.Oil(K=K, air=air),
        supply=hy.FixedPressure(p=150e5),
        tank=hy.Tank(),
        signal=blocks.Table(times=[0.0, 0.1, 0.2], values=[0.0, 0.0, x]),
        valve=hy.DirectionalValve43(A_max=5e-6, Cd=CD),
        cyl=hy.DoubleActingCylinder(D=0.05, d_rod=0.03, stroke=0.5, d=d, p_a=at(40e5), p_b=at(21e5)),
        mass=tr.Mass(m=100.0, s=at(0.25), v=at(0.0)),
        force=tr.ConstantForce(f_constant=-5e3),
    )


def test_steady_speed_of_stiff_oil() -> None:
    """The same with oil that is a thousand times as stiff: the formula in full digits."""
    s = tg.simulate(valve_and_cylinder(1.0, K=1.6e12), 0.8, rtol=1e-8)
    A_a, A_b = np.pi / 4 * 0.05**2, np.pi / 4 * (0.05**2 - 0.03**2)
    exact = speed(A_a, A_b, 5e3, 150e5, 5e-6, s["oil.rho0"])
    within("Cylinder with 4/3 valve, stiff oil", relative(s.at(0.6)["cyl.v"], exact), 1e-5, "steady speed")


def test_cylinder_runs_into_its_end() -> None:
    """It rests at the stop: what oil pushes is what stop and load hold; the compression of the stop follows from it."""
    s = tg.simulate(valve_and_cylinder(1.0, d=200.0, air=0.005), 3.0)
    A_a, A_b = np.pi / 4 * 0.05**2, np.pi / 4 * (0.05**2 - 0.03**2)
    within("Cylinder at its end, speed", s["cyl.v"][-1], 1e-6, "rest, m/s")
    push = A_a * (150e5 - AMBIENT) - A_b * 0.0
    within("Cylinder at its end, force of the stop", relative(-s["cyl.f_stop"][-1], push - 5e3), 1e-4, "balance")
    within("Cylinder at its end, depth", relative(s["cyl.s"][-1] - 0.5, (push - 5e3) / 1e8), 1e-4, "stiffness")
    assert len(s.events) < 30


def test_single_acting_cylinder() -> None:
    """At rest A (p - p_ambient) = F0 + c s."""
    s = tg.simulate(
        circuit(
            "supply.port throttle.port_a",
            "throttle.port_b cyl.port_a",
            "cyl.flange mass.flange_a",
            oil=hy.Oil(),
            supply=hy.FixedPressure(p=20e5),
            throttle=hy.Orifice(A=1e-6),
            cyl=hy.SingleActingCylinder(D=0.04, stroke=0.2, c=1e4, F0=500.0, d=2e3),
            mass=tr.Mass(m=10.0, s=at(0.0), v=at(0.0)),
        ),
        60.0,
    )
    exact = (np.pi / 4 * 0.04**2 * (20e5 - AMBIENT) - 500.0) / 1e4
    within("Single-acting cylinder, position", relative(s["cyl.s"][-1], exact), 1e-4, "balance of forces")


@pytest.mark.parametrize("n", [1.0, 1.2, 1.4])
def test_gas_accumulator(n: float) -> None:
    """Pushed full at a constant flow: p V_gas^n is constant from the precharge on."""
    s = tg.simulate(
        circuit(
            "pump.port store.port count.port_a",
            "count.port_b closed.port",
            oil=hy.Oil(),
            pump=hy.FixedFlow(q=1e-4),
            store=hy.GasAccumulator(V_gas0=1e-3, p_precharge=50e5, n=n),
            count=hy.FlowSensor(),
            closed=hy.FixedFlow(q=0.0),
        ),
        6.0,
    )
    charged = s["store.p"] > 51e5
    law = s["store.p"] * s["store.V_gas"] ** n / (50e5 * 1e-3**n) - 1
    within(f"Gas accumulator, n = {n:g}: p V^n", law[charged], 1e-9, "polytropic law")
    pushed = s["oil.rho0"] * 1e-4 * s.time
    within(f"Gas accumulator, n = {n:g}: mass", s["store.m"] - s["store.m"][0] - pushed, 5e-6, "what was pumped, kg")
    filled = s["store.V"][-1] - s["store.V"][0]
    within(f"Gas accumulator, n = {n:g}: oil in it", relative(filled, 6e-4), 0.02, "volume pumped, oil is compressed")


def test_spring_accumulator() -> None:
    s = tg.simulate(
        circuit(
            "pump.port store.port",
            oil=hy.Oil(K=1.6e12),
            pump=hy.FixedFlow(q=1e-4),
            store=hy.SpringAccumulator(V_max=1e-3, p_min=20e5, p_max=60e5),
        ),
        8.0,
    )
    moving = (s["store.p"] > 20.1e5) & (s["store.p"] < 59.9e5)
    exact = 20e5 + 40e5 * (1e-4 * s.time[moving]) / 1e-3
    within("Spring accumulator, pressure", relative(s["store.p"][moving], exact), 1e-4, "straight line")


def turned(machine: Any, pa: float, pb: float, w: float) -> Any:
    """A machine between two pressures at a speed."""
    return tg.simulate(
        circuit(
            "a.port machine.port_a",
            "b.port machine.port_b",
            "drive.flange machine.flange",
            oil=hy.Oil(K=1.6e12),
            a=hy.FixedPressure(p=pa),
            b=hy.FixedPressure(p=pb),
            drive=rot.ConstantSpeed(w_fixed=w),
            machine=machine,
        ),
        1.0,
    )


def test_efficiencies() -> None:
    """At the rating pump and motor have the efficiencies of their data sheets, in flow and torque."""
    D, w, dp = 20e-6 / (2 * np.pi), 157.07963267948966, 200e5
    for pump in (hy.Pump(eta_v=0.9, eta_m=0.85), hy.VariablePump(eta_v=0.9, eta_m=0.85, u=1.0)):
        s = turned(pump, AMBIENT, AMBIENT + dp, w)
        name = type(pump).__name__
        within(f"{name}, volumetric efficiency", s["machine.q"][-1] / (D * w) - 0.9, 1e-6, "rating")
        within(f"{name}, mechanical efficiency", D * dp / s["machine.flange.tau"][-1] - 0.85, 2e-5, "rating")
        whole = dp * s["machine.q"][-1] / (s["machine.flange.tau"][-1] * w)
        within(f"{name}, total efficiency", whole - 0.9 * 0.85, 2e-5, "product of the two")
    for motor in (hy.Motor(eta_v=0.9, eta_m=0.85), hy.VariableMotor(eta_v=0.9, eta_m=0.85, u=1.0)):
        s = turned(motor, AMBIENT + dp, AMBIENT, w)
        name = type(motor).__name__
        within(f"{name}, volumetric efficiency", D * w / s["machine.q"][-1] - 0.9, 1e-6, "rating")
        within(f"{name}, mechanical efficiency", -s["machine.flange.tau"][-1] / (D * dp) - 0.85, 2e-5, "rating")


def test_hydrostatic_transmission() -> None:
    """A pump drives a motor: the speed is that of the displacements less the leakage of both."""
    s = tg.simulate(
        circuit(
            "drive.flange pump.flange",
            "tank.port pump.port_a motor.port_b",
            "pump.port_b line.port motor.port_a",
            "motor.flange wheel.flange_a",
            "wheel.flange_b brake.flange",
            oil=hy.Oil(air=0.005),
            tank=hy.Tank(),
            drive=rot.ConstantSpeed(w_fixed=150.0),
            pump=hy.Pump(),
            line=hy.Volume(V0=1e-3),
            motor=hy.Motor(D=40e-6),
            wheel=rot.Inertia(J=0.2, w=at(0.0)),
            brake=rot.ConstantTorque(tau_constant=-60.0),
        ),
        20.0,
    )
    leak = s["pump.q_leak"][-1]
    exact = (20e-6 * 150.0 / (2 * np.pi) + leak - s["motor.q_leak"][-1]) / (40e-6 / (2 * np.pi))
    within("Pump and motor, speed", relative(s["wheel.w"][-1], exact), 0.01, "displacements, stiff oil")
    tau = 40e-6 / (2 * np.pi) * s["motor.dp"][-1] * 0.92
    within("Pump and motor, torque", relative(tau, 60.0), 0.01, "stiff oil")
    assert s["wheel.w"][-1] > 50.0


@pytest.mark.parametrize("solver", ["auto", "cvode", "ida"])
def test_torricelli(solver: str) -> None:
    """The root of the level falls in a straight line and reaches zero after sqrt(2 h0/g) A_tank/(Cd A).

    The density cancels. At the end the flow becomes laminar and the level creeps: the last percent is left out.
    """
    whole = circuit(
        "tank.port hole.port_a",
        "hole.port_b outside.port",
        oil=hy.Water(K=1e15),
        tank=hy.OpenTank(A=0.5, level=at(2.0)),
        hole=hy.Orifice(A=1e-3, Cd=0.62, Re_c=10.0),
        outside=hy.Tank(),
    )
    empty = np.sqrt(2 * 2.0 / 9.80665) * 0.5 / (0.62 * 1e-3)
    s = tg.simulate(whole, 0.9 * empty, solver=solver)
    exact = 2.0 * (1 - s.time / empty) ** 2
    within("Tank empties, level", s["tank.level"] - exact, 1e-5, "Torricelli, m", solver)


def test_mass_is_conserved() -> None:
    """Two chambers, a cylinder and a throttle between them, oil with air: nothing is lost while it goes to and fro."""
    whole = circuit(
        "left.port throttle.port_a",
        "throttle.port_b right.port cyl.port_a",
        "cyl.port_b other.port",
        "cyl.flange mass.flange_a",
        oil=hy.Oil(air=0.01),
        left=hy.Volume(V0=1e-3, p=at(100e5)),
        right=hy.Volume(V0=5e-4),
        other=hy.Volume(V0=5e-4, p=at(60e5)),
        throttle=hy.Orifice(A=5e-6),
        cyl=hy.DoubleActingCylinder(stroke=0.3, G_leak=1e-12),
        mass=tr.Mass(m=20.0, s=at(0.1), v=at(0.0)),
    )
    for rtol, allowed in ((1e-6, 1e-7), (1e-9, 1e-10)):
        s = tg.simulate(whole, 1.0, rtol=rtol)
        total = np.sum([s[name] for name in ("left.m", "right.m", "other.m", "cyl.m_a", "cyl.m_b")], axis=0)
        within(f"Closed circuit, rtol {rtol:g}: mass", relative(total, total[0]), allowed, "conservation")


def test_cavitation() -> None:
    """A cylinder is pulled faster than oil can follow: with bubbles the absolute pressure stays above zero."""
    whole = circuit(
        "tank.port throttle.port_a",
        "throttle.port_b cyl.port_a",
        "cyl.flange mass.flange_a",
        "mass.flange_b pull.flange",
        oil=hy.Oil(air=0.005),
        tank=hy.Tank(),
        throttle=hy.Orifice(A=1e-6),
        cyl=hy.SingleActingCylinder(stroke=1.0),
        mass=tr.Mass(m=10.0, s=at(0.0), v=at(0.0)),
        pull=tr.ConstantForce(f_constant=1e3),
    )
    s = tg.simulate(whole, 0.3)
    assert not s.warnings
    assert 0.0 < s["cyl.p_a"].min() < 2e4


class Pressed(tg.Component):
    """A large cylinder that 285 kN drive into its end."""

    oil = hy.Oil(air=0.005)
    tank = hy.FixedPressure(p="2 bar")
    supply = hy.FixedPressure(p="250 bar")
    inlet = hy.Orifice(A="50 mm2")
    outlet = hy.Orifice(A="50 mm2")
    cyl = hy.DoubleActingCylinder(D="120 mm", d_rod="50 mm", stroke=1.0, s=tg.variable(start=0.3))
    mass = tr.Mass(m=1000.0, v=tg.variable(start=0.0, fixed=True))
    load = tr.ConstantForce(f_constant=-1e5)

    def connections(self) -> Any:
        yield self.supply.port, self.inlet.port_a
        yield self.inlet.port_b, self.cyl.port_b
        yield self.tank.port, self.outlet.port_a
        yield self.outlet.port_b, self.cyl.port_a
        yield self.cyl.flange, self.mass.flange_a
        yield self.mass.flange_b, self.load.flange


def test_a_large_cylinder_keeps_oil_at_its_end() -> None:
    """At rest the stop carries the load and the pressures: c s + A_b p_b + 1e5 = A_a p_a, against ambient pressure."""
    run = tg.simulate(Pressed(), 5.0)
    A_a, A_b = np.pi / 4 * 0.12**2, np.pi / 4 * (0.12**2 - 0.05**2)
    ambient = 101325.0
    force = A_b * (250e5 - ambient) + 1e5 - A_a * (2e5 - ambient)
    assert run["cyl.s"][-1] == pytest.approx(-force / 1e8, rel=1e-3)


def test_a_cylinder_without_room_at_its_end_is_warned_of() -> None:
    model = Pressed()
    model.cyl.V_dead = 2e-5
    with pytest.warns(UserWarning, match="make V_dead or c_stop larger"):
        tg.simulate(model, 5.0, throw=False, max_steps=2000)  # no number of steps gets it over the stop
