"""Sensors of the angle of a rotor as machines have them. None of them takes a torque."""

from __future__ import annotations

import math

import tellegen as tg
from tellegen.library import rotational
from tellegen.library.machines.interfaces import Statements
from tellegen.library.polyphase import Plug
from tellegen.library.polyphase.transforms import park


class RotorAngle(rotational.OneFlange):
    """Base of sensors of the electrical angle of a shaft: angle_e = p (phi - phi0); flange.tau = 0."""

    p = tg.parameter(2, "1", "number of pole pairs", min=1)
    phi0 = tg.parameter(-math.pi / p, "rad", "mechanical angle that counts as zero")
    angle_e = tg.variable("rad", "electrical angle")

    def equations(self) -> Statements:
        yield self.flange.tau == 0
        yield self.angle_e == self.p * (self.angle(self.flange) - self.phi0)


class HallSensor(RotorAngle):
    """The electrical angle between 0 and 2 pi."""

    y = tg.output("rad", "electrical angle, 0 to 2 pi")

    def equations(self) -> Statements:
        yield self.y == self.angle_e % (2.0 * tg.pi)


class SinCosResolver(RotorAngle):
    """Tracks offset +- amplitude cos, offset +- amplitude sin of the electrical angle."""

    amplitude = tg.parameter(1.0, "1", "amplitude of the tracks")
    offset = tg.parameter(1.5, "1", "mean of the tracks")
    y = tg.output("1", "cosine, opposite cosine, sine, opposite sine", shape=4)

    def equations(self) -> Statements:
        cosine = self.amplitude * tg.cos(self.angle_e)
        sine = self.amplitude * tg.sin(self.angle_e)
        yield self.y == [self.offset + cosine, self.offset - cosine, self.offset + sine, self.offset - sine]


class SinCosEvaluation(tg.Component):
    """The angle of the tracks of a SinCosResolver, between -pi and pi."""

    u = tg.input("1", "tracks", shape=4)
    phi = tg.output("rad", "electrical angle")

    def equations(self) -> Statements:
        yield self.phi == tg.atan2(self.u[2] - self.u[3], self.u[0] - self.u[1])


class RotorDisplacementAngle(rotational.OneFlange):
    """The angle of the stator's voltage from the q axis of the rotor, y = arg(v e^(-j (p phi + pi/2))), -pi to pi.

    Of a synchronous machine without load it is zero; a motor's rotor lags, a generator's leads. No current, no torque.
    """

    p = tg.parameter(2, "1", "number of pole pairs", min=1)
    plug_p = Plug.array(3, "beginnings of the phases of the stator")
    plug_n = Plug.array(3, "ends of the phases of the stator")
    y = tg.output("rad", "rotor displacement angle")

    def equations(self) -> Statements:
        yield self.flange.tau == 0
        yield self.plug_p.i == [0.0] * 3
        yield self.plug_n.i == [0.0] * 3
        v_d, v_q, _ = park(self.plug_p.v - self.plug_n.v, self.p * self.angle(self.flange))
        yield self.y == tg.atan2(-v_d, v_q)
