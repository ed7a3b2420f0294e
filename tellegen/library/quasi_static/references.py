"""The frequency of a quasi-static circuit: one of these, named `reference`, stands beside its parts.

Angles of phasors count from the axes that turn by gamma: v(t) = sqrt(2) Re((v_re + j v_im) e^(j gamma)).
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library.quasi_static.interfaces import Statements


class Frequency(tg.Component):
    """Base: the angular frequency w and the angle gamma of the axes, w = dgamma/dt."""

    w = tg.variable("rad/s", "angular frequency")
    gamma = tg.variable("rad", "angle of the axes")


class Reference(Frequency):
    """A constant frequency: w = 2 pi f, gamma = w t."""

    f = tg.parameter(50.0, "Hz", "frequency", min=0.0)

    def equations(self) -> Statements:
        yield self.w == 2.0 * tg.pi * self.f
        yield self.gamma == 2.0 * tg.pi * self.f * tg.time


class VariableReference(Frequency):
    """A frequency that is a signal: w = 2 pi f, dgamma/dt = w, from gamma_start on."""

    f = tg.input("Hz", "frequency")
    gamma_start = tg.parameter(0.0, "rad", "angle at the start")
    gamma = tg.variable("rad", "angle of the axes", start=gamma_start, fixed=True)

    def equations(self) -> Statements:
        yield self.w == 2.0 * tg.pi * self.f
        yield tg.der(self.gamma) == self.w


class AngleReference(Frequency):
    """An angle that is a signal: gamma = angle, w = dangle/dt."""

    angle = tg.input("rad", "angle of the axes")

    def equations(self) -> Statements:
        yield self.gamma == self.angle
        yield self.w == tg.der(self.gamma)


class FrequencySweep(Frequency):
    """f rises from f_start to f_stop by equal factors in equal times, f = f_start (f_stop/f_start)^(t/duration)."""

    f_start = tg.parameter(1.0, "Hz", "frequency before start_time", min=1e-300)
    f_stop = tg.parameter(1.0, "Hz", "frequency at the end", min=1e-300)
    start_time = tg.parameter(0.0, "s", "begin of the sweep")
    duration = tg.parameter(1.0, "s", "duration of the sweep", min=1e-300)
    f = tg.variable("Hz", "frequency")
    gamma = tg.variable("rad", "angle of the axes", start=0.0, fixed=True)

    def equations(self) -> Statements:
        end = self.start_time + self.duration
        part = (tg.time - self.start_time) / self.duration
        done = tg.where(tg.time < self.start_time, 0.0, tg.where(tg.time < end, part, 1.0))
        yield self.f == self.f_start * tg.exp(done * tg.log(self.f_stop / self.f_start))
        yield self.w == 2.0 * tg.pi * self.f
        yield tg.der(self.gamma) == self.w
