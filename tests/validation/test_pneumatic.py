"""Pneumatics against gas dynamics in closed form: choked flow, blow-down, filling, mixing; mass and energy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import pneumatic as pn
from tellegen.library import thermal as th
from validation.circuits import circuit
from validation.measured import relative, within

R, KAPPA, WARM = 287.05, 1.4, 293.15
CRITICAL = (2 / (KAPPA + 1)) ** (KAPPA / (KAPPA - 1))
CHOKED = np.sqrt(KAPPA) * (2 / (KAPPA + 1)) ** ((KAPPA + 1) / (2 * KAPPA - 2))


def swept(part: Any, T: float = 350.0) -> tg.Solution:
    """A part between a supply of 6 bar and a pressure that falls from above it towards vacuum, over 2 s."""
    whole = circuit(
        "supply.port part.port_a",
        "part.port_b sink.port",
        "ramp.y sink.p",
        gas=pn.Gas(),
        supply=pn.FixedPressure(p=6e5, T=T),
        part=part,
        sink=pn.PrescribedPressure(T=WARM),
        ramp=blocks.Sine(amplitude=4e5, f=0.25, phase=np.pi / 2, offset=4.1e5),
        beside=pn.Volume(),  # without a state there would be nothing to integrate
    )
    return tg.simulate(whole, 2.0, rtol=1e-9)


def ideal(x: Any) -> Any:
    """The flow function of an ideal nozzle, choked below the critical ratio; zero above 1, where it flows back."""
    x = np.clip(x, CRITICAL, 1.0)
    return np.sqrt(2 * KAPPA / (KAPPA - 1) * (x ** (2 / KAPPA) - x ** ((KAPPA + 1) / KAPPA)))


def test_nozzle() -> None:
    """Subsonic, choked and backward; the critical ratio is 0.528, and nothing happens there or where flow reverses."""
    s = swept(pn.Nozzle(A=2e-6, Cd=0.9))
    p2, m = s["part.port_b.p"], s["part.m_flow"]
    forward, back = p2 < 0.998 * 6e5, p2 > 6e5 / 0.998
    exact = 0.9 * 2e-6 * 6e5 / np.sqrt(R * 350.0) * ideal(p2 / 6e5)
    within("Nozzle, forward", relative(m[forward], exact[forward]), 1e-9, "flow function")
    exact = -0.9 * 2e-6 * p2 / np.sqrt(R * WARM) * ideal(6e5 / p2)
    within("Nozzle, backward", relative(m[back], exact[back]), 1e-8, "flow function")
    choked = m[p2 < CRITICAL * 6e5]
    within(
        "Nozzle, choked flow", relative(choked, 0.9 * 2e-6 * 6e5 / np.sqrt(R * 350.0) * 0.68473), 1e-5, "psi = 0.68473"
    )
    within("Critical pressure ratio of air", s["gas.b"] - 0.528282, 1e-6, "tables of gas dynamics")
    assert len(choked) > 100
    assert not s.events
    near = abs(p2 / 6e5 - 1) < 2e-3
    assert np.all(np.diff(m[near]) >= 0) or np.all(np.diff(m[near]) <= 0)


def test_iso_6358() -> None:
    s = swept(pn.IsoRestriction(C=2e-8, b=0.25))
    p2 = s["part.port_b.p"]
    x = p2 / 6e5
    forward = x < 0.998
    phi = np.where(x < 0.25, 1.0, np.sqrt(np.maximum(1 - ((x - 0.25) / 0.75) ** 2, 0)))
    exact = 2e-8 * 1.185 * 6e5 * np.sqrt(293.15 / 350.0) * phi
    within("Restriction by ISO 6358", relative(s["part.m_flow"][forward], exact[forward]), 1e-9, "its formula")
    assert not s.events


def test_small_differences_are_laminar() -> None:
    """At p2/p1 = 1 the slope is finite and that of t (3 - t)/2 times the flow at b_laminar."""
    whole = circuit(
        "supply.port part.port_a",
        "part.port_b sink.port",
        gas=pn.Gas(),
        supply=pn.FixedPressure(p=6e5 * (1 + 1e-7)),
        part=pn.Nozzle(A=2e-6),
        sink=pn.FixedPressure(p=6e5),
    )
    m = tg.simulate(whole, 1.0)["part.m_flow"][-1]
    exact = 1.5 * 1e-7 / 1e-3 * 2e-6 * 6e5 / np.sqrt(R * WARM) * ideal(0.999)
    within("Nozzle near rest", relative(m, exact), 1e-4, "laminar part")
    s = swept(pn.LaminarRestriction(G=1e-9), T=WARM)
    exact = 1e-9 * 0.5 * (6e5**2 - s["part.port_b.p"] ** 2) / (R * WARM)
    within("Laminar restriction for gas", s["part.m_flow"] - exact, 1e-11, "G rho dp, kg/s")


@pytest.mark.parametrize("solver", ["auto", "cvode", "ida"])
def test_blow_down(solver: str) -> None:
    """A tank empties through a nozzle: p = p0 (1 + (kappa - 1)/2 t/tau)^(-2 kappa/(kappa - 1)) as long as it is choked.

    tau = V/(A a0) ((kappa + 1)/2)^((kappa + 1)/(2 kappa - 2)); the gas that stays expands adiabatically.
    """
    whole = circuit(
        "tank.port nozzle.port_a",
        "nozzle.port_b outside.port",
        gas=pn.Gas(),
        tank=pn.Volume(V=0.02, p_start=10e5),
        nozzle=pn.Nozzle(A=1e-5),
        outside=pn.Ambient(),
    )
    s = tg.simulate(whole, 30.0, solver=solver)
    tau = 0.02 / (1e-5 * np.sqrt(KAPPA * R * WARM)) * ((KAPPA + 1) / 2) ** ((KAPPA + 1) / (2 * KAPPA - 2))
    choked = s["tank.p"] > 101325.0 / CRITICAL * 1.001
    p = 10e5 * (1 + (KAPPA - 1) / 2 * s.time / tau) ** (-2 * KAPPA / (KAPPA - 1))
    within("Blow-down, pressure", relative(s["tank.p"], p)[choked], 1e-5, "closed-form solution", solver)
    T = WARM * (s["tank.p"] / 10e5) ** ((KAPPA - 1) / KAPPA)
    within("Blow-down, temperature", relative(s["tank.T"], T), 1e-5, "adiabatic expansion", solver)
    assert 0.1 < choked.mean() < 0.9
    assert s.stats["steps"] < 700


def test_blow_down_isothermal() -> None:
    """In thin walls of constant temperature the choked pressure decays exponentially."""
    whole = circuit(
        "tank.port nozzle.port_a",
        "nozzle.port_b outside.port",
        "tank.heat_port wall.port",
        gas=pn.Gas(),
        tank=pn.Volume(V=0.02, p_start=10e5, isothermal=True, use_heat_port=True),
        nozzle=pn.Nozzle(A=1e-5),
        outside=pn.Ambient(),
        wall=th.FixedTemperature(T=WARM),
    )
    s = tg.simulate(whole, 10.0)
    choked = s["tank.p"] > 101325.0 / CRITICAL
    p = 10e5 * np.exp(-1e-5 * np.sqrt(R * WARM) * CHOKED / 0.02 * s.time)
    within("Isothermal blow-down, pressure", relative(s["tank.p"], p)[choked], 1e-5, "exponential")
    heat = s["nozzle.m_flow"] * R * WARM
    within("Isothermal blow-down, heat", relative(s["tank.Q_flow"], heat)[choked], 1e-6, "m_flow R T")


def test_filling() -> None:
    """A tank filled from a supply becomes warm: T = kappa Ts/(1 + p1/p (kappa Ts/T1 - 1)) on the way."""
    whole = circuit(
        "supply.port valve.port_a",
        "valve.port_b tank.port",
        gas=pn.Gas(),
        supply=pn.FixedPressure(p=8e5, T=300.0),
        valve=pn.IsoRestriction(),
        tank=pn.Volume(V=5e-3, p_start=1e5),
    )
    s = tg.simulate(whole, 10.0)
    exact = KAPPA * 300.0 / (1 + 1e5 / s["tank.p"] * (KAPPA * 300.0 / WARM - 1))
    within("Filling a tank, temperature", relative(s["tank.T"], exact), 1e-5, "energy balance")
    within("Filling a tank, pressure", relative(s["tank.p"][-1], 8e5), 1e-6, "supply")


def test_heat_through_a_wall() -> None:
    """Compressed gas cools down in its tank: T - T_wall decays with m cv/G, the mass stays."""
    whole = circuit(gas=pn.Gas(), tank=pn.Volume(V=0.01, p_start=5e5, T_start=400.0, G=2.0))
    s = tg.simulate(whole, 60.0, rtol=1e-8)
    m = 5e5 * 0.01 / (R * 400.0)
    exact = WARM + (400.0 - WARM) * np.exp(-2.0 * s.time / (m * R / (KAPPA - 1)))
    within("Gas in a cold tank, temperature", relative(s["tank.T"], exact), 1e-7, "exponential")


class Squeezed(tg.Component):
    """Gas in a bore whose volume is a sine of time."""

    gas = pn.Gas()
    chamber = pn.PistonChamber(p_start=2e5)
    closed = pn.FixedFlow(m_flow=0.0)

    def equations(self) -> Any:
        yield self.chamber.V == 1e-3 * (1.0 + 0.6 * tg.sin(5.0 * tg.time))
        yield self.chamber.T_wall == WARM

    def connections(self) -> Any:
        yield self.chamber.port, self.closed.port


def test_compression() -> None:
    """A PistonChamber without heat exchange: p V^kappa is constant; isothermal, p V."""
    s = tg.simulate(Squeezed(), 3.0)
    law = s["chamber.p"] * s["chamber.V"] ** KAPPA
    within("Adiabatic compression", relative(law, law[0]), 1e-5, "p V^kappa")
    s = tg.simulate(Squeezed(chamber=pn.PistonChamber(p_start=2e5, isothermal=True)), 3.0)
    law = s["chamber.p"] * s["chamber.V"]
    within("Isothermal compression", relative(law, law[0]), 1e-9, "p V")


def tanks(third: bool) -> tg.System:
    """Two tanks that become equal, or three with the third between them."""
    first, second = pn.Volume(V=0.01, p_start=8e5, T_start=350.0), pn.Volume(V=0.02, p_start=2e5)
    wires = ["left.port valve.port_a", "other.port_b right.port"]
    wires += ["valve.port_b middle.port other.port_a"] if third else ["valve.port_b other.port_a"]
    parts: dict[str, Any] = {"middle": pn.Volume(V=1e-4)} if third else {}
    return circuit(
        *wires,
        gas=pn.Gas(),
        left=first,
        valve=pn.Nozzle(A=4e-6),
        other=pn.IsoRestriction(C=2e-8),
        right=second,
        **parts,
    )


@pytest.mark.parametrize("solver", ["auto", "cvode"])
def test_mass_and_energy_to_round_off(solver: str) -> None:
    """States are mass and energy: what leaves one tank is in the other. The end is that of mixing."""
    s = tg.simulate(tanks(third=False), 60.0, solver=solver)
    for what, of in (("mass", "m"), ("energy", "U")):
        total = s[f"left.{of}"] + s[f"right.{of}"]
        within(f"Two tanks, {what}", relative(total, total[0]), 1e-13, "conservation", solver)
    p = (8e5 * 0.01 + 2e5 * 0.02) / 0.03
    within("Two tanks, pressure", relative(s["right.p"][-1], p), 1e-4, "mixing", solver)
    assert not s.events


def test_mass_and_energy_of_three_tanks() -> None:
    """Where three ports meet, the temperatures of flows below 1e-8 kg/s are those of a regularized mixture."""
    s = tg.simulate(tanks(third=True), 60.0)
    mass, energy = (s[f"left.{of}"] + s[f"middle.{of}"] + s[f"right.{of}"] for of in ("m", "U"))
    within("Three tanks, mass", relative(mass, mass[0]), 1e-13, "conservation")
    within("Three tanks, energy", relative(energy, energy[0]), 1e-8, "conservation, but for flows below 1e-8 kg/s")
    assert not s.events


def test_reversal_without_chattering() -> None:
    """A pressure that swings around that of a tank: flow turns round forty times, without events."""
    whole = circuit(
        "ramp.y source.p",
        "source.port valve.port_a",
        "valve.port_b tank.port",
        gas=pn.Gas(),
        ramp=blocks.Sine(amplitude=2e5, f=1.0, offset=4e5),
        source=pn.PrescribedPressure(),
        valve=pn.IsoRestriction(C=5e-8),
        tank=pn.Volume(V=2e-3, p_start=4e5),
    )
    s = tg.simulate(whole, 20.0, points=2001)
    turns = np.count_nonzero(np.diff(np.sign(s["valve.m_flow"])))
    assert turns >= 39
    assert not s.events
    assert s.stats["steps"] < 10000


def test_three_ports_mix() -> None:
    """Two supplies into one sink: the temperature of the mixture is the mean of the masses."""
    whole = circuit(
        "hot.port one.port_a",
        "cold.port two.port_a",
        "one.port_b two.port_b meter.port_a",
        "meter.port_b flow.port_a",
        "flow.port_b sink.port",
        gas=pn.Gas(),
        hot=pn.FixedPressure(p=7e5, T=400.0),
        cold=pn.FixedPressure(p=7e5, T=280.0),
        one=pn.Nozzle(A=1e-6),
        two=pn.Nozzle(A=2e-6),
        meter=pn.TemperatureSensor(),
        flow=pn.FlowSensor(),
        sink=pn.Ambient(),
    )
    s = tg.simulate(whole, 1.0)
    m = s["one.m_flow"][-1], s["two.m_flow"][-1]
    mean = (400 * m[0] + 280 * m[1]) / sum(m)
    within("Two flows, temperature of the mixture", relative(s["meter.T"][-1], mean), 1e-9, "mean of the masses")
    within("Two flows, sum", relative(s["flow.m_flow"][-1], sum(m)), 1e-9, "both")
    within("Flow in reference volumes", relative(s["flow.q_ref"][-1], sum(m) / 1.185), 1e-9, "ISO 8778")
