"""Scenes for tests and pictures; their motions are computed with SciPy, so that nothing here needs a model."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve
from scipy.spatial.transform import Rotation

from tellegen.animation import (
    ArrowItem,
    Box,
    Camera,
    Cone,
    Curve,
    Cylinder,
    FrameAxes,
    Group,
    Item,
    Scene,
    Sphere,
    Spring,
    Torus,
    Trace,
)

LENGTH = 0.5
GRAVITY = 9.81


def about_z(angles: np.ndarray) -> np.ndarray:
    return Rotation.from_euler("z", angles[:, None]).as_matrix()


def fixed(count: int, place: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> tuple[np.ndarray, np.ndarray]:
    return np.tile(place, (count, 1)).astype(float), np.tile(np.eye(3), (count, 1, 1))


def rod(color: str, length: float, front: float) -> Group:
    """A flat bar along x with a pin at each end; `front` is its layer along z."""
    ends = [Cylinder(length=0.05, diameter=0.05, at=(x, 0.0, front), color="#c8ccd2") for x in (0.0, length)]
    bar = Box.between((0.0, 0.0, front), (length, 0.0, front), width=0.03, height=0.045, across=(0, 0, 1), color=color)
    return Group(shapes=(bar, *ends))


@cache
def double_pendulum(stop: float = 8.0) -> Scene:
    """Two bars with point masses at their ends; the trace of the last mass, and the tension of the first bar."""

    def rates(_t: float, x: np.ndarray) -> list[float]:
        a, b, p, q = x  # angles from the vertical, rates; equal masses and lengths
        c, s = np.cos(a - b), np.sin(a - b)
        matrix = np.array([[2.0, c], [c, 1.0]])
        forces = np.array([-q * q * s - 2 * GRAVITY / LENGTH * np.sin(a), p * p * s - GRAVITY / LENGTH * np.sin(b)])
        return [p, q, *np.linalg.solve(matrix, forces)]

    times = np.linspace(0.0, stop, int(200 * stop) + 1)
    a, b, p, q = solve_ivp(rates, (0.0, stop), [2.1, 2.6, 0.0, 0.0], t_eval=times, rtol=1e-9, atol=1e-9).y
    elbow = LENGTH * np.column_stack([np.sin(a), -np.cos(a), np.zeros_like(a)])
    tip = elbow + LENGTH * np.column_stack([np.sin(b), -np.cos(b), np.zeros_like(b)])
    origin, still = fixed(len(times))
    weight = np.tile([0.0, -1.0, 0.0], (len(times), 1))
    ball = Sphere(diameter=0.11, color="#dd6644")
    return Scene(
        "double pendulum",
        times,
        (
            Item("bearing", Cylinder(length=0.16, diameter=0.06, color="#8899aa"), origin, still),
            Item("first", rod("#4477bb", LENGTH, 0.03), origin, about_z(a - np.pi / 2), ("first.phi", "first.w")),
            Item("second", rod("#44aa88", LENGTH, -0.03), elbow, about_z(b - np.pi / 2), ("second.phi", "second.w")),
            Item("mass", ball, tip, about_z(b), ("second.phi",)),
        ),
        traces=(Trace("tip", tip),),
        arrows=(ArrowItem("weight", tip, weight, scale=0.25),),
        curves=(
            Curve("first.phi", "rad", a),
            Curve("first.w", "rad/s", p),
            Curve("second.phi", "rad", b),
            Curve("second.w", "rad/s", q),
        ),
    )


@cache
def four_bar(stop: float = 4.0) -> Scene:
    """A crank that turns at constant speed, a coupler and a rocker, with the trace of a point of the coupler."""
    crank, coupler, rocker, base = 0.2, 0.55, 0.45, 0.6
    times = np.linspace(0.0, stop, 401)
    turned = 2.0 * np.pi * times / 2.0
    guess = np.array([0.8, 1.8])
    angles = []
    for angle in turned:

        def closed(x: np.ndarray, angle: float = angle) -> list[float]:
            return [
                crank * np.cos(angle) + coupler * np.cos(x[0]) - base - rocker * np.cos(x[1]),
                crank * np.sin(angle) + coupler * np.sin(x[0]) - rocker * np.sin(x[1]),
            ]

        guess = fsolve(closed, guess, xtol=1e-12)
        angles.append(guess)
    of_coupler, of_rocker = np.array(angles).T
    pin = crank * np.column_stack([np.cos(turned), np.sin(turned), np.zeros_like(turned)])
    origin, still = fixed(len(times))
    other, _ = fixed(len(times), (base, 0.0, 0.0))
    turn = about_z(of_coupler)
    point = pin + np.einsum("tij,j->ti", turn, [0.5 * coupler, 0.22, 0.0])
    frame = Box(
        length=base + 0.16, width=0.06, height=0.1, at=(0.5 * base, -0.09, 0.0), along=(1, 0, 0), across=(0, 0, 1)
    )
    plate = Group(
        shapes=(
            rod("#dd6644", coupler, -0.03),
            Box.between(
                (0.5 * coupler, 0.0, -0.03), (0.5 * coupler, 0.22, -0.03), width=0.03, height=0.03, color="#dd6644"
            ),
            Sphere(diameter=0.06, at=(0.5 * coupler, 0.22, -0.03), color="#cc9922"),
        )
    )
    return Scene(
        "four-bar",
        times,
        (
            Item("frame", frame, origin, still),
            Item("crank", rod("#4477bb", crank, 0.03), origin, about_z(turned), ("crank.phi",)),
            Item("coupler", plate, pin, turn, ("coupler.phi",)),
            Item("rocker", rod("#44aa88", rocker, 0.03), other, about_z(of_rocker), ("rocker.phi",)),
        ),
        traces=(Trace("coupler point", point, "#cc9922"),),
        curves=(
            Curve("crank.phi", "rad", turned),
            Curve("coupler.phi", "rad", of_coupler),
            Curve("rocker.phi", "rad", of_rocker),
        ),
    )


@cache
def spinning_top(stop: float = 5.0) -> Scene:
    """A heavy symmetric top in Euler angles, z is up: nutation and precession, the trace of its tip."""
    axial, lateral, mass, height, spin = 2.0e-4, 6.0e-4, 0.15, 0.06, 120.0

    def rates(_t: float, x: np.ndarray) -> list[float]:
        theta, _phi, _psi, theta_rate = x
        at_start = np.cos(0.35)
        phi_rate = axial * spin * (at_start - np.cos(theta)) / (lateral * np.sin(theta) ** 2)
        psi_rate = spin - phi_rate * np.cos(theta)
        torque = mass * GRAVITY * height * np.sin(theta)
        gyroscopic = (lateral * phi_rate * np.cos(theta) - axial * spin) * phi_rate * np.sin(theta)
        return [theta_rate, phi_rate, psi_rate, (torque + gyroscopic) / lateral]

    times = np.linspace(0.0, stop, int(800 * stop) + 1)
    theta, phi, psi, _ = solve_ivp(rates, (0.0, stop), [0.35, 0.0, 0.0, 0.0], t_eval=times, rtol=1e-9, atol=1e-9).y
    turn = Rotation.from_euler("ZXZ", np.column_stack([phi, theta, psi])).as_matrix()
    origin, _ = fixed(len(times))
    body = Group(
        shapes=(
            Cone(length=0.035, diameter=0.012, tip_diameter=0.0, at=(0, 0, 0.0175), along=(0, 0, -1), color="#8899aa"),
            Cone(
                length=0.03,
                diameter=0.09,
                tip_diameter=0.02,
                at=(0, 0, 0.05),
                along=(0, 0, -1),
                color="#dd6644",
                marked=True,
            ),
            Torus(diameter=0.09, tube_diameter=0.014, at=(0, 0, 0.068), color="#cc9922", marked=True),
            Cylinder(length=0.012, diameter=0.088, at=(0, 0, 0.07), color="#dd6644", marked=True),
            Cylinder(length=0.05, diameter=0.012, at=(0, 0, 0.1), color="#8899aa"),
            Sphere(diameter=0.02, at=(0, 0, 0.125), color="#4477bb"),
        )
    )
    tip = np.einsum("tij,j->ti", turn, [0.0, 0.0, 0.136])
    return Scene(
        "spinning top",
        times,
        (Item("top", body, origin, turn, ("theta", "phi")),),
        traces=(Trace("axis", tip, "#4477bb"),),
        curves=(Curve("theta", "rad", theta), Curve("phi", "rad", phi)),
        camera=Camera(position=(0.34, -0.42, 0.24), target=(0.0, 0.0, 0.06)),
        up=(0.0, 0.0, 1.0),
        ground=0.0,
    )


@cache
def hanging_mass(stop: float = 3.0) -> Scene:
    """A mass on a spring, drawn by scales; it jumps at 1.5 s, as at an event."""
    times = np.sort(np.append(np.linspace(0.0, stop, 301), 1.5))
    after = np.cumsum(np.concatenate([[0.0], np.diff(times) == 0.0])) > 0
    height = -0.6 + 0.15 * np.cos(7.0 * times) * np.where(after, 0.4, 1.0)
    place = np.column_stack([np.zeros_like(height), height, np.zeros_like(height)])
    origin, still = fixed(len(times))
    scales = np.column_stack([np.ones_like(height), np.ones_like(height), -height])
    spring = Spring(length=1.0, diameter=0.12, wire_diameter=0.014, turns=9, at=(0, 0, 0.5), color="#8899aa")
    down = np.tile(Rotation.from_rotvec([np.pi / 2, 0, 0]).as_matrix(), (len(times), 1, 1))
    block = Box(length=0.2, width=0.2, height=0.2, color="#4477bb", opacity=0.6)
    return Scene(
        "hanging mass",
        times,
        (
            Item("spring", spring, origin, down, ("s",), scales),
            Item("mass", block, place, still, ("s",)),
            Item("axes", FrameAxes(length=0.2), origin, still),
        ),
        curves=(Curve("s", "m", -height),),
    )


ALL = {scene.__name__: scene for scene in (double_pendulum, four_bar, spinning_top, hanging_mass)}
