"""What moves a rod as a signal says, whatever force that takes."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.translational.interfaces import OneFlange, Statements


class Moved(OneFlange):
    """A flange whose position s and velocity v, against the housing, are prescribed."""

    s = tg.variable("m", "position of the flange against the housing", start=0.0)
    v = tg.variable("m/s", "its velocity", start=0.0)

    def equations(self) -> Statements:
        yield self.s == self.position(self.flange)
        yield self.v == tg.der(self.s)


class Position(Moved):
    """Moves its flange to the position s_ref, exactly or through a filter.

    With exact=True s = s_ref, which has to be smooth: its derivatives are needed, as many as the rest asks for. Else
    s follows by a Bessel filter of second order with the corner frequency f_crit, and s_ref may jump:
    bf/w_crit^2 d2s/dt2 + af/w_crit ds/dt + s = s_ref with w_crit = 2 pi f_crit, af = 1.3617, bf = 0.6180. It
    starts at s_ref, at rest.
    """

    s_ref = tg.input("m", "wanted position")
    exact = tg.parameter(False, structural=True, description="s is s_ref; else it is filtered")
    f_crit = tg.parameter(50.0, "Hz", "corner frequency of the filter", min=0.0)

    def equations(self) -> Statements:
        if self.exact:
            yield self.s == self.s_ref
        else:
            w_crit = 6.283185307179586 * self.f_crit
            yield tg.der(self.v) == ((self.s_ref - self.s) * w_crit - 1.3617 * self.v) * (w_crit / 0.6180)

    def initial_equations(self) -> Statements:
        if not self.exact:
            yield self.s == self.s_ref
            yield self.v == 0


class Speed(Moved):
    """Moves its flange with the velocity v_ref, exactly or through a filter; s starts at 0.

    With exact=True v = v_ref, which has to be smooth where something with mass is moved. Else v follows by
    dv/dt = (v_ref - v) 2 pi f_crit from v_ref on, and v_ref may jump.
    """

    v_ref = tg.input("m/s", "wanted velocity")
    exact = tg.parameter(False, structural=True, description="v is v_ref; else it is filtered")
    f_crit = tg.parameter(50.0, "Hz", "corner frequency of the filter", min=0.0)
    s = tg.variable("m", "position of the flange against the housing", start=0.0, fixed=True)

    def equations(self) -> Statements:
        if self.exact:
            yield self.v == self.v_ref
        else:
            yield tg.der(self.v) == (self.v_ref - self.v) * 6.283185307179586 * self.f_crit

    def initial_equations(self) -> Statements:
        if not self.exact:
            yield self.v == self.v_ref


class Accelerate(Moved):
    """Moves its flange with the acceleration a_ref: dv/dt = a_ref; s and v start at 0."""

    a_ref = tg.input("m/s2", "acceleration")
    s = tg.variable("m", "position of the flange against the housing", start=0.0, fixed=True)
    v = tg.variable("m/s", "its velocity", start=0.0, fixed=True)

    def equations(self) -> Statements:
        yield tg.der(self.v) == self.a_ref


class ConstantSpeed(Moved):
    """Moves its flange with a velocity, whatever force that takes: ds/dt = v_fixed."""

    v_fixed = tg.parameter(1.0, "m/s", "velocity")

    def equations(self) -> Statements:
        yield self.v == self.v_fixed
