"""The few components that only netlists need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg
from tellegen.importers.spice.netlist.expression import value
from tellegen.library.electrical import OnePort, Pin

Statements = Iterator[Any]


class Node(tg.Component):
    """A node of a netlist: `out.v` is its potential."""

    p = Pin("all pins of the node are connected to this one")
    v = tg.variable("V", "potential")

    def equations(self) -> Statements:
        yield self.v == self.p.v
        yield self.p.i == 0


class Hold(tg.Component):
    """.ic: the node is at V while initial values are found, by whatever current that takes, and free from then on."""

    p = Pin("the node")
    V = tg.parameter(0.0, "V", "initial potential")
    R = tg.parameter(1.0, "ohm", "arbitrary: it turns both equations into voltage equations")

    def equations(self) -> Statements:
        yield tg.where(tg.initial(), self.p.v - self.V, self.R * self.p.i) == 0


class Winding(OnePort):
    """An inductor coupled to N others: v = L di/dt + sum of M[k] times the slope of the current in winding k."""

    N = tg.parameter(1, structural=True, description="number of windings it is coupled to")
    L = tg.parameter(1.0, "H", "inductance", min=0.0)
    M = tg.parameter(None, "H", "mutual inductances", shape=N)
    slopes = tg.input("A/s", "derivatives of the currents of the others", shape=N)

    def equations(self) -> Statements:
        yield self.v == self.L * tg.der(self.i) + tg.sum(self.M * self.slopes)


class Arbitrary(OnePort):
    """Base of sources with a law of their own: an expression of controls x0, x1, ... and of time.

    Control k is the voltage from pc[k] to nc[k], or the current from one to the other.
    """

    law = tg.parameter((), structural=True, description="the expression as a tree; a name is the number of a control")
    kinds = tg.parameter((), structural=True, description="for each control: voltage or current")
    N = tg.parameter(0, structural=True, description="number of controls")
    one = tg.parameter(1.0, description="of any unit: expressions of netlists have none")
    pc = Pin.array(N, "positive control pins")
    nc = Pin.array(N, "negative control pins")

    def equations(self) -> Statements:
        for k, kind in enumerate(self.kinds):
            yield self.pc[k].i + self.nc[k].i == 0
            yield self.pc[k].i == 0 if kind == "v" else self.pc[k].v == self.nc[k].v

    def amount(self) -> Any:
        """The value of the expression."""
        known = {"time": self.one * tg.time}
        for k, kind in enumerate(self.kinds):
            known[f"#{k}"] = self.one * (self.pc[k].v - self.nc[k].v if kind == "v" else self.pc[k].i)
        return self.one * value(self.law, known.__getitem__)


class ArbitraryVoltage(Arbitrary):
    """v = an expression (B with v=, E with an expression)."""

    def equations(self) -> Statements:
        yield self.v == self.amount()


class ArbitraryCurrent(Arbitrary):
    """i = an expression (B with i=, G with an expression)."""

    def equations(self) -> Statements:
        yield self.i == self.amount()


class ArbitraryResistance(Arbitrary):
    """v = an expression times i (R whose value is an expression of voltages)."""

    factor = tg.parameter(1.0, description="of the temperature, and of how many are in parallel")

    def equations(self) -> Statements:
        yield self.v == self.one * self.factor * self.amount() * self.i


class ArbitraryCapacitance(Arbitrary):
    """i = an expression times the slope of v (C whose value is an expression of voltages)."""

    factor = tg.parameter(1.0, description="of the temperature, and of how many are in parallel")

    def equations(self) -> Statements:
        yield self.i == self.one * self.factor * self.amount() * tg.der(self.v)
