"""Shapes: bodies whose mass, centre of mass and inertia follow from dimensions and density, and what is only drawn."""

from __future__ import annotations

import numpy as np

import tellegen as tg
from tellegen.frontends.python.components.frames import ARROW, ARROW_OF_FRAME, AboutFrames, Look, Surface, arrow, visual
from tellegen.library.multibody.interfaces import OneFrame, Statements
from tellegen.library.multibody.parts import Body, BodyShape
from tellegen.library.multibody.rotations import axes_rotation, direction, length
from tellegen.library.multibody.sweeps.vectors import outer

UNIT = np.eye(3)
DRAWN = ("box", "cylinder", "cone", "capsule", "sphere", "mesh")


class Prism(BodyShape):
    """Base of bodies that extend by `length` from r_shape along length_direction, from frame_a to frame_b by default.

    What they weigh follows from dimensions and density; m, r_CM or I_11 may still be given instead.
    """

    r = tg.parameter([0.1, 0.0, 0.0], "m", "from frame_a to frame_b, in axes of frame_a")
    r_shape = tg.parameter([0.0, 0.0, 0.0], "m", "from frame_a to the middle of the end face, in axes of frame_a")
    length_direction = tg.parameter(direction(r - r_shape), "1", "along the length, in frame_a", shape=3)
    length = tg.parameter(length(r - r_shape), "m", "length", min=0.0)
    density = tg.parameter(7700.0, "kg/m3", "density of the material, steel 7700", min=0.0)
    e = tg.parameter(direction(length_direction), "1", "length_direction with length one", shape=3)
    r_CM = tg.parameter(
        r_shape + e * (0.5 * length), "m", "from frame_a to the centre of mass, in axes of frame_a", shape=3
    )
    I = tg.parameter(np.zeros((3, 3)), "kg.m2", "inertia tensor in axes of frame_a", shape=(3, 3))  # noqa: E741
    I_11 = tg.parameter(I[0, 0], "kg.m2", "element (1,1) of the inertia tensor about the centre of mass")
    I_22 = tg.parameter(I[1, 1], "kg.m2", "element (2,2)")
    I_33 = tg.parameter(I[2, 2], "kg.m2", "element (3,3)")
    I_21 = tg.parameter(I[1, 0], "kg.m2", "element (2,1)")
    I_31 = tg.parameter(I[2, 0], "kg.m2", "element (3,1)")
    I_32 = tg.parameter(I[2, 1], "kg.m2", "element (3,2)")


class BodyBox(Prism):
    """A box, which may be hollow along its length: m = density length (width height - inner_width inner_height)."""

    width_direction = tg.parameter([0.0, 1.0, 0.0], "1", "on the side of the width, in frame_a")
    width = tg.parameter(0.1, "m", "width", min=0.0)
    height = tg.parameter(width, "m", "height, across length and width", min=0.0)
    inner_width = tg.parameter(0.0, "m", "width of the hole", min=0.0)
    inner_height = tg.parameter(inner_width, "m", "height of the hole", min=0.0)
    m_outer = tg.parameter(Prism.density * Prism.length * width * height, "kg", "mass of the box without its hole")
    m_inner = tg.parameter(
        Prism.density * Prism.length * inner_width * inner_height, "kg", "mass that is missing in the hole"
    )
    m = tg.parameter(m_outer - m_inner, "kg", "mass", min=0.0)
    T = tg.parameter(axes_rotation(Prism.e, width_direction), "1", "the rows are the axes of the box", shape=(3, 3))
    I_x = tg.parameter(
        (m_outer * (width**2 + height**2) - m_inner * (inner_width**2 + inner_height**2)) / 12,
        "kg.m2",
        "moment of inertia about the axis of the length",
    )
    I_y = tg.parameter(
        (m * Prism.length**2 + m_outer * height**2 - m_inner * inner_height**2) / 12,
        "kg.m2",
        "moment of inertia about the axis of the width",
    )
    I_z = tg.parameter(
        (m * Prism.length**2 + m_outer * width**2 - m_inner * inner_width**2) / 12,
        "kg.m2",
        "moment of inertia about the axis of the height",
    )
    I = tg.parameter(  # noqa: E741
        I_x * outer(T[0], T[0]) + I_y * outer(T[1], T[1]) + I_z * outer(T[2], T[2]),
        "kg.m2",
        "inertia tensor in axes of frame_a",
        shape=(3, 3),
    )

    def look(self) -> AboutFrames:
        """What it looks like in pictures."""
        return visual(
            self.frame_a,
            look=Look("box", self.color),
            start=self.r_shape,
            along=self.e,
            length=self.length,
            across=self.width_direction,
            width=self.width,
            height=self.height,
        )


class BodyCylinder(Prism):
    """A cylinder, which may be hollow along its length: m = density length pi (diameter^2 - inner_diameter^2)/4."""

    diameter = tg.parameter(1.0, "m", "diameter", min=0.0)
    inner_diameter = tg.parameter(0.0, "m", "diameter of the hole", min=0.0)
    m_outer = tg.parameter(
        Prism.density * Prism.length * (np.pi / 4) * diameter**2, "kg", "mass of the cylinder without its hole"
    )
    m_inner = tg.parameter(
        Prism.density * Prism.length * (np.pi / 4) * inner_diameter**2, "kg", "mass that is missing in the hole"
    )
    m = tg.parameter(m_outer - m_inner, "kg", "mass", min=0.0)
    I_x = tg.parameter(
        (m_outer * diameter**2 - m_inner * inner_diameter**2) / 8, "kg.m2", "moment of inertia about its axis"
    )
    I_y = tg.parameter(m * Prism.length**2 / 12 + 0.5 * I_x, "kg.m2", "moment of inertia across its axis")
    I = tg.parameter(  # noqa: E741
        I_y * UNIT + (I_x - I_y) * outer(Prism.e, Prism.e), "kg.m2", "inertia tensor in axes of frame_a", shape=(3, 3)
    )

    def look(self) -> AboutFrames:
        """What it looks like in pictures."""
        size = {"start": self.r_shape, "along": self.e, "length": self.length, "diameter": self.diameter}
        return visual(self.frame_a, look=Look("cylinder", self.color, marked=True), **size)


