"""Hydraulics against textbook formulas: oil, restrictions and valves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import hydraulic as hy
from validation.circuits import at, circuit
from validation.measured import relative, within

AMBIENT = 101325.0
CD = 0.7


class Probe(tg.Component):
    """Shows what the oil says about a pressure."""

    oil = tg.outer("oil")
    p = tg.variable("Pa", start=1e4, fixed=True)
    rho, K, h = tg.variable("kg/m3"), tg.variable("Pa"), tg.variable("J/kg")

    def equations(self) -> Any:
        yield tg.der(self.p) == 8.0 * self.p
        yield self.rho == self.oil.rho(self.p)
        yield self.K == self.oil.bulk_modulus(self.p)
        yield self.h == self.oil.h(self.p)


@pytest.mark.parametrize("n", [1.0, 1.4])
def test_oil_is_consistent(n: float) -> None:
    """K_eff and h are the derivative and the integral of one law for the density, here by finite differences."""
    s = tg.simulate(circuit(oil=hy.Oil(air=0.01, n=n), probe=Probe()), 1.0, points=20001, rtol=1e-10)
    p, rho, K, h = (s[f"probe.{name}"] for name in ("p", "rho", "K", "h"))
    bulk = rho * np.gradient(p, s.time) / np.gradient(rho, s.time)
    within("Oil with air, bulk modulus", relative(K, bulk)[1:-1], 1e-5, "rho dp/drho by differences")
    work = np.sum(0.5 * (1 / rho[1:] + 1 / rho[:-1]) * np.diff(p))
    within("Oil with air, energy of a flow", relative(h[-1] - h[0], work), 1e-6, "integral of dp/rho")
    near = np.argmin(abs(p - AMBIENT))
    exact = 1.0 / (0.99 / 1.6e9 + 0.01 / (n * p[near]))
    within("Oil with air at 1 bar, bulk modulus", relative(K[near], exact), 1e-3, "liquid and bubbles in series")


@pytest.mark.parametrize("T", [0.0, 40.0, 60.0, 100.0])
def test_viscosity(T: float) -> None:
    """Walther's line through both points of an ISO VG 46, in decimal logarithms and cSt as the standard has it."""
    s = tg.simulate(circuit(oil=hy.Oil(T=f"{T} degC"), probe=Probe()), 1.0, points=3)
    x, y = np.log10([313.15, 373.15]), np.log10(np.log10(np.array([46.0, 6.8]) + 0.7))
    line = y[0] + (y[1] - y[0]) / (x[1] - x[0]) * (np.log10(273.15 + T) - x[0])
    within(f"Viscosity of oil at {T} degC", relative(s["oil.nu"], 1e-6 * (10**10**line - 0.7)), 1e-12, "ASTM D341")


def test_water_is_a_liquid_too() -> None:
    s = tg.simulate(circuit(oil=hy.Water(), probe=Probe()), 1.0, points=3)
    within("Density of water at 20 degC", relative(s["oil.rho0"], 998.2), 5e-4, "tables")
    within("Viscosity of water at 20 degC", relative(s["oil.nu"], 1.004e-6), 0.02, "tables")


def swept(part: Any, stop: float = 2.0, oil: Any = None, **parts: Any) -> tg.Solution:
    """A part between a tank and a pressure that swings up to 60 bar and below that of the tank."""
    wires = ["ramp.y supply.p", "supply.port part.port_a", "part.port_b tank.port"]
    whole = circuit(
        *wires,
        oil=oil or hy.Oil(),
        ramp=blocks.Sine(amplitude=30e5, f=0.5, offset=AMBIENT + 29.1e5),
        supply=hy.PrescribedPressure(),
        part=part,
        tank=hy.Tank(),
        **parts,
    )
    return tg.simulate(whole, stop, rtol=1e-8)


