"""One function of one signal (or two) each. Angles are in radians."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.blocks.interfaces import SI2SO, SISO, Statements


class Abs(SISO):
    """y = |u|; its corner makes no event."""

    def equations(self) -> Statements:
        yield self.y == abs(self.u)


class Sign(SISO):
    """y = -1, 0 or 1, the sign of u; every change is an event."""

    def equations(self) -> Statements:
        yield self.y == tg.sign(self.u)


class Sqrt(SISO):
    """y = square root of u."""

    def equations(self) -> Statements:
        yield self.y == tg.sqrt(self.u)


class Sin(SISO):
    """y = sin(u)."""

    def equations(self) -> Statements:
        yield self.y == tg.sin(self.u)


class Cos(SISO):
    """y = cos(u)."""

    def equations(self) -> Statements:
        yield self.y == tg.cos(self.u)


class Tan(SISO):
    """y = tan(u)."""

    def equations(self) -> Statements:
        yield self.y == tg.tan(self.u)


class Asin(SISO):
    """y = the angle between -pi/2 and pi/2 whose sine is u."""

    def equations(self) -> Statements:
        yield self.y == tg.asin(self.u)


class Acos(SISO):
    """y = the angle between 0 and pi whose cosine is u."""

    def equations(self) -> Statements:
        yield self.y == tg.acos(self.u)


class Atan(SISO):
    """y = the angle between -pi/2 and pi/2 whose tangent is u."""

    def equations(self) -> Statements:
        yield self.y == tg.atan(self.u)


class Atan2(SI2SO):
    """y = the angle of the point (u2, u1), between -pi and pi."""

    def equations(self) -> Statements:
        yield self.y == tg.atan2(self.u1, self.u2)


class Sinh(SISO):
    """y = sinh(u)."""

    def equations(self) -> Statements:
        yield self.y == tg.sinh(self.u)


class Cosh(SISO):
    """y = cosh(u)."""

    def equations(self) -> Statements:
        yield self.y == tg.cosh(self.u)


class Tanh(SISO):
    """y = tanh(u)."""

    def equations(self) -> Statements:
        yield self.y == tg.tanh(self.u)


class Exp(SISO):
    """y = exp(u)."""

    def equations(self) -> Statements:
        yield self.y == tg.exp(self.u)


class Log(SISO):
    """y = natural logarithm of u."""

    def equations(self) -> Statements:
        yield self.y == tg.log(self.u)


class Log10(SISO):
    """y = logarithm of u to base 10."""

    def equations(self) -> Statements:
        yield self.y == tg.log10(self.u)
