"""Supplies: what a laboratory feeds circuits with."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.electrical.interfaces import OnePort, Pin, Statements


class SupplyVoltage(tg.Component):
    """Two constant voltages over one ground: pin_p.v - ground.v = Vps, pin_n.v - ground.v = Vns."""

    Vps = tg.parameter(15.0, "V", "positive supply")
    Vns = tg.parameter(-15.0, "V", "negative supply")
    pin_p = Pin("positive supply")
    pin_n = Pin("negative supply")
    ground = Pin("between both")

    def equations(self) -> Statements:
        yield self.pin_p.v - self.ground.v == self.Vps
        yield self.pin_n.v - self.ground.v == self.Vns
        yield self.pin_p.i + self.pin_n.i + self.ground.i == 0


class DCPowerSupply(OnePort):
    """A laboratory supply: constant voltage, then constant power, then constant current, as the load takes more.

    With the delivered current j = -i the law is v = V0 - Rcv j up to the current at which v j = P0, then v j = P0, and
    j = I0 - Gcc v from the voltage on at which that meets it. Without a region of constant power (P0 is never reached)
    voltage and current regions meet at a corner. Voltages below zero and currents into it above i_back are asserted.
    """

    V0 = tg.parameter(60.0, "V", "voltage without load", min=1e-300)
    I0 = tg.parameter(50.0, "A", "current of a short circuit", min=1e-300)
    P0 = tg.parameter(1200.0, "W", "largest power", min=1e-300)
    Rcv = tg.parameter(1e-3, "ohm", "inner resistance where the voltage is held", min=1e-300)
    Gcc = tg.parameter(1e-3, "S", "inner conductance where the current is held", min=1e-300)
    i_back = tg.parameter(1e-3, "A", "current that may flow back", min=0.0)
    i_corner = tg.parameter((I0 - Gcc * V0) / (1.0 - Gcc * Rcv), "A", "where both lines meet")
    v_corner = tg.parameter((V0 - Rcv * I0) / (1.0 - Rcv * Gcc), "V", "where both lines meet")
    i_lim = tg.parameter(
        tg.where(
            v_corner * i_corner > P0,
            (V0 - tg.sqrt(tg.maximum(V0**2 - 4.0 * Rcv * P0, 0.0))) / (2.0 * Rcv),
            i_corner,
        ),
        "A",
        "end of the region of constant voltage",
    )
    v_lim = tg.parameter(
        tg.where(
            v_corner * i_corner > P0,
            (I0 - tg.sqrt(tg.maximum(I0**2 - 4.0 * Gcc * P0, 0.0))) / (2.0 * Gcc),
            v_corner,
        ),
        "V",
        "begin of the region of constant current",
    )
    v = tg.variable("V", "voltage drop from p to n", start=V0)

    def equations(self) -> Statements:
        given = -self.i
        held = self.V0 - self.Rcv * given
        power = self.P0 / tg.maximum(given, 1e-9 * self.I0)
        low = (self.I0 - given) / self.Gcc
        most = self.I0 - self.Gcc * self.v_lim
        inner = tg.where(given <= most, power, low)
        yield self.v == tg.where(given <= self.i_lim, held, inner)
        yield tg.assert_(self.v >= -1e-6 * self.V0, "only voltages from zero on are delivered")  # noqa: PT009
        yield tg.assert_(self.i <= self.i_back, "a current flows back into the supply")  # noqa: PT009
