"""Alternating voltages cut by triacs, and the control of a soft start."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library.electrical import IdealThyristor, Pin
from tellegen.library.polyphase import Plug
from tellegen.library.power_converters.interfaces import Statements, Valves


class SinglePhaseTriac(Valves):
    """Two thyristors against each other: fire1 for the half wave from p to n, fire2 for that from n to p.

    v = Vknee + Ron i in what conducts. Fired alpha after each zero of the voltage, a resistive load gets the part
    sqrt(1 - alpha/pi + sin(2 alpha)/(2 pi)) of the rms voltage.
    """

    p = Pin("one end")
    n = Pin("the other end")
    fire1 = tg.input("1", "above 1/2: may begin to conduct from p to n")
    fire2 = tg.input("1", "above 1/2: may begin to conduct from n to p")

    def build(self) -> None:
        self.thyristor1 = IdealThyristor(**self.valve())
        self.thyristor2 = IdealThyristor(**self.valve())

    def connections(self) -> Statements:
        yield self.p, self.thyristor1.p, self.thyristor2.n
        yield self.n, self.thyristor1.n, self.thyristor2.p
        yield self.fire1, self.thyristor1.fire
        yield self.fire2, self.thyristor2.fire
        yield from self.heats(self.thyristor1, self.thyristor2)


class PolyphaseTriac(Valves):
    """A SinglePhaseTriac in every phase, from plug_p to plug_n: v = Vknee + Ron i in what conducts."""

    m = tg.parameter(3, structural=True, description="number of phases", min=1)
    plug_p = Plug.array(m, "one side")
    plug_n = Plug.array(m, "the other side")
    fire1 = tg.input("1", "above 1/2: a phase may begin to conduct from plug_p to plug_n", shape=m)
    fire2 = tg.input("1", "above 1/2: a phase may begin to conduct from plug_n to plug_p", shape=m)

    def build(self) -> None:
        self.thyristor1 = IdealThyristor.array(self.m, **self.valve())
        self.thyristor2 = IdealThyristor.array(self.m, **self.valve())

    def connections(self) -> Statements:
        yield self.plug_p, self.thyristor1.p, self.thyristor2.n
        yield self.plug_n, self.thyristor1.n, self.thyristor2.p
        yield self.fire1, self.thyristor1.fire
        yield self.fire2, self.thyristor2.fire
        yield from self.heats(self.thyristor1, self.thyristor2)


SCALES = ("linear", "first_harmonic", "rms")
POINTS = 65


class VoltageToAngle(tg.Component):
    """The firing angle of a triac at which a resistive load gets the wanted voltage: pi for 0, 0 for V_nominal.

    Wanted is the part of the angle itself (linear), of the first harmonic, or of the root mean square; the latter two
    by interpolation between 65 angles.
    """

    V_nominal = tg.parameter(1.0, "V", "voltage at the angle 0", min=1e-300)
    scale = tg.parameter("linear", structural=True, description=", ".join(SCALES), choices=SCALES)
    v_ref = tg.input("V", "wanted voltage")
    firing_angle = tg.output("rad", "firing angle, 0 to pi")

    def equations(self) -> Statements:
        part = tg.minimum(tg.maximum(self.v_ref / self.V_nominal, 0.0), 1.0)
        if self.scale == "linear":
            yield self.firing_angle == math.pi * (1.0 - part)
        else:
            angles = np.linspace(math.pi, 0.0, POINTS)
            yield self.firing_angle == tg.interpolate(part, given_part(angles, self.scale), angles)


def given_part(alpha: Any, scale: str) -> Any:
    """What a resistive load gets of a voltage that is cut at the angle alpha."""
    rest = math.pi - alpha
    if scale == "rms":
        return np.sqrt(np.maximum(rest + 0.5 * np.sin(2.0 * alpha), 0.0) / math.pi)
    cosine = (np.cos(2.0 * alpha) - 1.0) / (2.0 * math.pi)
    sine = (rest + 0.5 * np.sin(2.0 * alpha)) / math.pi
    return np.hypot(cosine, sine)


class SoftStartControl(tg.Component):
    """A reference from 0 to 1 that rises in t_ramp_up after start and falls in t_ramp_down after its end.

    While the current is above i_max of its nominal value, until it is below i_min, the ramp waits.
    """

    t_ramp_up = tg.parameter(1.0, "s", "duration of the rise", min=1e-300)
    t_ramp_down = tg.parameter(1.0, "s", "duration of the fall", min=1e-300)
    v_start = tg.parameter(0.0, "1", "reference with which the rise begins", min=0.0, max=1.0)
    i_max = tg.parameter(2.0, "1", "current at which the ramp waits, of I_nominal", min=0.0)
    i_min = tg.parameter(0.9 * i_max, "1", "current at which it goes on, of I_nominal", min=0.0)
    I_nominal = tg.parameter(1.0, "A", "nominal current", min=1e-300)
    i_rms = tg.input("A", "measured current")
    start = tg.input("1", "above 1/2: on")
    v_ref = tg.output("1", "reference, 0 to 1", start=0.0)
    waits = tg.variable("1", "the current is too large", discrete=True, start=0.0)

    def equations(self) -> Statements:
        on = self.start > 0.5
        high = self.i_rms > self.i_max * self.I_nominal
        low = self.i_rms < self.i_min * self.I_nominal
        yield tg.when(high, self.waits == 1.0).elsewhen(low, self.waits == 0.0)
        yield tg.when(on & (self.v_ref < self.v_start), tg.reinit(self.v_ref, self.v_start))
        up = tg.where(self.v_ref < 1.0, (1.0 - self.v_start) / self.t_ramp_up, 0.0)
        down = tg.where(self.v_ref > 0.0, -1.0 / self.t_ramp_down, 0.0)
        yield tg.der(self.v_ref) == tg.where(self.waits > 0.5, 0.0, tg.where(on, up, down))
