"""One-dimensional drives on bodies that move: what their rotors and housings do to the body that carries them.

The rotor of a motor on a moving arm has an angular momentum that turns with the arm. One-dimensional mechanics knows
only its part about the shaft; Rotor1D adds the gyroscopic torque, and Mounting1D hands the torque on a housing to the
body.

    arm.frame_b -- mount.frame_a      mount.flange_b -- motor.support      motor.flange -- rotor.flange_a
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library import rotational
from tellegen.library.multibody.interfaces import OneFrame, Statements
from tellegen.library.multibody.sweeps.vectors import cross


class Mounting1D(OneFrame):
    """A housing on a body: flange_b stands still at phi0, and its torque acts on the body, t = -n flange_b.tau."""

    flange_b = rotational.Flange("fixed on the body")
    phi0 = tg.parameter(0.0, "rad", "angle of flange_b")
    n = tg.parameter([1.0, 0.0, 0.0], "1", "axis, in axes of frame_a; only the direction counts")
    e = tg.parameter(n / tg.sqrt(n @ n), "1", "the axis with length one", shape=3)

    def equations(self) -> Statements:
        yield self.flange_b.phi == self.phi0
        yield self.frame_a.f == 0.0
        yield self.frame_a.t == -self.e * self.flange_b.tau


class Rotor1D(OneFrame):
    """A rotor that turns about an axis n of a body, by phi against it: J (dw/dt + n z) = tau on its shaft.

    w = dphi/dt, z is the angular acceleration of the body and w_a its angular velocity. The torque that the bearings
    pass on is the rest of its angular momentum's derivative: t = w_a x (n J (w + n w_a)) across n. Its mass and its
    inertia across n belong to the body that carries it.
    """

    flange_a = rotational.Flange("one end of the shaft")
    flange_b = rotational.Flange("the other end")
    J = tg.parameter(1.0, "kg.m2", "moment of inertia about n", min=0.0)
    n = tg.parameter([1.0, 0.0, 0.0], "1", "axis, in axes of frame_a; only the direction counts")
    e = tg.parameter(n / tg.sqrt(n @ n), "1", "the axis with length one", shape=3)
    phi = tg.variable("rad", "angle of the rotor against the body", start=0.0, state="prefer")
    w = tg.variable("rad/s", "its derivative", start=0.0, state="prefer")
    a = tg.variable("rad/s2", "its second derivative")

    def equations(self) -> Statements:
        yield self.flange_a.phi == self.phi
        yield self.flange_b.phi == self.phi
        yield self.w == tg.der(self.phi)
        yield self.a == tg.der(self.w)
        yield self.J * (self.a + self.e @ self.frame_a.z) == self.flange_a.tau + self.flange_b.tau
        spin = self.J * (self.w + self.e @ self.frame_a.w)
        yield self.frame_a.f == 0.0
        yield self.frame_a.t == cross(self.frame_a.w, self.e) * spin


class BevelGear1D(OneFrame):
    """An ideal gear on a body whose shafts have different directions: phi_a = ratio phi_b, ratio tau_a + tau_b = 0.

    The housing feels the torques of both shafts, t = -n_a tau_a - n_b tau_b, which have a sum.
    """

    flange_a = rotational.Flange("shaft along n_a")
    flange_b = rotational.Flange("shaft along n_b")
    ratio = tg.parameter(1.0, "1", "phi_a/phi_b")
    n_a = tg.parameter([1.0, 0.0, 0.0], "1", "axis of flange_a, in axes of frame_a; only the direction counts")
    n_b = tg.parameter([1.0, 0.0, 0.0], "1", "axis of flange_b, in axes of frame_a; only the direction counts")
    e_a = tg.parameter(n_a / tg.sqrt(n_a @ n_a), "1", "n_a with length one", shape=3)
    e_b = tg.parameter(n_b / tg.sqrt(n_b @ n_b), "1", "n_b with length one", shape=3)

    def equations(self) -> Statements:
        yield self.flange_a.phi == self.ratio * self.flange_b.phi
        yield self.ratio * self.flange_a.tau + self.flange_b.tau == 0.0
        yield self.frame_a.f == 0.0
        yield self.frame_a.t == -self.e_a * self.flange_a.tau - self.e_b * self.flange_b.tau
