"""Quantities of frames that are no variables of the model: against sensors, derivatives of each other, and by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import make_interp_spline

import tellegen as tg
from library.multibody.test_sensors import arm
from multibody_functions.random_trees import forest, model_of, random_tree
from tellegen.engine.readout.frame_readings import READINGS, frame_names
from tellegen.library import multibody as mb

SENSED = {"r_0": "r_world.r", "v_0": "v_world.v", "a_0": "a_world.a", "w": "w_frame_a.w", "z": "z_frame_a.z"}


@pytest.fixture(scope="module")
def seen() -> Any:
    return tg.simulate(arm(sensors=True), stop=0.3, points=31)


@pytest.mark.parametrize("name", SENSED)
def test_a_reading_is_what_a_sensor_shows(seen: Any, name: str) -> None:
    """The frame of the body is another than the sensor's, at the same place."""
    path = f"lower.frame_b.{name}"
    assert not any(known.startswith(path) for known in seen.names())
    scale = max(1.0, abs(seen[SENSED[name]]).max())
    assert abs(seen[path] - seen[SENSED[name]]).max() < 1e-13 * scale
    assert seen.unit(path) == seen.unit(SENSED[name])
    now = seen.at(0.123)
    assert abs(now[path] - now[SENSED[name]]).max() < 1e-13 * scale
    assert abs(seen.at([0.1, 0.123])[path][1] - now[path]).max() == 0.0


def test_readings_are_derivatives_of_each_other() -> None:
    trees = forest([random_tree(seed, 4) for seed in range(5)])
    solution = tg.simulate(model_of(trees), stop=0.2, points=401, rtol=1e-11, atol=1e-12)
    frames = [f"joint{k}.frame_{end}" for k in range(len(trees)) for end in "ab"]
    inner = slice(8, -8)  # splines are poor at their ends

    def slope(values: Any) -> Any:
        return make_interp_spline(solution.time, values, k=5).derivative()(solution.time)

    for frame in frames:
        r, R, v, w, a, z = (solution[f"{frame}.{name}"] for name in READINGS)
        assert abs(R @ R.transpose(0, 2, 1) - np.eye(3)).max() < 1e-8
        spin = R @ slope(R.transpose(0, 2, 1))  # R dR'/dt is the matrix of w x
        turning = np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=1)
        for found, expected in ((v, slope(r)), (a, slope(v)), (w, turning), (z, slope(w))):
            assert abs(found - expected)[inner].max() < 1e-5 * max(1.0, abs(found).max())


@pytest.fixture(scope="module")
def flying() -> Any:
    return tg.compile(Flying())


class Flying(tg.Component):
    """A free body whose frame is differentiated: what is known of it must not become a state in place of Q."""

    world = mb.World()
    body = mb.BodyShape(
        m=1.0,
        r=[0.3, 0.1, -0.2],
        r_CM=[0.1, 0, 0.05],
        I_11=1.0,
        I_22=2.0,
        I_33=3.0,
        v_0_start=[1, 0, 0],
        w_0_start=[1.0, 0.1, 0.2],
    )
    r_rate = tg.variable("m/s", shape=3)
    v_rate = tg.variable("m/s2", shape=3)
    R_rate = tg.variable("1/s", shape=(3, 3))
    w_rate = tg.variable("rad/s2", shape=3)
    sum_of_two = tg.variable("m", start=0.4)
    sum_rate = tg.variable("m/s")
    sum_acceleration = tg.variable("m/s2")

    def equations(self) -> Iterator[Any]:
        frame = self.body.frame_b
        yield self.r_rate == tg.der(frame.r_0)
        yield self.v_rate == tg.der(frame.v_0)
        yield self.R_rate == tg.der(frame.R)
        yield self.w_rate == tg.der(frame.w)
        yield self.sum_of_two == frame.r_0[0] + frame.r_0[1]
        yield self.sum_rate == tg.der(self.sum_of_two)
        yield self.sum_acceleration == tg.der(self.sum_rate)


