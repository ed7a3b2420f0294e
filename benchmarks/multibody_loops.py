"""Closed loops in space: a hundred four-bars and a Stewart platform, for benchmarks/multibody.py.

The four-bar is planar, of hinges whose axes are parallel: three of the five closures of its loop are redundant. The
Stewart platform stands on six legs, each with a universal joint below, a slide with a spring and a ball joint above:
eighteen closures. Peers close the same loops at points: `connect` of MuJoCo, which is soft, and contacts of pinocchio.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import multibody
from tellegen.library import translational as tr

BARS = 100
CRANK, COUPLER, ROCKER, BASE = 0.3, 1.0, 0.7, 1.0
LEGS = 6
HEIGHT = 1.0
REST = 1.2  # length of the springs of the legs
STIFFNESS = 2e3
DAMPING = 50.0
PLATFORM = {"m": 10.0, "I_11": 0.4, "I_22": 0.4, "I_33": 0.8}


def bar(length: float) -> dict[str, Any]:
    """A slender bar of 1 kg along z."""
    across = length**2 / 12
    return {"r": [0, 0, length], "r_CM": [0, 0, length / 2], "m": 1.0, "I_11": across, "I_22": across, "I_33": 1e-4}


class FourBars(tg.Component):
    """Side by side, all at the same angle."""

    world = multibody.World(n=[0, 0, -1])
    j1 = multibody.Revolute.array(
        BARS, n=[0, 1, 0], phi=tg.variable(start=0.3, fixed=True), w=tg.variable(start=8.0, fixed=True)
    )
    j2 = multibody.Revolute.array(BARS, n=[0, 1, 0], phi=tg.variable(start=0.8))
    j3 = multibody.Revolute.array(BARS, n=[0, 1, 0])
    j4 = multibody.Revolute.array(BARS, n=[0, 1, 0])
    crank = multibody.BodyShape.array(BARS, **bar(CRANK))
    coupler = multibody.BodyShape.array(BARS, **bar(COUPLER))
    rocker = multibody.BodyShape.array(BARS, **bar(ROCKER))
    base = multibody.FixedTranslation(r=[BASE, 0, 0])

    def connections(self) -> Any:
        yield self.world.frame_b, self.base.frame_a
        for k in range(BARS):
            yield self.world.frame_b, self.j1[k].frame_a
            yield self.base.frame_b, self.j3[k].frame_a
        yield self.j1.frame_b, self.crank.frame_a
        yield self.crank.frame_b, self.j2.frame_a
        yield self.j2.frame_b, self.coupler.frame_a
        yield self.j3.frame_b, self.rocker.frame_a
        yield self.coupler.frame_b, self.j4.frame_a
        yield self.j4.frame_b, self.rocker.frame_b


def feet() -> tuple[Any, Any]:
    """Where the legs stand, and where they hold the platform at its middle position: columns x, y, z."""
    below = np.deg2rad(np.repeat([0.0, 120.0, 240.0], 2) + np.tile([-10.0, 10.0], 3))
    above = np.deg2rad(np.repeat([0.0, 120.0, 240.0], 2) + np.tile([-50.0, 50.0], 3))
    return (
        np.stack([np.cos(below), np.sin(below), 0 * below], axis=1),
        0.6 * np.stack([np.cos(above), np.sin(above), 0 * above], axis=1),
    )


def leg_angles() -> tuple[Any, Any, Any]:
    """Angles of the universal joints (about x, then about y) and lengths of the legs in the middle position."""
    below, above = feet()
    way = above + np.array([0.0, 0.0, HEIGHT]) - below
    length = np.linalg.norm(way, axis=1)
    return np.arctan2(-way[:, 1], way[:, 2]), np.arcsin(way[:, 0] / length), length


def stewart() -> Any:
    """A platform on six springs."""
    below, above = feet()
    alpha, beta, length = leg_angles()
    system = tg.System("Stewart")
    system.add(world=multibody.World(n=[0, 0, -1]), platform=multibody.Body(**PLATFORM, r_0_start=[0, 0, HEIGHT]))
    for k in range(LEGS):
        parts = {
            "foot": multibody.FixedTranslation(r=below[k]),
            "universal": multibody.Universal(
                phi_a=tg.variable(start=alpha[k]), phi_b=tg.variable(start=beta[k]), n_a=[1, 0, 0], n_b=[0, 1, 0]
            ),
            "tube": multibody.Body(m=1.0, r_CM=[0, 0, 0.3], I_11=0.03, I_22=0.03, I_33=1e-3),
            "slide": multibody.Prismatic(n=[0, 0, 1], use_flange=True, s=tg.variable(start=length[k])),
            "rod": multibody.Body(m=0.5, r_CM=[0, 0, -0.3], I_11=0.015, I_22=0.015, I_33=5e-4),
            "spring": tr.SpringDamper(c=STIFFNESS, d=DAMPING, s_rel0=REST),
            "ball": multibody.Spherical(),
            "arm": multibody.FixedTranslation(r=above[k]),
        }
        system.add(**{f"{name}{k}": part for name, part in parts.items()})
        leg = {name: getattr(system, f"{name}{k}") for name in parts}
        system.connect(system.world.frame_b, leg["foot"].frame_a)
        system.connect(leg["foot"].frame_b, leg["universal"].frame_a)
        system.connect(leg["universal"].frame_b, leg["tube"].frame_a, leg["slide"].frame_a)
        system.connect(leg["slide"].frame_b, leg["rod"].frame_a, leg["ball"].frame_a)
        system.connect(leg["spring"].flange_a, leg["slide"].support)
        system.connect(leg["spring"].flange_b, leg["slide"].axis)
        system.connect(leg["ball"].frame_b, leg["arm"].frame_b)
        system.connect(leg["arm"].frame_a, system.platform.frame_a)
    return system


def mujoco_model(mujoco: Any, bodies: str, closures: str) -> Any:
    """A model of MuJoCo's and its data at the start."""
    option = '<option gravity="0 0 -9.81"><flag contact="disable"/></option>'
    tree = f"<worldbody>{bodies}</worldbody><equality>{closures}</equality>"
    model = mujoco.MjModel.from_xml_string(f'<mujoco><compiler angle="radian"/>{option}{tree}</mujoco>')
    return model, mujoco.MjData(model)