def test_orifice() -> None:
    """Turbulent: the root; laminar: 2 Cd^2 A D dp/(Re_c rho nu); and flow that reverses makes no event."""
    s = swept(hy.Orifice(A=3e-6, Cd=CD))
    dp, q = s["part.dp"], s["part.q"]
    rho = s["part.m_flow"][q != 0] / q[q != 0]
    strong = abs(dp[q != 0]) > 3e5
    root = np.sign(dp[q != 0]) * CD * 3e-6 * np.sqrt(2 * abs(dp[q != 0]) / rho)
    within("Orifice, turbulent flow", relative(q[q != 0], root)[strong], 1e-4, "root of the pressure difference")
    slow = tg.simulate(
        circuit(
            "supply.port part.port_a",
            "part.port_b tank.port",
            oil=hy.Oil(),
            supply=hy.FixedPressure(p=AMBIENT + 10.0),
            part=hy.Orifice(A=3e-6, Cd=CD),
            tank=hy.Tank(),
        ),
        1.0,
    )
    D = np.sqrt(4 * 3e-6 / np.pi)
    laminar = 2 * CD**2 * 3e-6 * D * 10.0 / (100.0 * slow["oil.rho0"] * slow["oil.nu"])
    within("Orifice, laminar flow", relative(slow["part.q"][-1], laminar), 1e-4, "linear law")
    assert not s.events
    assert q.min() < 0 < q.max()


def test_laminar_parts() -> None:
    s = swept(hy.LaminarRestriction(G=3e-11))
    within("Laminar restriction", s["part.q"] - 3e-11 * s["part.dp"], 1e-12, "q = G dp, m3/s")
    s = swept(hy.AnnularGap(d=0.03, c=20e-6, L=0.04, e=1.0))
    rho = s["oil.rho0"] * np.exp((s["part.port_a.p"] / 2 + s["part.port_b.p"] / 2 - AMBIENT) / 1.6e9)
    exact = 2.5 * np.pi * 0.03 * 20e-6**3 * s["part.dp"] / (12 * rho * 46e-6 * 0.04)
    within("Eccentric gap", s["part.q"] - exact, 1e-12, "flow between plates, m3/s")
    s = swept(hy.TurbulentRestriction(q_nominal=2e-4, dp_nominal=5e5))
    strong = s["part.dp"] > 1e4
    exact = 2e-4 * np.sqrt(s["part.dp"][strong] / 5e5)
    within("Restriction by its rating", relative(s["part.q"][strong], exact), 1e-4, "root of the pressure difference")


def colebrook(Re: float, rough: float) -> float:
    def gap(x: float) -> float:
        return x + 2.0 * np.log10(rough / 3.7 + 2.51 * x / Re)

    return float(brentq(gap, 1.0, 50.0)) ** -2  # type: ignore[arg-type]


def test_tube_friction() -> None:
    """Hagen and Poiseuille when laminar, Colebrook's equation within the 2 % of Haaland's fit when turbulent."""
    s = swept(hy.TubeResistance(d=0.01, L=10.0), oil=hy.Oil(T="80 degC"))
    flows = abs(s["part.q"]) > 1e-9
    dp, q, nu = s["part.dp"][flows], s["part.q"][flows], s["oil.nu"]
    rho = s["part.m_flow"][flows] / q
    v = q / (np.pi * 0.01**2 / 4)
    Re = abs(v) * 0.01 / nu
    laminar = Re < 2000
    exact = 32.0 * rho * nu * 10.0 * v / 0.01**2
    within("Tube, laminar", relative(dp, exact)[laminar], 1e-8, "Hagen and Poiseuille")
    turbulent = np.flatnonzero(Re > 4000)[::20]
    assert Re.max() > 10000
    factor = np.array([colebrook(Re[k], 1.5e-4) for k in turbulent])
    exact = factor * 10.0 / 0.01 * rho[turbulent] / 2 * v[turbulent] ** 2
    within("Tube, turbulent", relative(dp[turbulent], exact), 0.02, "Colebrook and White")
    assert not s.events


def test_inertance() -> None:
    """A column of oil without friction worth mentioning is accelerated: rho L dv/dt = dp."""
    thin = hy.Oil(nu_40=0.8e-6, nu_100=0.4e-6)
    s = tg.simulate(
        circuit(
            "supply.port pipe.port_a",
            "pipe.port_b tank.port",
            oil=thin,
            supply=hy.FixedPressure(p=AMBIENT + 1e5),
            pipe=hy.Inertance(d=0.1, L=10.0, roughness=0.0),
            tank=hy.Tank(),
        ),
        0.01,
    )
    v = s["pipe.q"] / (np.pi * 0.01 / 4)
    exact = 1e5 / (s["oil.rho0"] * 10.0) * s.time
    within("Column of oil, velocity", v[1:] / exact[1:] - 1, 2e-4, "Newton's law, without friction")


