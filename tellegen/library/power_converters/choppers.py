"""Choppers of a transistor and a diode, or of two of each: from one dc voltage to another.

    step down    v2 = d v1            the inductor at dc_p2, while its current does not end
    step up      v2 = v1/(1 - d)      the inductor at dc_p1
    both ways    two transistors: steps down from side 2 to side 1 and up from side 1 to side 2

d is the part of the time in which the transistor conducts. dc_n1 and dc_n2 are one node.
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library.electrical import IdealDiode, IdealGTOThyristor, Pin
from tellegen.library.power_converters.interfaces import Statements, Valves


class Chopper(Valves):
    """Base of converters between two dc sides with a common negative pin."""

    dc_p1 = Pin("positive pin of side 1")
    dc_n1 = Pin("negative pin of side 1")
    dc_p2 = Pin("positive pin of side 2")
    dc_n2 = Pin("negative pin of side 2")
    fire_p = tg.input("1", "above 1/2: the transistor conducts")

    def connections(self) -> Statements:
        yield self.dc_n1, self.dc_n2


class OneTransistor(Chopper):
    """Base of choppers of one transistor and one diode."""

    def build(self) -> None:
        self.transistor = IdealGTOThyristor(**self.valve())
        self.diode = IdealDiode(**self.valve())

    def connections(self) -> Statements:
        yield self.fire_p, self.transistor.fire
        yield from self.heats(self.transistor, self.diode)


class ChopperStepDown(OneTransistor):
    """The transistor leads from dc_p1 to dc_p2, the diode from dc_n2 to dc_p2: on average v2 = d v1."""

    def connections(self) -> Statements:
        yield self.dc_p1, self.transistor.p
        yield self.transistor.n, self.diode.n, self.dc_p2
        yield self.diode.p, self.dc_n2


class ChopperStepUp(OneTransistor):
    """The transistor shorts dc_p1 to dc_n1, the diode leads from dc_p1 to dc_p2: v2 = v1/(1 - d) with an inductor."""

    def connections(self) -> Statements:
        yield self.dc_p1, self.transistor.p, self.diode.p
        yield self.transistor.n, self.dc_n1
        yield self.diode.n, self.dc_p2


class ChopperBuckBoost(Chopper):
    """A leg of two transistors with diodes beside them: fire_p connects dc_p1 with dc_n1, fire_n with dc_p2.

    Side 2 is the high voltage: v1 = d v2 with d the part of the time of fire_n. With an inductor at dc_p1 the current
    may flow either way.
    """

    fire_n = tg.input("1", "above 1/2: the transistor from dc_p2 to dc_p1 conducts")

    def build(self) -> None:
        self.transistor_p = IdealGTOThyristor(**self.valve())
        self.transistor_n = IdealGTOThyristor(**self.valve())
        self.diode_p = IdealDiode(**self.valve())
        self.diode_n = IdealDiode(**self.valve())

    def connections(self) -> Statements:
        yield self.dc_p1, self.transistor_p.p, self.diode_p.n, self.transistor_n.n, self.diode_n.p
        yield self.transistor_p.n, self.diode_p.p, self.dc_n1
        yield self.transistor_n.p, self.diode_n.n, self.dc_p2
        yield self.fire_p, self.transistor_p.fire
        yield self.fire_n, self.transistor_n.fire
        yield from self.heats(self.transistor_p, self.transistor_n, self.diode_p, self.diode_n)
