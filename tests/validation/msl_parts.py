"""Examples of the Modelica Standard Library rebuilt from our parts: their circuits, and points of the published curves.

The points were read from the published results (version 4.1.0); where `TELLEGEN_MSL_REFERENCES` names the folder of the
curves the whole of them is compared, inside a tube of 0.2 % of their ranges.
"""

from __future__ import annotations

import math
from typing import Any

import tellegen as tg
from tellegen.library import blocks, fluid
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.library import thermal as th
from tellegen.library import translational as tr

Statements = Any


def at_start(value: float) -> Any:
    return tg.variable(start=value, fixed=True)


class HeatingMOSInverter(tg.Component):
    """Two transistors that warm each other through a heat capacity."""

    ground = el.Ground()
    signal = el.SineVoltage(V=5.0, f=1.0)
    capacitor = el.Capacitor(C=1e-5, v=at_start(0.0))
    heat = th.HeatCapacitor(C=0.01, T=at_start(293.15))
    tc1 = th.ThermalConductor(G=0.01)
    tc2 = th.ThermalConductor(G=0.01)
    tc3 = th.ThermalConductor(G=0.01)
    pmos = el.SimplePMOS(use_temperature_dependency=True, use_heat_port=True)
    nmos = el.SimpleNMOS(use_temperature_dependency=True, use_heat_port=True)
    supply = el.RampVoltage(V=5.0, duration=1e-2)
    ambient = th.FixedTemperature(T=300.0)

    def connections(self) -> Statements:
        yield self.signal.p, self.nmos.G, self.pmos.G
        yield self.supply.p, self.pmos.D, self.pmos.B
        yield self.pmos.S, self.nmos.D, self.capacitor.p
        for pin in (self.signal.n, self.capacitor.n, self.nmos.S, self.nmos.B, self.supply.n):
            yield pin, self.ground.p
        yield self.tc1.port_a, self.pmos.heat_port
        yield self.tc2.port_a, self.nmos.heat_port
        yield self.tc1.port_b, self.tc2.port_b, self.heat.port, self.tc3.port_a
        yield self.tc3.port_b, self.ambient.port


CHANNEL = {"W": 6.5e-6, "L": 3.1e-6, "dW": -2.5e-6}
P_CHANNEL = {**CHANNEL, "Beta": 1.05e-5, "Vt": -1.0, "K2": 0.41, "K5": 0.8385, "dL": -2.1e-6}
N_CHANNEL = {**CHANNEL, "Beta": 4.1e-5, "Vt": 0.8, "K2": 1.144, "K5": 0.7311, "dL": -1.5e-6}
PULSE = {"V": 3.5, "rising": 1e-9, "width": 19e-9, "falling": 1e-9, "period": 40e-9}


class NandGate(tg.Component):
    """A gate of four transistors, two in series and two side by side."""

    in1 = el.TrapezoidVoltage(start_time=20e-9, **PULSE)
    in2 = el.TrapezoidVoltage(start_time=10e-9, **PULSE)
    supply = el.RampVoltage(V=5.0, duration=1e-9)
    ground = el.Ground()
    p1 = el.SimplePMOS(**P_CHANNEL)
    p2 = el.SimplePMOS(**P_CHANNEL)
    n1 = el.SimpleNMOS(**N_CHANNEL)
    n2 = el.SimpleNMOS(**N_CHANNEL)
    c4 = el.Capacitor(C=0.4e-13, v=at_start(0.0))
    c7 = el.Capacitor(C=0.4e-13, v=at_start(0.0))

    def connections(self) -> Statements:
        yield self.in1.p, self.p2.G, self.n2.G
        yield self.in2.p, self.p1.G, self.n1.G
        yield self.supply.p, self.p1.D, self.p2.D
        yield self.p1.S, self.p2.S, self.n1.D, self.c4.p
        yield self.n1.S, self.n2.D, self.c7.p
        bulks = (self.p1.B, self.p2.B, self.n1.B, self.n2.B)
        for pin in (*bulks, self.n2.S, self.c4.n, self.c7.n, self.in1.n, self.in2.n, self.supply.n):
            yield pin, self.ground.p