class BodySphere(Body):
    """A ball with its centre at r_CM, which may be hollow: m = density pi (diameter^3 - inner_diameter^3)/6."""

    diameter = tg.parameter(0.1, "m", "diameter", min=0.0)
    inner_diameter = tg.parameter(0.0, "m", "diameter of the hole", min=0.0)
    density = tg.parameter(7700.0, "kg/m3", "density of the material, steel 7700", min=0.0)
    m = tg.parameter((np.pi / 6) * density * (diameter**3 - inner_diameter**3), "kg", "mass", min=0.0)
    I_11 = tg.parameter(
        (np.pi / 60) * density * (diameter**5 - inner_diameter**5), "kg.m2", "moment of inertia about every axis"
    )
    I_22 = tg.parameter(I_11, "kg.m2", "element (2,2)")
    I_33 = tg.parameter(I_11, "kg.m2", "element (3,3)")

    def look(self) -> AboutFrames:
        """What it looks like in pictures."""
        return visual(self.frame_a, look=Look("ball", self.color), r=self.r_CM, diameter=self.diameter)


class FixedShape(OneFrame):
    """A shape that is drawn with its frame, f = 0. It extends by `length` from r_shape along length_direction.

    `mesh` is anything with vertices (n, 3) and faces (m, 3), as trimesh reads it, in axes of frame_a about r_shape.
    """

    shape = tg.parameter("box", structural=True, description=", ".join(DRAWN), choices=DRAWN)
    color = tg.parameter("", structural=True, description="a colour of CSS; one of a palette where there is none")
    opacity = tg.parameter(1.0, structural=True, description="0 is invisible, 1 is opaque")
    mesh = tg.parameter((), structural=True, description="triangles, for the shape mesh")
    r_shape = tg.parameter([0.0, 0.0, 0.0], "m", "from frame_a to where the shape begins, in axes of frame_a")
    length_direction = tg.parameter([1.0, 0.0, 0.0], "1", "along the length, in frame_a; only the direction counts")
    width_direction = tg.parameter([0.0, 1.0, 0.0], "1", "on the side of the width, in frame_a")
    e = tg.parameter(direction(length_direction), "1", "length_direction with length one", shape=3)
    length = tg.parameter(0.1, "m", "length; the diameter of a sphere", min=0.0)
    width = tg.parameter(0.1, "m", "width; the diameter of a cylinder, cone or capsule", min=0.0)
    height = tg.parameter(width, "m", "height, across length and width", min=0.0)

    def equations(self) -> Statements:
        if self.shape == "mesh":
            look = Look("mesh", self.color, self.opacity, surface=self.surface())
            yield visual(self.frame_a, look=look, r=self.r_shape)
            return
        size = {"start": self.r_shape, "along": self.e, "length": self.length}
        if self.shape == "box":
            size |= {"across": self.width_direction, "width": self.width, "height": self.height}
        elif self.shape != "sphere":
            size["diameter"] = self.width
        yield visual(self.frame_a, look=Look(self.shape, self.color, self.opacity), **size)

    def surface(self) -> Surface:
        """The triangles of the mesh."""
        vertices = np.asarray(getattr(self.mesh, "vertices", ()), float)
        faces = np.asarray(getattr(self.mesh, "faces", ()), np.int64)
        fits = vertices.ndim == faces.ndim == 2 and vertices.shape[1] == faces.shape[1] == 3 and len(faces) > 0
        if not fits or not np.isfinite(vertices).all() or faces.min() < 0 or faces.max() >= len(vertices):
            what = f"mesh={self.mesh!r} has no vertices (n, 3) with faces (m, 3) of vertex numbers"
            raise tg.DataError(
                "E703", what, location=self._location, advice="for example mesh=trimesh.load('part.stl')"
            )
        return Surface(vertices, faces)


class FixedFrame(OneFrame):
    """The axes of a frame as arrows, x in red, y in green, z in blue; f = 0."""

    length = tg.parameter(0.0, "m", "length of the arrows; 0: in proportion to the mechanism", min=0.0)

    def equations(self) -> Statements:
        yield visual(self.frame_a, shape="axes", length=self.length)


class SignalArrow(OneFrame):
    """A signal as an arrow at a frame, f = 0: what a component of your own does to a body, for instance.

    Arrows of forces have one scale, those of torques another; `solution.animate(forces=True)` shows them.
    """

    quantity = tg.parameter(
        "force", structural=True, description="what it shows: force or torque", choices=("force", "torque")
    )
    resolve_in = tg.parameter(
        "world", structural=True, description="axes of r_head: world or frame_a", choices=("world", "frame_a")
    )
    r_head = tg.input(description="the vector, in N or N.m", shape=3)

    def equations(self) -> Statements:
        shape = ARROW if self.resolve_in == "world" else ARROW_OF_FRAME
        yield arrow(self.frame_a, shape=shape, **{self.quantity: self.r_head})
