"""Mechanisms whose best states depend on where they are, under every solver and tolerance.

Linkages and chains of random numbers are compared with equations of motion of our own, in angles and with SciPy's
DOP853; the squeezing mechanism with published angles. Errors of a run are allowed a multiple of its tolerance: they add
up over its steps, and folding linkages and chains magnify them.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import tellegen as tg
from tellegen.library import planar
from tellegen.library import rotational as rot
from tellegen.library import translational as tr
from validation.measured import ALL, within
from validation.test_four_bar import FourBar, Linkage

EXAMPLE = runpy.run_path(str(Path(__file__).resolve().parents[2] / "examples" / "squeezing_mechanism.py"))
RTOLS = [1e-4, 1e-6, 1e-9]
G = 9.81


def integrated(rates: Any, start: Any, times: Any) -> Any:
    """One column for each time."""
    return solve_ivp(rates, (0.0, times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-12).y


# -- seven bodies -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def squeezer() -> tg.CompiledModel:
    return tg.compile(EXAMPLE["SqueezingMechanism"]())


@pytest.mark.parametrize("solver", ALL)
def test_squeezing_mechanism(squeezer: tg.CompiledModel, solver: str) -> None:
    """The crank has turned by 15.9 rad; BDF loses two more digits on the way than the others."""
    for rtol in RTOLS:
        s = squeezer.simulate(0.03, rtol=rtol, points=2, solver=solver)
        error = max(abs(s[path][-1] - angle) for path, angle in EXAMPLE["PUBLISHED"].items())
        within(f"Squeezing mechanism, rtol {rtol:g}", error, 3000 * rtol, "IVP test set, rad", solver)


def test_auto_integrates_the_states_alone(squeezer: tg.CompiledModel) -> None:
    s = squeezer.simulate(0.03, rtol=1e-6)
    assert s.stats["solver"] in ("rk45", "cvode")
    assert "2 states, reselected" in s.stats["solver_reason"]
    assert "state_changes" not in s.stats  # the crank is a good state all the way round


# -- four bars --------------------------------------------------------------------------------------------------------


def random_linkage(seed: int) -> Linkage:
    """With a crank that turns fully (Grashof) or not, not near the border between the two, and not nearly folded."""
    draw = np.random.default_rng(seed)
    while True:
        bars = draw.uniform(0.3, 1.5, 4)
        phi = draw.uniform(0.0, 2 * np.pi)
        excess = (bars.sum() - 2 * bars.max() - 2 * bars.min()) / bars.sum()
        across = abs(bars[3] - bars[0] * np.exp(1j * phi))
        can_close = 1.1 * abs(bars[1] - bars[2]) + 0.02 < across < 0.9 * (bars[1] + bars[2])
        if bars.max() < 0.47 * bars.sum() and abs(excess) > 0.05 and can_close:
            break
    masses = draw.uniform(0.3, 2.0, 3)
    return Linkage(bars[:3], float(bars[3]), masses, phi, draw.uniform(5.0, 15.0), int(draw.choice([-1, 1])))


def angles_of(linkage: Linkage, times: Any) -> Any:
    """Of crank, coupler and rocker, with the forces of the loop as multipliers: no angle has to be a good state."""
    l1, l2, l3 = linkage.lengths
    m1, m2, m3 = linkage.masses

    def closing(q: Any) -> Any:
        """The derivatives of the gap of the loop by the three angles."""
        lengths = np.array([l1, l2, -l3])
        return np.array([-lengths * np.sin(q), lengths * np.cos(q)])

    def rates(_: float, u: Any) -> Any:
        q, w = u[:3], u[3:]
        coupled = 0.5 * m2 * l1 * l2 * np.cos(q[0] - q[1])
        turning = 0.5 * m2 * l1 * l2 * np.sin(q[0] - q[1])
        mass = np.diag([m1 * l1**2 / 3 + m2 * l1**2, m2 * l2**2 / 3, m3 * l3**2 / 3])
        mass[0, 1] = mass[1, 0] = coupled
        jacobian = closing(q)
        force = np.array([-turning * w[1] ** 2, turning * w[0] ** 2, 0.0])
        towards = np.array([l1, l2, -l3]) * w**2
        gap = np.array([towards @ np.cos(q), towards @ np.sin(q)])
        matrix = np.block([[mass, jacobian.T], [jacobian, np.zeros((2, 2))]])
        return np.concatenate([w, np.linalg.solve(matrix, np.concatenate([force, gap]))[:3]])

    q = np.array([linkage.phi, *linkage.angles(linkage.phi)])
    jacobian = closing(q)
    followers = np.linalg.solve(jacobian[:, 1:], -jacobian[:, 0] * linkage.speed)
    return integrated(rates, [*q, linkage.speed, *followers], times)[:3]


@pytest.fixture(scope="module")
def four_bar() -> tg.CompiledModel:
    return tg.compile(FourBar())


def test_random_four_bars(four_bar: tg.CompiledModel) -> None:
    """Four linkages, some of which do not turn fully: their states change where the crank turns back."""
    times = np.linspace(0.1, 1.0, 10)
    changes = 0
    for seed in (1, 3, 8, 22):
        linkage = random_linkage(seed)
        exact = angles_of(linkage, times)
        for solver in ALL:
            for rtol in RTOLS:
                s = four_bar.simulate(1.0, rtol=rtol, solver=solver, points=times, parameters=linkage.parameters())
                found = np.array([s[path][1:] for path in ("j1.phi", "coupler.phi", "rocker.phi")])
                allowed = 10_000 * rtol if solver == "ida" else 3000 * rtol
                assert np.abs(found - exact).max() < allowed, (seed, solver, rtol)
                changes += s.stats.get("state_changes", 0)
    assert changes > 60


# -- slider and crank -------------------------------------------------------------------------------------------------


class RubbingSlider(tg.Component):
    """A crank with a flywheel drives a slider with dry friction."""

    crank_length = tg.parameter(0.1, "m")
    rod_length = tg.parameter(0.3, "m")
    friction = tg.parameter(20.0, "N")
    world = planar.PlanarWorld(g=0.0)
    ground = planar.Fixed()
    bearing = planar.Revolute(
        use_flange=True, phi=tg.variable(start=0.3, fixed=True), w=tg.variable(start=50.0, fixed=True)
    )
    crank = planar.BodyShape(r_ab=[crank_length, 0.0], m=1.0, I=1e-3)
    crank_pin = planar.Revolute()
    rod = planar.BodyShape(r_ab=[rod_length, 0.0], m=0.5, I=4e-3)
    slider_pin = planar.Revolute()
    slider = planar.Body(m=2.0, I=0.01)
    slide = planar.Prismatic(r=[1.0, 0.0], use_flange=True)
    rub = tr.SupportFriction(F_Coulomb=friction)
    flywheel = rot.Inertia(J=0.02)
    torque = rot.ConstantTorque(tau_constant=2.0)

    def connections(self):
        yield self.ground.frame, self.bearing.frame_a, self.slide.frame_a
        yield self.bearing.frame_b, self.crank.frame_a
        yield self.crank.frame_b, self.crank_pin.frame_a
        yield self.crank_pin.frame_b, self.rod.frame_a
        yield self.rod.frame_b, self.slider_pin.frame_a
        yield self.slider_pin.frame_b, self.slider.frame_a, self.slide.frame_b
        yield self.slide.flange_a, self.rub.flange_a
        yield self.bearing.flange_a, self.flywheel.flange_a
        yield self.flywheel.flange_b, self.torque.flange


CRANK_TIMES = np.array([0.1, 0.2, 0.3, 0.4])


@cache
def turned(friction: float) -> Any:
    """The angle of the crank, as long as it turns forward: friction is a torque F |dx/dphi|, which has no jump."""
    crank, rod, times = 0.1, 0.3, CRANK_TIMES

    def ratios(q: float) -> tuple[float, float, float, float]:
        """Speeds of slider, rod and the centre of the rod, for one of the crank."""
        beta = -np.arcsin(crank * np.sin(q) / rod)
        of_rod = -crank * np.cos(q) / (rod * np.cos(beta))
        along = rod * np.sin(beta) * of_rod
        across = rod * np.cos(beta) * of_rod
        pin = -crank * np.sin(q), crank * np.cos(q)
        return pin[0] - along, of_rod, pin[0] - 0.5 * along, pin[1] + 0.5 * across

    def inertia(q: float) -> float:
        slider, of_rod, x, y = ratios(q)
        own = 0.02 + 1e-3 + 0.25 * crank**2
        return own + 0.5 * (x**2 + y**2) + 4e-3 * of_rod**2 + 2.0 * slider**2

    def rates(_: float, u: Any) -> Any:
        q, w = u
        h = 1e-4
        near = 8.0 * (inertia(q + h) - inertia(q - h))
        slope = (near - inertia(q + 2 * h) + inertia(q - 2 * h)) / (12.0 * h)
        return [w, (2.0 - friction * abs(ratios(q)[0]) - 0.5 * slope * w * w) / inertia(q)]

    return solve_ivp(rates, (0.0, times[-1]), [0.3, 50.0], "DOP853", times, rtol=1e-11, atol=1e-11, max_step=2e-3).y[0]


@pytest.fixture(scope="module")
def slider() -> tg.CompiledModel:
    return tg.compile(RubbingSlider())


@pytest.mark.parametrize("solver", [*ALL, "auto"])
def test_through_dead_centres_with_dry_friction(slider: tg.CompiledModel, solver: str) -> None:
    """Six dead centres and more; the differences of the inertia in the reference are good for 1e-8."""
    for friction in (0.0, 20.0):
        exact = turned(friction)
        for rtol in RTOLS:
            s = slider.simulate(0.4, rtol=rtol, solver=solver, points=CRANK_TIMES, parameters={"friction": friction})
            found = np.interp(CRANK_TIMES, s.time, s["bearing.phi"])  # events add points beside these
            label = f"Slider-crank with {friction:g} N of friction, rtol {rtol:g}"
            within(label, found - exact, 3000 * rtol + 1e-7, "minimal coordinates, rad", solver)


class StartedBySlide(RubbingSlider):
    """The same with the slider given at the start: it is not a state beyond the first dead centre."""

    bearing = planar.Revolute(use_flange=True, phi=tg.variable(start=0.3), w=tg.variable(start=50.0))
    slide = planar.Prismatic(
        r=[1.0, 0.0],
        use_flange=True,
        s=tg.variable(start=0.1 * np.cos(0.3) + np.sqrt(0.09 - (0.1 * np.sin(0.3)) ** 2), fixed=True),
        v=tg.variable(start=-1.9504361160, fixed=True),
    )


def test_states_change_in_a_run_with_events() -> None:
    """The slider is a state at first, and the crank after that: the same motion."""
    compiled = tg.compile(StartedBySlide())
    exact = turned(20.0)
    rod = -float(np.arcsin(np.sin(0.3) / 3.0))
    guesses = {"bearing.phi": 0.3, "rod.phi": rod, "crank_pin.phi": rod - 0.3}
    for solver in ALL:
        s = compiled.simulate(0.4, rtol=1e-7, solver=solver, points=CRANK_TIMES, initial=guesses)
        assert s.stats["state_changes"] == 1, solver
        assert s.stats["events"] >= 6, solver
        assert np.abs(np.interp(CRANK_TIMES, s.time, s["bearing.phi"]) - exact).max() < 3e-4, solver


# -- chains of pendulums ----------------------------------------------------------------------------------------------


class Chain(tg.Component):
    """Point masses on rods, in Cartesian coordinates."""

    n = tg.parameter(2, structural=True)
    m = tg.parameter(1.0, "kg", shape=n)
    L = tg.parameter(1.0, "m", shape=n)
    x = tg.variable("m", shape=n)
    y = tg.variable("m", shape=n)
    u = tg.variable("m/s", shape=n)
    v = tg.variable("m/s", shape=n)
    pull = tg.variable("N/m", "of the rods, over their lengths", shape=n)

    def equations(self):
        across = [self.x[k] - (self.x[k - 1] if k else 0.0) for k in range(self.n)]
        upwards = [self.y[k] - (self.y[k - 1] if k else 0.0) for k in range(self.n)]
        forces = [(self.pull[k] * across[k], self.pull[k] * upwards[k]) for k in range(self.n)]
        forces.append((0.0, 0.0))
        for k in range(self.n):
            yield tg.der(self.x[k]) == self.u[k]
            yield tg.der(self.y[k]) == self.v[k]
            yield self.m[k] * tg.der(self.u[k]) == forces[k + 1][0] - forces[k][0]
            yield self.m[k] * tg.der(self.v[k]) == forces[k + 1][1] - forces[k][1] - self.m[k] * G
            yield across[k] ** 2 + upwards[k] ** 2 == self.L[k] ** 2


def swung(m: Any, L: Any, angle: Any, w: Any, times: Any) -> Any:
    """Angles from the vertical, one row each."""
    n = len(m)
    carried = np.cumsum(m[::-1])[::-1]
    weight = carried[np.maximum.outer(np.arange(n), np.arange(n))] * np.outer(L, L)

    def rates(_: float, z: Any) -> Any:
        a, w = z[:n], z[n:]
        between = np.subtract.outer(a, a)
        force = -(weight * np.sin(between)) @ w**2 - carried * G * L * np.sin(a)
        return np.concatenate([w, np.linalg.solve(weight * np.cos(between), force)])

    return integrated(rates, [*angle, *w], times)[:n]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_random_chains(n: int) -> None:
    """From anywhere, over the top as well: positions, and the energy, which nothing in the equations mentions."""
    compiled = tg.compile(Chain(n=n))
    times = np.linspace(0.05, 0.5, 10)
    changes = 0
    for seed in range(2):
        draw = np.random.default_rng([n, seed])
        m, L = draw.uniform(0.3, 2.0, n), draw.uniform(0.3, 1.2, n)
        a, w = draw.uniform(-np.pi, np.pi, n), draw.uniform(-6.0, 6.0, n)
        exact = np.cumsum(L[:, None] * np.sin(swung(m, L, a, w, times)), axis=0).T
        start = {"x": np.cumsum(L * np.sin(a)), "y": -np.cumsum(L * np.cos(a))}
        start |= {"u": np.cumsum(L * np.cos(a) * w), "v": np.cumsum(L * np.sin(a) * w)}
        for solver in ALL:
            for rtol in RTOLS:
                run: dict[str, Any] = {"rtol": rtol, "solver": solver, "points": times, "initial": start}
                s = compiled.simulate(0.5, **run, parameters={"m": m, "L": L})
                energy = (m * (0.5 * (s["u"] ** 2 + s["v"] ** 2) + G * s["y"])).sum(axis=1)
                size = np.abs(energy).max() + (m * L * G).sum()
                assert np.abs(s["x"][1:] - exact).max() < 1000 * rtol, (seed, solver, rtol)
                assert np.ptp(energy) < 300 * rtol * size, (seed, solver, rtol)
                changes += s.stats.get("state_changes", 0)
    assert changes > 12


# -- threads ----------------------------------------------------------------------------------------------------------

WATCHED = """
import time
import tellegen as tg
from validation.test_four_bar import FourBar

def elsewhere(action):
    spent = time.process_time(), time.thread_time()
    action()
    return (time.process_time() - spent[0]) - (time.thread_time() - spent[1])

import numpy as np
large = np.ones((600, 600))
print(elsewhere(lambda: [large @ large for _ in range(20)]))
model = tg.compile(FourBar())
for solver in ("rk45", "cvode", "ida"):
    model.simulate(4.0, solver=solver)
    print(elsewhere(lambda: model.simulate(4.0, solver=solver)))
"""


def test_the_watch_waits_for_no_threads() -> None:
    """Processor time outside the thread of a run, where BLAS may have its threads: none, on busy machines too."""
    free = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    free["PYTHONPATH"] = os.pathsep.join(sys.path)
    printed = subprocess.run(
        [sys.executable, "-c", WATCHED], env=free, capture_output=True, text=True, check=True
    ).stdout
    of_blas, *of_runs = map(float, printed.split())
    assert max(of_runs) < 1e-3
    if (os.cpu_count() or 1) > 1:
        assert of_blas > 0.01  # else this would show nothing
