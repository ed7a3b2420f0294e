"""Inverters of single valves: transistors that can be switched off, each with a diode beside it, and H-bridges.

AverageInverter     (legs.py) means over the pulses: no events
SwitchedInverter    (legs.py) two-way switches, one signal for each leg: the real pulses at little cost
Polyphase2Level     transistors and diodes, two signals for each leg: dead times, all valves off, rectifying
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical import IdealDiode, IdealGTOThyristor, Pin
from tellegen.library.losses import Lossy
from tellegen.library.power_converters.interfaces import Converter, PolyphaseConverter, SinglePhaseConverter, Statements
from tellegen.library.power_converters.legs import limited
from tellegen.library.power_converters.rectifiers import bridge, two_pins


class Polyphase2Level(PolyphaseConverter):
    """Inverter of 2m transistors with diodes beside them: fire_p[k] connects phase k with dc_p, fire_n[k] with dc_n.

    v = Vknee + Ron i in what conducts. A current continues through the diodes while both transistors of its leg are
    off; with all of them off it is a rectifier. Both fired at once short the dc side: leave a dead time between.
    """

    fire_p = tg.input("1", "above 1/2: the upper transistor of a phase conducts", shape=PolyphaseConverter.m)
    fire_n = tg.input("1", "above 1/2: the lower transistor of a phase conducts", shape=PolyphaseConverter.m)

    def build(self) -> None:
        self.transistor_p = IdealGTOThyristor.array(self.m, **self.valve())
        self.transistor_n = IdealGTOThyristor.array(self.m, **self.valve())
        self.diode_p = IdealDiode.array(self.m, **self.valve())
        self.diode_n = IdealDiode.array(self.m, **self.valve())

    def connections(self) -> Statements:
        yield from bridge(self, self.diode_p, self.diode_n)
        yield self.transistor_p.p, self.dc_p
        yield self.transistor_p.n, self.transistor_n.p, self.ac
        yield self.transistor_n.n, self.dc_n
        yield self.fire_p, self.transistor_p.fire
        yield self.fire_n, self.transistor_n.fire
        yield from self.heats(self.transistor_p, self.transistor_n)


class SinglePhase2Level(Converter):
    """A leg of two transistors with diodes beside them: fire_p connects ac with dc_p, fire_n with dc_n.

    v = Vknee + Ron i in what conducts.
    """

    ac = Pin("the middle of the leg")
    fire_p = tg.input("1", "above 1/2: the upper transistor conducts")
    fire_n = tg.input("1", "above 1/2: the lower transistor conducts")

    def build(self) -> None:
        self.transistor_p = IdealGTOThyristor(**self.valve())
        self.transistor_n = IdealGTOThyristor(**self.valve())
        self.diode_p = IdealDiode(**self.valve())
        self.diode_n = IdealDiode(**self.valve())

    def connections(self) -> Statements:
        yield self.dc_p, self.transistor_p.p, self.diode_p.n
        yield self.ac, self.transistor_p.n, self.diode_p.p, self.transistor_n.p, self.diode_n.n
        yield self.transistor_n.n, self.diode_n.p, self.dc_n
        yield self.fire_p, self.transistor_p.fire
        yield self.fire_n, self.transistor_n.fire
        yield from self.heats(self.transistor_p, self.transistor_n, self.diode_p, self.diode_n)


class HBridge(SinglePhaseConverter):
    """H-bridge of four transistors with diodes beside them; v = Vknee + Ron i in what conducts.

    fire_p[0] and fire_n[0] are for the leg at ac_p, fire_p[1] and fire_n[1] for that at ac_n.
    """

    fire_p = tg.input("1", "above 1/2: the upper transistor of a leg conducts", shape=2)
    fire_n = tg.input("1", "above 1/2: the lower transistor of a leg conducts", shape=2)

    def build(self) -> None:
        self.transistor_p = IdealGTOThyristor.array(2, **self.valve())
        self.transistor_n = IdealGTOThyristor.array(2, **self.valve())
        self.diode_p = IdealDiode.array(2, **self.valve())
        self.diode_n = IdealDiode.array(2, **self.valve())

    def connections(self) -> Statements:
        yield from two_pins(self, self.diode_p, self.diode_n)
        yield self.transistor_p.p, self.dc_p
        yield self.transistor_p.n, self.transistor_n.p
        yield self.transistor_n.n, self.dc_n
        yield self.ac_p, self.transistor_p[0].n
        yield self.ac_n, self.transistor_p[1].n
        yield self.fire_p, self.transistor_p.fire
        yield self.fire_n, self.transistor_n.fire
        yield from self.heats(self.transistor_p, self.transistor_n)


class AverageHBridge(Lossy):
    """H-bridge averaged over the pulses: ac_p.v - ac_n.v = u (dc_p.v - dc_n.v) + 2 R i, with i into ac_p."""

    R = tg.parameter(1e-3, "ohm", "resistance of a valve that conducts", min=0.0)
    dc_p = Pin("positive pin of the dc side")
    dc_n = Pin("negative pin of the dc side")
    ac_p = Pin("first pin of the load")
    ac_n = Pin("second pin of the load")
    u = tg.input("1", "mean of the switching, -1 to 1")

    def losses(self) -> Any:
        return self.R * (self.ac_p.i**2 + self.ac_n.i**2)

    def equations(self) -> Statements:
        up = 0.5 * (1.0 + limited(self.u))
        yield self.ac_p.v == up * self.dc_p.v + (1.0 - up) * self.dc_n.v + self.R * self.ac_p.i
        yield self.ac_n.v == (1.0 - up) * self.dc_p.v + up * self.dc_n.v + self.R * self.ac_n.i
        yield self.dc_p.i == -up * self.ac_p.i - (1.0 - up) * self.ac_n.i
        yield self.dc_p.i + self.dc_n.i + self.ac_p.i + self.ac_n.i == 0
