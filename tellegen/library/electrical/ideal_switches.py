"""Ideal switches: paths between pins that are closed (v = Ron i) or open (i = Goff v), in both directions.

As in ideal.py a parameter s runs along the characteristic of a path, v = Ron s and i = s while it is closed, v = s and
i = Goff s while it is open. So Ron = 0 and Goff = 0 need no other equations.

A switch is commanded by a signal `control` (true above 1/2) or, where its name begins with Controlled, by a pin
`control` whose potential is compared with `level` and which draws no current.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical.interfaces import OnePort, Pin, Statements
from tellegen.library.losses import Lossy


class Paths(Lossy):
    """Base of what has paths that are closed or open."""

    Ron = tg.parameter(1e-5, "ohm", "resistance of a closed path", min=0.0)
    Goff = tg.parameter(1e-5, "S", "conductance of an open path", min=0.0)

    def path(self, v: tg.Expression, i: tg.Expression, s: tg.Expression, off: tg.Expression) -> Statements:
        """The law of one path with the voltage v and the current i."""
        yield v == s * tg.where(off, 1.0, self.Ron)
        yield i == s * tg.where(off, self.Goff, 1.0)


class BySignal(tg.Component):
    """Base of what a signal commands."""

    control = tg.input("1", "signal; true above 1/2")

    def commanded(self) -> Any:
        return self.control > 0.5


class ByVoltage(tg.Component):
    """Base of what the potential of a pin commands."""

    control = Pin("true above level")
    level = tg.parameter(0.5, "V", "potential from which the command is given")

    def commanded(self) -> Any:
        return self.control.v > self.level

    def equations(self) -> Statements:
        yield self.control.i == 0


class IdealSwitch(Paths, OnePort):
    """v = Ron i closed, i = Goff v open, in both directions. Base of the switches; they say when it is `off`."""

    s = tg.variable(description="voltage while open, current while closed")
    off = tg.boolean("is open", start=True)

    def losses(self) -> Any:
        return self.v * self.i

    def equations(self) -> Statements:
        yield from self.path(self.v, self.i, self.s, self.off)


class IdealClosingSwitch(BySignal, IdealSwitch):
    """Closed while control > 1/2."""

    def equations(self) -> Statements:
        yield self.off == ~self.commanded()


class IdealOpeningSwitch(BySignal, IdealSwitch):
    """Open while control > 1/2."""

    def equations(self) -> Statements:
        yield self.off == self.commanded()


class ControlledIdealClosingSwitch(ByVoltage, IdealSwitch):
    """Closed while the potential of control is above level."""

    def equations(self) -> Statements:
        yield self.off == ~self.commanded()


class ControlledIdealOpeningSwitch(ByVoltage, IdealSwitch):
    """Open while the potential of control is above level."""

    def equations(self) -> Statements:
        yield self.off == self.commanded()


class CommutingPaths(Paths):
    """Base of two-way switches: p is connected with n1, and with n2 instead while `moved`."""

    p = Pin("common pin")
    n1 = Pin("pin at rest")
    n2 = Pin("pin while moved")
    s1 = tg.variable(description="voltage from p to n1 while open, current while closed")
    s2 = tg.variable(description="voltage from p to n2 while open, current while closed")
    moved = tg.boolean("p is connected with n2")

    def losses(self) -> Any:
        return -(self.p.v - self.n1.v) * self.n1.i - (self.p.v - self.n2.v) * self.n2.i

    def equations(self) -> Statements:
        yield self.p.i + self.n1.i + self.n2.i == 0
        yield from self.path(self.p.v - self.n1.v, -self.n1.i, self.s1, self.moved)
        yield from self.path(self.p.v - self.n2.v, -self.n2.i, self.s2, ~self.moved)


class IdealCommutingSwitch(BySignal, CommutingPaths):
    """Two-way switch: p is connected with n1, with n2 while control > 1/2."""

    def equations(self) -> Statements:
        yield self.moved == self.commanded()


class ControlledIdealCommutingSwitch(ByVoltage, CommutingPaths):
    """Two-way switch: p is connected with n1, with n2 while control.v > level."""

    def equations(self) -> Statements:
        yield self.moved == self.commanded()


class CrossingPaths(Paths):
    """Base of intermediate switches: p1 with n1 and p2 with n2, while `crossed` p1 with n2 and p2 with n1."""

    p1 = Pin("first pin of one side")
    p2 = Pin("second pin of one side")
    n1 = Pin("first pin of the other side")
    n2 = Pin("second pin of the other side")
    v = tg.variable("V", "voltages p1 to n1, p2 to n2, p1 to n2, p2 to n1", shape=4)
    i = tg.variable("A", "currents on these paths", shape=4)
    s = tg.variable(description="voltages of open paths, currents of closed ones", shape=4)
    crossed = tg.boolean("p1 is connected with n2, p2 with n1")

    def losses(self) -> Any:
        return tg.dot(self.v, self.i)

    def equations(self) -> Statements:
        p1 = self.p1
        p2 = self.p2
        n1 = self.n1
        n2 = self.n2
        yield self.v == [p1.v - n1.v, p2.v - n2.v, p1.v - n2.v, p2.v - n1.v]
        yield p1.i == self.i[0] + self.i[2]
        yield p2.i == self.i[1] + self.i[3]
        yield n1.i == -self.i[0] - self.i[3]
        yield n2.i == -self.i[1] - self.i[2]
        yield from self.path(self.v[:2], self.i[:2], self.s[:2], self.crossed)
        yield from self.path(self.v[2:], self.i[2:], self.s[2:], ~self.crossed)


class IdealIntermediateSwitch(BySignal, CrossingPaths):
    """Connects p1 with n1 and p2 with n2, crosswise while control > 1/2."""

    def equations(self) -> Statements:
        yield self.crossed == self.commanded()


class ControlledIdealIntermediateSwitch(ByVoltage, CrossingPaths):
    """Connects p1 with n1 and p2 with n2, crosswise while control.v > level."""

    def equations(self) -> Statements:
        yield self.crossed == self.commanded()
