"""What turns a shaft as a signal says, whatever torque that takes."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.rotational.interfaces import OneFlange, Statements


class Turned(OneFlange):
    """A flange whose angle phi and angular velocity w, against the housing, are prescribed."""

    phi = tg.variable("rad", "angle of the flange against the housing", start=0.0)
    w = tg.variable("rad/s", "its angular velocity", start=0.0)

    def equations(self) -> Statements:
        yield self.phi == self.angle(self.flange)
        yield self.w == tg.der(self.phi)


class Position(Turned):
    """Turns its flange to the angle phi_ref, exactly or through a filter.

    With exact=True phi = phi_ref, which has to be smooth: its derivatives are needed, as many as the rest asks for.
    Else phi follows by a Bessel filter of second order with the corner frequency f_crit, and phi_ref may jump:
    bf/w_crit^2 d2phi/dt2 + af/w_crit dphi/dt + phi = phi_ref with w_crit = 2 pi f_crit, af = 1.3617, bf = 0.6180. It
    starts at phi_ref, at rest.
    """

    phi_ref = tg.input("rad", "wanted angle")
    exact = tg.parameter(False, structural=True, description="phi is phi_ref; else it is filtered")
    f_crit = tg.parameter(50.0, "Hz", "corner frequency of the filter", min=0.0)

    def equations(self) -> Statements:
        if self.exact:
            yield self.phi == self.phi_ref
        else:
            w_crit = 6.283185307179586 * self.f_crit
            yield tg.der(self.w) == ((self.phi_ref - self.phi) * w_crit - 1.3617 * self.w) * (w_crit / 0.6180)

    def initial_equations(self) -> Statements:
        if not self.exact:
            yield self.phi == self.phi_ref
            yield self.w == 0


class Speed(Turned):
    """Turns its flange with the angular velocity w_ref, exactly or through a filter; phi starts at 0.

    With exact=True w = w_ref, which has to be smooth where something with inertia is turned. Else w follows by
    dw/dt = (w_ref - w) 2 pi f_crit from w_ref on, and w_ref may jump.
    """

    w_ref = tg.input("rad/s", "wanted angular velocity")
    exact = tg.parameter(False, structural=True, description="w is w_ref; else it is filtered")
    f_crit = tg.parameter(50.0, "Hz", "corner frequency of the filter", min=0.0)
    phi = tg.variable("rad", "angle of the flange against the housing", start=0.0, fixed=True)

    def equations(self) -> Statements:
        if self.exact:
            yield self.w == self.w_ref
        else:
            yield tg.der(self.w) == (self.w_ref - self.w) * 6.283185307179586 * self.f_crit

    def initial_equations(self) -> Statements:
        if not self.exact:
            yield self.w == self.w_ref


class Accelerate(Turned):
    """Turns its flange with the angular acceleration a_ref: dw/dt = a_ref; phi and w start at 0."""

    a_ref = tg.input("rad/s2", "angular acceleration")
    phi = tg.variable("rad", "angle of the flange against the housing", start=0.0, fixed=True)
    w = tg.variable("rad/s", "its angular velocity", start=0.0, fixed=True)

    def equations(self) -> Statements:
        yield tg.der(self.w) == self.a_ref


class ConstantSpeed(Turned):
    """Turns its flange with an angular velocity, whatever torque that takes: dphi/dt = w_fixed."""

    w_fixed = tg.parameter(1.0, "rad/s", "angular velocity")

    def equations(self) -> Statements:
        yield self.w == self.w_fixed
