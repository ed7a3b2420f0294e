"""Inertias, springs, dampers, backlash and rigid stops."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library import one_sided, rigid_contact
from tellegen.library.losses import Lossy
from tellegen.library.rotational.interfaces import Compliant, CompliantWithSpeed, Flange, Statements


class Fixed(tg.Component):
    """A flange held at an angle: flange.phi = phi0."""

    flange = Flange()
    phi0 = tg.parameter(0.0, "rad", "angle")

    def equations(self) -> Statements:
        yield self.flange.phi == self.phi0


class Inertia(tg.Component):
    """A rigid rotor: J dw/dt = sum of torques."""

    flange_a = Flange()
    flange_b = Flange()
    J = tg.parameter(1.0, "kg.m2", "moment of inertia", min=0.0)
    phi = tg.variable("rad", "absolute angle", start=0.0, state="prefer")
    w = tg.variable("rad/s", "angular velocity", start=0.0, state="prefer")
    a = tg.variable("rad/s2", "angular acceleration")

    def equations(self) -> Statements:
        yield self.phi == self.flange_a.phi
        yield self.phi == self.flange_b.phi
        yield self.w == tg.der(self.phi)
        yield self.a == tg.der(self.w)
        yield self.J * self.a == self.flange_a.tau + self.flange_b.tau


class Disc(tg.Component):
    """A rigid connection without inertia, turned by an angle: flange_b.phi = flange_a.phi + delta_phi."""

    flange_a = Flange()
    flange_b = Flange()
    delta_phi = tg.parameter(0.0, "rad", "angle of flange_b against flange_a")

    def equations(self) -> Statements:
        yield self.flange_b.phi == self.flange_a.phi + self.delta_phi
        yield self.flange_a.tau + self.flange_b.tau == 0


class Spring(Compliant):
    """tau = c (phi_rel - phi_rel0)."""

    c = tg.parameter(1.0, "N.m/rad", "stiffness", min=0.0)
    phi_rel0 = tg.parameter(0.0, "rad", "angle without torque")

    def equations(self) -> Statements:
        yield self.tau == self.c * (self.phi_rel - self.phi_rel0)


class Damper(Lossy, Compliant):
    """tau = d dphi_rel/dt; the heat tau w_rel leaves through the heat port if there is one."""

    d = tg.parameter(1.0, "N.m.s/rad", "damping constant", min=0.0)
    w_rel = tg.variable("rad/s", "relative velocity")

    def losses(self) -> Any:
        return self.tau * self.w_rel

    def equations(self) -> Statements:
        yield self.w_rel == tg.der(self.phi_rel)
        yield self.tau == self.d * self.w_rel


class SpringDamper(Lossy, CompliantWithSpeed):
    """A spring and a damper side by side: tau = c (phi_rel - phi_rel0) + d w_rel.

    The heat d w_rel^2 leaves through the heat port if there is one.
    """

    c = tg.parameter(1e5, "N.m/rad", "stiffness", min=0.0)
    d = tg.parameter(0.0, "N.m.s/rad", "damping constant", min=0.0)
    phi_rel0 = tg.parameter(0.0, "rad", "angle without torque of the spring")

    def losses(self) -> Any:
        return self.d * self.w_rel**2

    def equations(self) -> Statements:
        yield self.tau == self.c * (self.phi_rel - self.phi_rel0) + self.d * self.w_rel


class ElastoBacklash(Lossy, CompliantWithSpeed):
    """Backlash b between elastic flanks with damping; flanks push and never pull.

    With x = phi_rel - phi_rel0 nothing acts while |x| <= b/2. Beyond, the depth e = |x| - b/2 of a flank gives
    tau = c e + d de/dt to its side, where the damping is no more than c e either way: the torque begins at zero with
    the touch, and damping does not hold flanks together that part. b = 0 is a SpringDamper. The heat
    (|tau| - c e) de/dt leaves through the heat port if there is one.
    """

    c = tg.parameter(1e5, "N.m/rad", "stiffness of the flanks", min=0.0)
    d = tg.parameter(0.0, "N.m.s/rad", "damping of the flanks", min=0.0)
    b = tg.parameter(0.0, "rad", "total backlash", min=0.0)
    phi_rel0 = tg.parameter(0.0, "rad", "relative angle in the middle of the backlash")
    limited_damping = tg.parameter(
        True, structural=True, description="no more damping than the spring has force; else it jumps at the touch"
    )
    tau_c = tg.variable("N.m", "the part of the springs")

    def losses(self) -> Any:
        return (self.tau - self.tau_c) * self.w_rel

    def equations(self) -> Statements:
        x = self.phi_rel - self.phi_rel0
        ahead = x - self.b / 2
        behind = -x - self.b / 2
        yield self.tau_c == one_sided.spring(ahead, self.c) - one_sided.spring(behind, self.c)
        push = one_sided.law(self.limited_damping)
        flanks = push(ahead, self.w_rel, self.c, self.d) - push(behind, -self.w_rel, self.c, self.d)
        yield self.tau == tg.where(self.b > 0, flanks, self.tau_c + self.d * self.w_rel)


class RigidContact(CompliantWithSpeed):
    """A rigid stop: phi_rel >= phi_rel0, with impacts w_rel := -e w_rel that take no time.

    This is Newton's law of restitution. The impulse of an impact acts on all inertias that turn with the flanges, also
    through gears. A rebound slower than w_rest is none: the flanges then touch and turn together, until a torque parts
    them. mode is "apart" or "touching"; tau is the torque while they touch, negative because it pushes, and does not
    contain impacts. Rigid backlash is two of them, one in each direction.
    """

    phi_rel0 = tg.parameter(0.0, "rad", "smallest relative angle")
    e = tg.parameter(1.0, "1", "restitution: 1 elastic, 0 plastic", min=0.0, max=1.0)
    w_rest = tg.parameter(0.01, "rad/s", "the slowest rebound", min=0.0)

    def equations(self) -> Statements:
        gap = self.phi_rel - self.phi_rel0
        yield rigid_contact.contact(gap, self.w_rel, -self.tau, self.e, self.w_rest)
