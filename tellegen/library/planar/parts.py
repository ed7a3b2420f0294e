"""What mechanisms are made of: the world, bodies, and what is rigid between them."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.planar.interfaces import Frame, Statements, TwoFrames, moment, turned


class PlanarWorld(tg.Component):
    """Gravity, for all bodies of a model: its child named `world`. g is that of multibody.World unless given."""

    g = tg.parameter(9.81, "m/s2", "gravity; 0 for a plane that lies flat")
    n = tg.parameter([0.0, -1.0], "1", "direction of gravity; only the direction counts")
    gravity = tg.parameter(g * n / tg.sqrt(n @ n), "m/s2", "gravity as a vector, from the other two", shape=2)


class Fixed(tg.Component):
    """A frame held in place: frame.x = r[0], frame.y = r[1], frame.phi = phi."""

    frame = Frame()
    r = tg.parameter([0.0, 0.0], "m", "position")
    phi = tg.parameter(0.0, "rad", "angle")

    def equations(self) -> Statements:
        yield self.frame.x == self.r[0]
        yield self.frame.y == self.r[1]
        yield self.frame.phi == self.phi


class Moving(tg.Component):
    """Base of bodies: the motion of the centre of mass, with what acts there left to the subclass.

    Its coordinates are states where it moves freely; where joints carry it those of the joints are, because these have
    start values and are wanted a little more.
    """

    world = tg.outer("world")
    m = tg.parameter(1.0, "kg", "mass", min=0.0)
    I = tg.parameter(0.1, "kg.m2", "moment of inertia about the centre of mass", min=0.0)  # noqa: E741
    r = tg.variable("m", "position of the centre of mass", shape=2, state="prefer")
    v = tg.variable("m/s", "velocity of the centre of mass", shape=2, state="prefer")
    a = tg.variable("m/s2", "acceleration of the centre of mass", shape=2)
    phi = tg.variable("rad", "angle", state="prefer")
    w = tg.variable("rad/s", "angular velocity", state="prefer")
    z = tg.variable("rad/s2", "angular acceleration")

    def equations(self) -> Statements:
        yield self.v == tg.der(self.r)
        yield self.a == tg.der(self.v)
        yield self.w == tg.der(self.phi)
        yield self.z == tg.der(self.w)


class Body(Moving):
    """A rigid body with its frame at the centre of mass: m a = f + m g, I dw/dt = t."""

    frame_a = Frame()

    def equations(self) -> Statements:
        gravity = self.world.gravity
        yield self.frame_a.x == self.r[0]
        yield self.frame_a.y == self.r[1]
        yield self.frame_a.phi == self.phi
        yield self.m * self.a[0] == self.frame_a.fx + self.m * gravity[0]
        yield self.m * self.a[1] == self.frame_a.fy + self.m * gravity[1]
        yield self.I * self.z == self.frame_a.t


class BodyShape(Moving):
    """A rigid body with two frames, such as a link: frame_b is at r_ab from frame_a, the centre of mass at r_CM.

    Both vectors are in the directions of frame_a. With the arms from the centre of mass to the frames, a and b:

        m a = f_a + f_b + m g,    I dw/dt = t_a + t_b + a x f_a + b x f_b
    """

    frame_a = Frame()
    frame_b = Frame()
    r_ab = tg.parameter([1.0, 0.0], "m", "from frame_a to frame_b")
    r_CM = tg.parameter(0.5 * r_ab, "m", "from frame_a to the centre of mass, halfway unless given", shape=2)

    def equations(self) -> Statements:
        gravity = self.world.gravity
        frames = (self.frame_a, self.frame_b)
        to_a = turned((-self.r_CM[0], -self.r_CM[1]), self.phi)
        to_b = turned((self.r_ab[0] - self.r_CM[0], self.r_ab[1] - self.r_CM[1]), self.phi)
        for frame, arm in zip(frames, (to_a, to_b), strict=True):
            yield frame.x == self.r[0] + arm[0]
            yield frame.y == self.r[1] + arm[1]
            yield frame.phi == self.phi
        yield self.m * self.a[0] == self.frame_a.fx + self.frame_b.fx + self.m * gravity[0]
        yield self.m * self.a[1] == self.frame_a.fy + self.frame_b.fy + self.m * gravity[1]
        yield self.I * self.z == self.frame_a.t + self.frame_b.t + moment(to_a, self.frame_a) + moment(
            to_b, self.frame_b
        )


class FixedTranslation(TwoFrames):
    """A massless rigid rod: frame_b is at r from frame_a, in the directions of frame_a, and turned as it is.

    Moments about frame_a: t_a + t_b + r x f_b = 0.
    """

    r = tg.parameter([1.0, 0.0], "m", "from frame_a to frame_b")

    def equations(self) -> Statements:
        rod = turned(self.r, self.frame_a.phi)
        yield self.frame_b.x == self.frame_a.x + rod[0]
        yield self.frame_b.y == self.frame_a.y + rod[1]
        yield self.frame_b.phi == self.frame_a.phi
        yield self.frame_a.t + self.frame_b.t + moment(rod, self.frame_b) == 0


class FixedRotation(TwoFrames):
    """A rigid turn in one place: frame_b.phi = frame_a.phi + alpha, at the same point."""

    alpha = tg.parameter(0.0, "rad", "angle of frame_b less that of frame_a")

    def equations(self) -> Statements:
        yield self.frame_b.x == self.frame_a.x
        yield self.frame_b.y == self.frame_a.y
        yield self.frame_b.phi == self.frame_a.phi + self.alpha
        yield self.frame_a.t + self.frame_b.t == 0
