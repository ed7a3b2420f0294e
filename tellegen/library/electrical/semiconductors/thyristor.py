"""Thyristors with a gate, breakdown and switching times, and two of them as a triac: a simple model by data sheet.

A control voltage is drawn to 5 V while the anode current is above the holding current, or the forward voltage above the
breakdown voltage, or the gate current reaches its trigger value, and to 0 V otherwise, with the time constants of
switching on and off. Between 1.5 V and 5 V the resistance from anode to cathode falls from Roff to Ron, smoothly:

    R = sqrt(Ron Roff) (Ron/Roff)^(3/2 x - 2 x^3),   x from -1/2 to 1/2
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical.ideal import IdealDiode
from tellegen.library.electrical.interfaces import Pin, Statements
from tellegen.library.losses import Lossy

V_ON = 5.0
V_OFF = 1.5


class ThyristorData(Lossy):
    """The data of a thyristor, and its pins: a base."""

    VDRM = tg.parameter(100.0, "V", "forward breakdown voltage", min=0.0)
    VRRM = tg.parameter(100.0, "V", "reverse breakdown voltage", min=0.0)
    VTM = tg.parameter(1.7, "V", "voltage while it conducts ITM", min=0.0)
    IH = tg.parameter(6e-3, "A", "holding current", min=1e-300)
    ITM = tg.parameter(25.0, "A", "current at VTM", min=1e-300)
    VGT = tg.parameter(0.7, "V", "gate voltage that triggers", min=1e-300)
    IGT = tg.parameter(5e-3, "A", "gate current that triggers", min=1e-300)
    TON = tg.parameter(1e-6, "s", "time of switching on", min=1e-300)
    TOFF = tg.parameter(15e-6, "s", "time of switching off", min=1e-300)
    Vt = tg.parameter(0.04, "V", "voltage of temperature, of the breakdown", min=1e-300)
    Nbv = tg.parameter(0.74, "1", "emission coefficient of the reverse breakdown", min=1e-300)

    def data(self) -> dict[str, Any]:
        """All of it, to be handed on."""
        names = ("VDRM", "VRRM", "VTM", "IH", "ITM", "VGT", "IGT", "TON", "TOFF", "Vt", "Nbv")
        return {name: getattr(self, name) for name in names}


class Thyristor(ThyristorData):
    """A thyristor by the figures of its data sheet: i = v/R with R between Ron and Roff by the control voltage."""

    v_ref = tg.parameter(0.65, "V", "gate voltage at which its characteristic bends", min=1e-300)
    anode = Pin("anode")
    cathode = Pin("cathode")
    gate = Pin("gate")
    iGK = tg.variable("A", "gate current")
    vGK = tg.variable("V", "voltage from gate to cathode")
    vAK = tg.variable("V", "voltage from anode to cathode")
    v_control = tg.variable("V", "control voltage: below 1.5 V it blocks, above 5 V it conducts", start=0.0)
    v_total = tg.variable("V", "what the control voltage is drawn to")

    def losses(self) -> Any:
        return self.vAK * self.anode.i + self.vGK * self.gate.i

    def equations(self) -> Statements:
        yield self.anode.i + self.gate.i + self.cathode.i == 0
        yield self.vGK == self.gate.v - self.cathode.v
        yield self.vAK == self.anode.v - self.cathode.v
        yield self.iGK == self.gate.i
        bend = self.v_ref**2 / self.VGT + self.iGK * (self.VGT - self.v_ref) / self.IGT
        yield self.vGK == tg.no_event(tg.where(self.vGK < self.v_ref, self.VGT / self.IGT * self.iGK, bend))
        held = tg.where((self.anode.i > self.IH) | (self.vAK > self.VDRM), V_ON, 0.0)
        beyond = (self.iGK - 0.95 * self.IGT) / 1e-3
        yield self.v_total == held + 10.0 * self.vAK * tg.minimum(tg.maximum(beyond, 0.0), 1.0)
        rises = self.v_total > self.v_control
        yield tg.der(self.v_control) == (self.v_total - self.v_control) / tg.where(
            rises, 1.87 * self.TON, 0.638 * self.TOFF
        )
        yield self.anode.i == self.characteristic()

    def characteristic(self) -> Any:
        """The anode current, of vAK and the control voltage."""
        Ron = (self.VTM - 0.7) / self.ITM
        Roff = self.VDRM**2 / self.VTM / self.IH
        place = (2.0 * self.v_control - V_ON - V_OFF) / (2.0 * (V_ON - V_OFF))
        x = tg.minimum(tg.maximum(place, -0.5), 0.5)
        between = tg.sqrt(Ron * Roff) * tg.exp((1.5 * x - 2.0 * x**3) * tg.log(Ron / Roff))
        over = tg.minimum(-(self.vAK + self.VRRM) / (self.Nbv * self.Vt), 60.0)
        broken = -self.VRRM / Roff * tg.exp(over)
        return tg.where(self.vAK < -self.VRRM, broken, self.vAK / between)


class SimpleTriac(ThyristorData):
    """Two thyristors against each other with one gate, which diodes lead to both: i = i_forward - i_backward."""

    p = Pin("anode")
    n = Pin("cathode")
    g = Pin("gate")

    def build(self) -> None:
        self.forward = Thyristor(**self.data())
        self.backward = Thyristor(**self.data())
        self.to_forward = IdealDiode(Vknee=0.0)
        self.to_backward = IdealDiode(Vknee=0.0)

    def losses(self) -> Any:
        return self.p.v * self.p.i + self.n.v * self.n.i + self.g.v * self.g.i

    def connections(self) -> Statements:
        yield self.p, self.forward.anode, self.backward.cathode
        yield self.n, self.forward.cathode, self.backward.anode
        yield self.g, self.to_forward.p, self.to_backward.p
        yield self.to_forward.n, self.forward.gate
        yield self.to_backward.n, self.backward.gate
