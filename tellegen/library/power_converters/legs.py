"""Legs of bridges as one equation each: what connects a pin with the positive or the negative side of a dc voltage.

    v = up dc_p.v + (1 - up) dc_n.v + R i                  i into the leg; R of the valve that conducts
    dc_p.i = -sum of up i,   dc_p.i + dc_n.i + sum of i = 0

While a leg switches `up` is 1 or 0. Averaged over the pulses it is their duty, and the same equations hold for the
means of voltages and currents, as long as these change little in a period. Power in is power out but for R i^2.

The sum of all currents is written as such: with a floating dc side it relates the currents of the phases, and
with constant coefficients it is known before the run which of them are states.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical import Pin
from tellegen.library.losses import Lossy
from tellegen.library.polyphase import Plug
from tellegen.library.power_converters.interfaces import Statements


class Legs(Lossy):
    """Base of bridges that say how far each of m legs is `up`, ac.v = up dc_p.v + (1 - up) dc_n.v + R ac.i."""

    m = tg.parameter(3, structural=True, description="number of legs", min=1)
    R = tg.parameter(1e-3, "ohm", "resistance of the valve that conducts", min=0.0)
    dc_p = Pin("positive pin of the dc side")
    dc_n = Pin("negative pin of the dc side")
    ac = Plug.array(m, "the legs")

    def up(self) -> Any:
        """For each leg 1 while it is connected with dc_p, 0 with dc_n, or the mean of that."""
        raise NotImplementedError(f"{type(self).__name__} has to define up()")

    def losses(self) -> Any:
        return self.R * tg.dot(self.ac.i, self.ac.i)

    def equations(self) -> Statements:
        up = self.up()
        yield self.ac.v == up * self.dc_p.v + (1.0 - up) * self.dc_n.v + self.R * self.ac.i
        yield self.dc_p.i == -tg.dot(up, self.ac.i)
        yield self.dc_p.i + self.dc_n.i + tg.sum(self.ac.i) == 0


class AverageInverter(Legs):
    """Inverter of m phases, averaged over the pulses: phase voltages u Vdc/2 against the middle of the dc side.

    u is the mean of the switching between -1 and 1; beyond that it is cut off: a leg can do no more than stay where it
    is. No events and no pulses: for the design of controls and for long runs.
    """

    u = tg.input("1", "mean of the switching of each phase, -1 to 1", shape=Legs.m)

    def up(self) -> Any:
        return 0.5 * (1.0 + limited(self.u))


class SwitchedInverter(Legs):
    """Inverter of m phases with two-way switches: phase k is connected with dc_p if fire[k] > 1/2, else with dc_n."""

    fire = tg.input("1", "above 1/2: the phase is connected with dc_p", shape=Legs.m)

    def up(self) -> Any:
        return tg.where(self.fire > 0.5, 1.0, 0.0)


class HalfBridge(tg.Component):
    """Base of choppers: one leg between a high dc voltage and a pin of a lower one."""

    R = tg.parameter(1e-3, "ohm", "resistance of the valve that conducts", min=0.0)
    pin = Pin("the low side, usually connected to an inductor")
    dc_p = Pin("positive pin of the high side")
    dc_n = Pin("negative pin of the high side")


class AverageChopper(Lossy, HalfBridge):
    """Buck or boost converter averaged over the pulses: pin.v - dc_n.v = d (dc_p.v - dc_n.v) + R pin.i.

    With an inductor at the pin it steps down towards it and up from it, whichever way the current flows:
    dc_p.i = -d pin.i. d is the duty of the upper valve, 0 to 1; that of the lower one, by which boost converters are
    usually given, is 1 - d. Both valves are taken to conduct in turns, so the current may pass zero.
    """

    d = tg.input("1", "part of the time in which the pin is connected with dc_p, 0 to 1")

    def losses(self) -> Any:
        return self.R * self.pin.i**2

    def equations(self) -> Statements:
        d = tg.no_event(tg.minimum(tg.maximum(self.d, 0.0), 1.0))
        yield self.pin.v == d * self.dc_p.v + (1.0 - d) * self.dc_n.v + self.R * self.pin.i
        yield self.dc_p.i == -d * self.pin.i
        yield self.dc_p.i + self.dc_n.i + self.pin.i == 0


class SwitchedChopper(Lossy, HalfBridge):
    """Buck or boost converter with two-way switches: pin.v = dc_p.v + R pin.i if fire > 1/2, else dc_n.v + R pin.i."""

    fire = tg.input("1", "above 1/2: the pin is connected with dc_p")

    def losses(self) -> Any:
        return self.R * self.pin.i**2

    def equations(self) -> Statements:
        up = tg.where(self.fire > 0.5, 1.0, 0.0)
        yield self.pin.v == up * self.dc_p.v + (1.0 - up) * self.dc_n.v + self.R * self.pin.i
        yield self.dc_p.i == -up * self.pin.i
        yield self.dc_p.i + self.dc_n.i + self.pin.i == 0


def limited(u: tg.Expression) -> Any:
    """u between -1 and 1; the corners are taken as they come."""
    return tg.no_event(tg.minimum(tg.maximum(u, -1.0), 1.0))
