"""Parts that complete domains, each in a small circuit with a closed solution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import tellegen as tg
from tellegen.library import blocks, media
from tellegen.library import electrical as el
from tellegen.library import fluid as fl
from tellegen.library import machines as ma
from tellegen.library import magnetic as mg
from tellegen.library import polyphase as pp
from tellegen.library import rotational as rot
from tellegen.library.magnetic.interfaces import MU_0
from tellegen.library.random_numbers import normal_quantile
from validation.measured import within


class Charging(tg.Component):
    """A supercapacitor charged with 2 A and then held at 2.5 V; another one discharges itself."""

    charger = ma.CCCVcharger(I=2.0, Vend=2.5, ramp_time=1e-3)
    cell = ma.SuperCap(C=4.0, Rs=0.1, vc=tg.variable(start=0.5, fixed=True))
    lonely = ma.SuperCap(C=4.0, Rs=0.1, Idis=0.27, vc=tg.variable(start=2.0, fixed=True))
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.charger.p, self.cell.p
        yield self.charger.n, self.cell.n, self.ground.p
        yield self.lonely.n, self.ground.p


def test_charger_and_supercapacitors() -> None:
    s = tg.simulate(Charging(), 8.0, rtol=1e-9)
    t = s.time
    full = 1e-3 / 2 + 4.0 * (2.3 - 0.5) / 2.0  # vc + 0.1 ohm 2 A = 2.5 V; half the ramp is lost
    constant = (t > 2e-3) & (t < full)
    within("Charging with a current", s["cell.vc"][constant] - 0.5 - 0.5 * (t[constant] - 0.5e-3), 1e-7, "I t/C, V")
    late = t > full
    exact = 2.5 - 0.2 * np.exp(-(t[late] - full) / 0.4)
    within("Charging with a voltage", s["cell.vc"][late] - exact, 1e-6, "Rs C = 0.4 s, V")
    within("Self-discharge", s["lonely.v"] - 2.0 * np.exp(-t * 0.27 / 2.7 / 4.0), 1e-7, "C Vnom/Idis = 40 s, V")


def test_truncated_normal_noise() -> None:
    """All between the bounds, with the mean and deviation of the truncated distribution, within 4 standard errors."""
    u = np.concatenate([np.geomspace(1e-12, 0.5, 40), 1.0 - np.geomspace(1e-9, 0.5, 40)])
    found = np.array([float(normal_quantile(each)) for each in u])
    within("Quantiles of the normal distribution", found - stats.norm.ppf(u), 1e-7, "scipy.stats")
    n = 4000
    noise = blocks.TruncatedNormalNoise(y_min=-1.0, y_max=2.0, mu=0.0, sigma=1.0, sample_period=1.0, seed=5)
    drawn = tg.simulate(noise, n - 0.5, points=2).at([k + 0.5 for k in range(n)])["y"]
    law = stats.truncnorm(-1.0, 2.0)
    assert drawn.min() >= -1.0
    assert drawn.max() <= 2.0
    assert abs(drawn.mean() - law.mean()) < 4 * law.std() / math.sqrt(n)
    assert stats.kstest(drawn, law.cdf).pvalue > 0.01


class Crossing(tg.Component):
    """Two voltages on two resistors, straight or crosswise, phase by phase."""

    source = pp.SineVoltage(m=2, V=[10.0, 20.0], f=0.0, phase=[math.pi / 2, math.pi * 1.5])
    switch = pp.IdealIntermediateSwitch(m=2, Ron=0.0, Goff=0.0)
    r1, r2 = pp.Resistor(m=2, R=1.0), pp.Resistor(m=2, R=2.0)
    star = pp.Star(m=2)
    ground = el.Ground()

    def equations(self) -> Any:
        yield self.switch.control == [0.0, 1.0]

    def connections(self) -> Any:
        yield self.source.plug_p, self.switch.plug_p1
        yield self.switch.plug_p2, self.source.plug_n
        yield self.switch.plug_n1, self.r1.plug_p
        yield self.switch.plug_n2, self.r2.plug_p
        yield self.r1.plug_n, self.r2.plug_n, self.source.plug_n, self.star.plug_p
        yield self.star.pin_n, self.ground.p


def test_intermediate_switch_and_leakage() -> None:
    s = tg.simulate(Crossing(), 1e-3, points=2)
    within("Intermediate switch", s["r1.i"][-1] - [10.0, 0.0], 1e-9, "V/R, A")
    within("Intermediate switch, crosswise", s["r2.i"][-1] - [0.0, 10.0], 1e-9, "V/R, A")
    gap, thick = 7e-3, 3e-3
    exact = 2 * MU_0 * (10e-3 + gap / 2) * math.log(1 + 2 * thick / gap)
    part = mg.CoaxCylindersEndFaces()
    system = tg.System("leakage")
    system.add(source=mg.ConstantMagneticPotentialDifference(V_m_constant=100.0), part=part, ground=mg.Ground())
    system.connect(system.source.port_p, part.port_p)
    system.connect(system.source.port_n, part.port_n, system.ground.port)
    flux = tg.steady_state(system)["part.Phi"]
    within("Leakage of end faces", flux / (100.0 * exact) - 1.0, 1e-9, "Roters 1941")


class Series(tg.Component):
    """A series machine by its own pins and one that is wired inside, at fixed speeds; warm, with stray-load losses."""

    warm = {"Ia_nominal": 100.0, "alpha_a": 0.004, "T_ref": 300.0, "T_operational": 350.0, "P_stray": 200.0}
    inside = ma.DC_SeriesExcited(k_e=0.006, **warm)
    outside = ma.DC_SeriesExcited(k_e=0.006, excitation_pins=True, **warm)
    source = el.ConstantVoltage(V=100.0)
    ground = el.Ground()
    speed = rot.ConstantSpeed(w_fixed=100.0)

    def connections(self) -> Any:
        yield self.source.p, self.inside.pin_ap, self.outside.pin_ap
        yield self.outside.pin_an, self.outside.pin_ep
        yield self.source.n, self.inside.pin_an, self.outside.pin_en, self.ground.p
        yield self.speed.flange, self.inside.flange, self.outside.flange


def test_series_machine_with_pins_operating_temperature_and_stray_load() -> None:
    s = tg.simulate(Series(), 2.0, rtol=1e-9, points=2)
    resistance = 0.06 * (1.0 + 0.004 * 50.0)
    i = 100.0 / (resistance + 0.006 * 100.0)
    w = s["inside.w_nominal"]
    torque = 0.006 * i**2 - 200.0 * (i / 100.0) ** 2 * 100.0 / float(np.ravel(w)[0]) ** 2
    for name in ("inside", "outside"):
        within("Series machine, current", s[f"{name}.ia"][-1] - i, 1e-6, "balance of voltages, A")
        within("Series machine, torque", s[f"{name}.tau_shaft"][-1] - torque, 1e-6, "k i^2 less stray load, N.m")


class Angle(tg.Component):
    """A shaft that turns with 2 pole pairs 0.3 rad (electrical) later than the voltages."""

    source = pp.SineVoltage(V=100.0, f=50.0, phase=math.pi / 2)
    sensor = ma.RotorDisplacementAngle(p=2)
    star = pp.Star()
    ground = el.Ground()
    shaft = rot.Position(exact=True)

    def equations(self) -> Any:
        yield self.shaft.phi_ref == (2 * tg.pi * 50.0 * tg.time - tg.pi / 2 - 0.3) / 2

    def connections(self) -> Any:
        yield self.source.plug_p, self.sensor.plug_p
        yield self.source.plug_n, self.sensor.plug_n, self.star.plug_p
        yield self.star.pin_n, self.ground.p
        yield self.shaft.flange, self.sensor.flange


def test_rotor_displacement_angle() -> None:
    s = tg.simulate(Angle(), 0.04)
    within("Rotor displacement angle", s["sensor.y"] - 0.3, 1e-9, "0.3 rad")


class Stream(tg.Component):
    """Water through valves that are opened at 1 s: at once, and in 2 s; sensors beside."""

    hot = fl.FixedBoundary(p=2e5, T=350.0)
    at_once = fl.ValveDiscrete(m_flow_nominal=2.0, opening_min=0.1)
    slowly = fl.ValveDiscreteRamp(m_flow_nominal=2.0, T_open=2.0)
    density, entropy, fractions = fl.DensityTwoPort(), fl.SpecificEntropyTwoPort(), fl.MassFractionsTwoPort()
    point = fl.SpecificEntropy()
    end = fl.FixedBoundary(p=1e5)
    command = blocks.Step(start_time=1.0)

    def connections(self) -> Any:
        yield self.hot.port, self.density.port_a, self.point.port
        yield self.density.port_b, self.entropy.port_a
        yield self.entropy.port_b, self.fractions.port_a
        yield self.fractions.port_b, self.at_once.port_a, self.slowly.port_a
        yield self.at_once.port_b, self.slowly.port_b, self.end.port
        yield self.command.y, self.at_once.open
        yield self.command.y, self.slowly.open


def test_discrete_valves_and_sensors_in_a_stream() -> None:
    s = tg.simulate(Stream(), 4.0)
    t = s.time
    after = t > 1.0 + 1e-9
    within("Discrete valve", s["at_once.m_flow"][after] - 2.0, 1e-6, "m_flow_nominal, kg/s")
    within("Discrete valve, shut", s["at_once.m_flow"][t < 1.0] - 0.2, 1e-6, "opening_min of it, kg/s")
    within("Valve with a ramp", s["slowly.m_flow"] - 2.0 * np.clip((t - 1.0) / 2.0, 0.0, 1.0), 1e-6, "ramp, kg/s")
    water = media.Water()
    state = water.at(2e5, 350.0, [])
    within("Density in a stream", s["density.d"] - float(water.density(state)), 1e-6, "medium, kg/m3")
    for name in ("entropy", "point"):
        within("Entropy in a stream", s[f"{name}.s"][after] - float(water.entropy(state)), 1e-6, "medium, J/(kg K)")
    with pytest.raises(tg.TellegenError, match="E704"):
        tg.compile(blocks.TruncatedNormalNoise(y_min=1.0, y_max=1.0))