def _inertial(m: float, centre: str, inertia: tuple[float, float, float]) -> str:
    return f'<inertial pos="{centre}" mass="{m}" diaginertia="{" ".join(map(str, inertia))}"/>'


def _mujoco_bar(name: str, place: str, length: float, inner: str = "") -> str:
    body = bar(length)
    mass = _inertial(1.0, f"0 0 {length / 2}", (body["I_11"], body["I_22"], body["I_33"]))
    return f'<body name="{name}" pos="{place}"><joint type="hinge" axis="0 1 0"/>{mass}{inner}</body>'


def mujoco_bars(mujoco: Any) -> Any:
    """The four-bars, at the angles of the start."""
    bodies = ""
    closures = ""
    for k in range(BARS):
        bodies += _mujoco_bar(f"a{k}", "0 0 0", CRANK, _mujoco_bar(f"b{k}", f"0 0 {CRANK}", COUPLER))
        bodies += _mujoco_bar(f"c{k}", f"{BASE} 0 0", ROCKER)
        closures += f'<connect body1="b{k}" body2="c{k}" anchor="0 0 {COUPLER}"/>'
    model, data = mujoco_model(mujoco, bodies, closures)
    data.qpos[:] = np.tile(bar_angles(), BARS)
    data.qvel[0::3] = 8.0
    return model, data


def bar_angles() -> Any:
    """Crank, coupler relative to it, and rocker, where the loop is closed."""
    crank = 0.3
    end = np.array([CRANK * np.sin(crank) - BASE, CRANK * np.cos(crank)])
    reach = np.linalg.norm(end)
    at_rocker = np.arccos((ROCKER**2 + reach**2 - COUPLER**2) / (2 * ROCKER * reach))
    rocker = np.arctan2(end[0], end[1]) + at_rocker
    tip = ROCKER * np.array([np.sin(rocker), np.cos(rocker)])
    along = tip - end
    return np.array([crank, np.arctan2(along[0], along[1]) - crank, rocker])


def mujoco_stewart(mujoco: Any) -> Any:
    """The platform on its springs."""
    below, above = feet()
    alpha, beta, length = leg_angles()
    inertia = (PLATFORM["I_11"], PLATFORM["I_22"], PLATFORM["I_33"])
    bodies = f'<body name="platform" pos="0 0 {HEIGHT}"><freejoint/>{_inertial(PLATFORM["m"], "0 0 0", inertia)}</body>'
    closures = ""
    for k in range(LEGS):
        slide = f'<joint type="slide" axis="0 0 1" stiffness="{STIFFNESS}" springref="{REST}" damping="{DAMPING}"/>'
        rod = f'<body name="rod{k}">{slide}{_inertial(0.5, "0 0 -0.3", (0.015, 0.015, 5e-4))}</body>'
        hinges = '<joint type="hinge" axis="1 0 0"/><joint type="hinge" axis="0 1 0"/>'
        tube = _inertial(1.0, "0 0 0.3", (0.03, 0.03, 1e-3))
        place = " ".join(map(str, below[k]))
        bodies += f'<body pos="{place}">{hinges}{tube}{rod}</body>'
        anchor = " ".join(map(str, above[k]))
        closures += f'<connect body1="platform" body2="rod{k}" anchor="{anchor}"/>'
    model, data = mujoco_model(mujoco, bodies, closures)
    data.qpos[7:] = np.stack([alpha, beta, length], axis=1).ravel()
    return model, data


