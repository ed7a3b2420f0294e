"""A car on a road with a bump: four double wishbones in space, eight closed loops.

Each wheel is carried by an upright, which two wishbones and a tie rod guide: hinges at the body, balls at the upright,
a universal joint at the inner end of the rod. A spring with a damper stands on the lower wishbone. Tyres are springs
and dampers between hub and road that can only push. Nobody says which joints close the loops; a corner is written once,
for the left and the right, in front and at the rear.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.animation import Mesh
from tellegen.library import multibody as mb

SPEED = 10.0  # m/s
FRONT, REAR = 1.2, -1.4  # from the centre of mass of the body to the axles [m]
HEIGHT = 0.55  # of that centre as drawn [m]
RADIUS = 0.31  # of the wheels [m]
X = [FRONT, FRONT, REAR, REAR]
SIDES = [1.0, -1.0, 1.0, -1.0]  # left and right
BUMPS = [0.06, 0.03, 0.06, 0.03]  # height for each wheel: the car also rolls [m]
SPRUNG, UPRIGHT, WHEEL, WISHBONE, ROD = 1200.0, 12.0, 18.0, 4.0, 0.8  # masses [kg]
BUMP = 25.0  # where it begins [m]
BUMP_LENGTH = 1.5  # [m]

# Points of the left corner, from the middle of the car in the plane of the axle [m].
LOWER_HINGE = (0.0, 0.35, -0.30)
LOWER_BALL = (0.0, 0.70, -0.34)
UPPER_HINGE = (0.0, 0.42, -0.05)
UPPER_BALL = (-0.02, 0.66, -0.07)
ROD_IN = (-0.12, 0.38, -0.25)
ROD_OUT = (-0.12, 0.70, -0.28)
HUB = (0.0, 0.75, RADIUS - HEIGHT)
FOOT = (0.0, 0.56, -0.32)
TOP = (0.0, 0.48, 0.12)


def bump(x: Any, height: Any) -> Any:
    """Height of the road at x: half a wave, joined smoothly to the plane."""
    return 0.5 * height * (1.0 - np.cos(2.0 * np.pi / BUMP_LENGTH * np.clip(x - BUMP, 0.0, BUMP_LENGTH)))


def road() -> Mesh:
    """The road as it is drawn: its left half has the higher bump."""
    x = np.linspace(BUMP - 8.0, BUMP + 14.0, 441)
    sides = [(1.6, BUMPS[0]), (0.05, BUMPS[0]), (-0.05, BUMPS[1]), (-1.6, BUMPS[1])]
    rows = np.stack([np.column_stack([x, np.full_like(x, y), bump(x, height)]) for y, height in sides])
    row, column = np.indices((len(sides) - 1, len(x) - 1))
    corner = (row * len(x) + column).ravel()
    below = corner + len(x)
    faces = [np.stack([corner, below, below + 1], axis=1), np.stack([corner, below + 1, corner + 1], axis=1)]
    return Mesh(vertices=rows.reshape(-1, 3), faces=np.concatenate(faces))


SECTIONS = np.array(
    [  # of the shell as it is drawn: along the car, lower edge, waist, top, half of its width there [m]
        [-2.2, -0.10, 0.25, 0.28, 0.50],
        [-2.1, -0.15, 0.32, 0.36, 0.52],
        [-1.78, -0.15, 0.34, 0.42, 0.52],
        [-1.7, 0.12, 0.34, 0.48, 0.52],
        [-1.1, 0.12, 0.34, 0.80, 0.48],
        [-1.02, -0.15, 0.34, 0.81, 0.48],
        [0.05, -0.15, 0.33, 0.78, 0.48],
        [0.82, -0.15, 0.32, 0.36, 0.54],
        [0.9, 0.12, 0.31, 0.34, 0.54],
        [1.5, 0.12, 0.27, 0.28, 0.54],
        [1.58, -0.15, 0.25, 0.26, 0.54],
        [1.85, -0.13, 0.16, 0.17, 0.50],
    ]
)


def shell(half: float = 0.62) -> Mesh:
    """The body of the car as it is drawn: sections of six points along it, with arches for the wheels."""
    x, low, waist, top, roof = SECTIONS.T
    full = np.full_like(x, half)
    edge = [(full, low), (full, waist), (roof, top), (-roof, top), (-full, waist), (-full, low)]
    vertices = np.stack([np.column_stack([x, y, z]) for y, z in edge], axis=1).reshape(-1, 3)
    section, corner = np.indices((len(x) - 1, 6))
    here = (6 * section + corner).ravel()
    beside = (6 * section + (corner + 1) % 6).ravel()
    around = [np.stack([here, here + 6, beside], axis=1), np.stack([beside, here + 6, beside + 6], axis=1)]
    fan = np.array([[0, k, k + 1] for k in range(1, 5)])
    return Mesh(vertices=vertices, faces=np.concatenate([*around, fan, fan[:, ::-1] + 6 * (len(x) - 1)]))


class Tyre(mb.OneFrame):
    """A spring and a damper between the hub and the road below it; f >= 0: it pushes only."""

    c = tg.parameter(2e5, "N/m", "stiffness")
    d = tg.parameter(200.0, "N.s/m", "damping")
    radius = tg.parameter(RADIUS + 0.02, "m", "distance of the hub from the road without a load")
    height = tg.parameter(0.06, "m", "height of the bump")
    road = tg.variable("m", "height of the road below the hub")
    rise = tg.variable("m/s", "its derivative")
    p = tg.variable("m", "how far the tyre is compressed")
    f = tg.variable("N", "force of the road")
    work = tg.variable("J", "work of the road", start=0.0, fixed=True)
    loss = tg.variable("J", "energy that became heat", start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """The bump is half a wave, joined smoothly to the plane."""
        x, _, z = self.frame_a.r_0
        v_x, _, v_z = self.frame_a.v_0
        wave = 2.0 * np.pi / BUMP_LENGTH
        along = tg.minimum(tg.maximum(x - BUMP, 0.0), BUMP_LENGTH)
        yield self.road == 0.5 * self.height * (1.0 - tg.cos(wave * along))
        yield self.rise == 0.5 * self.height * wave * tg.sin(wave * along) * v_x
        yield self.p == self.radius + self.road - z
        push = self.c * self.p + self.d * (self.rise - v_z)
        yield self.f == tg.where(self.p > 0.0, tg.maximum(push, 0.0), 0.0)
        yield self.frame_a.f == -self.f * self.frame_a.R[:, 2]
        yield self.frame_a.t == 0.0
        yield tg.der(self.work) == self.f * self.rise
        yield tg.der(self.loss) == (self.f - self.c * tg.maximum(self.p, 0.0)) * (self.rise - v_z)


def point(side: Any, place: tuple[float, float, float], origin: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Any:
    """From one point of a corner to another, mirrored for the right side."""
    x, y, z = np.subtract(place, origin)
    return np.array([x, 0.0, z]) + side * np.array([0.0, y, 0.0])


def bar(side: Any, start: tuple[float, float, float], end: tuple[float, float, float], m: float) -> mb.BodyShape:
    """A thin bar from one point to another."""
    r = point(side, end, start)
    I_11 = m * float(np.sum(np.square(np.subtract(end, start)))) / 12.0
    return mb.BodyShape(r=r, r_CM=0.5 * r, m=m, I_11=I_11, I_22=1e-3, I_33=I_11, color="#c98a2b", width=0.05)


class Corner(tg.Component):
    """Wishbones, tie rod, upright, wheel, spring and tyre of one wheel; `mount` is in the middle of the car."""

    mount = mb.Frame("on the body, in the plane of the axle")
    side = tg.parameter(1.0, description="1 on the left, -1 on the right")
    lower_mount = mb.FixedTranslation(r=point(side, LOWER_HINGE), animation=False)
    lower_hinge = mb.Revolute(n=[1, 0, 0])
    lower = bar(side, LOWER_HINGE, LOWER_BALL, WISHBONE)
    lower_ball = mb.Spherical()
    upright = mb.BodyShape(
        r=point(side, UPPER_BALL, LOWER_BALL),
        r_CM=point(side, HUB, LOWER_BALL),
        m=UPRIGHT,
        I_11=0.2,
        I_22=0.1,
        I_33=0.2,
        color="#7a8794",
    )
    upper_mount = mb.FixedTranslation(r=point(side, UPPER_HINGE), animation=False)
    upper_hinge = mb.Revolute(n=[1, 0, 0])
    upper = bar(side, UPPER_HINGE, UPPER_BALL, WISHBONE)
    upper_ball = mb.Spherical()
    rod_mount = mb.FixedTranslation(r=point(side, ROD_IN), animation=False)
    rod_joint = mb.Universal(n_a=[1, 0, 0], n_b=[0, 0, 1], animation=False)
    rod = bar(side, ROD_IN, ROD_OUT, ROD)
    rod_ball = mb.Spherical()
    steering_arm = mb.FixedTranslation(r=point(side, ROD_OUT, LOWER_BALL))
    axle = mb.FixedTranslation(r=point(side, HUB, LOWER_BALL))
    bearing = mb.Revolute(
        n=[0, 1, 0],
        phi=tg.variable(start=0.0, fixed=True),
        w=tg.variable(start=SPEED / RADIUS, fixed=True),
        animation=False,
    )
    wheel = mb.BodyCylinder(
        r=[0, 0.2, 0], r_shape=[0, -0.1, 0], length=0.2, diameter=2 * RADIUS, density=300.0, color="#2b3036"
    )
    rim = mb.FixedShape(
        shape="cylinder",
        length_direction=[0, 1, 0],
        r_shape=[0, -0.105, 0],
        length=0.21,
        width=1.2 * RADIUS,
        color="#b9c2cc",
    )
    tyre = Tyre()
    load = mb.SignalArrow()
    foot = mb.FixedTranslation(r=point(side, FOOT, LOWER_HINGE))
    top = mb.FixedTranslation(r=point(side, TOP), animation=False)
    strut = mb.SpringDamperParallel(c=5e4, d=4e3, s_unstretched=0.56)

    def equations(self) -> Iterator[Any]:
        """The force of the road as an arrow."""
        yield self.load.r_head == [0.0, 0.0, self.tyre.f]

    def connections(self) -> Iterator[Any]:
        """Along both wishbones and the rod to the upright; the strut between foot and top."""
        yield self.mount, self.lower_mount.frame_a, self.upper_mount.frame_a, self.rod_mount.frame_a, self.top.frame_a
        yield self.lower_mount.frame_b, self.lower_hinge.frame_a
        yield self.lower_hinge.frame_b, self.lower.frame_a, self.foot.frame_a
        yield self.lower.frame_b, self.lower_ball.frame_a
        yield self.lower_ball.frame_b, self.upright.frame_a, self.axle.frame_a, self.steering_arm.frame_a
        yield self.upper_mount.frame_b, self.upper_hinge.frame_a
        yield self.upper_hinge.frame_b, self.upper.frame_a
        yield self.upper.frame_b, self.upper_ball.frame_a
        yield self.upper_ball.frame_b, self.upright.frame_b
        yield self.rod_mount.frame_b, self.rod_joint.frame_a
        yield self.rod_joint.frame_b, self.rod.frame_a
        yield self.rod.frame_b, self.rod_ball.frame_a
        yield self.rod_ball.frame_b, self.steering_arm.frame_b
        yield self.axle.frame_b, self.bearing.frame_a, self.tyre.frame_a, self.load.frame_a
        yield self.bearing.frame_b, self.wheel.frame_a, self.rim.frame_a
        yield self.foot.frame_b, self.strut.frame_a
        yield self.top.frame_b, self.strut.frame_b


class Car(tg.Component):
    """The body and its four corners: front left and right, rear left and right."""

    world = mb.World(n=[0, 0, -1], animation=False)
    body = mb.Body(
        m=SPRUNG,
        I_11=450.0,
        I_22=1700.0,
        I_33=1900.0,
        r_0_start=[0.0, 0.0, HEIGHT],
        v_0_start=[SPEED, 0.0, 0.0],
        animation=False,
    )
    shell = mb.FixedShape(shape="mesh", mesh=shell(), color="#3366aa", opacity=0.3)
    road = mb.FixedShape(shape="mesh", mesh=road(), color="#8a8f98")
    axles = mb.FixedTranslation.array(4, r=[[x, 0.0, 0.0] for x in X], animation=False)
    corners = Corner.array(4, side=SIDES)
    place = mb.AbsolutePosition()
    attitude = mb.AbsoluteAngles(sequence=[3, 2, 1])
    loss = tg.variable("J", "energy that became heat in the dampers", start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """What the dampers take away."""
        struts = self.corners.strut
        yield tg.der(self.loss) == (struts.d * struts.v) @ struts.v

    def connections(self) -> Iterator[Any]:
        """Corners at the axles."""
        yield self.world.frame_b, self.road.frame_a
        yield self.body.frame_a, self.shell.frame_a, self.place.frame_a, self.attitude.frame_a
        for k in range(4):
            yield self.body.frame_a, self.axles[k].frame_a
        yield self.axles.frame_b, self.corners.mount


def weight() -> float:
    """Of everything [N]."""
    mechanism = tg.mechanism(Car())
    return 9.81 * sum(mechanism.mass_of_lump(k) for k in range(1, len(mechanism.lumps)))


def car_on_the_bump() -> Car:
    """The bump is higher on the left."""
    car = Car()
    car.corners.tyre.height = BUMPS
    return car


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Drive over the bump, print wheel loads, plot, and write an animation."""
    solution = tg.simulate(car_on_the_bump(), stop=5.0, points=1001)
    folder.mkdir(parents=True, exist_ok=True)
    loads = solution.at([2.3])["corners.tyre.f"][0]
    print(f"wheel loads {np.round(loads)} N, together {loads.sum():.1f} N of a weight of {weight():.1f} N")
    figure = solution.plot("place.r[2]", "attitude.angles", "corners.tyre.f")
    figure.savefig(folder / "car.png", dpi=150)
    solution.at(np.linspace(2.2, 3.6, 281)).animate(folder / "car.html", follow="shell", forces=True)
    print(f"written: {folder / 'car.png'} and {folder / 'car.html'}")
    return solution


if __name__ == "__main__":
    main()
