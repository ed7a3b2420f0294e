"""Machines against closed-form solutions, SciPy, and examples E1 and E2 of S. A. Vaze's dissertation from library
parts.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import machines as ma
from tellegen.library import rotational as rot
from tellegen.library import thermal as th
from validation.measured import relative, within

CLOSED = "closed-form solution"


def at(start: float) -> Any:
    return tg.variable(start=start, fixed=True)


def fed(motor: Any, volts: float, load: Any) -> tg.System:
    """A motor at a constant voltage, and something at its shaft."""
    s = tg.System("fed")
    s.add(motor=motor, source=el.ConstantVoltage(V=volts), ground=el.Ground(), load=load)
    s.connect(s.source.p, motor.pin_ap)
    s.connect(s.source.n, motor.pin_an, s.ground.p)
    s.connect(motor.flange, load.flange_a if hasattr(load, "flange_a") else load.flange)
    return s


def test_step_response() -> None:
    """Current and speed from rest are those of a matrix exponential."""
    R, L, k, J, d = 0.5, 2e-3, 0.06, 3e-4, 2e-5
    motor = ma.DC_PermanentMagnet(Ra=R, La=L, k=k, Jr=J, d=d, ia=at(0.0), w=at(0.0), phi=at(0.0))
    found = tg.simulate(fed(motor, 12.0, rot.Inertia(J=1e-4)), 0.2, rtol=1e-10, points=21)
    A = np.array([[-R / L, -k / L], [k / (J + 1e-4), -d / (J + 1e-4)]])
    rest = -np.linalg.solve(A, [12.0 / L, 0.0])
    wanted = np.array([rest - expm(A * t) @ rest for t in found.time])
    within("DC motor, current after a step", found["motor.ia"] - wanted[:, 0], 1e-7, f"{CLOSED}, A")
    within("DC motor, speed after a step", found["motor.w"] - wanted[:, 1], 1e-6, f"{CLOSED}, rad/s")
    within("DC motor, steady speed", relative(12.0 * k / (R * d + k * k), rest[1]), 1e-12, CLOSED)


@pytest.mark.parametrize("cls", [ma.DC_PermanentMagnet, ma.DC_ElectricalExcited, ma.DC_SeriesExcited])
def test_nameplate(cls: Any) -> None:
    """With the rated torque the machine settles at its rated speed and current, hot and with brushes."""
    rated = {"Va_nominal": 220.0, "Ia_nominal": 15.0, "w_nominal": "1500 rpm", "Ta_nominal": 370.0}
    motor = cls(**rated, Ra=0.8, alpha_a=0.0039, V_brush=2.0, use_heat_port=True)
    speed, hot = 50.0 * np.pi, 0.8 * (1.0 + 0.0039 * (370.0 - 300.15))
    series = 0.01 * hot / 0.8 if cls is ma.DC_SeriesExcited else 0.0
    torque = (220.0 - (hot + series) * 15.0 - 2.0) * 15.0 / speed
    s = fed(motor, 220.0, rot.ConstantTorque(tau_constant=-torque))
    s.add(oven=th.FixedTemperature(T=370.0))
    s.connect(s.oven.port, motor.heat_port, motor.heat_port_frame)
    if cls is ma.DC_ElectricalExcited:
        s.add(exciter=el.ConstantVoltage(V=100.0))
        s.connect(s.exciter.p, motor.pin_ep)
        s.connect(s.exciter.n, motor.pin_en, s.ground.p)
        s.connect(motor.heat_port_e, s.oven.port)
    found = tg.simulate(s, 60.0, rtol=1e-8, initial={"motor.w": 140.0, "motor.ia": 15.0})
    within(f"{cls.__name__} from its nameplate, speed", relative(found["motor.w"][-1], speed), 1e-6, CLOSED)
    within(f"{cls.__name__} from its nameplate, current", relative(found["motor.ia"][-1], 15.0), 1e-6, CLOSED)


def test_series_motor_curve() -> None:
    """Torque over speed: ia = V/(R + k w), tau = k ia^2."""
    for w in (0.0, 20.0, 100.0, 400.0):
        s = fed(ma.DC_SeriesExcited(k_e=0.006), 100.0, rot.ConstantSpeed(w_fixed=w))
        found = tg.simulate(s, 2.0, rtol=1e-9)
        current = 100.0 / (0.06 + 0.006 * w)
        torque = found["motor.tau_shaft"][-1]
        within(f"series motor at {w:g} rad/s, torque", relative(torque, 0.006 * current**2), 1e-7, CLOSED)


def test_excitation_comes_up() -> None:
    """The excitation is a circuit of its own; held at rest the torque follows its current."""
    s = fed(ma.DC_ElectricalExcited(k_e=0.9, ia=at(0.0), ie=at(0.0)), 10.0, rot.Fixed())
    s.add(exciter=el.ConstantVoltage(V=100.0))
    s.connect(s.exciter.p, s.motor.pin_ep)
    s.connect(s.exciter.n, s.motor.pin_en, s.ground.p)
    found = tg.simulate(s, 0.1, rtol=1e-9, points=11)
    ie = 1.0 - np.exp(-100.0 * found.time)
    ia = 200.0 * (1.0 - np.exp(-found.time * 0.05 / 0.0015))
    within("separate excitation, torque at rest", found["motor.tau_electrical"] - 0.9 * ie * ia, 1e-5, f"{CLOSED}, N m")


# -- examples E1 and E2 of the dissertation ---------------------------------------------------------------------------


class VazeDrive(tg.Component):
    """Source, limiter, motor, gear and link, in the units printed there."""

    source = el.ConstantVoltage(V=1.0)
    limiter = ma.CurrentLimiter(i_max=0.25)
    motor = ma.DC_PermanentMagnet(
        two_constants=True,
        k=0.0401,
        k_t="5.6 ozf.inch/A",
        Ra=2.4,
        La=0.0048,
        Jr="0.0044 ozf.inch.s2",
        d="0.0137 ozf.inch.s/rad",
    )
    gear = rot.IdealGear(ratio=12.5)
    link = rot.Inertia(J="41.077 ozf.inch.s2")
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.limiter.p
        yield self.limiter.n, self.motor.pin_ap
        yield self.source.n, self.motor.pin_an, self.ground.p
        yield self.motor.flange, self.gear.flange_a
        yield self.gear.flange_b, self.link.flange_a


@pytest.mark.parametrize("volts", [1.0, -1.0])
def test_current_limit_of_library_parts(volts: float) -> None:
    """E2: half a unit of the last printed digit, and what rtol = 1e-9 adds."""
    found = tg.simulate(VazeDrive(source=el.ConstantVoltage(V=volts)), 10.0, rtol=1e-9)
    side, seed = ("high" if volts > 0 else "low"), "seed E2 (independent model)"
    assert [event.what[0] for event in found.events] == [
        f"limiter.mode: passing -> {side}",
        f"limiter.mode: {side} -> passing",
    ]
    enter, leave = (event.time for event in found.events)
    within(f"E2 of library parts, {side} limit reached at", enter - 1.83287e-3, 0.6e-8, f"{seed}, s")
    within(f"E2 of library parts, {side} limit left at", leave - 2.004732, 0.6e-6, f"{seed}, s")
    for t, speed, current in ((3.0, 13.855434, 0.185272), (5.0, 18.215457, 0.112364), (10.0, 21.277724, 0.061158)):
        row = found.at(t)
        errors = [volts * row["motor.w"] - speed, volts * row["motor.ia"] - current]
        within(f"E2 of library parts at {t:g} s, {side}", errors, 0.6e-6, seed)


# -- stepper, battery -------------------------------------------------------------------------------------------------


class Stepping(tg.Component):
    """Two phases fed by currents that turn by a step every 10 ms."""

    motor = ma.StepperMotor(tau_detent=0.02, d=2e-3, phi=at(0.0), w=at(0.0))
    a = el.SignalVoltage()
    b = el.SignalVoltage()
    load = rot.ConstantTorque(tau_constant=-0.05)
    ground = el.Ground()
    steps = tg.parameter(8.0)

    def equations(self) -> Any:
        angle = 0.5 * np.pi * tg.minimum(tg.floor(tg.time / 0.01), self.steps)
        yield self.a.u == 3.0 * tg.cos(angle)
        yield self.b.u == 3.0 * tg.sin(angle)

    def connections(self) -> Any:
        yield self.a.p, self.motor.pin_ap
        yield self.b.p, self.motor.pin_bp
        yield self.a.n, self.b.n, self.motor.pin_an, self.motor.pin_bn, self.ground.p
        yield self.load.flange, self.motor.flange


def test_steps_against_scipy() -> None:
    """Eight steps of 1.8 deg under load, at voltages; the last one rests where load, phase and detent balance."""
    R, L, k, J, d, Nr, detent = 1.5, 3e-3, 0.3, 3e-5, 2e-3, 50.0, 0.02

    def rates(t: float, x: Any, number: int) -> list[float]:
        ia, ib, phi, w = x
        c, s = np.cos(Nr * phi), np.sin(Nr * phi)
        va, vb = 3.0 * np.cos(0.5 * np.pi * number), 3.0 * np.sin(0.5 * np.pi * number)
        torque = k * (ib * c - ia * s) - detent * np.sin(4.0 * Nr * phi) - d * w - 0.05
        return [(va - R * ia + k * w * s) / L, (vb - R * ib - k * w * c) / L, w, torque / J]

    x: Any = np.zeros(4)
    wanted = []
    for number in range(9):
        span = (0.01 * number, 0.01 * (number + 1) if number < 8 else 0.3)
        x = solve_ivp(rates, span, x, args=(number,), rtol=1e-11, atol=1e-13).y[:, -1]
        wanted.append(x[2])
    found = tg.simulate(Stepping(), 0.3, rtol=1e-9, points=[0.01 * n for n in range(1, 9)] + [0.3])
    ends = [found.at(t)["motor.phi"] for t in (*(0.01 * n for n in range(1, 9)), 0.3)]
    within("stepper under load, angles", np.subtract(ends, wanted), 1e-7, "SciPy, rad")
    rest = 8 * np.radians(1.8)
    slack = -0.05 / (Nr * (k * 2.0 + 4.0 * detent))  # linearized about the full step
    within("stepper, angle after eight steps", relative(ends[-1] - rest, slack), 5e-3, "linearized, of the lag")


@pytest.mark.parametrize(("part", "falls"), [(0.99, False), (1.01, True)])
def test_holding_torque(part: float, falls: bool) -> None:
    """Without detent one phase holds k I: 0.6 N m at 2 A. A little more and the rotor runs away."""
    model = Stepping(
        motor=ma.StepperMotor(tau_detent=0.0, d=0.02, phi=at(-np.arcsin(0.95) / 50.0), w=at(0.0), ia=at(2.0)),
        load=rot.ConstantTorque(tau_constant=-0.6 * part),
        steps=0.0,
    )
    found = tg.simulate(model, 2.0, rtol=1e-8)
    if falls:
        assert found["motor.phi"][-1] < -2.0 * np.pi / 50.0  # more than a tooth
    else:
        angle = -np.arcsin(part) / 50.0
        within("stepper, angle at 99 % of the holding torque", relative(found["motor.phi"][-1], angle), 1e-6, CLOSED)


def test_battery_discharge() -> None:
    """A pulse of current into a pack of 4 by 3 cells: straight OCV, two exponentials, and rest afterwards."""
    cells = ma.Battery(SOC_table=[0.0, 1.0], OCV_table=[3.0, 4.0], Ns=4, Np=3, SOC=at(0.9), v1=at(0.0), v2=at(0.0))
    s = tg.System("pack")
    s.add(battery=cells, load=el.ConstantCurrent(I=6.0), ground=el.Ground())
    s.connect(s.load.p, cells.p)
    s.connect(s.load.n, cells.n, s.ground.p)
    found = tg.simulate(s, 1000.0, rtol=1e-10, points=21)
    ic, t = -2.0, found.time  # of a cell; the source draws its current out of p of the battery
    soc = 0.9 + ic * t / 9000.0
    branches = 0.01 * (1.0 - np.exp(-t / 20.0)) + 0.015 * (1.0 - np.exp(-t / 600.0))
    wanted = 4.0 * (3.0 + soc + ic * (0.02 + branches))
    within("battery, voltage under constant current", found["battery.v"] - wanted, 1e-8, f"{CLOSED}, V")
    within("battery, state of charge", found["battery.SOC"] - soc, 1e-11, CLOSED)


def test_an_empty_battery_is_told() -> None:
    s = tg.System("empty")
    s.add(battery=ma.Battery(SOC=at(0.01)), r=el.Resistor(R=1.0), ground=el.Ground())
    s.connect(s.battery.p, s.r.p)
    s.connect(s.battery.n, s.r.n, s.ground.p)
    with pytest.warns(UserWarning, match="the battery is empty"):
        found = tg.simulate(s, 100.0)
    assert 0.0 < found.warnings[0].time < 100.0


HEAT = runpy.run_path(str(Path(__file__).resolve().parents[2] / "examples" / "motor_heat.py"))


def test_heat_of_a_drive() -> None:
    """Battery, chopper, motor, gear, bearing and their heat: over 4 s and 4000 events the balance of energy closes."""
    found = tg.simulate(HEAT["HotDrive"](), 4.0, rtol=1e-8)
    stored = HEAT["stored"](found)
    error = found["given"] - found["done"] - found["heat"] - (stored - stored[0])
    within("drive with chopper and heat, energy balance", error / found["given"][-1], 1e-7, "energy given")
    assert found.stats["events"] > 4000 - 10
    losses = 0.5 * (1.0 + 0.0039 * (found["winding.T"] - 293.15)) * found["motor.ia"] ** 2 + 0.4 * found["motor.ia"]
    late = found.time > 1.0  # beyond I_brush, where the drop of the brushes is 0.4 V
    within("drive with chopper, heat of the winding", (found["motor.heat_port.Q_flow"] + losses)[late], 1e-9, "law, W")
