"""Switches, thyristors that can be switched off, and pulse voltages on circuits with closed-form solutions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import electrical as el
from validation.measured import within


class Charged(tg.Component):
    """A capacitor charged through one switch and discharged through another, alternately every millisecond."""

    source = el.ConstantVoltage(V=10.0)
    signal = blocks.Pulse(period=2e-3)
    charge = el.IdealClosingSwitch(Ron=0.0, Goff=0.0)
    discharge = el.IdealOpeningSwitch(Ron=0.0, Goff=0.0)
    r1 = el.Resistor(R=1e3)
    r2 = el.Resistor(R=500.0)
    c = el.Capacitor(C=1e-6, v=tg.variable(start=0.0, fixed=True))
    ground = el.Ground()

    def connections(self):
        yield self.signal.y, self.charge.control, self.discharge.control
        yield self.source.p, self.charge.p
        yield self.charge.n, self.r1.p
        yield self.r1.n, self.c.p, self.r2.p
        yield self.r2.n, self.discharge.p
        yield self.source.n, self.discharge.n, self.c.n, self.ground.p


def test_charge_and_discharge_by_ideal_switches() -> None:
    """No resistance, no leakage: Ron = Goff = 0. Exponentials with 1 ms and 0.5 ms."""
    s = tg.simulate(Charged(), 6e-3, rtol=1e-8)
    exact, v = np.zeros(len(s.time)), 0.0
    for k in range(6):
        phase = (s.time >= 1e-3 * k) & (s.time <= 1e-3 * (k + 1))
        goal, tau = (10.0, 1e-3) if k % 2 == 0 else (0.0, 0.5e-3)
        exact[phase] = goal + (v - goal) * np.exp(-(s.time[phase] - 1e-3 * k) / tau)
        v = goal + (v - goal) * np.exp(-1e-3 / tau)
    within("Capacitor between two switches", (s["c.v"] - exact) / 10.0, 1e-7, "closed-form solution")


class Chopper(tg.Component):
    """A resistor behind a GTO thyristor on an alternating voltage."""

    source = el.SineVoltage(V=10.0, f=50.0)
    gto = el.IdealGTOThyristor(Ron=1e-3, Goff=1e-7)
    gate = blocks.Pulse(period=5e-3, width=0.4)
    r = el.Resistor(R=10.0)
    ground = el.Ground()

    def connections(self):
        yield self.gate.y, self.gto.fire
        yield self.source.p, self.gto.p
        yield self.gto.n, self.r.p
        yield self.source.n, self.r.n, self.ground.p


def test_gto_conducts_while_fired_and_only_forward() -> None:
    s = tg.simulate(Chopper(), 0.04, points=4000)
    v = 10.0 * np.sin(2 * np.pi * 50.0 * s.time)
    phase = s.time % 5e-3
    clear = (np.abs(phase - 2e-3) > 1e-6) & (np.minimum(phase, 5e-3 - phase) > 1e-6)
    exact = np.where((phase < 2e-3) & (v > 0), v * 10.0 / 10.001, 1e-6 * v / (1 + 1e-6))
    within("GTO thyristor, R load", (s["r.v"] - exact)[clear] / 10.0, 2e-6, "closed-form solution")


@pytest.mark.parametrize("shape", ["pulse", "trapezoid"])
def test_pulse_voltages_on_a_low_pass(shape: str) -> None:
    """RC = 1 ms, 5 V for 1 ms of every 4 ms from 0.5 ms on; ramps of 0.2 ms: exact by superposition of ramps."""

    class LowPass(tg.Component):
        r = el.Resistor(R=1e3)
        c = el.Capacitor(C=1e-6, v=tg.variable(start=1.0, fixed=True))
        ground = el.Ground()

        def build(self):
            common: dict[str, Any] = {"V": 5.0, "period": 4e-3, "offset": 1.0, "start_time": 0.5e-3}
            ramps = {"rising": 0.2e-3, "width": 1e-3, "falling": 0.2e-3}
            pulse = shape == "pulse"
            self.source = el.PulseVoltage(width=0.25, **common) if pulse else el.TrapezoidVoltage(**ramps, **common)

        def connections(self):
            yield self.source.p, self.r.p
            yield self.r.n, self.c.p
            yield self.source.n, self.c.n, self.ground.p

    s = tg.simulate(LowPass(), 8e-3, rtol=1e-8)

    def step(t: Any) -> Any:  # answer to a step
        return np.where(t > 0, 1 - np.exp(-np.maximum(t, 0.0) / 1e-3), 0.0)

    def ramp(t: Any) -> Any:  # answer to a ramp with slope 1/s
        late = np.maximum(t, 0.0)
        return late - 1e-3 * (1 - np.exp(-late / 1e-3))

    exact = np.ones(len(s.time))
    for begin in (0.5e-3, 4.5e-3):
        t = s.time - begin
        if shape == "pulse":
            exact += 5.0 * (step(t) - step(t - 1e-3))
        else:
            exact += 5.0 / 0.2e-3 * (ramp(t) - ramp(t - 0.2e-3) - ramp(t - 1.2e-3) + ramp(t - 1.4e-3))
    within(f"Low-pass with {shape} voltage", s["c.v"] - exact, 1e-6, "closed-form solution, V")
