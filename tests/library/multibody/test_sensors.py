"""Sensors against derivatives of what other sensors show, and what they do to a mechanism: nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import make_interp_spline
from scipy.spatial.transform import Rotation

import tellegen as tg
from library.multibody.mechanisms import started
from tellegen.library import multibody as mb

ABSOLUTE = {
    "r": mb.AbsolutePosition,
    "v": mb.AbsoluteVelocity,
    "a": mb.AbsoluteAcceleration,
    "w": mb.AbsoluteAngularVelocity,
    "z": mb.AbsoluteAngularAcceleration,
}
RELATIVE = {
    "r_rel": mb.RelativePosition,
    "v_rel": mb.RelativeVelocity,
    "a_rel": mb.RelativeAcceleration,
    "w_rel": mb.RelativeAngularVelocity,
    "z_rel": mb.RelativeAngularAcceleration,
}


def arm(sensors: bool) -> Any:
    """Two bodies on skew joints, with sensors at the middle and the end in all axes."""
    body: dict[str, Any] = {"r": [0.5, 0.1, 0.0], "r_CM": [0.25, 0.1, 0.1], "m": 1.0}
    inertia: dict[str, Any] = {"I_11": 0.01, "I_22": 0.02, "I_33": 0.02}
    model = tg.System("arm")
    model.add(world=mb.World(), first=mb.Gimbal(angles=started([0.3, 0.2, 0.1]), w=started([1.0, 0.5, -0.5])))
    model.add(upper=mb.BodyShape(**body, **inertia), second=mb.Universal(phi_a=started(0.3), w_b=started(1.0)))
    model.add(lower=mb.BodyShape(**body, **inertia))
    model.connect(model.world.frame_b, model.first.frame_a)
    model.connect(model.first.frame_b, model.upper.frame_a)
    model.connect(model.upper.frame_b, model.second.frame_a)
    model.connect(model.second.frame_b, model.lower.frame_a)
    if sensors:
        add_sensors(model)
    return model


def add_sensors(model: Any) -> None:
    middle, end = model.upper.frame_b, model.lower.frame_b
    for name, kind in ABSOLUTE.items():
        for where in ("world", "frame_a"):
            model.add(**{f"{name}_{where}": kind(resolve_in=where)})
            model.connect(end, model[f"{name}_{where}"].frame_a)
    for name, kind in RELATIVE.items():
        for where in ("world", "frame_a", "frame_b"):
            model.add(**{f"{name}_{where}": kind(resolve_in=where)})
            model.connect(middle, model[f"{name}_{where}"].frame_a)
            model.connect(end, model[f"{name}_{where}"].frame_b)
    model.add(angles=mb.AbsoluteAngles(), angles_rel=mb.RelativeAngles(), distance=mb.Distance())
    model.add(felt=mb.Accelerometer(), gyro=mb.Gyroscope())
    for sensor in (model.angles, model.felt, model.gyro):
        model.connect(end, sensor.frame_a)
    for sensor in (model.angles_rel, model.distance):
        model.connect(middle, sensor.frame_a)
        model.connect(end, sensor.frame_b)


RUN: dict[str, Any] = {"rtol": 1e-10, "atol": 1e-11, "points": 1001}
TOLERANCE = 1e-5
"""Of derivatives by splines of fifth order through points 1 ms apart."""


@pytest.fixture(scope="module")
def seen() -> Any:
    return tg.simulate(arm(sensors=True), stop=1.0, **RUN)


def slope(s: Any, values: Any) -> Any:
    return make_interp_spline(s.time, values, k=5).derivative()(s.time)


def close(found: Any, expected: Any) -> None:
    inner = slice(10, -10)  # splines are poor at their ends
    assert abs(found[inner] - expected[inner]).max() < TOLERANCE * max(1.0, abs(expected).max())


def turned(s: Any, angles: str) -> Any:
    """Orientations over time, from axes of the frame to those it is measured in."""
    return Rotation.from_euler("XYZ", s[angles])


def test_sensors_do_not_act(seen: Any) -> None:
    alone = tg.simulate(arm(sensors=False), stop=1.0, **RUN)
    assert abs(seen["first.angles"] - alone["first.angles"]).max() < 1e-8
    assert abs(seen["second.phi_b"] - alone["second.phi_b"]).max() < 1e-8


def test_absolute_motion(seen: Any) -> None:
    s = seen
    close(s["v_world.v"], slope(s, s["r_world.r"]))
    close(s["a_world.a"], slope(s, s["v_world.v"]))
    spin = slope(s, turned(s, "angles.angles").as_matrix()) @ turned(s, "angles.angles").inv().as_matrix()
    close(s["w_world.w"], np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=1))
    close(s["z_world.z"], slope(s, s["w_world.w"]))


@pytest.mark.parametrize("name", ABSOLUTE)
def test_absolute_vectors_in_axes_of_the_frame(seen: Any, name: str) -> None:
    back = turned(seen, "angles.angles").apply(seen[f"{name}_frame_a.{name}"])
    assert abs(back - seen[f"{name}_world.{name}"]).max() < 1e-12 * max(1.0, abs(back).max())


def test_relative_motion_is_what_a_passenger_sees(seen: Any) -> None:
    s = seen
    close(s["v_rel_frame_a.v_rel"], slope(s, s["r_rel_frame_a.r_rel"]))
    close(s["a_rel_frame_a.a_rel"], slope(s, s["v_rel_frame_a.v_rel"]))
    close(s["z_rel_frame_a.z_rel"], slope(s, s["w_rel_frame_a.w_rel"]))
    spin = slope(s, turned(s, "angles_rel.angles").as_matrix()) @ turned(s, "angles_rel.angles").inv().as_matrix()
    close(s["w_rel_frame_a.w_rel"], np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=1))


@pytest.mark.parametrize("name", RELATIVE)
def test_relative_vectors_in_other_axes(seen: Any, name: str) -> None:
    of_b = turned(seen, "angles.angles")
    of_a = of_b * turned(seen, "angles_rel.angles").inv()
    world = seen[f"{name}_world.{name}"]
    small = 1e-12 * max(1.0, abs(world).max())
    assert abs(of_a.apply(seen[f"{name}_frame_a.{name}"]) - world).max() < small
    assert abs(of_b.apply(seen[f"{name}_frame_b.{name}"]) - world).max() < small


def test_distance_accelerometer_and_gyroscope(seen: Any) -> None:
    s = seen
    assert np.allclose(s["distance.distance"], np.linalg.norm(s["r_rel_world.r_rel"], axis=1), atol=1e-12)
    felt = turned(s, "angles.angles").inv().apply(s["a_world.a"] + [0.0, 9.81, 0.0])
    assert abs(s["felt.a"] - felt).max() < 1e-11
    assert abs(s["gyro.w"] - s["w_frame_a.w"]).max() < 1e-12


def test_cut_sensors_and_turned_vectors() -> None:
    """The power through a cut is what the arm beyond gains; vectors keep their length and turn with the frames."""
    model = tg.System("cut arm")
    body: dict[str, Any] = {
        "r": [0.5, 0.1, 0.0],
        "r_CM": [0.25, 0.1, 0.1],
        "m": 2.0,
        "I_11": 0.02,
        "I_22": 0.03,
        "I_33": 0.04,
    }
    model.add(world=mb.World(), joint=mb.Gimbal(angles=started([0.3, 0.2, 0.1]), w=started([1.0, 0.5, -0.5])))
    model.add(
        inner=mb.BodyShape(r=[0.4, 0, 0], r_CM=[-0.3, 0.2, 0.0], m=3.0), outer=mb.BodyShape(**body), power=mb.Power()
    )
    model.add(here=mb.CutForceAndTorque(), there=mb.CutForceAndTorque(resolve_in="world"))
    model.add(force=mb.CutForce(resolve_in="world"), torque=mb.CutTorque())
    model.add(turn=mb.TransformAbsoluteVector(resolve_in="world", resolve_out="frame_a"), angles=mb.AbsoluteAngles())
    model.add(between=mb.TransformRelativeVector(resolve_in="frame_a", resolve_out="frame_b"))
    frames = [model.joint.frame_b, model.inner.frame_a, model.inner.frame_b]
    model.connect(model.world.frame_b, model.joint.frame_a)
    model.connect(frames[0], frames[1])
    last = frames[2]
    for sensor in (model.power, model.here, model.there, model.force, model.torque):
        model.connect(last, sensor.frame_a)
        last = sensor.frame_b
    model.connect(last, model.outer.frame_a)
    model.connect(last, model.turn.frame_a)
    model.connect(last, model.angles.frame_a)
    model.connect(last, model.between.frame_b)
    model.connect(model.world.frame_b, model.between.frame_a)
    model.equation(model.turn.r_in == model.there.force)
    model.equation(model.between.r_in == model.there.torque)
    s = tg.simulate(model, stop=1.0, **RUN)
    R = turned(s, "angles.angles")
    assert abs(R.inv().apply(s["there.force"]) - s["here.force"]).max() < 1e-10
    assert abs(s["turn.r_out"] - s["here.force"]).max() < 1e-10
    assert abs(s["between.r_out"] - s["here.torque"]).max() < 1e-10
    assert abs(s["force.force"] - s["there.force"]).max() < 1e-9  # all cuts are at one place
    assert abs(s["torque.torque"] - s["here.torque"]).max() < 1e-9
    w, v = s["outer.frame_a.w"], R.inv().apply(s["outer.frame_a.v_0"])
    centre = np.array(body["r_CM"])
    moving = v + np.cross(w, centre)
    height = s["outer.frame_a.r_0"][:, 1] + R.apply(centre)[:, 1]
    spin = (w**2) @ np.array([body["I_11"], body["I_22"], body["I_33"]])
    energy = 0.5 * (2.0 * (moving**2).sum(axis=1) + spin) + 2.0 * 9.81 * height
    assert np.ptp(energy) > 1.0
    close(s["power.power"], slope(s, energy))


def test_axes_that_do_not_exist() -> None:
    model = tg.System("wrong")
    model.add(world=mb.World(), seen=mb.AbsolutePosition(resolve_in="frame_b"))
    model.connect(model.world.frame_b, model.seen.frame_a)
    with pytest.raises(tg.TellegenError, match="resolve_in='frame_b' does not exist"):
        tg.compile(model)


def test_a_model_reads_frames_of_its_parts() -> None:
    class Watched(tg.Component):
        world = mb.World()
        hinge = mb.Revolute(phi=started(0.5), w=started(2.0))
        rod = mb.BodyShape(r=[0.3, 0.0, 0.0], r_CM=[0.1, 0.0, 0.0])
        x = tg.variable("m")
        v = tg.variable("m/s", shape=3)

        def connections(self) -> Any:
            yield self.world.frame_b, self.hinge.frame_a
            yield self.hinge.frame_b, self.rod.frame_a

        def equations(self) -> Any:
            yield self.x == self.rod.frame_b.r_0[0]
            yield self.v == self.rod.frame_b.v_0

    s = tg.simulate(Watched(), stop=1.0)
    assert np.allclose(s["x"], 0.3 * np.cos(s["hinge.phi"]), atol=1e-12)
    assert np.allclose(s["v"][:, 1], 0.3 * np.cos(s["hinge.phi"]) * s["hinge.w"], atol=1e-12)

    class Wrong(Watched):
        y = tg.variable("N")

        def equations(self) -> Any:
            yield self.y == self.rod.frame_b.f[0]

    with pytest.raises(tg.TellegenError, match=r"E219: .*does not say what acts"):
        tg.compile(Wrong())
