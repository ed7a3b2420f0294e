"""Rectifiers that use one half wave of each phase, against a star point or the centre tap of a transformer.

The direct current returns to the centre tap, so these have one dc pin. With an ideal supply and continuous current the
mean of the dc voltage against the star point is m/pi sin(pi/m) sqrt(2) V cos(alpha) for m phases of V rms.
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library.electrical import IdealDiode, IdealThyristor, Pin
from tellegen.library.polyphase import Plug
from tellegen.library.power_converters.interfaces import PolyphaseConverter, SinglePhaseConverter, Statements, Valves
from tellegen.library.power_converters.rectifiers import bridge, two_pins


class CenterTap(Valves):
    """Base of rectifiers to one dc pin."""

    dc_p = Pin("positive pin of the dc side; the centre tap is the negative one")


class DiodeCenterTap2Pulse(CenterTap):
    """Two diodes from ac_p and ac_n to dc_p: dc_p.v = max(ac_p.v, ac_n.v)."""

    ac_p = Pin("one end of the winding")
    ac_n = Pin("the other end")

    def build(self) -> None:
        self.diode = IdealDiode.array(2, **self.valve())

    def connections(self) -> Statements:
        yield self.ac_p, self.diode[0].p
        yield self.ac_n, self.diode[1].p
        yield self.diode.n, self.dc_p
        yield from self.heats(self.diode)


class ThyristorCenterTap2Pulse(CenterTap):
    """Two thyristors from ac_p (fire_p) and ac_n (fire_n) to dc_p: dc_p.v = that of the one that conducts."""

    ac_p = Pin("one end of the winding")
    ac_n = Pin("the other end")
    fire_p = tg.input("1", "above 1/2: the thyristor at ac_p may begin to conduct")
    fire_n = tg.input("1", "above 1/2: the thyristor at ac_n may begin to conduct")

    def build(self) -> None:
        self.thyristor = IdealThyristor.array(2, **self.valve())

    def connections(self) -> Statements:
        yield self.ac_p, self.thyristor[0].p
        yield self.ac_n, self.thyristor[1].p
        yield self.thyristor.n, self.dc_p
        yield self.fire_p, self.thyristor[0].fire
        yield self.fire_n, self.thyristor[1].fire
        yield from self.heats(self.thyristor)


class DiodeCenterTapmPulse(CenterTap):
    """A diode from each of m phases to dc_p: dc_p.v = max(ac.v)."""

    m = tg.parameter(3, structural=True, description="number of phases", min=1)
    ac = Plug.array(m, "the phases")

    def build(self) -> None:
        self.diode = IdealDiode.array(self.m, **self.valve())

    def connections(self) -> Statements:
        yield self.ac, self.diode.p
        yield self.diode.n, self.dc_p
        yield from self.heats(self.diode)


class ThyristorCenterTapmPulse(CenterTap):
    """A thyristor from each of m phases to dc_p: dc_p.v = ac[k].v of the phase k that conducts."""

    m = tg.parameter(3, structural=True, description="number of phases", min=1)
    ac = Plug.array(m, "the phases")
    fire_p = tg.input("1", "above 1/2: the thyristor of a phase may begin to conduct", shape=m)

    def build(self) -> None:
        self.thyristor = IdealThyristor.array(self.m, **self.valve())

    def connections(self) -> Statements:
        yield self.ac, self.thyristor.p
        yield self.thyristor.n, self.dc_p
        yield self.fire_p, self.thyristor.fire
        yield from self.heats(self.thyristor)


class DiodeCenterTap2mPulse(CenterTap):
    """Diodes from both ends of m windings to dc_p: dc_p.v = max(ac_p.v, ac_n.v); their middles are the star point."""

    m = tg.parameter(3, structural=True, description="number of phases", min=1)
    ac_p = Plug.array(m, "begins of the windings")
    ac_n = Plug.array(m, "ends of the windings")

    def build(self) -> None:
        self.diode_p = IdealDiode.array(self.m, **self.valve())
        self.diode_n = IdealDiode.array(self.m, **self.valve())

    def connections(self) -> Statements:
        yield self.ac_p, self.diode_p.p
        yield self.ac_n, self.diode_n.p
        yield self.diode_p.n, self.dc_p
        yield self.diode_n.n, self.dc_p
        yield from self.heats(self.diode_p, self.diode_n)


class ThyristorCenterTap2mPulse(CenterTap):
    """Thyristors from both ends of m windings to dc_p: dc_p.v = that of the one that conducts."""

    m = tg.parameter(3, structural=True, description="number of phases", min=1)
    ac_p = Plug.array(m, "begins of the windings")
    ac_n = Plug.array(m, "ends of the windings")
    fire_p = tg.input("1", "above 1/2: the thyristor at a begin may begin to conduct", shape=m)
    fire_n = tg.input("1", "above 1/2: the thyristor at an end may begin to conduct", shape=m)

    def build(self) -> None:
        self.thyristor_p = IdealThyristor.array(self.m, **self.valve())
        self.thyristor_n = IdealThyristor.array(self.m, **self.valve())

    def connections(self) -> Statements:
        yield self.ac_p, self.thyristor_p.p
        yield self.ac_n, self.thyristor_n.p
        yield self.thyristor_p.n, self.dc_p
        yield self.thyristor_n.n, self.dc_p
        yield self.fire_p, self.thyristor_p.fire
        yield self.fire_n, self.thyristor_n.fire
        yield from self.heats(self.thyristor_p, self.thyristor_n)


class HalfControlledBridge2Pulse(SinglePhaseConverter):
    """Bridge between two pins with thyristors to dc_p, diodes to dc_n: mean v = 0.90 V (1 + cos(alpha))/2."""

    fire_p = tg.input("1", "above 1/2: the thyristor at ac_p, at ac_n may begin to conduct", shape=2)

    def build(self) -> None:
        self.thyristor_p = IdealThyristor.array(2, **self.valve())
        self.diode_n = IdealDiode.array(2, **self.valve())

    def connections(self) -> Statements:
        yield from two_pins(self, self.thyristor_p, self.diode_n)
        yield self.fire_p, self.thyristor_p.fire


class HalfControlledBridge2mPulse(PolyphaseConverter):
    """Bridge of m phases with thyristors to dc_p, diodes to dc_n: mean v = 1.35 V (1 + cos(alpha))/2 for m = 3."""

    fire_p = tg.input("1", "above 1/2: the upper thyristor of a phase may begin to conduct", shape=PolyphaseConverter.m)

    def build(self) -> None:
        self.thyristor_p = IdealThyristor.array(self.m, **self.valve())
        self.diode_n = IdealDiode.array(self.m, **self.valve())

    def connections(self) -> Statements:
        yield from bridge(self, self.thyristor_p, self.diode_n)
        yield self.fire_p, self.thyristor_p.fire
