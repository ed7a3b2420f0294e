"""A slider-crank driven by a motor behind a half-wave rectifier: a diode, a capacitor, a winding and three bodies.

The mechanism is a closed loop of three hinges and a slide. Nothing marks where the loop is closed: its constraints are
differentiated in symbols and kept, so that it does not drift. The values are those of example E5 of S. A. Vaze's
dissertation, in inches and ounces as printed there (1 ozf in = 0.00706155 N m).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg
from tellegen.library import blocks, planar
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class Motor(tg.Component):
    """Winding, transducer and rotor with friction in its bearings.

    The torque constant printed (5.6 ozf in/A = 0.03954 N m/A) and the voltage constant (0.0401 V s/rad) differ, so an
    ideal EMF has the one and a small source that follows the speed supplies the rest of the other.
    """

    p = el.Pin()
    n = el.Pin()
    flange = rot.Flange()
    KT = tg.parameter("5.6 ozf.inch/A", "N.m/A", "torque constant")
    Kb = tg.parameter(0.0401, "V.s/rad", "voltage constant")
    r = el.Resistor(R=2.4)
    l = el.Inductor(L=0.0048, i=tg.variable(start=0.0, fixed=True))  # noqa: E741
    emf = el.EMF(k=KT)
    speed = rot.SpeedSensor()
    rest = blocks.Gain(k=Kb - KT)
    more = el.SignalVoltage()
    rotor = rot.Inertia(J="0.0044 ozf.inch.s2")
    friction = rot.Damper(d="0.0137 ozf.inch.s/rad")
    housing = rot.Fixed()

    def connections(self) -> Iterator[Any]:
        """The circuit, the shaft, the signal."""
        yield self.p, self.r.p
        yield self.r.n, self.l.p
        yield self.l.n, self.emf.p
        yield self.emf.n, self.more.p
        yield self.more.n, self.n
        yield self.emf.flange, self.rotor.flange_a, self.friction.flange_b, self.speed.flange
        yield self.friction.flange_a, self.housing.flange
        yield self.rotor.flange_b, self.flange
        yield self.speed.w, self.rest.u
        yield self.rest.y, self.more.u


class SliderCrank(tg.Component):
    """Crank, connecting rod and slider, driven at `shaft`; the crank turns about its centre of mass."""

    shaft = rot.Flange()
    start = tg.parameter("45 deg", "rad", "angle of the crank at the start")
    crank_length = tg.parameter("1 inch", "m", "from shaft to crank pin")
    rod_length = tg.parameter("3 inch", "m", "from crank pin to slider")
    ground = planar.Fixed()
    bearing = planar.Revolute(use_flange=True, phi=tg.variable(start=start, fixed=True), w=tg.variable(fixed=True))
    crank = planar.Body(m="0.00136 ozf.s2/inch", I="0.00414 ozf.inch.s2")
    arm = planar.FixedTranslation(r=[crank_length, 0.0])
    crank_pin = planar.Revolute()
    rod = planar.BodyShape(r_ab=[rod_length, 0.0], m="0.0041 ozf.s2/inch", I="0.0373 ozf.inch.s2")
    slider_pin = planar.Revolute()
    slider = planar.Body(m="0.6211 ozf.s2/inch", I="1 ozf.inch.s2")
    slide = planar.Prismatic(r=[1.0, 0.0], s=tg.variable(start=crank_length + rod_length))

    def connections(self) -> Iterator[Any]:
        """Once round the loop."""
        yield self.shaft, self.bearing.flange_a
        yield self.ground.frame, self.bearing.frame_a, self.slide.frame_a
        yield self.bearing.frame_b, self.crank.frame_a, self.arm.frame_a
        yield self.arm.frame_b, self.crank_pin.frame_a
        yield self.crank_pin.frame_b, self.rod.frame_a
        yield self.rod.frame_b, self.slider_pin.frame_a
        yield self.slider_pin.frame_b, self.slider.frame_a, self.slide.frame_b


class RectifiedDrive(tg.Component):
    """5 V at 50 Hz, a diode D1N4148 and a capacitor of 1/24 F feed the motor."""

    world = planar.PlanarWorld(g=0.0)
    source = el.SineVoltage(V=5.0, f=50.0)
    diode = el.Diode(Is=2.682e-9, N=1.836, T=0.026 * 1.602176634e-19 / 1.380649e-23, Rs=0.5664, Gmin=0.0)  # 26 mV
    c = el.Capacitor(C=1 / 24, v=tg.variable(start=0.0, fixed=True))
    ground = el.Ground()
    motor = Motor()
    mechanism = SliderCrank()

    def connections(self) -> Iterator[Any]:
        """The rectifier, and the shaft between motor and crank."""
        yield self.source.p, self.diode.p
        yield self.diode.n, self.c.p, self.motor.p
        yield self.source.n, self.c.n, self.motor.n, self.ground.p
        yield self.motor.flange, self.mechanism.shaft