class SchmittTrigger(tg.Component):
    """An amplifier with feedback to its positive input."""

    amplifier = el.IdealizedOpAmpLimited()
    ground = el.Ground()
    source = el.TrapezoidVoltage(
        V=10.0, offset=-5.0, rising=0.02, width=0.03, falling=0.02, period=0.1, start_time=-0.035
    )
    r1 = el.Resistor(R=1000.0)
    r2 = el.Resistor(R=15000.0)

    def connections(self) -> Statements:
        yield self.source.p, self.r1.p
        yield self.r1.n, self.r2.p, self.amplifier.in_p
        yield self.r2.n, self.amplifier.out
        yield self.amplifier.in_n, self.source.n, self.ground.p


class SignalGenerator(tg.Component):
    """A Schmitt trigger and an integrator around each other: a rectangle and a triangle of 10 V and 10 Hz."""

    trigger = el.IdealizedOpAmpLimited(homotopy_type="lower_limit")
    integrator = el.IdealizedOpAmpLimited()
    ground = el.Ground()
    r1 = el.Resistor(R=1000.0)
    r2 = el.Resistor(R=1500.0, i=tg.variable(start=0.01))
    r = el.Resistor(R=1000.0)
    c = el.Capacitor(C=15.0 / 10.0 / (4.0 * 10.0 * 1000.0), v=at_start(0.0))

    def connections(self) -> Statements:
        yield self.trigger.out, self.r2.n, self.r.p
        yield self.trigger.in_p, self.r2.p, self.r1.p
        yield self.integrator.out, self.r1.n, self.c.p
        yield self.integrator.in_n, self.r.n, self.c.n
        yield self.trigger.in_n, self.integrator.in_p, self.ground.p


class Backlash(tg.Component):
    """Two inertias on springs, one with a backlash of 45 degrees."""

    fixed1 = rot.Fixed()
    fixed2 = rot.Fixed()
    spring_damper = rot.SpringDamper(c=20e3, d=50.0)
    backlash = rot.ElastoBacklash(c=20e3, d=50.0, b=math.pi / 4)
    inertia1 = rot.Inertia(J=5.0, w=at_start(0.0), phi=at_start(math.pi / 2))
    inertia2 = rot.Inertia(J=5.0, w=at_start(0.0), phi=at_start(math.pi / 2))

    def connections(self) -> Statements:
        yield self.fixed1.flange, self.spring_damper.flange_a
        yield self.spring_damper.flange_b, self.inertia1.flange_a
        yield self.fixed2.flange, self.backlash.flange_a
        yield self.backlash.flange_b, self.inertia2.flange_a


class ElastoGap(tg.Component):
    """A mass between springs and one between elastic stops."""

    fixed = tr.Fixed()
    rod1 = tr.Rod(L=2.0)
    rod2 = tr.Rod(L=2.0)
    spring1 = tr.SpringDamper(c=10.0, d=1.5, s_rel0=1.0)
    spring2 = tr.SpringDamper(c=10.0, d=1.5, s_rel0=1.0)
    mass1 = tr.Mass(m=1.0, s=at_start(2.0), v=at_start(0.0))
    gap1 = tr.ElastoGap(c=10.0, d=1.5, s_rel0=1.5)
    gap2 = tr.ElastoGap(c=10.0, d=1.5, s_rel0=1.5)
    mass2 = tr.Mass(m=1.0, s=at_start(2.0), v=at_start(0.0))

    def connections(self) -> Statements:
        yield self.rod1.flange_b, self.fixed.flange, self.rod2.flange_a
        yield self.spring1.flange_a, self.rod1.flange_a, self.gap1.flange_a
        yield self.spring2.flange_b, self.rod2.flange_b, self.gap2.flange_b
        yield self.spring1.flange_b, self.mass1.flange_a
        yield self.mass1.flange_b, self.spring2.flange_a
        yield self.gap1.flange_b, self.mass2.flange_a
        yield self.mass2.flange_b, self.gap2.flange_a