@pytest.mark.parametrize("q", [1e-6, 1e-4, 3e-4, 6e-4])
def test_relief_valve(q: float) -> None:
    """Flow against pressure: q = Cd A_max (dp - p_set)/p_range sqrt(2 dp/rho)."""
    s = tg.simulate(
        circuit(
            "pump.port line.port relief.port_a",
            "relief.port_b tank.port",
            oil=hy.Oil(K=1.6e12),
            pump=hy.FixedFlow(q=q),
            line=hy.Volume(),
            relief=hy.ReliefValve(p_set=100e5, p_range=5e5, A_max=2e-5, A_leak=1e-15, Cd=CD),
            tank=hy.Tank(),
        ),
        2.0 if q > 1e-5 else 20.0,
    )

    def excess(dp: float) -> float:
        return CD * 2e-5 * (dp - 100e5) / 5e5 * np.sqrt(2 * dp / s["oil.rho0"]) - q

    exact = brentq(excess, 100e5, 106e5)
    within(f"Relief valve at {6e4 * q:g} l/min", relative(s["relief.dp"][-1], exact), 1e-5, "its characteristic")


def test_pressure_reducing_valve() -> None:
    """At rest the pressure behind it is where its edge lets the load's flow through, above p_set."""
    s = tg.simulate(
        circuit(
            "supply.port valve.port_a",
            "valve.port_b line.port load.port",
            oil=hy.Oil(),
            supply=hy.FixedPressure(p=200e5),
            valve=hy.PressureReducingValve(p_set=50e5, p_range=5e5, A_max=1e-5, Cd=CD),
            line=hy.Volume(V0=1e-4),
            load=hy.FixedFlow(q=-2e-4),
        ),
        1.0,
    )
    behind = s["line.p"][-1]
    rho = s["valve.m_flow"][-1] / s["valve.q"][-1]
    area = 1e-5 * (1 - (behind - AMBIENT - 50e5) / 5e5)
    exact = s["oil.rho0"] * 2e-4 / (rho * CD * np.sqrt(2 * (200e5 - behind) / rho))
    within("Pressure-reducing valve, area", relative(area, exact), 1e-3, "orifice law")
    assert 50e5 < behind - AMBIENT < 55e5


def test_check_valves() -> None:
    """Free one way, blocked the other; the pilot opens it."""
    s = swept(hy.CheckValve(A_max=5e-6, p_crack=1e5, p_open=3e5, A_leak=1e-12))
    dp, q = s["part.dp"], s["part.q"]
    assert abs(q[dp < 0.9e5]).max() < 1e-10
    wide = dp > 3.1e5
    rho = s["part.m_flow"][wide] / q[wide]
    within("Check valve, open", relative(q[wide], CD * 5e-6 * np.sqrt(2 * dp[wide] / rho)), 1e-4, "orifice law")
    for p_x, free in ((AMBIENT, False), (40e5, True)):
        s = tg.simulate(
            circuit(
                "load.port valve.port_b",
                "tank.port valve.port_a",
                "pilot.port valve.port_x",
                oil=hy.Oil(),
                load=hy.Volume(V0=1e-3, p=at(100e5)),
                tank=hy.Tank(),
                pilot=hy.FixedPressure(p=p_x),
                valve=hy.PilotedCheckValve(),
            ),
            1.0,
        )
        assert (s["load.p"][-1] < 50e5) == free


@pytest.mark.parametrize(
    ("centre", "joined"), [("closed", ""), ("open", "abpt"), ("float", "abt"), ("tandem", "pt")], ids=lambda x: x
)
def test_centres_of_43_valves(centre: str, joined: str) -> None:
    """Four chambers at different pressures around a spool in its centre: those that are joined become equal."""
    start = {"p": 80e5, "t": 2e5, "a": 40e5, "b": 20e5}
    wires = [f"{port}.port valve.port_{port}" for port in start]
    chambers = {port: hy.Volume(V0=1e-4, p=at(p)) for port, p in start.items()}
    valve = hy.DirectionalValve43(centre=centre, overlap=0.1, A_leak=1e-16, x=0.0)
    s = tg.simulate(circuit(*wires, oil=hy.Oil(), valve=valve, **chambers), 2.0)
    ends = {port: s[f"{port}.p"][-1] for port in start}
    for port, p in start.items():
        if port in joined:
            assert abs(ends[port] - ends["t"]) < 1e3, port
        else:
            within(f"4/3 valve, {centre} centre: port {port}", relative(ends[port], p), 1e-3, "blocked")


