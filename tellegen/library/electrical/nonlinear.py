"""Resistors, capacitors and inductors with a curve instead of a number.

The curve is the parameter `characteristic`: a function written with operators and tg functions, or two rows of points.

    el.NonlinearResistor(characteristic=lambda v: 1e-3 * v + 2e-4 * v**3)
    el.NonlinearInductor(characteristic=((-2.0, -1.0, 0.0, 1.0, 2.0), (-0.12, -0.1, 0.0, 0.1, 0.12)), kind="monotone")

Functions take and give numbers in SI units. Points are joined as `kind` says, by straight lines or by one of the curves
of `tg.interpolate`, and continue straight outside, in the direction of the last two. Capacitors and inductors have
charge and flux as states, the quantities that are conserved: over a closed cycle no charge is made or lost by the
integration. Their curves have to rise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library.electrical.interfaces import OnePort, Statements
from tellegen.library.losses import Lossy


class Characteristic(tg.Component):
    """Base of what has a curve: y = characteristic(x)."""

    characteristic = tg.parameter(
        ((0.0, 1.0), (0.0, 1.0)), structural=True, description="a function, or points ((x...), (y...))"
    )
    must_rise = False  # of a capacitor and an inductor: or a charge had several voltages
    kind = tg.parameter("linear", structural=True, description="how points are joined: linear, monotone, akima, cubic")

    def curve(self, x: tg.Expression) -> Any:
        """The value of the curve at x, both as numbers in SI units: 1.0 * x has whatever unit is wanted."""
        law: Callable[[Any], Any] | tuple[Any, Any] = self.characteristic
        if callable(law):
            return 1.0 * law(1.0 * x)
        xs, ys = self.points(law)
        return 1.0 * tg.interpolate(1.0 * x, longer(xs), longer(ys), kind=self.kind, outside="extend")

    def points(self, rows: Any) -> list[Any]:
        """The two rows as arrays; anything else is rejected."""
        what = ""
        if not (isinstance(rows, (tuple, list)) and len(rows) == 2 and np.shape(rows[0]) == np.shape(rows[1])):
            what = "is neither a function nor two rows of as many numbers"
        elif self.must_rise and (np.diff(rows[1]) <= 0).any():
            k = int(np.argmax(np.diff(rows[1]) <= 0))
            what = f"must rise, but {rows[1][k + 1]:g} follows {rows[1][k]:g}"
        if what:
            advice = "characteristic=((0.0, 1.0, 2.0), (0.0, 0.5, 0.7)) or characteristic=lambda x: 0.5 * tg.tanh(x)"
            name = type(self).__name__
            raise tg.DataError("E702", f"the characteristic of a {name} {what}", location=self._location, advice=advice)
        return [np.asarray(row, float) for row in rows]


def longer(values: Any) -> Any:
    """One more point at each end, on the line through the last two: what a curve has there is its slope outside.

    A monotone curve alone may be level at its ends, and a level flux belongs to any current.
    """
    return np.concatenate([2 * values[:1] - values[1:2], values, 2 * values[-1:] - values[-2:-1]])


class NonlinearResistor(Characteristic, Lossy, OnePort):
    """i = characteristic(v): a varistor, a lamp, a tunnel diode. Heat v i."""

    def losses(self) -> Any:
        return self.v * self.i

    def equations(self) -> Statements:
        yield self.i == self.curve(self.v)


class NonlinearCapacitor(Characteristic, OnePort):
    """i = dQ/dt with the charge Q = characteristic(v), which is the state."""

    must_rise = True
    Q = tg.variable("C", "charge", state="prefer")

    def equations(self) -> Statements:
        yield self.Q == self.curve(self.v)
        yield self.i == tg.der(self.Q)


class NonlinearInductor(Characteristic, OnePort):
    """v = dPsi/dt with the flux Psi = characteristic(i), which is the state."""

    must_rise = True
    Psi = tg.variable("V.s", "flux", state="prefer")

    def equations(self) -> Statements:
        yield self.Psi == self.curve(self.i)
        yield self.v == tg.der(self.Psi)


class SaturatingInductor(OnePort):
    """An inductor with an iron core: v = dPsi/dt, Psi = Linf i + (Lzer - Linf) Ipar atan(i/Ipar).

    The inductance Psi/i falls from Lzer at small currents to Linf at large ones and is Lnom at Inom. Ipar follows from
    that: Lnom - Linf = (Lzer - Linf) atan(x)/x with x = Inom/Ipar.
    """

    Inom = tg.parameter(1.0, "A", "nominal current", min=0.0)
    Lnom = tg.parameter(1.0, "H", "inductance at the nominal current", min=0.0)
    Lzer = tg.parameter(2.0 * Lnom, "H", "inductance near zero current", min=0.0)
    Linf = tg.parameter(Lnom / 2.0, "H", "inductance at large currents", min=0.0)
    part = tg.parameter((Lnom - Linf) / (Lzer - Linf), "1", "what is left at Inom of the part that saturates")
    # Right of the root of atan(x) - part x and of its maximum, so that Newton's method goes straight to it.
    x = tg.variable("1", "Inom/Ipar", start=1.5707963267948966 / part * (1.0 - part) ** 0.5)
    Psi = tg.variable("V.s", "flux", state="prefer")

    def equations(self) -> Statements:
        yield tg.atan(self.x) == self.part * self.x
        bend = self.Inom / self.x
        yield self.Psi == self.Linf * self.i + (self.Lzer - self.Linf) * bend * tg.atan(self.i / bend)
        yield self.v == tg.der(self.Psi)
        inside = (self.part > 0.0) & (self.part < 1.0)
        yield tg.assert_(inside, "Lzer > Lnom > Linf is needed")  # noqa: PT009
