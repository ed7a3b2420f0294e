"""The car of examples/car.py: wheel loads, the energy of a drive over the bump, and frequencies by a plain model."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy
from scipy.spatial.transform import Rotation

import tellegen as tg

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "car.py"
G = 9.81


def script() -> Any:
    spec = importlib.util.spec_from_file_location("car", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CAR = script()


@pytest.fixture(scope="module")
def drive() -> tg.Solution:
    return tg.simulate(CAR.car_on_the_bump(), stop=4.0, points=401, rtol=1e-6)


def test_loops_and_freedoms() -> None:
    """Six of the body, and travel and rotation of each wheel."""
    m = tg.mechanism(CAR.Car())
    found = m.freedoms()
    assert (len(m.loops), found.left, found.redundant) == (8, 14, ())


def test_wheel_loads_carry_the_weight(drive: tg.Solution) -> None:
    """At rest on its springs, to what is left of the motion since the start: 0.1 %."""
    loads = drive.at([2.3])["corners.tyre.f"][0]
    assert loads.sum() == pytest.approx(CAR.weight(), rel=1e-3)
    np.testing.assert_allclose(loads[[0, 2]], loads[[1, 3]], rtol=1e-6)
    axles = CAR.FRONT - CAR.REAR
    unsprung = 0.25 * (CAR.weight() - G * CAR.SPRUNG)
    front = 2 * unsprung + G * CAR.SPRUNG * -CAR.REAR / axles
    assert loads[:2].sum() == pytest.approx(front, rel=5e-3)
    assert drive.stats["drift"] < 1e-6


PARTS = ("lower", "upper", "upright", "rod", "wheel")


def kinetic_and_potential(drive: tg.Solution) -> Any:
    """Of 21 bodies, from the motion of their frames."""
    total = np.zeros(len(drive.time))
    for body in ("body", *(f"corners[{k}].{part}" for k in range(4) for part in PARTS)):
        m, r_cm = drive[f"{body}.m"], np.asarray(drive[f"{body}.r_CM"])
        inertia = np.asarray(drive[f"{body}.inertia"])[[0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(3, 3)
        R, w = drive[f"{body}.frame_a.R"], drive[f"{body}.frame_a.w"]
        v = drive[f"{body}.frame_a.v_0"] + np.einsum("tji,tj->ti", R, np.cross(w, r_cm))
        z = drive[f"{body}.frame_a.r_0"][:, 2] + (np.einsum("tji,j->ti", R, r_cm))[:, 2]
        total += 0.5 * m * (v**2).sum(axis=1) + 0.5 * np.einsum("ti,ij,tj->t", w, inertia, w) + m * G * z
    return total


def test_energy_over_the_bump(drive: tg.Solution) -> None:
    """Bodies, springs and tyres have what the road has given less what became heat, to 1e-4 of what the bump moves."""
    stretched = drive["corners.strut.s"] - 0.56
    compressed = np.maximum(drive["corners.tyre.p"], 0.0)
    stored = (0.5 * 5e4 * stretched**2 + 0.5 * 2e5 * compressed**2).sum(axis=1)
    given = (drive["corners.tyre.work"] - drive["corners.tyre.loss"]).sum(axis=1) - drive["loss"]
    balance = kinetic_and_potential(drive) + stored - given
    moved = np.ptp(drive["corners.tyre.work"].sum(axis=1))
    assert moved > 100.0
    np.testing.assert_allclose(balance, balance[0], atol=1e-4 * moved)


class CornerKinematics:
    """The left corner with its body held: solved by SciPy from the distances of its points."""

    def __init__(self) -> None:
        names = ("LOWER_HINGE", "LOWER_BALL", "UPPER_HINGE", "UPPER_BALL", "ROD_IN", "ROD_OUT", "HUB", "FOOT", "TOP")
        self.p = {name: np.array(getattr(CAR, name)) for name in names}

    def at(self, lower: float) -> dict[str, Any]:
        """All points for an angle of the lower wishbone."""
        p = self.p
        turned = Rotation.from_rotvec([lower, 0.0, 0.0])
        ball = p["LOWER_HINGE"] + turned.apply(p["LOWER_BALL"] - p["LOWER_HINGE"])

        def places(x: Any) -> Any:
            upright = Rotation.from_rotvec(x[:3])
            upper = Rotation.from_rotvec([x[3], 0.0, 0.0])
            on_upright = {
                name: ball + upright.apply(p[name] - p["LOWER_BALL"]) for name in ("UPPER_BALL", "ROD_OUT", "HUB")
            }
            return on_upright, p["UPPER_HINGE"] + upper.apply(p["UPPER_BALL"] - p["UPPER_HINGE"])

        def gaps(x: Any) -> Any:
            on_upright, end = places(x)
            rod = np.sum((on_upright["ROD_OUT"] - p["ROD_IN"]) ** 2) - np.sum((p["ROD_OUT"] - p["ROD_IN"]) ** 2)
            return [*(on_upright["UPPER_BALL"] - end), rod]

        x = scipy.optimize.fsolve(gaps, [0.0, 0.0, 0.0, lower], xtol=1e-11)
        on_upright, end = places(x)
        foot = p["LOWER_HINGE"] + turned.apply(p["FOOT"] - p["LOWER_HINGE"])
        middle = 0.5 * (p["LOWER_HINGE"] + ball)
        upper_middle = 0.5 * (p["UPPER_HINGE"] + end)
        rod_middle = 0.5 * (p["ROD_IN"] + on_upright["ROD_OUT"])
        strut = float(np.linalg.norm(p["TOP"] - foot))
        return {"hub": on_upright["HUB"], "strut": strut, "middles": np.array([middle, upper_middle, rod_middle])}


@dataclass(frozen=True)
class PlainCorner:
    """A corner as one mass between body and road, which moves as its hub."""

    stiffness: float
    damping: float
    m: float
    x: float


def plain_corner(drive: tg.Solution, axle: int, x: float) -> PlainCorner:
    """What spring, damper and masses are at the hub: by the travel of the hub, and the force at rest."""
    corner = CornerKinematics()
    settled = drive.at([2.3])
    s_0 = float(settled["corners.strut.s"][0, axle])
    angle = scipy.optimize.brentq(lambda a: corner.at(a)["strut"] - s_0, -0.3, 0.3, xtol=1e-12)
    h = 1e-3
    before, here, after = (corner.at(angle + k * h) for k in (-1, 0, 1))
    z = [one["hub"][2] for one in (before, here, after)]
    s = [one["strut"] for one in (before, here, after)]
    slope = np.gradient(s, z)[1]
    force = 5e4 * (s_0 - 0.56)
    curvature = 2.0 * ((s[2] - s[1]) / (z[2] - z[1]) - (s[1] - s[0]) / (z[1] - z[0])) / (z[2] - z[0])
    by_travel = (after["middles"] - before["middles"])[:, 2] / (z[2] - z[0])
    bars = np.array([CAR.WISHBONE, CAR.WISHBONE, CAR.ROD]) * 4 / 3 * by_travel**2
    moved = CAR.UPRIGHT + float(settled["corners[0].wheel.m"]) + float(bars.sum())
    return PlainCorner(5e4 * slope**2 + force * curvature, 4e3 * slope**2, moved, x)


def test_frequencies_of_body_and_wheels(drive: tg.Solution) -> None:
    """Bounce, pitch, roll and hop against a model of seven freedoms; wishbones are points in it: 3 %."""
    corners = [plain_corner(drive, 2 * k, x) for k, x in enumerate((CAR.FRONT, CAR.REAR)) for _ in range(2)]
    M = np.diag([CAR.SPRUNG, 1700.0, 450.0, *(corner.m for corner in corners)])
    K = np.zeros((7, 7))
    C = np.zeros((7, 7))
    for k, corner in enumerate(corners):
        side = CAR.SIDES[k] * CAR.HUB[1]
        above = np.zeros(7)
        above[:3] = [1.0, -corner.x, side]
        above[3 + k] = -1.0
        tyre = np.zeros(7)
        tyre[3 + k] = 1.0
        K += corner.stiffness * np.outer(above, above) + 2e5 * np.outer(tyre, tyre)
        C += corner.damping * np.outer(above, above) + 200.0 * np.outer(tyre, tyre)
    inverse = np.linalg.inv(M)
    expected = np.linalg.eigvals(np.block([[np.zeros((7, 7)), np.eye(7)], [-inverse @ K, -inverse @ C]]))
    linear = tg.linearize(CAR.car_on_the_bump(), at=drive.at(2.3))
    found = np.linalg.eigvals(linear.A)
    modes, plain = (sorted(values[values.imag > 1.0], key=abs) for values in (found, expected))
    assert len(modes) == len(plain) == 7
    for mode, by_plain in zip(modes, plain, strict=True):
        assert abs(mode) == pytest.approx(abs(by_plain), rel=0.03)  # measured: 0.6 to 2.5 %
        assert mode.real == pytest.approx(by_plain.real, rel=0.05)
