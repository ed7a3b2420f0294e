"""Masses on line forces, bevel gears and driven joints of several freedoms: energy, momentum, and closed solutions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from library.multibody.mechanisms import started
from tellegen.library import multibody as mb
from tellegen.library import rotational as rot
from tellegen.library import translational as tr

C, LENGTH = 40.0, 0.8
BODIES = {
    "first": {"m": 1.0, "r_0_start": [0.0, 0.0, 0.0], "v_0_start": [0.3, 0.0, 0.5], "w_0_start": [0.5, 1.0, 0.0]},
    "second": {"m": 2.0, "r_0_start": [0.9, 0.4, 0.1], "v_0_start": [-0.2, 0.6, -0.3], "w_0_start": [0.0, 0.0, 1.0]},
}


def joined_by(line: Any) -> Any:
    """Two bodies that fall, with a spring between them along the line."""
    model = tg.System("pair")
    model.add(world=mb.World(), line=line, spring=tr.Spring(c=C, s_rel0=LENGTH))
    for name, numbers in BODIES.items():
        model.add(**{name: mb.Body(**numbers)})
    model.connect(model.first.frame_a, model.line.frame_a)
    model.connect(model.second.frame_a, model.line.frame_b)
    model.connect(model.line.flange_a, model.spring.flange_a)
    model.connect(model.line.flange_b, model.spring.flange_b)
    return tg.simulate(model, stop=1.5, rtol=1e-9, points=301)


def check(s: Any, masses: list[tuple[float, Any, Any]]) -> None:
    """Momentum grows by the weight alone, energy stays: of both bodies, the point masses (m, r, v) and the spring."""
    all_masses = [(BODIES[name]["m"], s[f"{name}.frame_a.r_0"], s[f"{name}.frame_a.v_0"]) for name in BODIES] + masses
    total = sum(m for m, _, _ in all_masses)
    momentum: Any = sum(m * v for m, _, v in all_masses)
    expected = momentum[0] + np.outer(s.time, [0.0, -9.81 * total, 0.0])
    np.testing.assert_allclose(momentum, expected, atol=2e-7)
    arms = [m * np.cross(r, v) for m, r, v in all_masses]
    fallen = [m * np.cross(r, [0.0, -9.81, 0.0]) for m, r, _ in all_masses]
    turned: Any = sum(arms)  # the bodies do not turn each other: frames pass no torque
    moment: Any = sum(fallen)
    grown = np.concatenate(
        [np.zeros((1, 3)), np.cumsum(0.5 * (moment[1:] + moment[:-1]) * np.diff(s.time)[:, None], axis=0)]
    )
    np.testing.assert_allclose(turned, turned[0] + grown, atol=2e-3)
    stretch = s["line.s"] - LENGTH
    energy = sum(0.5 * m * (v**2).sum(axis=1) + 9.81 * m * r[:, 1] for m, r, v in all_masses) + 0.5 * C * stretch**2
    assert np.ptp(stretch) > 0.2
    np.testing.assert_allclose(energy, energy[0], atol=2e-6)


def test_a_mass_on_the_line() -> None:
    s = joined_by(mb.LineForceWithMass(m=1.5, length_fraction=0.3))
    a, b = (s[f"{name}.frame_a.r_0"] for name in BODIES)
    v_a, v_b = (s[f"{name}.frame_a.v_0"] for name in BODIES)
    check(s, [(1.5, 0.7 * a + 0.3 * b, 0.7 * v_a + 0.3 * v_b)])


def test_masses_at_both_ends_of_a_cylinder() -> None:
    s = joined_by(mb.LineForceWithTwoMasses(m_a=0.7, m_b=0.4, L_a=0.25, L_b=0.15))
    a, b = (s[f"{name}.frame_a.r_0"] for name in BODIES)
    v_a, v_b = (s[f"{name}.frame_a.v_0"] for name in BODIES)
    e = s["line.e"]
    e_rate = (v_b - v_a - e * ((v_b - v_a) * e).sum(axis=1, keepdims=True)) / s["line.s"][:, None]
    check(s, [(0.7, a + 0.25 * e, v_a + 0.25 * e_rate), (0.4, b - 0.15 * e, v_b - 0.15 * e_rate)])


def test_a_bevel_gear_turns_its_housing() -> None:
    """Two rotors across each other on a free body: angular momentum and energy stay."""
    model = tg.System("bevel")
    inertia = {"I_11": 0.02, "I_22": 0.03, "I_33": 0.04}
    model.add(world=mb.World(gravity="none"), body=mb.Body(m=1.0, **inertia, w_0_start=[0.3, -0.2, 0.5]))
    model.add(gear=mb.BevelGear1D(ratio=2.0, n_a=[1, 0, 0], n_b=[0, 1, 0]))
    model.add(a=mb.Rotor1D(J=0.01, n=[1, 0, 0], w=started(20.0)), b=mb.Rotor1D(J=0.02, n=[0, 1, 0]))
    model.add(angles=mb.AbsoluteAngles(sequence=[3, 1, 3]))
    for part in (model.gear, model.a, model.b, model.angles):
        model.connect(model.body.frame_a, part.frame_a)
    model.connect(model.a.flange_b, model.gear.flange_a)
    model.connect(model.gear.flange_b, model.b.flange_a)
    s = tg.simulate(model, stop=2.0, rtol=1e-9)
    assert abs(s["a.w"] - 2.0 * s["b.w"]).max() < 1e-7
    w = s["body.frame_a.w"]
    spins = np.column_stack([0.01 * (s["a.w"] + w[:, 0]), 0.02 * (s["b.w"] + w[:, 1]), 0.0 * s.time])
    axes = np.array([0.02, 0.03, 0.04])
    momentum = w * axes + spins
    assert np.ptp(momentum[:, 2]) > 0.01
    np.testing.assert_allclose(np.linalg.norm(momentum, axis=1), np.linalg.norm(momentum[0]), rtol=1e-7)
    energy = 0.5 * (w**2 @ axes) + 0.5 * (spins[:, 0] ** 2 / 0.01 + spins[:, 1] ** 2 / 0.02)
    np.testing.assert_allclose(energy, energy[0], rtol=1e-7)


def round_body(m: float, J: float) -> mb.Body:
    return mb.Body(m=m, I_11=J, I_22=J, I_33=J)


def test_planar_gimbal_and_screw_take_drives() -> None:
    """Springs at the flanges: a plate that swings in a plane, a ring that swings about its second axis, a nut."""
    model = tg.System("driven")
    model.add(world=mb.World(gravity="none"))
    model.add(plane=mb.Planar(use_flange=True, s_x=started(0.1), s_y=started(0.2), phi=started(0.3)))
    model.add(ring=mb.Gimbal(use_flange=True, angles=started([0.0, 0.2, 0.0])))
    model.add(nut=mb.Screw(pitch=0.05, use_flange=True, phi=started(0.4)))
    model.add(plate=round_body(2.0, 0.5), disk=round_body(1.0, 0.4), sleeve=round_body(3.0, 0.02))
    model.add(x=tr.Spring(c=8.0), y=tr.Spring(c=18.0), phi=rot.Spring(c=4.5))
    model.add(tilt=rot.Spring(c=1.6), turn=rot.Spring(c=1.0))
    for joint, body in ((model.plane, model.plate), (model.ring, model.disk), (model.nut, model.sleeve)):
        model.connect(model.world.frame_b, joint.frame_a)
        model.connect(joint.frame_b, body.frame_a)
    held = [
        (model.plane, "x", model.x),
        (model.plane, "y", model.y),
        (model.plane, "phi", model.phi),
        (model.ring, "2", model.tilt),
    ]
    for joint, freedom, spring in held:
        model.connect(getattr(joint, f"support_{freedom}"), spring.flange_a)
        model.connect(getattr(joint, f"axis_{freedom}"), spring.flange_b)
    model.connect(model.nut.support, model.turn.flange_a)
    model.connect(model.nut.axis, model.turn.flange_b)
    s = tg.simulate(model, stop=3.0, rtol=1e-8)
    for path, start, rate in [
        ("plane.s_x", 0.1, 2.0),
        ("plane.s_y", 0.2, 3.0),
        ("plane.phi", 0.3, 3.0),
        ("ring.angles[1]", 0.2, 2.0),
    ]:
        assert s[path] == pytest.approx(start * np.cos(rate * s.time), abs=1e-6)
    moved = 0.02 + 3.0 * (0.05 / (2 * np.pi)) ** 2
    assert s["nut.phi"] == pytest.approx(0.4 * np.cos(s.time / np.sqrt(moved)), abs=1e-6)
