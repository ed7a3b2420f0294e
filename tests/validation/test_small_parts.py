"""Parts whose law is one line, in circuits that can be solved by hand. Tolerances are those of linear solves, 1e-9."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks, electrical, rotational, thermal, translational
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


@pytest.mark.parametrize("kind", ["PolynomialCCV", "PolynomialCCC"])
def test_polynomials_of_currents(kind: str) -> None:
    """Two controls x, y: c0 + c1 x + c2 y + c3 x^2 + c4 x y + c5 y^2, SPICE's order, across or through 1 ohm."""
    c = [0.5, 1.0, -2.0, 0.3, 0.7, -0.1]
    classes = {"PolynomialCCV": electrical.PolynomialCCV, "PolynomialCCC": electrical.PolynomialCCC}
    s = wired(
        ["x.n f.p1[0]", "y.n f.p1[1]", "f.p r.p", "x.p y.p f.n1[0] f.n1[1] f.n r.n ground.p"],
        x=electrical.SignalCurrent(),
        y=electrical.ConstantCurrent(I=1.5),
        f=classes[kind](N=2, coefficients=c),
        r=electrical.Resistor(R=1.0),
        ground=electrical.Ground(),
    )
    signal = next(name for name, decl in s.x._info.variables.items() if decl.role == "input")
    s.equation(getattr(s.x, signal) == 2.0 * tg.time)
    r = tg.simulate(s, 1.0, points=11)
    x, y = 2.0 * r.time, 1.5
    wanted = c[0] + c[1] * x + c[2] * y + c[3] * x**2 + c[4] * x * y + c[5] * y**2
    found = r["f.v"] if kind == "PolynomialCCV" else r["f.i"]
    within(f"{kind} of two currents", found - wanted, EXACT, "polynomial")


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
