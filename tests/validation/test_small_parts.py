"""Parts whose law is one line, in circuits that can be solved by hand. Tolerances are those of linear solves, 1e-9."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks, electrical, planar, rotational, thermal, translational
from validation.measured import within

EXACT = 1e-9


def wired(connections: Any, **parts: Any) -> tg.System:
    """A system of parts, and of nodes that are lists of ports by their path."""
    s = tg.System("small")
    s.add(**parts)
    for node in connections:
        s.connect(*(_port(s, path) for path in node.split()))
    return s


def _port(s: tg.System, path: str) -> Any:
    name, port = path.split(".")
    port, _, index = port.rstrip("]").partition("[")
    found = getattr(s[name], port)
    return found[int(index)] if index else found


def test_thermal_chain() -> None:
    """400 K and 300 K with R = 0.5, Gc = 4 and Rc = 0.25 K/W in a row: 100 W through each, 50, 25 and 25 K."""
    s = wired(
        (
            "hot.port meter.port_a",
            "meter.port_b wall.port_a a.port_a",
            "wall.port_b a.port_b air.solid",
            "air.fluid film.solid",
            "film.fluid cold.port",
        ),
        hot=thermal.PrescribedTemperature(),
        meter=thermal.HeatFlowSensor(),
        wall=thermal.ThermalResistor(R=0.5),
        a=thermal.RelTemperatureSensor(),
        air=thermal.Convection(),
        film=thermal.ConvectiveResistor(),
        cold=thermal.FixedTemperature(T=300.0),
    )
    s.equation(s.hot.T == 400.0 + 1.0 * tg.time, s.air.Gc == 4.0, s.film.Rc == 0.25)
    r = tg.simulate(s, 1.0, points=11)
    flow = 100.0 + r.time
    within("Thermal resistors and convection in a row, heat flow", r["meter.Q_flow"] / flow - 1.0, EXACT, "by hand")
    within("Thermal resistors and convection in a row, difference", r["a.T_rel"] - 0.5 * flow, 1e-8, "by hand, K")


def test_thermal_collector() -> None:
    """10, 20 and 30 W into 300 K through 2 W/K: 330 K."""
    flows = {f"q{k}": thermal.FixedHeatFlow(Q_flow=10.0 * (k + 1)) for k in range(3)}
    s = wired(
        [*(f"q{k}.port c.port_a[{k}]" for k in range(3)), "c.port_b g.port_a", "g.port_b cold.port"],
        **flows,
        c=thermal.ThermalCollector(m=3),
        g=thermal.ThermalConductor(G=2.0),
        cold=thermal.FixedTemperature(T=300.0),
    )
    within("Three heat flows joined", tg.simulate(s, 1.0)["c.port_b.T"] - 330.0, 1e-8, "by hand, K")


def test_inverting_amplifier() -> None:
    """The ideal amplifier with R2 = 3 R1 multiplies by -3."""
    s = wired(
        ["u.p r1.p", "r1.n r2.p op.n1", "r2.n op.p2", "u.n op.p1 op.n2 ground.p"],
        u=electrical.SineVoltage(V=2.0, f=1.0),
        r1=electrical.Resistor(R=100.0),
        r2=electrical.Resistor(R=300.0),
        op=electrical.IdealOpAmp(),
        ground=electrical.Ground(),
    )
    r = tg.simulate(s, 1.0, points=51)
    within("Inverting amplifier", r["op.v2"] + 3.0 * r["u.v"], EXACT, "by hand, V")


def controlled(source: Any, x: Any, y: Any) -> Any:
    """What a source with two controls gives through or across 1 ohm; its controls are the sources x and y."""
    s = wired(
        ("x.p f.p1[0]", "y.p f.p1[1]", "f.p r.p", "x.n y.n f.n1[0] f.n1[1] f.n r.n ground.p"),
        x=x,
        y=y,
        f=source,
        r=electrical.Resistor(R=1.0),
        ground=electrical.Ground(),
    )
    r = tg.simulate(s, 1.0, points=11)
    return r.time, r["f.v" if type(source).__name__.endswith("V") else "f.i"]


POLYNOMIALS = [
    electrical.PolynomialVCV,
    electrical.PolynomialVCC,
    electrical.PolynomialCCV,
    electrical.PolynomialCCC,
]


@pytest.mark.parametrize("kind", POLYNOMIALS, ids=lambda kind: kind.__name__)
def test_polynomial_sources(kind: Any) -> None:
    """Two controls x, y: c0 + c1 x + c2 y + c3 x^2 + c4 x y + c5 y^2, in the order of netlists."""
    c = [0.5, 1.0, -2.0, 0.3, 0.7, -0.1]
    if kind in (electrical.PolynomialVCV, electrical.PolynomialVCC):
        x, y = electrical.RampVoltage(V=2.0, duration=1.0), electrical.ConstantVoltage(V=1.5)
    else:  # into the control, so out of the source
        x, y = electrical.RampCurrent(I=-2.0, duration=1.0), electrical.ConstantCurrent(I=-1.5)
    time, found = controlled(kind(N=2, coefficients=c), x, y)
    a, b = 2.0 * time, 1.5
    wanted = c[0] + c[1] * a + c[2] * b + c[3] * a**2 + c[4] * a * b + c[5] * b**2
    within(f"{kind.__name__} of two controls", found - wanted, EXACT, "polynomial")


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        (electrical.VCV(gain=3.0), "v2"),
        (electrical.VCC(trans_conductance=3.0), "i2"),
        (electrical.CCV(trans_resistance=3.0), "v2"),
        (electrical.CCC(gain=3.0), "i2"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, tg.Component) else value,
)
def test_controlled_sources(source: Any, wanted: str) -> None:
    """Three times the control, which is a ramp to 2 V or 2 A."""
    by_voltage = type(source).__name__.startswith("V")
    ramp: Any = electrical.RampVoltage(V=2.0) if by_voltage else electrical.RampCurrent(I=-2.0)
    s = wired(
        ("x.p f.p1", "f.p2 r.p", "x.n f.n1 f.n2 r.n ground.p"),
        x=ramp,
        f=source,
        r=electrical.Resistor(R=1.0),
        ground=electrical.Ground(),
    )
    r = tg.simulate(s, 2.0, points=11)
    control = 2.0 * np.minimum(r.time / r["x.duration"], 1.0)
    within(type(source).__name__, r[f"f.{wanted}"] - 3.0 * control, EXACT, "three times the control")


@pytest.mark.parametrize("source", [electrical.TableVoltage, electrical.TableCurrent])
def test_tables(source: Any) -> None:
    times, values = [0.0, 0.5, 1.5, 2.0], [1.0, 3.0, -1.0, 0.0]
    s = wired(
        ["u.p r.p", "u.n r.n ground.p"],
        u=source(times=times, values=values, offset=0.25),
        r=electrical.Resistor(R=1.0),
        ground=electrical.Ground(),
    )
    r = tg.simulate(s, 2.0, points=81)
    found = r["u.v"] if source is electrical.TableVoltage else r["u.i"]
    within(source.__name__, found - 0.25 - np.interp(r.time, times, values), EXACT, "NumPy's interp")


def test_disc_and_position_sensor() -> None:
    """A disc turns by its angle and hands the torque on; a sensor shows where a mass is."""
    s = wired(
        ["drive.flange rotor.flange_a", "rotor.flange_b disc.flange_a", "disc.flange_b end.flange_a"],
        drive=rotational.ConstantTorque(tau_constant=3.0),
        rotor=rotational.Inertia(J=1.0),
        disc=rotational.Disc(delta_phi=0.4),
        end=rotational.Inertia(J=2.0),
    )
    r = tg.simulate(s, 1.0, rtol=1e-8)
    within("Disc between two inertias, angle", r["end.phi"] - r["rotor.phi"] - 0.4, EXACT, "its angle, rad")
    within("Disc between two inertias, speed", r["rotor.w"] - r.time, 1e-8, "3 N.m on 3 kg.m2, rad/s")
    slide = wired(
        ["push.flange mass.flange_a", "mass.flange_b ruler.flange"],
        push=translational.ConstantForce(f_constant=2.0),
        mass=translational.Mass(m=4.0, L=0.2),
        ruler=translational.PositionSensor(),
    )
    r = tg.simulate(slide, 1.0, rtol=1e-8)
    within("Position of the front of a mass", r["ruler.s"] - r["ruler.s"][0] - 0.25 * r.time**2, 1e-8, "2 N on 4 kg, m")


@pytest.mark.parametrize("block", [blocks.GreaterEqualThreshold, blocks.LessEqualThreshold])
def test_thresholds(block: Any) -> None:
    """The ramp t reaches 0.5 at 0.5 s: from there on it is greater or equal, until then it is less or equal."""
    s = tg.System("threshold")
    s.add(ramp=blocks.Ramp(height=1.0, duration=1.0), limit=block(threshold=0.5))
    s.connect(s.ramp.y, s.limit.u)
    r = tg.simulate(s, 1.0, points=41)
    sure = abs(r.time - 0.5) > 1e-6
    wanted = r.time > 0.5 if block is blocks.GreaterEqualThreshold else r.time < 0.5
    within(block.__name__, (r["limit.y"] - wanted)[sure], 0.0, "by hand")


def test_gearbox_at_a_steady_speed() -> None:
    """5 N.m in, ratio 4, efficiency 0.9, bearing 0.2 N.m: 4 (0.9 5 - 0.2) = 17.2 N.m out, which twists the flanks."""
    load = 17.2
    s = wired(
        (
            "drive.flange motor.flange_a",
            "motor.flange_b box.flange_a",
            "box.flange_b arm.flange_a",
            "arm.flange_b oil.flange_b",
            "oil.flange_a wall.flange",
        ),
        drive=rotational.ConstantTorque(tau_constant=5.0),
        motor=rotational.Inertia(J=0.01),
        box=rotational.Gearbox(ratio=4.0, loss_table=[[0.0, 0.9, 0.85, 0.2, 0.3]], c=500.0, d=5.0, b=0.02),
        arm=rotational.Inertia(J=0.1),
        oil=rotational.Damper(d=2.0),
        wall=rotational.Fixed(),
    )
    end = tg.simulate(s, 20.0, rtol=1e-8).at(20.0)
    within("Gearbox, speed of the load", end["arm.w"] - load / 2.0, 1e-6, "by hand, rad/s")
    twist = end["box.flange_b.phi"] - end["box.flange_a.phi"] / 4.0
    within("Gearbox, twist", abs(twist) - load / 500.0 - 0.01, 1e-7, "by hand, rad")


def test_pushed_and_turned_body() -> None:
    """4 N on 2 kg and 0.3 N.m on 0.1 kg.m2, from rest: x = t^2, phi = 1.5 t^2, whatever the sensors in between."""
    s = wired(
        (
            "push.frame_b cut.frame_a place.frame_a move.frame_a",
            "cut.frame_b turn.frame_b body.frame_a tilt.frame_a",
            "tilt.frame_b seen.frame_b",
            "origin.frame seen.frame_a",
        ),
        world=planar.PlanarWorld(g=0.0),
        push=planar.WorldForce(),
        turn=planar.WorldTorque(),
        cut=planar.CutForce(),
        body=planar.Body(m=2.0, I=0.1),
        tilt=planar.FixedRotation(alpha=0.7),
        place=planar.AbsolutePosition(),
        move=planar.AbsoluteAcceleration(),
        seen=planar.RelativePosition(),
        origin=planar.Fixed(r=[1.0, 2.0], phi=0.5),
    )
    s.equation(s.push.force == [4.0, 0.0], s.turn.torque == 0.3)
    r = tg.simulate(s, 1.0, rtol=1e-9, points=11)
    x, phi = r.time**2, 1.5 * r.time**2
    within(
        "Body in the plane, position and angle", [r["place.r"][:, 0] - x, r["place.phi"] - phi], 1e-8, "closed, m, rad"
    )
    within("Body in the plane, accelerations", [r["move.a[0]"] - 2.0, r["move.z"] - 3.0], 1e-8, "closed")
    within("Body in the plane, force through a cut", r["cut.force"] - [4.0, 0.0], 1e-8, "the force applied, N")
    dx, dy, c, n = x - 1.0, -2.0, np.cos(0.5), np.sin(0.5)
    wanted = np.stack([c * dx + n * dy, c * dy - n * dx], axis=1)
    within("Body in the plane, seen from a frame", r["seen.r_rel"] - wanted, 1e-8, "closed, m")
    within("Body in the plane, angle seen", r["seen.phi_rel"] - (phi + 0.7 - 0.5), 1e-8, "closed, rad")


def test_line_with_a_spring_inside() -> None:
    """A one-dimensional spring between two points is a planar spring: the same force for the same motion."""
    s = wired(
        (
            "a.frame line.frame_a spring.frame_a",
            "line.frame_b b.frame_a",
            "spring.frame_b c.frame_a",
            "line.flange_a coil.flange_a",
            "line.flange_b coil.flange_b",
        ),
        world=planar.PlanarWorld(g=9.81, n=[0.0, -1.0]),
        a=planar.Fixed(),
        line=planar.LineForceWithFlanges(),
        coil=translational.Spring(c=30.0, s_rel0=0.5),
        b=planar.Body(m=1.0, r=tg.variable(start=[1.0, 0.2], fixed=True), v=tg.variable(start=[0.0, 0.0], fixed=True)),
        spring=planar.Spring(c=30.0, s_unstretched=0.5),
        c=planar.Body(m=1.0, r=tg.variable(start=[1.0, 0.2], fixed=True), v=tg.variable(start=[0.0, 0.0], fixed=True)),
    )
    r = tg.simulate(s, 2.0, rtol=1e-9, points=21)
    assert np.ptp(r["b.r[1]"]) > 0.5
    within("Spring inside a line of force", r["b.r"] - r["c.r"], 1e-6, "planar spring, m")


def test_signal_current() -> None:
    """Whatever the load, the current is the signal."""
    s = wired(
        ("u.p r.p", "u.n r.n ground.p"),
        u=electrical.SignalCurrent(),
        r=electrical.Resistor(R=7.0),
        ground=electrical.Ground(),
    )
    s.equation(s.u.u == 1.0 * tg.sin(3.0 * tg.time))
    r = tg.simulate(s, 2.0, rtol=1e-10, points=21)
    within("Current given by a signal, into 7 ohm", r["r.v"] + 7.0 * np.sin(3.0 * r.time), 1e-8, "by hand, V")