@pytest.mark.parametrize("solver", ["rk45", "rodas", "cvode", "ida"])
def test_frames_of_a_free_body_are_differentiated(solver: str, flying: Any) -> None:
    """Exact where states are projected: both sides are functions of the same states. IDA does not project."""
    run = flying.simulate(stop=1.0, points=11, solver=solver)
    r, R, v, w, a, z = (run[f"body.frame_b.{name}"] for name in READINGS)
    assert r.shape == v.shape
    near = 1e-6 if solver == "ida" else 1e-13
    np.testing.assert_allclose(run["r_rate"], v, atol=near)
    np.testing.assert_allclose(run["v_rate"], a, atol=10 * near)
    np.testing.assert_allclose(run["w_rate"], z, atol=near)
    np.testing.assert_allclose(run["R_rate"], -np.cross(w[:, :, None], R, axis=1), atol=near)
    np.testing.assert_allclose(run["sum_rate"], v[:, 0] + v[:, 1], atol=near)
    np.testing.assert_allclose(run["sum_acceleration"], a[:, 0] + a[:, 1], atol=10 * near)


class Altimeter(tg.Component):
    """Reads a frame of a component that it is not connected to."""

    load = tg.outer("load")
    height = tg.variable("m")

    def equations(self) -> Iterator[Any]:
        yield self.height == self.load.frame_a.r_0[1]


class Falling(tg.Component):
    world = mb.World()
    load = mb.Body(m=1.0, I_11=1.0, I_22=1.0, I_33=1.0, r_0_start=[0, 1, 0])
    altimeter = Altimeter()


def test_frames_of_outer_components() -> None:
    run = tg.simulate(Falling(), stop=0.1, points=3)
    np.testing.assert_allclose(run["altimeter.height"], 1 - 9.81 / 2 * run.time**2, atol=1e-9)


class Pendulums(tg.Component):
    """An array of mechanisms, one of which is looked at."""

    world = mb.World()
    joints = mb.Revolute.array(3, n=[0.0, 0.0, 1.0])
    rods = mb.BodyShape.array(3, r=[0.5, 0.0, 0.0], r_CM=[0.25, 0.0, 0.0], m=1.0)

    def connections(self) -> Iterator[Any]:
        for joint in self.joints:
            yield self.world.frame_b, joint.frame_a
        yield self.joints.frame_b, self.rods.frame_a


@pytest.fixture(scope="module")
def swinging() -> Any:
    return tg.simulate(Pendulums(), stop=0.4, points=11)


def test_members_of_arrays_elements_and_units(swinging: Any) -> None:
    phi = swinging["joints[1].phi"]
    tip = 0.5 * np.stack([np.cos(phi), np.sin(phi), 0.0 * phi], axis=1)
    np.testing.assert_allclose(swinging["rods[1].frame_b.r_0"], tip, atol=1e-14)
    np.testing.assert_allclose(swinging["rods[1].frame_b.r_0[1] [mm]"], 1e3 * tip[:, 1], atol=1e-11)
    np.testing.assert_allclose(swinging["rods[1].frame_b.R[0, :]"], 2.0 * tip, atol=1e-14)
    np.testing.assert_allclose(swinging["rods[1].frame_b.w[-1]"], swinging["joints[1].w"], atol=1e-14)
    np.testing.assert_array_equal(swinging["world.frame_b.r_0"], np.zeros((11, 3)))
    np.testing.assert_allclose(swinging["world.frame_b.a_0"], 0.0, atol=1e-15)


def test_readings_are_read_like_variables(swinging: Any) -> None:
    path = "rods[1].frame_b.r_0"
    assert path in swinging
    assert f"{path}[2]" in swinging.at(0.1)
    assert f"{path}[3]" not in swinging
    assert "rods[1].frame_b.f" not in swinging
    table = swinging.to_pandas(path, "joints[1].phi")
    assert list(table.columns) == [f"{path}[{k}]" for k in range(3)] + ["joints[1].phi"]
    assert swinging.to_xarray(path)[path].attrs["units"] == "m"
    assert swinging.plot(path, f"{path}[1]") is not None
    assert {*frame_names(swinging._reduced.flat)} <= {*swinging._ipython_key_completions_()}
    study = tg.study(Pendulums(), {"rods[1].m": [1.0, 2.0]}, outputs=[f"final({path}[1])"], stop=0.1)
    assert study.to_pandas().shape[0] == 2


def test_unknown_names_list_them_and_derivatives_are_refused(swinging: Any) -> None:
    with pytest.raises(tg.LanguageError, match=r"E100: .*'rods\[1\].frame_b.r_0'"):
        swinging["rods[1].frame_b.r0"]
    with pytest.raises(tg.LanguageError, match=r"E165: 'rods\[1\].frame_b.f' is not computed: it is a reaction"):
        swinging["rods[1].frame_b.f"]
    with pytest.raises(tg.LanguageError, match=r"E165: (?s:.*)try: read 'rods\[1\].frame_b.v_0'"):
        swinging["der(rods[1].frame_b.r_0)"]
