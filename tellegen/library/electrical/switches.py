"""Switches between two pins that a voltage, a current or a signal moves, with the laws of netlists.

`IdealClosingSwitch` and its like (ideal.py) have a signal for control and may have no resistance at all. The switches
here are those of circuit simulators: a resistance Ron or Roff, a threshold and a hysteresis,

    on  from  x > xT + xH  on,      off  from  x < xT - xH  on,      as before between the two,

with x the voltage between two control pins (S of a netlist) or the current between them (W). The switching is an
event: there is no transition in between. `SmoothSwitch` has one instead, and no events.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical.interfaces import OnePort, Pin, Statements
from tellegen.library.losses import Lossy


class HystereticSwitch(Lossy, OnePort):
    """Base of switches with a hysteresis between control pins pc and nc; they say what of them controls."""

    pc = Pin("positive control pin")
    nc = Pin("negative control pin")
    Ron = tg.parameter(1.0, "ohm", "resistance while closed", min=0.0)
    Roff = tg.parameter(1e12, "ohm", "resistance while open", min=0.0)
    off = tg.boolean("is open; its start value counts between the thresholds", start=True)

    def losses(self) -> Any:
        return self.v * self.i

    def equations(self) -> Statements:
        yield self.v == tg.where(self.off, self.Roff, self.Ron) * self.i
        yield self.pc.i + self.nc.i == 0


class VoltageControlledSwitch(HystereticSwitch):
    """Closes when the voltage from pc to nc rises above Vt + Vh, opens when it falls to Vt - Vh (S of a netlist)."""

    Vt = tg.parameter(0.0, "V", "threshold")
    Vh = tg.parameter(0.0, "V", "half width of the hysteresis", min=0.0)

    def equations(self) -> Statements:
        x = self.pc.v - self.nc.v
        yield self.pc.i == 0
        yield self.off == (x <= self.Vt - self.Vh) | (tg.pre(self.off) & (x <= self.Vt + self.Vh))


class CurrentControlledSwitch(HystereticSwitch):
    """Closes when the current from pc to nc rises above It + Ih, opens when it falls to It - Ih (W of a netlist)."""

    It = tg.parameter(0.0, "A", "threshold")
    Ih = tg.parameter(0.0, "A", "half width of the hysteresis", min=0.0)

    def equations(self) -> Statements:
        x = self.pc.i
        yield self.pc.v == self.nc.v
        yield self.off == (x <= self.It - self.Ih) | (tg.pre(self.off) & (x <= self.It + self.Ih))


class SmoothSwitch(Lossy, OnePort):
    """A resistance that goes smoothly from Roff at Voff to Ron at Von with the voltage from pc to nc.

    Between the two the logarithm of the resistance is the cubic of PSpice's VSWITCH, level at both ends:

        ln R = ln sqrt(Ron Roff) + ln(Ron/Roff) (3/2 z - 2 z^3),    z = (vc - (Von + Voff)/2)/(Von - Voff)

    Von may lie below Voff. Stiff but without events: for circuits in which the transition matters.
    """

    pc = Pin("positive control pin")
    nc = Pin("negative control pin")
    Ron = tg.parameter(1.0, "ohm", "resistance at Von", min=0.0)
    Roff = tg.parameter(1e6, "ohm", "resistance at Voff", min=0.0)
    Von = tg.parameter(1.0, "V", "control voltage from which it is closed")
    Voff = tg.parameter(0.0, "V", "control voltage up to which it is open")

    def losses(self) -> Any:
        return self.v * self.i

    def equations(self) -> Statements:
        yield self.pc.i == 0
        yield self.pc.i + self.nc.i == 0
        position = (self.pc.v - self.nc.v - (self.Von + self.Voff) / 2) / (self.Von - self.Voff)
        z = tg.no_event(tg.minimum(tg.maximum(position, -0.5), 0.5))
        change = tg.log(self.Ron / self.Roff) * (1.5 * z - 2.0 * z**3)
        yield self.v == tg.sqrt(self.Ron * self.Roff) * tg.exp(change) * self.i
