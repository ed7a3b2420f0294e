"""Operational amplifiers, from the ideal one to a macromodel of the 741 kind.

    IdealOpAmp, IdealOpAmp3Pin     no voltage and no current at the input; the output is whatever that takes
    IdealOpAmpLimited              the same between two supply pins
    IdealizedOpAmpLimited          finite gain, limited
    OpAmp                          gain and bandwidth, slew rate, limits, resistances and input capacitance

The current of an output comes from a supply: a current that leaves the output is taken from the positive one, a current
into the output goes to the negative one (class B, no current at rest). The drop between supply and output times that
current is heat. Without supply pins the supply is ideal and not part of the circuit.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical.interfaces import Pin, Statements, TwoPort
from tellegen.library.losses import Lossy

CLAMP = 0.01  # V: so far beyond a limit the clamp takes all that the first stage delivers


class IdealOpAmp(TwoPort):
    """v1 = 0 and i1 = 0: port 2 delivers what the feedback needs for that (a nullor). Needs feedback."""

    def equations(self) -> Statements:
        yield self.v1 == 0
        yield self.i1 == 0


class IdealOpAmp3Pin(tg.Component):
    """in_p.v = in_n.v and no current into them; the output, against ground, is what that takes. Needs feedback."""

    in_p = Pin("non-inverting input")
    in_n = Pin("inverting input")
    out = Pin("output")

    def equations(self) -> Statements:
        yield self.in_p.v == self.in_n.v
        yield self.in_p.i == 0
        yield self.in_n.i == 0


class SuppliedOutput(Lossy):
    """Base: inputs, and an output that is fed from two supplies; subclasses say their potentials by `supplies`."""

    in_p = Pin("non-inverting input")
    in_n = Pin("inverting input")
    out = Pin("output")

    def supplies(self) -> tuple[Any, Any]:
        """The potentials of the positive and the negative supply."""
        raise NotImplementedError(f"{type(self).__name__} has to define supplies()")

    def output_losses(self) -> Any:
        """The current of the output times the voltage between the output and the supply it comes from."""
        high, low = self.supplies()
        delivered = tg.maximum(-self.out.i, 0.0)
        taken = tg.maximum(self.out.i, 0.0)
        return (high - self.out.v) * delivered + (self.out.v - low) * taken

    def losses(self) -> Any:
        return self.output_losses()

    def draw(self, positive: Any, negative: Any) -> Statements:
        """The pins of the supplies give the current of the output."""
        yield positive.i == tg.maximum(-self.out.i, 0.0)
        yield negative.i == -tg.maximum(self.out.i, 0.0)


class IdealOpAmpLimited(SuppliedOutput):
    """An ideal amplifier whose output stays between VMin and VMax: in_p.v = in_n.v except at a limit.

    A parameter s runs along the characteristic: the output moves from limit to limit while s goes from -1 to 1 with no
    voltage at the input; beyond, |s| - 1 is the input voltage. Needs feedback; as a comparator take the idealized one.
    """

    VMax = Pin("positive supply and limit")
    VMin = Pin("negative supply and limit")
    s = tg.variable("1", "position on the characteristic", start=0.0)
    V1 = tg.parameter(1.0, "V", "input voltage for a unit of s beyond the limits")

    def supplies(self) -> tuple[Any, Any]:
        return self.VMax.v, self.VMin.v

    def equations(self) -> Statements:
        inside = tg.where(self.s > 1.0, 1.0, tg.where(self.s < -1.0, -1.0, self.s))
        yield self.in_p.i == 0
        yield self.in_n.i == 0
        yield self.in_p.v - self.in_n.v == self.V1 * (self.s - inside)
        yield self.out.v == (self.VMax.v + self.VMin.v) / 2 + (self.VMax.v - self.VMin.v) / 2 * inside
        yield from self.draw(self.VMax, self.VMin)


class WithSupply(SuppliedOutput):
    """Base of amplifiers whose supply is a pair of numbers, or of pins s_p and s_n with `use_supply`."""

    use_supply = tg.parameter(False, structural=True, description="the supply is connected to pins s_p and s_n")
    Vps = tg.parameter(15.0, "V", "positive supply without pins")
    Vns = tg.parameter(-15.0, "V", "negative supply without pins")
    s_p = Pin("positive supply").only_if(use_supply)
    s_n = Pin("negative supply").only_if(use_supply)

    def supplies(self) -> tuple[Any, Any]:
        return (self.s_p.v, self.s_n.v) if self.use_supply else (self.Vps, self.Vns)

    def equations(self) -> Statements:
        if self.use_supply:
            yield from self.draw(self.s_p, self.s_n)


HOMOTOPIES = ("none", "linear", "upper_limit", "lower_limit")


class IdealizedOpAmpLimited(WithSupply):
    """out.v = V0 (in_p.v - in_n.v), limited by the supply; no current into the inputs.

    A circuit with positive feedback may have several initial states: homotopy_type says from which simpler circuit the
    one that is taken is followed: an output without limits, at its upper or at its lower one.
    """

    V0 = tg.parameter(15000.0, "1", "gain without load")
    homotopy_type = tg.parameter("none", structural=True, description=", ".join(HOMOTOPIES), choices=HOMOTOPIES)

    def equations(self) -> Statements:
        high, low = self.supplies()
        wanted = self.V0 * (self.in_p.v - self.in_n.v)
        yield self.in_p.i == 0
        yield self.in_n.i == 0
        limited = tg.where(wanted > high, high, tg.where(wanted < low, low, wanted))
        simpler = {"linear": wanted, "upper_limit": high, "lower_limit": low}.get(self.homotopy_type)
        yield self.out.v == (limited if simpler is None else tg.homotopy(tg.smooth(0, limited), simpler))


class OpAmp(WithSupply):
    """Macromodel: gain A0, gain-bandwidth product GBW, slew rate SR, limits, Rin, Cin, Rout; the defaults are a 741's.

        v_in = in_p.v - in_n.v,  and v_in/Rin flows into in_p and out of in_n
        dv_s/dt = SR tanh(2 pi GBW (v_in + Vos - v_s/A0)/SR)      the first stage charges a capacitor
        out.v = v_s + Rout out.i                                  the output stage follows it

    The tanh is the law of a pair of bipolar transistors: small signals see a pole at GBW/A0, large ones at most SR. The
    capacitor does not come nearer to the supply than `drop`, where a clamp takes what is too much, at most 10 mV later;
    so the output leaves its limit as soon as the input changes sign. The capacitance Cin between the inputs is there
    with `consider_input_capacitance`; together with Rout it makes a stiff model (0.1 ns).
    """

    consider_input_capacitance = tg.parameter(False, structural=True, description="Cin stands between the inputs")
    A0 = tg.parameter(2e5, "1", "gain of slow signals", min=1.0)
    GBW = tg.parameter(1e6, "Hz", "gain-bandwidth product: here the open gain is 1", min=0.0)
    SR = tg.parameter(5e5, "V/s", "slew rate", min=0.0)
    Vos = tg.parameter(0.0, "V", "input offset voltage")
    Rin = tg.parameter(2e6, "ohm", "resistance between the inputs", min=0.0)
    Cin = tg.parameter(1.4e-12, "F", "capacitance between the inputs", min=0.0)
    Rout = tg.parameter(75.0, "ohm", "resistance of the output", min=0.0)
    drop = tg.parameter(1.0, "V", "v_s comes this close to the supply", min=0.0)
    v_in = tg.variable("V", "voltage between the inputs")
    v_s = tg.variable("V", "voltage after the first stage", start=0.0)

    def losses(self) -> Any:
        return self.v_in**2 / self.Rin + self.output_losses()

    def equations(self) -> Statements:
        yield self.v_in == self.in_p.v - self.in_n.v
        charging = self.Cin * tg.der(self.v_in) if self.consider_input_capacitance else 0.0
        yield self.in_p.i == self.v_in / self.Rin + charging
        yield self.in_p.i + self.in_n.i == 0
        yield self.out.v == self.v_s + self.Rout * self.out.i
        error = self.v_in + self.Vos - self.v_s / self.A0
        rate = self.SR * tg.tanh(2 * tg.pi * self.GBW * error / self.SR)
        high, low = self.supplies()
        top = high - self.drop
        bottom = low + self.drop
        beyond = tg.maximum(self.v_s - top, 0.0) - tg.maximum(bottom - self.v_s, 0.0)
        yield tg.der(self.v_s) == rate - self.SR * beyond / CLAMP
