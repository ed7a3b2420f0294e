"""Electrical switches against closed-form solutions; ngspice switches at the ends of its steps only.

Instants of events are found to the tolerance of the run; values without dynamics are exact up to rounding.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import electrical as el
from validation.measured import relative, within
from validation.ngspice_circuits import capacitor, circuit


def run(parts: dict[str, tuple[Any, ...]], stop: float, **options: Any) -> tg.Solution:
    return tg.simulate(circuit("case", parts, {}), stop, **dict[str, Any]({"rtol": 1e-9, "atol": 1e-12}, **options))


def test_a_relaxation_oscillator_with_a_hysteretic_switch() -> None:
    """RC from 10 V; the switch closes at 6 V and discharges to 2 V: every stretch is an exponential."""
    R, C, Ron = 10e3, 100e-9, 500.0
    switch = el.VoltageControlledSwitch(Ron=Ron, Roff=1e15, Vt=4.0, Vh=2.0)
    parts = {
        "v1": (el.ConstantVoltage(V=10.0), "in", "0"),
        "r1": (el.Resistor(R=R), "in", "out"),
        "c1": (capacitor(C), "out", "0"),
        "s1": (switch, "out", "0", "out", "0"),
    }
    s = run(parts, 4e-3, rtol=1e-8)
    end, tau = 10.0 * Ron / (R + Ron), C * R * Ron / (R + Ron)
    charge, discharge = R * C * np.log(8.0 / 4.0), tau * np.log((6.0 - end) / (2.0 - end))
    first = R * C * np.log(10.0 / 4.0)
    wanted = [first + k * (charge + discharge) + late for k in range(4) for late in (0.0, discharge)]
    flips = s.time[1:][np.diff(s["s1.off"]) != 0]
    within("relaxation oscillator, instants", relative(flips[:8], wanted), 1e-6, "exponentials, relative")


@pytest.mark.parametrize("Vh", [0.0, 0.2])
def test_switches_controlled_by_a_sine(Vh: float) -> None:
    """Control by voltage and by current of one sine: the instants are arcus sines, the outputs those of dividers."""
    parts = {
        "vc": (el.SineVoltage(), "c", "0"),
        "rc": (el.Resistor(R=2.0), "c", "d"),
        "v1": (el.ConstantVoltage(V=2.0), "in", "0"),
        "s1": (el.VoltageControlledSwitch(Ron=1.0, Roff=1e6, Vt=0.5, Vh=Vh), "in", "a", "c", "0"),
        "r1": (el.Resistor(R=3.0), "a", "0"),
        "s2": (el.CurrentControlledSwitch(Ron=1.0, Roff=1e6, It=0.25, Ih=Vh / 2), "in", "b", "d", "0"),
        "r2": (el.Resistor(R=3.0), "b", "0"),
    }
    s = run(parts, 1.0)
    wanted = [np.arcsin(0.5 + Vh) / (2 * np.pi), 0.5 - np.arcsin(0.5 - Vh) / (2 * np.pi)]
    for name in ("s1", "s2"):
        flips = s.time[1:][np.diff(s[f"{name}.off"]) != 0]
        within(f"{name} switches, hysteresis {Vh} V", flips - wanted, 1e-9, "arcus sine, s")
    for name in ("r1", "r2"):
        within(f"{name} closed", s.at(0.25)[f"{name}.v"] - 2.0 * 3 / 4, 1e-12, "divider, V")
        within(f"{name} open", s.at(0.9)[f"{name}.v"] - 6.0 / (1e6 + 3), 1e-12, "divider, V")


def test_a_smooth_switch_passes_through_its_cubic() -> None:
    """ln R is Roff, the middle and Ron at -1/2, 0, 1/2, and 27/32 of the way at z = 1/4 (3/2 z - 2 z^3 = 11/32)."""
    parts = {
        "vc": (el.TrapezoidVoltage(V=8.0, rising=4.0, width=1.0, period=9.0, offset=-2.0), "c", "0"),
        "v1": (el.ConstantVoltage(V=1.0), "in", "0"),
        "s1": (el.SmoothSwitch(Ron=1.0, Roff=1e4, Von=4.0, Voff=0.0), "in", "0", "c", "0"),
    }
    s = run(parts, 4.0)
    resistance = 1.0 / s.at(np.array([0.5, 1.0, 2.0, 2.5, 3.0, 3.5]))["s1.i"]
    wanted = np.exp(np.log(100.0) - np.log(1e4) * np.array([-0.5, -0.5, 0.0, 11 / 32, 0.5, 0.5]))
    within("smooth switch", relative(resistance, wanted), 1e-9, "the law of VSWITCH, relative")


class Ways(tg.Component):
    """Two-way and intermediate switches between sources of 1 V and 2 V and loads, moved by a pulse from 1 s to 2 s."""

    pulse = blocks.Pulse(period=2.0, width=0.5, start_time=1.0)
    voltage = el.PulseVoltage(period=2.0, width=0.5, start_time=1.0)
    one = el.ConstantVoltage(V=1.0)
    two = el.ConstantVoltage(V=2.0)
    commuting = el.IdealCommutingSwitch(Ron=0.5, Goff=0.0)
    commuting_by_pin = el.ControlledIdealCommutingSwitch(Ron=0.5, Goff=0.0)
    crossing = el.IdealIntermediateSwitch(Ron=0.5, Goff=0.0)
    crossing_by_pin = el.ControlledIdealIntermediateSwitch(Ron=0.5, Goff=0.0)
    closing_by_pin = el.ControlledIdealClosingSwitch(Ron=0.5, Goff=0.0)
    opening_by_pin = el.ControlledIdealOpeningSwitch(Ron=0.5, Goff=0.0)
    loads = el.Resistor.array(8, R=1.5)
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.ground.p, self.one.n, self.two.n, self.loads.n, self.voltage.n
        yield self.pulse.y, self.commuting.control, self.crossing.control
        parts = (self.commuting_by_pin, self.crossing_by_pin, self.closing_by_pin, self.opening_by_pin)
        yield self.voltage.p, *(part.control for part in parts)
        yield self.one.p, self.commuting.n1, self.commuting_by_pin.n1, self.crossing.p1, self.crossing_by_pin.p1
        yield self.two.p, self.commuting.n2, self.commuting_by_pin.n2, self.crossing.p2, self.crossing_by_pin.p2
        yield self.one.p, self.closing_by_pin.p, self.opening_by_pin.p
        ends = [self.commuting.p, self.commuting_by_pin.p, self.crossing.n1, self.crossing.n2]
        ends += [self.crossing_by_pin.n1, self.crossing_by_pin.n2, self.closing_by_pin.n, self.opening_by_pin.n]
        for k, end in enumerate(ends):
            yield end, self.loads[k].p


def test_switches_with_several_ways() -> None:
    s = tg.simulate(Ways(), 2.5)
    rest = [1.0, 1.0, 1.0, 2.0, 1.0, 2.0, 0.0, 1.0]
    moved = [2.0, 2.0, 2.0, 1.0, 2.0, 1.0, 1.0, 0.0]
    for t, wanted in ((0.5, rest), (1.5, moved), (2.4, rest)):
        found = [s.at(t)[f"loads[{k}].v"] for k in range(8)]
        within(f"ways at {t} s", np.array(found) - 0.75 * np.array(wanted), 1e-12, "divider of 0.5 and 1.5 ohm, V")


@pytest.mark.parametrize("V", [10.0, -10.0])
@pytest.mark.parametrize("kind", [el.OpenerWithArc, el.CloserWithArc])
def test_an_inductor_is_opened_through_an_arc(V: float, kind: Any) -> None:
    """2 ohm and 0.1 H on 10 V: 5 A at 1 s, then L di/dt = 10 V - R i - arc.

    The arc rises from 30 V by 1 V/ms and stays at 35 V after 5 ms: a line, then a constant, and an exponential decay
    of the rest. The current passes zero where the closed-form solution does, and is Goff v after it.
    """
    L, R, size = 0.1, 2.0, np.sign(V)
    switch = kind(V0=30.0, dVdt=1e3, Vmax=35.0, Ron=0.0, Goff=1e-6)
    opening = isinstance(switch, el.OpenerWithArc)
    signal = blocks.Step(start_time=1.0) if opening else blocks.Step(start_time=1.0, height=-1.0, offset=1.0)
    parts = {
        "v1": (el.ConstantVoltage(V=V), "in", "0"),
        "r1": (el.Resistor(R=R), "in", "a"),
        "l1": (el.Inductor(L=L, i=tg.variable(start=V / R, fixed=True)), "a", "b"),
        "s1": (switch, "b", "0"),
    }
    s = tg.simulate(circuit("arc", parts, {"c": (signal, ["s1.control"])}), 1.1, rtol=1e-9, points=1101)
    tau = L / R

    def current(t: Any) -> Any:
        line = (10.0 - 30.0 - 1e3 * (t - tau)) / R  # what the rising voltage leaves, in the long run
        rising = line + (5.0 - (10.0 - 30.0 + 1e3 * tau) / R) * np.exp(-t / tau)
        return rising if np.ndim(t) == 0 else np.where(t < 5e-3, rising, top(t))

    def top(t: Any) -> Any:
        rest = (10.0 - 35.0) / R
        return rest + (current(5e-3) - rest) * np.exp(-(t - 5e-3) / tau)

    t = s.time - 1.0
    flowing = (t > 0) & (s["s1.mode"] == 1)
    end = 5e-3 + tau * np.log((current(5e-3) + 12.5) / 12.5)
    within("arc, current", s["l1.i"][flowing] * size - current(t[flowing]), 1e-6, "exponentials, A")
    within("arc, when it ends", t[flowing].max() - end, 1e-8, "closed-form solution, s")
    within("arc, afterwards", s["s1.i"][-1] - 1e-6 * V, 1e-9, "Goff v, A")
