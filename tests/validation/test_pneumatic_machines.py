"""Pneumatic valves, cylinders, lines and machines against formulas."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import pneumatic as pn
from tellegen.library import rotational as rot
from tellegen.library import translational as tr
from validation.circuits import at, circuit
from validation.measured import relative, within

R, KAPPA, WARM, AMBIENT = 287.05, 1.4, 293.15, 101325.0


def driven(centre: str = "closed", **cylinder: Any) -> tg.System:
    """A cylinder on a 5/3 valve that moves out at 0.1 s and stays on."""
    return circuit(
        "supply.port valve.port_p",
        "valve.port_a cyl.port_a",
        "valve.port_b cyl.port_b",
        "valve.port_r valve.port_s outside.port",
        "cyl.flange mass.flange_a",
        "signal.y valve.x",
        gas=pn.Gas(),
        supply=pn.FixedPressure(p=7e5),
        outside=pn.Ambient(),
        signal=blocks.Table(times=[0.0, 0.1, 0.12], values=[0.0, 0.0, 1.0]),
        valve=pn.DirectionalValve53(C=1e-8, b=0.3, centre=centre),
        cyl=pn.DoubleActingCylinder(**cylinder),
        mass=tr.Mass(m=2.0, s=at(0.05), v=at(0.0)),
    )


def test_speed_of_a_cylinder_with_choked_exhaust() -> None:
    """Air leaves at the velocity of sound, so the piston's speed is C rho_ref R T/A_b, whatever the load.

    That is for constant temperature and pressure of the exhausted chamber; the piston is held back by its exhaust
    alone, as its supply side is wide open.
    """
    whole = circuit(
        "supply.port cyl.port_a",
        "cyl.port_b out.port_a",
        "out.port_b outside.port",
        "cyl.flange mass.flange_a",
        "mass.flange_b load.flange",
        gas=pn.Gas(),
        supply=pn.FixedPressure(p=7e5),
        outside=pn.Ambient(),
        out=pn.IsoRestriction(C=4e-9, b=0.3),
        cyl=pn.DoubleActingCylinder(isothermal=True, stroke=1.0, d=150.0, p_a_start=7e5, p_b_start=7e5),
        mass=tr.Mass(m=2.0, s=at(0.01), v=at(0.0)),
        load=tr.ConstantForce(f_constant=-100.0),
    )
    s = tg.simulate(whole, 6.0)
    speed = 4e-9 * 1.185 * R * WARM / (np.pi / 4 * (0.032**2 - 0.012**2))
    steady = (s["cyl.s"] > 0.5) & (s["cyl.s"] < 0.9)
    assert steady.sum() > 20
    within("Pneumatic cylinder, speed by its exhaust", relative(s["cyl.v"][steady], speed), 0.02, "choked exhaust")
    assert s["cyl.chamber_b.p"][steady].min() > AMBIENT / 0.3


def test_cylinder_reaches_its_end() -> None:
    """It rests at the stop with the supply behind it and the ambient before it."""
    s = tg.simulate(driven(), 3.0)
    area = np.pi / 4 * 0.032**2
    push = area * (7e5 - AMBIENT)
    within("Pneumatic cylinder at its end, force", relative(-s["cyl.f_stop"][-1], push), 2e-3, "pressure times area")
    within("Pneumatic cylinder at its end, speed", s["cyl.v"][-1], 1e-5, "rest, m/s")
    assert len(s.events) < 40
    assert s.stats["steps"] < 5000


@pytest.mark.parametrize("solver", ["auto", "ida"])
def test_axis_with_throttled_exhaust(solver: str) -> None:
    """The example with series throttles: it runs with every solver, and its speeds are those of a choked exhaust.

    Not quite, as the pressure of the exhausted chamber still falls a little: air expands in it.
    """
    spec = importlib.util.spec_from_file_location("axis", Path(__file__).parents[2] / "examples/pneumatic_cylinder.py")
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    s = tg.simulate(example.Axis(), 4.5, solver=solver)
    half = np.flatnonzero(s["load.s"] > 0.15)
    for row, chamber, area in ((half[0], "b", 0.04**2 - 0.016**2), (half[-1], "a", 0.04**2)):
        T = s[f"cylinder.chamber_{chamber}.T"][row]
        choked = 3e-9 * 1.185 * R * np.sqrt(WARM * T) / (np.pi / 4 * area)
        within(
            f"Pneumatic axis, speed by chamber {chamber}",
            relative(abs(s["cylinder.v"][row]), choked),
            0.08,
            "choked",
            solver,
        )
    assert len(s.events) < 40


def test_air_spring() -> None:
    """Both ports closed: a mass swings on two cushions with w^2 = kappa p (A_a^2/V_a + A_b^2/V_b)/m."""
    closed = {"a": pn.FixedFlow(m_flow=0.0), "b": pn.FixedFlow(m_flow=0.0)}
    A_a, A_b = np.pi / 4 * 0.032**2, np.pi / 4 * (0.032**2 - 0.012**2)
    p_b = AMBIENT + (5e5 - AMBIENT) * A_a / A_b
    whole = circuit(
        "a.port cyl.port_a",
        "b.port cyl.port_b",
        "cyl.flange mass.flange_a",
        gas=pn.Gas(),
        cyl=pn.DoubleActingCylinder(d=0.0, p_a_start=5e5, p_b_start=p_b),
        mass=tr.Mass(m=2.0, s=at(0.1), v=at(1e-3)),
        **closed,
    )
    s = tg.simulate(whole, 1.0, rtol=1e-8, points=4001)
    V_a, V_b = 1e-5 + A_a * 0.1, 1e-5 + A_b * 0.1
    w = np.sqrt(KAPPA * (5e5 * A_a**2 / V_a + p_b * A_b**2 / V_b) / 2.0)
    v = s["cyl.v"]
    k = np.flatnonzero((v[:-1] < 0) & (v[1:] >= 0))
    rising = s.time[k] - v[k] * (s.time[k + 1] - s.time[k]) / (v[k + 1] - v[k])
    period = np.diff(rising).mean()
    within("Air spring, period", relative(period, 2 * np.pi / w), 1e-4, "adiabatic stiffness")


def test_single_acting_cylinder() -> None:
    """At rest A (p - p_ambient) = F0 + c s; vented, the spring brings it back."""
    whole = circuit(
        "supply.port valve.port_p",
        "valve.port_a cyl.port_a",
        "valve.port_r outside.port",
        "cyl.flange mass.flange_a",
        "signal.y valve.x",
        gas=pn.Gas(),
        supply=pn.FixedPressure(p=3e5),
        outside=pn.Ambient(),
        signal=blocks.Table(times=[0.0, 0.1, 0.11, 4.0, 4.01], values=[0.0, 0.0, 1.0, 1.0, 0.0]),
        valve=pn.DirectionalValve32(),
        cyl=pn.SingleActingCylinder(c=1e3, F0=20.0),
        mass=tr.Mass(m=1.0, s=at(0.0), v=at(0.0)),
    )
    s = tg.simulate(whole, 8.0)
    exact = (np.pi / 4 * 0.032**2 * (3e5 - AMBIENT) - 20.0) / 1e3
    within("Single-acting pneumatic cylinder, out", relative(s.at(3.9)["cyl.s"], exact), 1e-3, "balance of forces")
    within("Single-acting pneumatic cylinder, in", s["cyl.s"][-1] + 20.0 / 1e6, 1e-4, "on its stop, m")


@pytest.mark.parametrize("centre", ["closed", "exhausted", "pressurized"])
def test_centres_of_53_valves(centre: str) -> None:
    """What two chambers at 3 bar come to when the spool rests in its centre."""
    whole = circuit(
        "supply.port valve.port_p",
        "valve.port_a a.port",
        "valve.port_b b.port",
        "valve.port_r valve.port_s outside.port",
        gas=pn.Gas(),
        supply=pn.FixedPressure(p=7e5),
        outside=pn.Ambient(),
        valve=pn.DirectionalValve53(centre=centre, leak=0.0, x=0.0),
        a=pn.Volume(V=1e-4, p_start=3e5),
        b=pn.Volume(V=1e-4, p_start=3e5),
    )
    s = tg.simulate(whole, 5.0)
    expected = {"closed": 3e5, "exhausted": AMBIENT, "pressurized": 7e5}[centre]
    for chamber in "ab":
        within(f"5/3 valve, {centre} centre: {chamber}", relative(s[f"{chamber}.p"][-1], expected), 1e-3, "its ports")


def test_valves_that_pressure_moves() -> None:
    """A regulator holds the pressure behind it, a relief valve that before it; a check valve keeps what came."""
    s = tg.simulate(regulated(line=pn.Volume(V=1e-5, isothermal=True)), 30.0)
    within("Pressure regulator", relative(s.at(9.9)["tank.p"], AMBIENT + 5e5), 0.05, "its setting")
    within("Check valve keeps the pressure", relative(s["tank.p"][-1], s.at(9.9)["tank.p"]), 5e-3, "leakage")
    within("Differential pressure", s["difference.dp"] - (s["tank.p"] - AMBIENT), 1e-6, "of the two, Pa")
    within("Gauge pressure of gas", s["gauge.p_gauge"] - (s["line.p"] - AMBIENT), 1e-6, "against the surroundings, Pa")


def test_valves_with_nothing_between_them() -> None:
    """The pressure between a regulator and a check valve, both closed, jumps: no solution goes on from there.

    The run says so at that instant, with all rows up to it; it must not depend on which solver was at work.
    """
    s = tg.simulate(regulated(line=pn.FixedFlow(m_flow=0.0)), 30.0, throw=False)
    assert not s.outcome.ok
    assert 10.0 < s.outcome.time < 11.0
    assert np.all(np.diff(s.time) >= 0)


def regulated(line: Any) -> tg.System:
    """A supply that goes away after 10 s, a regulator, a check valve and a tank."""
    return circuit(
        "supply.port regulator.port_a",
        "regulator.port_b gauge.port check.port_a line.port",
        "check.port_b tank.port",
        "tank.port difference.port_a relief.port_a",
        "outside.port difference.port_b relief.port_b",
        "signal.y supply.p",
        gas=pn.Gas(),
        signal=blocks.Table(times=[0.0, 10.0, 11.0], values=[10e5, 10e5, 2e5]),
        supply=pn.PrescribedPressure(),
        regulator=pn.PressureReducingValve(p_set=5e5, p_range=0.2e5),
        gauge=pn.PressureSensor(),
        line=line,
        check=pn.CheckValve(),
        tank=pn.Volume(V=1e-3, isothermal=True),
        difference=pn.RelPressureSensor(),
        relief=pn.ReliefValve(p_set=8e5),
        outside=pn.Ambient(),
    )


def test_relief_valve() -> None:
    """What is pumped leaves through it at the pressure of its characteristic."""
    full = circuit(
        "pump.port tank.port relief.port_a",
        "relief.port_b outside.port",
        gas=pn.Gas(),
        pump=pn.FixedFlow(m_flow=2e-3),
        tank=pn.Volume(V=1e-3, G=100.0),
        relief=pn.ReliefValve(p_set=6e5, p_range=0.5e5, C=2e-8),
        outside=pn.Ambient(),
    )
    s = tg.simulate(full, 30.0)
    dp, T = s["relief.dp"][-1], s["tank.T"][-1]
    flow = (dp - 6e5) / 0.5e5 * 2e-8 * 1.185 * (dp + AMBIENT) * np.sqrt(293.15 / T)
    within("Pneumatic relief valve, flow", relative(flow, 2e-3), 1e-3, "its characteristic, choked")


def test_valve_opens_and_closes() -> None:
    """2/2 valve and nozzle with a signal: filled while open, kept when closed."""
    whole = circuit(
        "supply.port valve.port_p",
        "valve.port_a nozzle.port_a",
        "nozzle.port_b throttle.port_a",
        "throttle.port_b tank.port",
        "signal.y valve.x",
        gas=pn.Gas(),
        supply=pn.FixedPressure(p=7e5),
        signal=blocks.Pulse(period=10.0, width=0.2, start_time=0.5),
        valve=pn.DirectionalValve22(leak=0.0),
        nozzle=pn.VariableNozzle(A=5e-6, opening=0.5),
        throttle=pn.VariableIsoRestriction(C=1e-8, opening=1.0),
        tank=pn.Volume(V=1e-2),
    )
    s = tg.simulate(whole, 5.0)
    closed = s.at(3.0)["tank.p"]
    assert closed > 1.5e5
    within("Closed valve keeps pressure", relative(s["tank.p"][-1], closed), 1e-9, "what it was")


def test_line_steady() -> None:
    """Laminar flow of gas through a tube: m = pi d^4 (p1^2 - p2^2)/(256 mu L R T)."""
    whole = circuit(
        "supply.port line.port_a",
        "line.port_b sink.port",
        gas=pn.Gas(),
        supply=pn.FixedPressure(p=1.2e5),
        line=pn.Line(n=20, d=1e-3, L=2.0, G=1e3),
        sink=pn.FixedPressure(p=1e5),
    )
    s = tg.simulate(whole, 2.0)
    exact = np.pi * 1e-3**4 * (1.2e5**2 - 1e5**2) / (256 * 1.82e-5 * 2.0 * R * WARM)
    within("Gas line, laminar flow", relative(s["line.m_flow"][-1, 10], exact), 2e-3, "Hagen and Poiseuille, 20 pieces")


def test_line_sounds() -> None:
    """A closed tube of gas sounds with a/(2 L), a = sqrt(kappa R T)."""
    n = 40
    whole = circuit(
        gas=pn.Gas(), line=pn.Line(n=n, d=0.1, L=1.0), a=pn.FixedFlow(m_flow=0.0), b=pn.FixedFlow(m_flow=0.0)
    )
    whole.connect(whole.a.port, whole.line.port_a)
    whole.connect(whole.b.port, whole.line.port_b)
    mode = 1e-4 * np.sin(np.pi * np.arange(1, n) / n)
    s = tg.simulate(whole, 0.03, points=3001, initial={f"line.m_flow[{k + 1}]": v for k, v in enumerate(mode)})
    y = s["line.m_flow"][:, n // 2]
    k = np.flatnonzero((y[:-1] < 0) & (y[1:] >= 0))
    rising = s.time[k] - y[k] * (s.time[k + 1] - s.time[k]) / (y[k + 1] - y[k])
    a = np.sqrt(KAPPA * R * WARM)
    within("Gas line, lowest tone", relative(1 / np.diff(rising).mean(), a / 2.0), 5e-3, "a/(2 L)")


def test_compressor_and_motor() -> None:
    """Temperature, flow and torque by the efficiencies; what the shaft gives is what the gas gains."""
    for machine, pa, pb in ((pn.Compressor(), AMBIENT, 7e5), (pn.AirMotor(), 7e5, AMBIENT)):
        whole = circuit(
            "a.port machine.port_a",
            "machine.port_b b.port",
            "drive.flange machine.flange",
            gas=pn.Gas(),
            a=pn.FixedPressure(p=pa),
            b=pn.FixedPressure(p=pb),
            drive=rot.ConstantSpeed(w_fixed=100.0),
            machine=machine,
        )
        s = tg.simulate(whole, 1.0)
        pump = pb > pa
        ideal = WARM * ((pb / pa) ** (2 / 7) - 1)
        T_out = WARM + (ideal / 0.75 if pump else ideal * 0.75)
        m = pa / (R * WARM) * 50e-6 / (2 * np.pi) * 100.0 * (0.9 if pump else 1 / 0.9)
        name = type(machine).__name__
        within(f"{name}, outlet temperature", relative(s["machine.T_out"][-1], T_out), 1e-9, "efficiency")
        within(f"{name}, mass flow", relative(s["machine.m_flow"][-1], m), 1e-9, "displacement")
        power = m * R * 3.5 * (T_out - WARM)
        within(f"{name}, power", relative(100.0 * s["machine.flange.tau"][-1], power), 1e-6, "enthalpy")
