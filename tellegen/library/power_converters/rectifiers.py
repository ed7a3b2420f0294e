"""Rectifier bridges of diodes and of thyristors, and the pulses that fire the latter.

In a bridge of m phases (2m valves, 2m pulses of voltage in a period) each phase is connected with the positive pin
by an upper valve and with the negative pin by a lower one. With an ideal supply and continuous current the mean of the
dc voltage is

    m = 3:            3 sqrt(2)/pi V cos(alpha) = 1.35 V cos(alpha),      V rms between lines
    two pins, B2:     2 sqrt(2)/pi V cos(alpha) = 0.90 V cos(alpha),      V rms

and alpha, the firing angle, is zero for diodes: counted from the instant at which a diode would begin to conduct.
Inductance in the supply makes two valves conduct together while the current goes over, which costs 3/pi w L Id.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical import IdealDiode, IdealThyristor
from tellegen.library.polyphase.interfaces import lag
from tellegen.library.power_converters.interfaces import PolyphaseConverter, SinglePhaseConverter, Statements


def bridge(converter: Any, upper: Any, lower: Any) -> Statements:
    """Connections of upper and lower valves with all phases and the two pins."""
    yield converter.ac, upper.p, lower.n
    yield upper.n, converter.dc_p
    yield lower.p, converter.dc_n
    yield from converter.heats(upper, lower)


class DiodeBridge2mPulse(PolyphaseConverter):
    """Rectifier of 2m diodes (six-pulse bridge B6 for m = 3): the dc voltage is max(ac.v) - min(ac.v)."""

    def build(self) -> None:
        self.diode_p = IdealDiode.array(self.m, **self.valve())
        self.diode_n = IdealDiode.array(self.m, **self.valve())

    def connections(self) -> Statements:
        yield from bridge(self, self.diode_p, self.diode_n)


class ThyristorBridge2mPulse(PolyphaseConverter):
    """Controlled rectifier of 2m thyristors (B6C for m = 3): mean dc voltage 1.35 V cos(alpha) at three phases.

    fire_p and fire_n fire the upper and the lower thyristors; `FiringAngle` makes them of a firing angle.
    """

    fire_p = tg.input("1", "above 1/2: the upper thyristor of a phase may begin to conduct", shape=PolyphaseConverter.m)
    fire_n = tg.input("1", "above 1/2: the lower thyristor of a phase may begin to conduct", shape=PolyphaseConverter.m)

    def build(self) -> None:
        self.thyristor_p = IdealThyristor.array(self.m, **self.valve())
        self.thyristor_n = IdealThyristor.array(self.m, **self.valve())

    def connections(self) -> Statements:
        yield from bridge(self, self.thyristor_p, self.thyristor_n)
        yield self.fire_p, self.thyristor_p.fire
        yield self.fire_n, self.thyristor_n.fire


class DiodeBridge2Pulse(SinglePhaseConverter):
    """Rectifier of four diodes between two pins (B2): dc_p.v - dc_n.v = |ac_p.v - ac_n.v|."""

    def build(self) -> None:
        self.diode_p = IdealDiode.array(2, **self.valve())
        self.diode_n = IdealDiode.array(2, **self.valve())

    def connections(self) -> Statements:
        yield from two_pins(self, self.diode_p, self.diode_n)


class ThyristorBridge2Pulse(SinglePhaseConverter):
    """Controlled rectifier of four thyristors between two pins (B2C): mean dc voltage = 0.90 V cos(alpha).

    fire_p[0] and fire_n[1] conduct together while ac_p is positive, fire_p[1] and fire_n[0] while ac_n is.
    """

    fire_p = tg.input("1", "above 1/2: the upper thyristor at ac_p, at ac_n may begin to conduct", shape=2)
    fire_n = tg.input("1", "above 1/2: the lower thyristor at ac_p, at ac_n may begin to conduct", shape=2)

    def build(self) -> None:
        self.thyristor_p = IdealThyristor.array(2, **self.valve())
        self.thyristor_n = IdealThyristor.array(2, **self.valve())

    def connections(self) -> Statements:
        yield from two_pins(self, self.thyristor_p, self.thyristor_n)
        yield self.fire_p, self.thyristor_p.fire
        yield self.fire_n, self.thyristor_n.fire


def two_pins(converter: Any, upper: Any, lower: Any) -> Statements:
    """Connections of the legs at ac_p and at ac_n."""
    yield converter.ac_p, upper[0].p, lower[0].n
    yield converter.ac_n, upper[1].p, lower[1].n
    yield upper.n, converter.dc_p
    yield lower.p, converter.dc_n
    yield from converter.heats(upper, lower)


class FiringAngle(tg.Component):
    """Firing pulses for a bridge of m phases: from firing_angle after the natural instant on, for `width`.

    phi is the angle of the supply: phase k has the voltage sin(phi - 2 pi k/m), as `Grid.phi`; the angle of a `PLL`, of
    a cosine, plus pi/2. The upper valve of a phase begins by nature where its voltage rises above that of the phase
    before, at pi/2 - pi/m (30 degrees for m = 3; 0 for m = 2, two pins against each other), the lower one half a
    period later. The pulses reach into the next interval, so that two valves can begin together.
    """

    m = tg.parameter(3, structural=True, description="number of phases; 2 for a bridge between two pins", min=2)
    phi = tg.input("rad", "angle of phase 1, which is a sine of it")
    firing_angle = tg.input("rad", "firing angle, between 0 and pi")
    width = tg.parameter(2.0 * tg.pi / 3.0, "rad", "length of a pulse", min=0.0)
    fire_p = tg.output("1", "pulses for the upper valves", shape=m)
    fire_n = tg.output("1", "pulses for the lower valves", shape=m)

    def equations(self) -> Statements:
        begin = [angle + float(tg.pi) * (0.5 - 1.0 / self.m) for angle in lag(self.m)]
        late = [angle + float(tg.pi) for angle in begin]
        yield self.fire_p == self.pulses(begin)
        yield self.fire_n == self.pulses(late)

    def pulses(self, begin: list[float]) -> list[Any]:
        since = [(self.phi - self.firing_angle - angle) % (2.0 * tg.pi) for angle in begin]
        return [tg.where(x < self.width, 1.0, 0.0) for x in since]
