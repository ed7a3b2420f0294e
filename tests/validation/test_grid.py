"""The grid, sensors of three phases, the phase-locked loop, and switches in every phase.

Tolerances: formulas hold up to rounding; runs at rtol 1e-9 are allowed a thousand times that.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import polyphase as pp
from validation.measured import relative, within

W = 100.0 * np.pi
LAG = 2.0 * np.pi / 3.0 * np.arange(3)
AMPLITUDE = 400.0 * np.sqrt(2.0 / 3.0)


class Measured(tg.Component):
    """A grid, all sensors, and R and L in star."""

    grid = pp.Grid()
    amps = pp.CurrentSensor()
    rms = pp.CurrentQuasiRMSSensor()
    watts = pp.PowerSensor()
    vars = pp.ReactivePowerSensor()
    phi = pp.PotentialSensor()
    volts = pp.VoltageSensor()
    effective = pp.VoltageQuasiRMSSensor()
    r = pp.Resistor(R=8.0)
    load = pp.Inductor(L=6.0 / W)
    star = pp.Star()
    reference = pp.Star()
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.grid.plug_p, self.amps.plug_p, self.phi.plug_p, self.volts.plug_p, self.effective.plug_p
        yield self.amps.plug_n, self.rms.plug_p
        yield self.rms.plug_n, self.watts.plug_p
        yield self.watts.plug_n, self.vars.plug_p
        yield self.vars.plug_n, self.r.plug_p
        yield self.r.plug_n, self.load.plug_p
        yield self.load.plug_n, self.star.plug_p
        yield self.reference.plug_p, self.watts.plug_nv, self.volts.plug_n, self.effective.plug_n
        yield self.reference.pin_n, self.grid.pin_n, self.ground.p


def test_sensors_on_a_balanced_load() -> None:
    """Z = 8 + 6j ohm: I = 230.94 V/10 ohm, P = 3 R I^2, Q = 3 X I^2, at every instant of the settled run."""
    s = tg.simulate(Measured(), 0.2, rtol=1e-9, atol=1e-9)
    late = s.time > 0.15
    current = 400.0 / np.sqrt(3.0) / 10.0
    within("active power sensor", relative(s["watts.power"][late], 24.0 * current**2), 1e-6, "3 R I^2")
    within("reactive power sensor", relative(s["vars.Q"][late], 18.0 * current**2), 1e-6, "3 X I^2")
    within("quasi-rms current", relative(s["rms.I"][late], current), 1e-6, "V/Z")
    within("quasi-rms voltage", relative(s["effective.V"], 400.0 / np.sqrt(3.0)), 1e-9, "V/sqrt(3)")
    expected = np.sqrt(2.0) * current * np.sin(W * s.time[:, None] - LAG - np.arctan2(6.0, 8.0))
    within("current sensor", (s["amps.i"] - expected)[late] / current, 1e-6, "V/Z, lagging by atan(X/R)")
    waves = AMPLITUDE * np.sin(W * s.time[:, None] - LAG)
    within("potential sensor", (s["phi.phi"] - waves) / AMPLITUDE, 1e-7, "sqrt(2/3) V sin")
    within("voltage sensor", (s["volts.v"] - waves) / AMPLITUDE, 1e-7, "sqrt(2/3) V sin")


class Locked(tg.Component):
    """A loop that follows the grid through a step of frequency and a dip."""

    grid = pp.Grid(use_impedance=True, S_sc=2e5)
    sensor = pp.PotentialSensor()
    pll = pp.PLL(f_nominal=49.0, f0=20.0)
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.grid.plug_p, self.sensor.plug_p
        yield self.sensor.phi, self.pll.u
        yield self.grid.pin_n, self.ground.p

    def equations(self) -> Any:
        yield self.grid.df == tg.where(tg.time > 0.4, 0.5, 0.0)
        yield self.grid.dV == tg.where(tg.time > 0.4, -0.3, 0.0)


def test_a_loop_locks_and_follows() -> None:
    s = tg.simulate(Locked(), 0.8, rtol=1e-9)
    before, after = s.at(0.399), s.at(0.8)
    within(
        "frequency before and after a step",
        [before["pll.f"] - 50.0, after["pll.f"] - 50.5],
        1e-6,
        "that of the grid, Hz",
    )
    amplitudes = [before["pll.V"] / AMPLITUDE - 1.0, after["pll.V"] / (0.7 * AMPLITUDE) - 1.0]
    within("amplitude before and after a dip", amplitudes, 1e-9, "sqrt(2/3) V")
    angle = after["pll.phi"] - after["grid.phi"] + np.pi / 2
    within("angle", np.angle(np.exp(1j * angle)), 1e-6, "that of phase a, a sine: 90 degrees after a cosine, rad")


def test_a_step_of_phase_decays_as_designed() -> None:
    """Linearized the loop is s^2 + 2 D w0 s + w0^2: a small error of the angle decays as its impulse response says."""
    w0, D, small = 2 * np.pi * 20.0, 0.7071, 1e-3
    s = tg.simulate(Locked(pll=pp.PLL(f0=20.0, phi=tg.output(start=-np.pi / 2 - small))), 0.1, rtol=1e-10)
    error = -np.pi / 2 + s["grid.phi"] - s["pll.phi"]
    wd = w0 * np.sqrt(1 - D**2)
    expected = np.exp(-D * w0 * s.time) * (np.cos(wd * s.time) - D * w0 / wd * np.sin(wd * s.time))
    within("PLL, small step of the angle", error / small - expected, 1e-5, "second-order loop")


def test_short_circuit_of_a_grid() -> None:
    """The impedance made of S_sc: at a short circuit the symmetrical current is S_sc/(sqrt(3) V)."""

    class Shorted(tg.Component):
        grid = pp.Grid(use_impedance=True, S_sc=2e6, X_R=3.0)
        short = pp.Star()
        ground = el.Ground()

        def connections(self) -> Any:
            yield self.grid.plug_p, self.short.plug_p
            yield self.grid.pin_n, self.ground.p

    s = tg.simulate(Shorted(), 0.2, rtol=1e-9)
    late = s.time > 0.18
    found = np.sqrt((s["grid.i"][late] ** 2).sum(axis=1) / 3.0)
    within("short-circuit current", relative(found, 2e6 / (np.sqrt(3.0) * 400.0)), 1e-6, "S_sc/(sqrt(3) V)")


@pytest.mark.parametrize(
    ("part", "conducts"),
    [
        (pp.IdealDiode(), lambda wt: np.sin(wt) > 0),
        (pp.IdealThyristor(), lambda wt: (wt > np.pi / 2) & (wt < np.pi)),
        (pp.IdealGTOThyristor(), lambda wt: (wt > np.pi / 2) & (wt < 0.75 * np.pi)),
        (pp.IdealClosingSwitch(), lambda wt: (wt > np.pi / 2) & (wt < 0.75 * np.pi)),
        (pp.IdealOpeningSwitch(), lambda wt: (wt < np.pi / 2) | (wt > 0.75 * np.pi)),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, tg.Component) else None,
)
def test_one_sided_parts(part: Any, conducts: Any) -> None:
    """Phase by phase: commanded from 90 to 135 degrees, a load of 10 ohm sees the voltage while they conduct."""
    system = tg.System("phases")
    source, star = pp.SineVoltage(V=10.0, f=50.0), pp.Star()
    system.add(source=source, part=part, r=pp.Resistor(R=10.0), star=star, ground=el.Ground())
    system.connect(source.plug_p, part.plug_p)
    system.connect(part.plug_n, system.r.plug_p)
    system.connect(system.r.plug_n, source.plug_n, star.plug_p)
    system.connect(star.pin_n, system.ground.p)
    for name in ("fire", "control"):
        if name in type(part)._info.variables:
            turn = [(50.0 * tg.time - k / 3.0) % 1.0 for k in range(3)]
            system.equation(getattr(part, name) == [tg.where((x > 0.25) & (x < 0.375), 1.0, 0.0) for x in turn])
    s = tg.simulate(system, 0.04, rtol=1e-8, points=701)
    turned = (W * s.time[:, None] - LAG) % (2 * np.pi)
    near = abs((8 * turned / (2 * np.pi)) - np.round(8 * turned / (2 * np.pi))) < 1e-3  # at the edges both are right
    expected = np.where(conducts(turned), np.sin(turned), 0.0)
    within(f"{type(part).__name__} in every phase", (s["r.v"] / 10.0 - expected)[~near], 2e-4, "sine while it conducts")


def test_a_breaker_interrupts_phase_by_phase() -> None:
    """Opened at one instant, each phase of a grounded load ends at the next zero of its own current."""

    class Broken(tg.Component):
        grid = pp.Grid()
        breaker = pp.CloserWithArc(V0=5.0, dVdt=100.0, Vmax=10.0, Goff=1e-7)
        r = pp.Resistor(R=10.0)
        star = pp.Star()
        ground = el.Ground()

        def equations(self) -> Any:
            yield self.breaker.control == [tg.where(tg.time < 0.0215, 1.0, 0.0) for _ in range(3)]

        def connections(self) -> Any:
            yield self.grid.plug_p, self.breaker.plug_p
            yield self.breaker.plug_n, self.r.plug_p
            yield self.r.plug_n, self.star.plug_p
            yield self.star.pin_n, self.grid.pin_n, self.ground.p

    s = tg.simulate(Broken(), 0.05, points=5001)
    ends = [s.time[np.flatnonzero(abs(s["r.i"][:, k]) > 1e-2)[-1]] for k in range(3)]
    zeros = 0.02 + np.array([10.0, 20.0 / 3.0, 10.0 / 3.0]) * 1e-3
    within(
        "breaker with arcs, ends of the phases",
        ends - zeros,
        1e-4,
        "zeros of the currents, s; the arc ends them earlier",
    )
