"""Mechanisms in Cartesian coordinates with constraint forces: DAEs of index 3, against minimal coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import tellegen as tg
from shared_models import shared_model
from validation.measured import relative, within

G = 9.81


def at(value: float, **more: Any) -> Any:
    return tg.variable(start=value, fixed=True, **more)


class Pendulum(tg.Component):
    """A point mass on a rod of length L: x^2 + y^2 = L^2, the rod's force per length is the multiplier."""

    x = tg.variable("m", start=1.0)
    y = tg.variable("m", start=0.0)
    vx = tg.variable("m/s", start=0.0)
    vy = tg.variable("m/s", start=0.0)
    force = tg.variable("N/m", "force of the rod over its length")
    m = tg.parameter(1.0, "kg")
    L = tg.parameter(1.0, "m")
    g = tg.parameter(G, "m/s2")

    def equations(self):
        yield tg.der(self.x) == self.vx
        yield tg.der(self.y) == self.vy
        yield self.m * tg.der(self.vx) == -self.force * self.x
        yield self.m * tg.der(self.vy) == -self.force * self.y - self.m * self.g
        yield self.x**2 + self.y**2 == self.L**2


def swing(times: Any, angle: float, speed: float) -> Any:
    """The angle from the vertical and its rate, by DOP853 at 1e-12."""

    def rhs(_: float, u: Any) -> Any:
        return [u[1], -G * np.sin(u[0])]

    start = [angle, speed]
    return solve_ivp(rhs, (0.0, times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-12).y


def test_pendulum_for_one_hundred_seconds() -> None:
    """From the horizontal position, through both quadrants below: 42 periods. Constraint and energy are held.

    The constraint is an equation at every output point, so it holds to the tolerance (1e-8), at position and at
    velocity level; the phase is an accumulated error: 1e-3 rad after 42 periods at rtol 1e-8.
    """
    s = tg.simulate(Pendulum(), 100.0, rtol=1e-8, points=1001)
    x, y, vx, vy = (s[name] for name in ("x", "y", "vx", "vy"))
    within("Pendulum, 100 s, length", x**2 + y**2 - 1.0, 1e-7, "constraint, m2")
    within("Pendulum, 100 s, velocity along the rod", x * vx + y * vy, 1e-6, "hidden constraint, m2/s")
    within("Pendulum, 100 s, energy", (0.5 * (vx**2 + vy**2) + G * y) / G, 1e-4, "conservation, of m g L")
    angle, _ = swing(s.time, np.pi / 2, 0.0)
    within("Pendulum, 100 s, position", np.hypot(x - np.sin(angle), y + np.cos(angle)), 1e-2, "minimal coordinates, m")


def test_pendulum_through_all_quadrants() -> None:
    """Fast enough to go round and round: no choice of one coordinate as state is good everywhere."""
    start = {"x": 0.0, "y": -1.0, "vx": 7.0, "vy": 0.0}
    s = tg.simulate(Pendulum(), 20.0, rtol=1e-8, points=401, initial=start)
    x, y = s["x"], s["y"]
    angle, _ = swing(s.time, 0.0, 7.0)
    assert angle[-1] > 10 * np.pi
    within("Rotating pendulum, 20 s, length", x**2 + y**2 - 1.0, 1e-7, "constraint, m2")
    within("Rotating pendulum, 20 s", np.hypot(x - np.sin(angle), y + np.cos(angle)), 1e-3, "minimal coordinates, m")


def test_force_in_the_rod() -> None:
    """The multiplier: m (v^2/L + g cos(angle)) / L, an index-3 variable, over two swings that stay below."""
    start = {"x": float(np.sin(0.5)), "y": -float(np.cos(0.5)), "vx": 0.0, "vy": 0.0}
    s = tg.simulate(Pendulum(), 4.0, rtol=1e-8, points=201, initial=start)
    angle, rate = swing(s.time, 0.5, 0.0)
    within("Pendulum, force in the rod", s["force"] - (rate**2 + G * np.cos(angle)), 1e-3, "minimal coordinates, N/m")


class DoublePendulum(tg.Component):
    """Two point masses on rods of 1 m: four coordinates, two constraints."""

    x1 = tg.variable(start=1.0)
    y1 = tg.variable(start=0.0)
    x2 = tg.variable(start=2.0)
    y2 = tg.variable(start=0.0)
    u1 = tg.variable(start=0.0)
    v1 = tg.variable(start=0.0)
    u2 = tg.variable(start=0.0)
    v2 = tg.variable(start=0.0)
    p = tg.variable()
    q = tg.variable()
    m1 = tg.parameter(1.0)
    m2 = tg.parameter(0.5)

    def equations(self):
        dx, dy = self.x2 - self.x1, self.y2 - self.y1
        yield tg.der(self.x1) == self.u1
        yield tg.der(self.y1) == self.v1
        yield tg.der(self.x2) == self.u2
        yield tg.der(self.y2) == self.v2
        yield self.m1 * tg.der(self.u1) == -self.p * self.x1 + self.q * dx
        yield self.m1 * tg.der(self.v1) == -self.p * self.y1 + self.q * dy - self.m1 * G
        yield self.m2 * tg.der(self.u2) == -self.q * dx
        yield self.m2 * tg.der(self.v2) == -self.q * dy - self.m2 * G
        yield self.x1**2 + self.y1**2 == 1
        yield dx**2 + dy**2 == 1


def double_swing(times: Any, start: list[float], m1: float, m2: float) -> Any:
    """Angles from the vertical in minimal coordinates: the 2x2 mass matrix solved at every step."""

    def rhs(_: float, u: Any) -> Any:
        a, b, wa, wb = u
        c, s = np.cos(a - b), np.sin(a - b)
        mass = np.array([[m1 + m2, m2 * c], [m2 * c, m2]])
        force = [-m2 * s * wb**2 - (m1 + m2) * G * np.sin(a), m2 * s * wa**2 - m2 * G * np.sin(b)]
        return [wa, wb, *np.linalg.solve(mass, force)]

    return solve_ivp(rhs, (0.0, times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-12).y


@pytest.mark.parametrize(
    ("case", "angles", "stop", "tolerance"),
    [("small swings", (0.4, -0.3), 10.0, 1e-4), ("from the horizontal", (np.pi / 2, np.pi / 2), 3.0, 1e-4)],
)
def test_double_pendulum(case: str, angles: tuple[float, float], stop: float, tolerance: float) -> None:
    """Chaotic when started high up: errors of 1e-9 per step may grow a thousandfold in 3 s."""
    a, b = angles
    x1, y1 = float(np.sin(a)), -float(np.cos(a))
    start = {"x1": x1, "y1": y1, "x2": x1 + float(np.sin(b)), "y2": y1 - float(np.cos(b))}
    s = shared_model(DoublePendulum).simulate(stop, rtol=1e-9, points=201, initial=start)
    one, two, _, _ = double_swing(s.time, [a, b, 0.0, 0.0], 1.0, 0.5)
    within(f"Double pendulum, {case}, upper", s["x1"] - np.sin(one), tolerance, "minimal coordinates, m")
    error = np.hypot(s["x2"] - np.sin(one) - np.sin(two), s["y2"] + np.cos(one) + np.cos(two))
    within(f"Double pendulum, {case}, lower", error, tolerance, "minimal coordinates, m")
    length = (s["x2"] - s["x1"]) ** 2 + (s["y2"] - s["y1"]) ** 2
    within(f"Double pendulum, {case}, length", length - 1.0, 1e-8, "constraint, m2")


class SliderCrank(tg.Component):
    """Example E4 of S. A. Vaze's dissertation: a DC motor turns a slider-crank. Inches, ounces, seconds, volts.

    Crank angle, rod (x, y, angle) and slider are five coordinates with four constraints at the two joints.
    """

    angle = at(np.pi / 4, state="prefer")
    w = at(0.0, state="prefer")
    i = at(0.0)
    x = tg.variable(start=2.2)
    y = tg.variable(start=0.35)
    rod = tg.variable(start=-0.24)
    slider = tg.variable(start=3.6)
    vx = tg.variable()
    vy = tg.variable()
    wr = tg.variable()
    vs = tg.variable()
    fx = tg.variable()
    fy = tg.variable()
    gx = tg.variable()
    gy = tg.variable()
    energy = at(0.0)
    V = tg.parameter(2.0)

    def equations(self):
        pin = tg.cos(self.angle), tg.sin(self.angle)  # the crank is 1 in long
        half = 1.5 * tg.cos(self.rod), 1.5 * tg.sin(self.rod)
        yield tg.der(self.angle) == self.w
        yield tg.der(self.x) == self.vx
        yield tg.der(self.y) == self.vy
        yield tg.der(self.rod) == self.wr
        yield tg.der(self.slider) == self.vs
        yield 0.0048 * tg.der(self.i) == self.V - 0.0401 * self.w - 2.4 * self.i
        torque = 5.6 * self.i - 0.0137 * self.w + pin[0] * self.fy - pin[1] * self.fx
        yield (0.0044 + 0.00414) * tg.der(self.w) == torque
        yield 0.0041 * tg.der(self.vx) == self.gx - self.fx
        yield 0.0041 * tg.der(self.vy) == self.gy - self.fy
        yield 0.0373 * tg.der(self.wr) == half[0] * (self.gy + self.fy) - half[1] * (self.gx + self.fx)
        yield 0.6211 * tg.der(self.vs) == -self.gx
        yield self.x - half[0] == pin[0]
        yield self.y - half[1] == pin[1]
        yield self.x + half[0] == self.slider
        yield self.y + half[1] == 0
        yield tg.der(self.energy) == self.V * self.i


def test_slider_crank() -> None:
    """Power at 0.1 .. 1 s and the energy, to the printed digits; 340 degrees, through one dead centre and one more."""
    listed = [1.637869, 1.613982, 1.594742, 1.573989, 1.540067, 1.443192, 1.224843, 1.440856, 1.431792, 1.159978]
    s = tg.simulate(SliderCrank(), 1.0, rtol=1e-9, points=np.linspace(0.1, 1.0, 10))
    within("Slider-crank E4, power", 2.0 * s["i"][1:] - listed, 1e-6, "seed E4 (minimal coordinates), W")
    within("Slider-crank E4, final crank angle", np.degrees(s["angle"][-1]) - 384.3378, 1e-4, "seed E4, degrees")
    within("Slider-crank E4, energy", relative(s["energy"][-1], 1.4664344), 1e-6, "seed E4")
    times = np.concatenate([np.linspace(a, a + 0.01, 1001) for a in (0.01, 0.665, 0.98)])
    fine = tg.simulate(SliderCrank(), 1.0, rtol=1e-9, points=times)
    within("Slider-crank E4, peak current", fine["i"].max() - 0.831161, 1e-6, "seed E4, A")
    within("Slider-crank E4, top speed", fine["w"].max() - 52.5684, 1e-4, "seed E4, rad/s")
    half_turn = float(np.interp(np.pi, fine["angle"], fine.time))
    within("Slider-crank E4, dead centre", half_turn - 0.669506, 1e-6, "seed E4, s")


class CarAxis(tg.Component):
    """The car axis of the IVP test set: a moving, bumpy base, two springs, two constraints; stiff, index 3."""

    xl = tg.variable(start=0.0)
    yl = at(0.5)
    xr = tg.variable(start=1.0)
    yr = at(0.5)  # fixing xr instead would be ill-posed: dx = 1 is the largest there is
    ul = tg.variable(start=-0.5)
    vl = at(0.0)
    ur = tg.variable(start=-0.5)
    vr = at(0.0)
    p = tg.variable(start=0.0)
    q = tg.variable(start=0.0)

    def equations(self):
        yb = 0.1 * tg.sin(10.0 * tg.time)
        xb = tg.sqrt(1 - yb**2)
        left = tg.sqrt(self.xl**2 + self.yl**2)
        right = tg.sqrt((self.xr - xb) ** 2 + (self.yr - yb) ** 2)
        half_mass = 1e-4 * 10.0 / 2.0
        dx, dy = self.xl - self.xr, self.yl - self.yr
        yield tg.der(self.xl) == self.ul
        yield tg.der(self.yl) == self.vl
        yield tg.der(self.xr) == self.ur
        yield tg.der(self.yr) == self.vr
        yield half_mass * tg.der(self.ul) == (0.5 - left) * self.xl / left + self.p * xb + 2 * self.q * dx
        yield half_mass * tg.der(self.vl) == (0.5 - left) * self.yl / left + self.p * yb + 2 * self.q * dy - half_mass
        yield half_mass * tg.der(self.ur) == (0.5 - right) * (self.xr - xb) / right - 2 * self.q * dx
        yield half_mass * tg.der(self.vr) == (0.5 - right) * (self.yr - yb) / right - 2 * self.q * dy - half_mass
        yield self.xl * xb + self.yl * yb == 0
        yield dx**2 + dy**2 == 1


def test_car_axis() -> None:
    """Positions, velocities and multipliers at t = 3 as printed; 1e-5 of each position (rtol 1e-9, 30 oscillations)."""
    listed = {
        "xl": 0.0493455784275402809122,
        "yl": 0.496989460230171153861,
        "xr": 1.04174252488542151681,
        "yr": 0.373911027265361256927,
        "ul": -0.0770583684040972357970,
        "vl": 0.00744686658723778553466,
        "ur": 0.0175568157537232222276,
        "vr": 0.770341043779251976443,
        "p": -0.00473688659084893324729,
        "q": -0.00110468033125734368808,
    }
    s = tg.simulate(CarAxis(), 3.0, rtol=1e-9, points=[3.0])
    for name, exact in listed.items():
        within("Car axis, t = 3", s[name][-1] - exact, 1e-5, "IVP test set")