class ThreeTanks(tg.Component):
    """Three tanks at different heights, joined by pipes."""

    tanks = fluid.OpenTank.array(
        3,
        A=1.0,
        height=12.0,
        level_start=[8.0, 3.0, 3.0],
        use_ports_data=True,
        port_area=[math.pi * 0.05**2],
        T_start=293.15,
    )
    pipes = fluid.StaticPipe.array(3, height_ab=[2.0, 2.0, -1.0], length=2.0, diameter=0.1, roughness=2.5e-5)

    def connections(self) -> Statements:
        yield self.pipes[0].port_a, self.pipes[1].port_a, self.pipes[2].port_a
        for k in range(3):
            yield self.pipes[k].port_b, self.tanks[k].ports[0]


class HeatLosses(tg.Component):
    """Masses in a row with springs, dampers, gaps, friction, a brake and stops; all heat goes to the air."""

    mass1 = tr.Mass(m=1.0, L=0.1, s=at_start(0.0), v=at_start(0.0))
    spring_damper = tr.SpringDamper(c=100.0, d=10.0, use_heat_port=True, s_rel=at_start(0.0), v_rel=at_start(0.0))
    damper = tr.Damper(d=10.0, use_heat_port=True)
    gap = tr.ElastoGap(c=100.0, d=20.0, s_rel0=-0.02, use_heat_port=True)
    fixed1 = tr.Fixed()
    fixed2 = tr.Fixed()
    force = tr.Force()
    sine1 = blocks.Sine(f=1.0, amplitude=20.0)
    mass2 = tr.Mass(m=1.0, L=0.1)
    friction = tr.SupportFriction(F_Coulomb=1.0, F_Stribeck=0.0, F_prop=0.0, use_heat_port=True)
    spring = tr.Spring(c=100.0, s_rel=at_start(0.0))
    mass3 = tr.Mass(m=1.0, L=0.1, v=at_start(0.0))
    brake = tr.Brake(fn_max=10.0, mu=0.5, use_heat_port=True)
    sine2 = blocks.Sine(amplitude=10.0, f=2.0)
    slide = tr.MassWithStopAndFriction(
        L=0.1,
        m=1.0,
        F_prop=0.5,
        F_Coulomb=1.0,
        F_Stribeck=2.0,
        fexp=2.0,
        smin=0.0,
        smax=0.4,
        v=at_start(0.0),
        use_heat_port=True,
    )
    convection = th.Convection(Gc=20.0)
    ambient = th.FixedTemperature(T="25 degC")
    stiff = tr.SpringDamper(c=10000.0, d=1000.0, use_heat_port=True, s_rel=at_start(0.0))

    def connections(self) -> Statements:
        yield self.sine1.y, self.force.f
        yield self.force.flange, self.mass1.flange_a, self.damper.flange_a, self.gap.flange_b
        yield self.damper.flange_b, self.fixed1.flange
        yield self.gap.flange_a, self.fixed2.flange
        yield self.mass1.flange_b, self.spring_damper.flange_a
        yield self.spring_damper.flange_b, self.mass2.flange_a
        yield self.mass2.flange_b, self.friction.flange_a
        yield self.friction.flange_b, self.spring.flange_a
        yield self.spring.flange_b, self.mass3.flange_a
        yield self.mass3.flange_b, self.brake.flange_a
        yield self.sine2.y, self.brake.f_normalized
        yield self.brake.flange_b, self.stiff.flange_a
        yield self.stiff.flange_b, self.slide.flange_a
        lossy = (self.spring_damper, self.damper, self.gap, self.friction, self.brake, self.slide, self.stiff)
        for part in lossy:
            yield part.heat_port, self.convection.solid
        yield self.convection.fluid, self.ambient.port
