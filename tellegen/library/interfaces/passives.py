"""Resistors and capacitors as discrete parts."""

from __future__ import annotations

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library.electrical.interfaces import Statements


class ResistorInterface(tg.Interface):
    """A resistor: v = R i."""

    p = el.Pin("positive pin")
    n = el.Pin("negative pin")
    R = tg.parameter(1e3, "ohm", "resistance", min=0.0, semantics="resistance")


class IdealResistor(tg.Component, implements=ResistorInterface, name="ideal", default=True, tags={"cost": 1}):
    """The resistance alone: v = R i."""

    resistor = el.Resistor(R=ResistorInterface.R)

    def connections(self) -> Statements:
        yield self.p, self.resistor.p
        yield self.resistor.n, self.n


class ResistorWithLeads(tg.Component, implements=ResistorInterface, name="leads", tags={"cost": 2}):
    """With the inductance of its leads in series: v = R i + L di/dt."""

    L = tg.parameter(10e-9, "H", "inductance of the leads, about 10 nH", min=0.0)
    resistor = el.Resistor(R=ResistorInterface.R)
    leads = el.Inductor(L=L)

    def connections(self) -> Statements:
        yield self.p, self.resistor.p
        yield self.resistor.n, self.leads.p
        yield self.leads.n, self.n


class CapacitorInterface(tg.Interface):
    """A capacitor: i = C dv/dt."""

    p = el.Pin("positive pin")
    n = el.Pin("negative pin")
    C = tg.parameter(1e-6, "F", "capacitance", min=0.0, semantics="capacitance")


class IdealCapacitor(tg.Component, implements=CapacitorInterface, name="ideal", default=True, tags={"cost": 1}):
    """The capacitance alone: i = C dv/dt."""

    capacitor = el.Capacitor(C=CapacitorInterface.C)

    def connections(self) -> Statements:
        yield self.p, self.capacitor.p
        yield self.capacitor.n, self.n


class CapacitorWithLosses(tg.Component, implements=CapacitorInterface, name="losses", tags={"cost": 2}):
    """With a series resistance: v = v_C + ESR i, i = C dv_C/dt."""

    ESR = tg.parameter(0.05, "ohm", "equivalent series resistance", min=0.0)
    capacitor = el.Capacitor(C=CapacitorInterface.C)
    resistor = el.Resistor(R=ESR)

    def connections(self) -> Statements:
        yield self.p, self.resistor.p
        yield self.resistor.n, self.capacitor.p
        yield self.capacitor.n, self.n
