"""Forces and torques on frames: from outside, between two frames, and the bushing.

What acts on frame_b's side with the force F and the torque M, both in the world, acts on frame_a's side with

    -F  and  -M - (r_b - r_a) x F

so that neither the momentum nor the angular momentum of both changes. A component's own f and t have opposite signs:
like all flows they are what the surroundings do to the component.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.frontends.python.components.frames import ARROW, ARROW_OF_FRAME, AboutFrames, arrow
from tellegen.library.losses import Lossy
from tellegen.library.multibody.interfaces import Frame, Statements, TwoFrames
from tellegen.library.multibody.sweeps.vectors import cross

WHERE = "axes of the input: world, frame_a or frame_b"


class Loading(tg.Component):
    """Base of what acts on a body from outside."""

    frame_b = Frame("what is acted on")
    resolve_in = tg.parameter(
        "world", structural=True, description="axes of the input: world or frame_b", choices=("world", "frame_b")
    )

    def turned(self, vector: Any) -> Any:
        """An input vector in axes of frame_b."""
        return vector if self.resolve_in == "frame_b" else self.frame_b.R @ vector

    def drawn(self, **vectors: Any) -> AboutFrames:
        """The input as an arrow."""
        return arrow(self.frame_b, shape=ARROW if self.resolve_in == "world" else ARROW_OF_FRAME, **vectors)


class WorldForce(Loading):
    """Pushes what is connected to frame_b with an input force: f = -force, t = 0."""

    force = tg.input("N", "force on what is connected", shape=3)

    def equations(self) -> Statements:
        yield self.frame_b.f == -self.turned(self.force)
        yield self.frame_b.t == 0.0
        yield self.drawn(force=self.force)


class WorldTorque(Loading):
    """Turns what is connected to frame_b with an input torque: t = -torque, f = 0."""

    torque = tg.input("N.m", "torque on what is connected", shape=3)

    def equations(self) -> Statements:
        yield self.frame_b.f == 0.0
        yield self.frame_b.t == -self.turned(self.torque)
        yield self.drawn(torque=self.torque)


class WorldForceAndTorque(Loading):
    """Acts on what is connected to frame_b with an input force and an input torque: f = -force, t = -torque."""

    force = tg.input("N", "force on what is connected", shape=3)
    torque = tg.input("N.m", "torque on what is connected", shape=3)

    def equations(self) -> Statements:
        yield self.frame_b.f == -self.turned(self.force)
        yield self.frame_b.t == -self.turned(self.torque)
        yield self.drawn(force=self.force, torque=self.torque)


class Interaction(TwoFrames):
    """Base of what acts between two frames: F and M on the side of frame_b, the reaction on that of frame_a."""

    F = tg.variable("N", "force on what is connected to frame_b, in the world", shape=3)
    M = tg.variable("N.m", "torque on what is connected to frame_b, in the world", shape=3)

    def equations(self) -> Statements:
        arm = self.frame_b.r_0 - self.frame_a.r_0
        yield self.frame_b.f == -(self.frame_b.R @ self.F)
        yield self.frame_b.t == -(self.frame_b.R @ self.M)
        yield self.frame_a.f == self.frame_a.R @ self.F
        yield self.frame_a.t == self.frame_a.R @ (self.M + cross(arm, self.F))
        yield self.drawn()

    def drawn(self) -> AboutFrames:
        """What acts on the side of frame_b as arrows."""
        return arrow(self.frame_b, force=self.F, torque=self.M)


class InteractionByInput(Interaction):
    """Base of forces and torques between two frames that are inputs, in axes that `resolve_in` names."""

    resolve_in = tg.parameter("frame_b", structural=True, description=WHERE, choices=("world", "frame_a", "frame_b"))

    def turned(self, vector: Any) -> Any:
        """An input vector in the world."""
        return vector if self.resolve_in == "world" else getattr(self, self.resolve_in).R.T @ vector


class Force(InteractionByInput):
    """Pushes frame_b with an input force and frame_a with its reaction: F = force, M = 0."""

    force = tg.input("N", "force on what is connected to frame_b", shape=3)

    def equations(self) -> Statements:
        yield self.F == self.turned(self.force)
        yield self.M == 0.0


class Torque(InteractionByInput):
    """Turns frame_b with an input torque and frame_a with its reaction: M = torque, F = 0."""

    torque = tg.input("N.m", "torque on what is connected to frame_b", shape=3)

    def equations(self) -> Statements:
        yield self.F == 0.0
        yield self.M == self.turned(self.torque)


class ForceAndTorque(InteractionByInput):
    """Acts on frame_b with an input force and torque, and on frame_a with their reaction: F = force, M = torque."""

    force = tg.input("N", "force on what is connected to frame_b", shape=3)
    torque = tg.input("N.m", "torque on what is connected to frame_b", shape=3)

    def equations(self) -> Statements:
        yield self.F == self.turned(self.force)
        yield self.M == self.turned(self.torque)


class Bushing(Lossy, Interaction):
    """An elastic support with damping in all six directions, along the axes of frame_a.

    For the displacement x of frame_b in frame_a and small angles theta between them it pulls frame_b back with

        F = -(c x + d dx/dt),    M = -(c_t theta + d_t w)

    Large angles are possible as well: the elastic torque is that of the energy E = sum k_i (1 - e_i.e_i'), with the
    axes e_i of frame_a and e_i' of frame_b and k_i = (c_t_j + c_t_l - c_t_i)/2. About one axis it grows with the sine.
    """

    c = tg.parameter([1e5, 1e5, 1e5], "N/m", "stiffness along the axes of frame_a", min=0.0)
    d = tg.parameter([1e2, 1e2, 1e2], "N.s/m", "damping along the axes of frame_a", min=0.0)
    c_t = tg.parameter([1e3, 1e3, 1e3], "N.m/rad", "stiffness about the axes of frame_a", min=0.0)
    d_t = tg.parameter([1.0, 1.0, 1.0], "N.m.s/rad", "damping about the axes of frame_a", min=0.0)
    k_t = tg.parameter(0.5 * (tg.sum(c_t) - 2.0 * c_t), "N.m", "k of the elastic torque", shape=3)
    x = tg.variable("m", "displacement of frame_b in axes of frame_a", shape=3)
    v = tg.variable("m/s", "its derivative", shape=3)
    w = tg.variable("rad/s", "angular velocity of frame_b against frame_a, in axes of frame_a", shape=3)

    def losses(self) -> Any:
        return tg.sum(self.d * self.v**2) + tg.sum(self.d_t * self.w**2)

    def energy(self) -> Any:
        """What is stored in the elastic parts."""
        turned = [self.k_t[k] * (1.0 - self.frame_a.R[k] @ self.frame_b.R[k]) for k in range(3)]
        return 0.5 * tg.sum(self.c * self.x**2) + turned[0] + turned[1] + turned[2]

    def equations(self) -> Statements:
        a = self.frame_a
        b = self.frame_b
        yield self.x == a.R @ (b.r_0 - a.r_0)
        yield self.v == a.R @ (b.v_0 - a.v_0) - cross(a.w, self.x)
        yield self.w == a.R @ (b.R.T @ b.w) - a.w
        back = [self.k_t[k] * cross(b.R[k], a.R[k]) for k in range(3)]  # from e_k' towards e_k
        yield self.F == -(a.R.T @ (self.c * self.x + self.d * self.v))
        yield self.M == back[0] + back[1] + back[2] - a.R.T @ (self.d_t * self.w)
