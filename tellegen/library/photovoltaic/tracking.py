"""Tracking of the maximum power, and a converter that lets a module work at the voltage asked for.

At the maximum of P = V I the slope I + V dI/dV is zero. Two sampled rules climb it from both sides:

    perturb and observe         move the voltage by a step; where the power has fallen, go the other way
    incremental conductance     compare dI/dV with -I/V and step towards equality; where they agree, stay

The first oscillates around the maximum, over about three steps; the second settles on it, and is not misled by light
that changes while the voltage stands.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical import Pin
from tellegen.library.losses import Lossy
from tellegen.library.sampled import Sampled


class Tracker(Sampled):
    """Base of trackers: at every tick of the clock v_ref moves by a step, up or down or not at all."""

    clock = tg.parameter(tg.Clock("50 ms"), structural=True, description="when it acts; the module settles in between")
    v = tg.input("V", "voltage of the module")
    i = tg.input("A", "current out of the module")
    v_start = tg.parameter(30.0, "V", "first voltage")
    step = tg.parameter(0.2, "V", "step of the voltage", min=0.0)
    v_min = tg.parameter(1.0, "V", "smallest voltage")
    v_max = tg.parameter(1000.0, "V", "largest voltage")
    v_ref = tg.output("V", "voltage the module is to have", start=v_start)
    v_last = tg.variable("V", "voltage at the last tick", discrete=True, start=0.0)
    i_last = tg.variable("A", "current at the last tick", discrete=True, start=0.0)

    def direction(self) -> Any:
        """1, -1 or 0 from v, i and what they were."""
        raise NotImplementedError(f"{type(self).__name__} has to define direction()")

    def equations(self) -> Any:
        wanted = tg.pre(self.v_ref) + self.step * tg.no_event(self.direction())  # read at the ticks alone
        yield tg.when(
            self.clock.tick & ~tg.initial(),
            self.v_ref == tg.minimum(tg.maximum(wanted, self.v_min), self.v_max),
            self.v_last == self.v,
            self.i_last == self.i,
        )


class PerturbObserve(Tracker):
    """Perturb and observe: continues as long as the power v i rises, reverses where it falls."""

    going = tg.variable("1", "1 upwards, -1 downwards", discrete=True, start=-1.0)

    def direction(self) -> Any:
        fell = self.v * self.i < tg.pre(self.v_last) * tg.pre(self.i_last)
        return tg.where(fell, -1.0, 1.0) * tg.pre(self.going)

    def equations(self) -> Any:
        yield tg.when(self.clock.tick & ~tg.initial(), self.going == tg.no_event(self.direction()))


class IncrementalConductance(Tracker):
    """Incremental conductance: steps up where dI/dV > -I/V, down where it is below, and rests where they agree.

    To rest, the band `tolerance` has to be wider than what a step changes; at 1 % of the voltage that is a tenth.
    """

    tolerance = tg.parameter(0.1, "1", "difference of the two that counts as equal, as a part of I/V", min=0.0)
    dv_min = tg.parameter(1e-3, "V", "change of the voltage from which dI/dV is looked at", min=0.0)
    di_min = tg.parameter(1e-3, "A", "change of the current that counts at an unchanged voltage", min=0.0)

    def direction(self) -> Any:
        dv = self.v - tg.pre(self.v_last)
        di = self.i - tg.pre(self.i_last)
        excess = (di * self.v + self.i * dv) * tg.where(dv < 0, -1.0, 1.0)  # V |dV| (dI/dV + I/V)
        band = self.tolerance * abs(self.i * dv)
        uphill = tg.where(excess > band, 1.0, tg.where(excess < -band, -1.0, 0.0))
        light = tg.where(di > self.di_min, 1.0, tg.where(di < -self.di_min, -1.0, 0.0))
        return tg.where(abs(dv) < self.dv_min, light, uphill)


class TrackingConverter(Lossy):
    """A dc-dc converter as its controls make it look: v1 follows v_ref, and the power goes over to side 2.

        T dv1/dt = v_ref - v1,     v2 i2 = -eta v1 i1      (v1 i1 = -eta v2 i2 if power flows back)

    Side 2 needs a voltage of its own: a battery, a dc link. What is lost, (1 - eta) of the power, is heat.
    """

    p1 = Pin("positive pin of the side of the module")
    n1 = Pin("negative pin of that side")
    p2 = Pin("positive pin of the other side")
    n2 = Pin("negative pin of the other side")
    v_ref = tg.input("V", "voltage wanted at side 1")
    eta = tg.parameter(1.0, "1", "efficiency", min=0.0, max=1.0)
    T = tg.parameter(2e-3, "s", "time constant of the control of the voltage", min=0.0)
    v1 = tg.variable("V", "voltage from p1 to n1", start=30.0)
    v2 = tg.variable("V", "voltage from p2 to n2")
    i1 = tg.variable("A", "current into p1")
    i2 = tg.variable("A", "current into p2")

    def losses(self) -> Any:
        return self.v1 * self.i1 + self.v2 * self.i2

    def equations(self) -> Any:
        yield self.v1 == self.p1.v - self.n1.v
        yield self.v2 == self.p2.v - self.n2.v
        yield self.i1 == self.p1.i
        yield self.i2 == self.p2.i
        yield self.p1.i + self.n1.i == 0
        yield self.p2.i + self.n2.i == 0
        yield self.T * tg.der(self.v1) == self.v_ref - self.v1
        power = self.v1 * self.i1
        yield self.v2 * self.i2 == -tg.no_event(tg.where(power > 0, self.eta * power, power / self.eta))