class Closed:
    """Forward dynamics of pinocchio with closures at points."""

    def __init__(self, pin: Any, model: Any, closures: list[Any], q: Any, v: Any) -> None:
        self.pin = pin
        self.model = model
        self.data = model.createData()
        self.closures = pin.StdVec_RigidConstraintModel()
        self.states = pin.StdVec_RigidConstraintData()
        for closure in closures:
            self.closures.append(closure)
            self.states.append(closure.createData())
        pin.initConstraintDynamics(model, self.data, self.closures, self.states)
        self.at = q, v, 0.0 * v

    def accelerations(self) -> Any:
        """One right-hand side."""
        return self.pin.constraintDynamics(self.model, self.data, *self.at, self.closures, self.states)


def pinocchio_model(pin: Any) -> Any:
    """With gravity and nothing else."""
    model = pin.Model()
    model.gravity.linear = np.array([0.0, 0.0, -9.81])
    return model


def _closure(pin: Any, model: Any, one: tuple[int, Any], other: tuple[int, Any]) -> Any:
    """Two points of two joints that coincide."""
    places = [pin.SE3(np.eye(3), np.array(point, float)) for _, point in (one, other)]
    return pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, one[0], places[0], other[0], places[1])


def pinocchio_bars(pin: Any) -> Closed:
    """The four-bars, at the angles of the start."""
    model = pinocchio_model(pin)
    closures = []
    for k in range(BARS):
        joints = []
        for number, (length, place) in enumerate(
            ((CRANK, [0, 0, 0]), (COUPLER, [0, 0, CRANK]), (ROCKER, [BASE, 0, 0]))
        ):
            parent = joints[0] if number == 1 else 0
            at = pin.SE3(np.eye(3), np.array(place, float))
            joint = model.addJoint(parent, pin.JointModelRY(), at, f"j{k}_{number}")
            body = bar(length)
            inertia = np.diag([body["I_11"], body["I_22"], body["I_33"]])
            model.appendBodyToJoint(joint, pin.Inertia(1.0, np.array(body["r_CM"]), inertia), pin.SE3.Identity())
            joints.append(joint)
        closures.append(((joints[1], [0, 0, COUPLER]), (joints[2], [0, 0, ROCKER])))
    made = [_closure(pin, model, *points) for points in closures]
    v = np.zeros(3 * BARS)
    v[0::3] = 8.0
    return Closed(pin, model, made, np.tile(bar_angles(), BARS), v)


def pinocchio_stewart(pin: Any) -> Closed:
    """The platform on its legs, without their springs."""
    below, above = feet()
    model = pinocchio_model(pin)
    platform = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "platform")
    turned = np.diag([PLATFORM["I_11"], PLATFORM["I_22"], PLATFORM["I_33"]])
    model.appendBodyToJoint(platform, pin.Inertia(PLATFORM["m"], np.zeros(3), turned), pin.SE3.Identity())
    closures = []
    for k in range(LEGS):
        first = model.addJoint(0, pin.JointModelRX(), pin.SE3(np.eye(3), below[k]), f"a{k}")
        second = model.addJoint(first, pin.JointModelRY(), pin.SE3.Identity(), f"b{k}")
        tube = pin.Inertia(1.0, np.array([0, 0, 0.3]), np.diag([0.03, 0.03, 1e-3]))
        model.appendBodyToJoint(second, tube, pin.SE3.Identity())
        slide = model.addJoint(second, pin.JointModelPZ(), pin.SE3.Identity(), f"s{k}")
        rod = pin.Inertia(0.5, np.array([0, 0, -0.3]), np.diag([0.015, 0.015, 5e-4]))
        model.appendBodyToJoint(slide, rod, pin.SE3.Identity())
        closures.append(((platform, above[k]), (slide, [0, 0, 0])))
    made = [_closure(pin, model, *points) for points in closures]
    middle = np.array([0, 0, HEIGHT, 0, 0, 0, 1.0])
    q = np.concatenate([middle, np.stack(leg_angles(), axis=1).ravel()])
    return Closed(pin, model, made, q, np.zeros(model.nv))