def test_valves_with_two_and_three_ports() -> None:
    """2/2 and 3/2 valves fill a chamber, and the latter empties it again."""
    two = circuit(
        "supply.port valve.port_p",
        "valve.port_a chamber.port",
        "signal.y valve.x",
        oil=hy.Oil(),
        supply=hy.FixedPressure(p=100e5),
        signal=blocks.Step(start_time=0.5),
        valve=hy.DirectionalValve22(A_max=1e-6, overlap=0.2),
        chamber=hy.Volume(V0=1e-4),
    )
    s = tg.simulate(two, 1.0)
    within("2/2 valve, closed", relative(s.at(0.49)["chamber.p"], AMBIENT), 0.02, "blocked")
    within("2/2 valve, open", relative(s["chamber.p"][-1], 100e5), 1e-4, "supply")
    three = circuit(
        "supply.port valve.port_p",
        "tank.port valve.port_t",
        "valve.port_a chamber.port gauge.port",
        "chamber.port difference.port_a",
        "tank.port difference.port_b",
        "signal.y valve.x",
        oil=hy.Oil(),
        supply=hy.FixedPressure(p=100e5),
        tank=hy.Tank(),
        signal=blocks.Table(times=[0.0, 0.1, 0.4, 0.5], values=[0.0, 1.0, 1.0, 0.0]),
        valve=hy.DirectionalValve32(A_max=1e-6),
        chamber=hy.Volume(V0=1e-4),
        gauge=hy.PressureSensor(),
        difference=hy.RelPressureSensor(),
    )
    s = tg.simulate(three, 1.0)
    within("3/2 valve, filled", relative(s.at(0.4)["chamber.p"], 100e5), 1e-3, "supply")
    within("3/2 valve, emptied", relative(s["chamber.p"][-1], AMBIENT), 1e-3, "tank")
    within("Gauge pressure", s["gauge.p_gauge"] - s["difference.dp"], 1e-6, "difference to the tank, Pa")


def test_pressures_come_to_rest_without_chattering() -> None:
    """Flow through an orifice that reverses and dies: a handful of steps and no event at all."""
    whole = circuit(
        "left.port throttle.port_a",
        "throttle.port_b right.port",
        oil=hy.Oil(),
        left=hy.Volume(V0=1e-3, p=at(100e5)),
        throttle=hy.Orifice(A=5e-6),
        right=hy.Volume(V0=5e-4),
    )
    s = tg.simulate(whole, 10.0)
    assert not s.events
    assert s.stats["steps"] < 600
    within("Chambers at rest", s["throttle.dp"][-1], 10.0, "equal pressures, Pa")


def test_volume_sensor() -> None:
    s = tg.simulate(
        circuit(
            "pump.port meter.port_a",
            "meter.port_b tank.port",
            oil=hy.Oil(),
            pump=hy.PrescribedFlow(q=2e-4),
            meter=hy.VolumeSensor(),
            tank=hy.Tank(),
        ),
        5.0,
    )
    within("Volume counted", s["meter.V"][-1] - 1e-3, 1e-9, "flow times time, m3")


def test_variable_orifice_closes() -> None:
    """A valve that closes on a flow from a chamber: it stops, and nothing flows through what is closed."""
    whole = circuit(
        "left.port valve.port_a",
        "valve.port_b tank.port",
        "signal.y valve.opening",
        oil=hy.Oil(),
        left=hy.Volume(V0=1e-3, p=at(100e5)),
        signal=blocks.Table(times=[0.0, 0.01, 0.02], values=[1.0, 1.0, 0.0]),
        valve=hy.VariableOrifice(A_max=1e-6, A_leak=1e-15),
        tank=hy.Tank(),
    )
    s = tg.simulate(whole, 1.0)
    within("Closed valve, flow", s["valve.q"][-1], 1e-12, "none, m3/s")
    assert s["left.p"][-1] > 20e5
