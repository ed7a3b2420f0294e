"""Mechanisms whose best states depend on where they are: what every solver takes, and what the watch over them costs.

The measure is rk45 in the same process with states that nobody watches: the crank, which is a good state everywhere in
the first three mechanisms, and the angle of the pendulums in place of their Cartesian coordinates, whose states have to
change at every quarter of a turn. CPU time of whole calls, least of several in turns; errors against rk45 at 1e-11.

    python benchmarks/closed_loops.py
"""

from __future__ import annotations

import runpy
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from _timing import cheapest, show

import tellegen as tg
from tellegen.engine.integrators import ode_integrator
from tellegen.library import planar
from tellegen.library import rotational as rot
from tellegen.library import translational as tr

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
SOLVERS = ("auto", "rk45", "cvode", "rodas", "ida")
RTOL = 1e-6


class SliderCrank(tg.Component):
    """With a flywheel and dry friction on the slide."""

    world = planar.PlanarWorld(g=0.0)
    ground = planar.Fixed()
    bearing = planar.Revolute(
        use_flange=True, phi=tg.variable(start=0.3, fixed=True), w=tg.variable(start=50.0, fixed=True)
    )
    crank = planar.BodyShape(r_ab=[0.1, 0.0], m=1.0, I=1e-3)
    crank_pin = planar.Revolute()
    rod = planar.BodyShape(r_ab=[0.3, 0.0], m=0.5, I=4e-3)
    slider_pin = planar.Revolute()
    slider = planar.Body(m=2.0, I=0.01)
    slide = planar.Prismatic(r=[1.0, 0.0], use_flange=True)
    rub = tr.SupportFriction(F_Coulomb=20.0)
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


class Pendulum(tg.Component):
    """Cartesian coordinates; fast enough to go over the top."""

    g = tg.parameter(9.81, "m/s2")
    L = tg.parameter(1.0, "m")
    x = tg.variable("m", start=0.0)
    y = tg.variable("m", start=-1.0)
    vx = tg.variable("m/s", start=7.0)
    vy = tg.variable("m/s", start=0.0)
    pull = tg.variable("1/s2", "force of the rod over mass and length")

    def equations(self):
        yield tg.der(self.x) == self.vx
        yield tg.der(self.y) == self.vy
        yield tg.der(self.vx) == -self.pull * self.x
        yield tg.der(self.vy) == -self.pull * self.y - self.g
        yield self.x**2 + self.y**2 == self.L**2


class Angle(tg.Component):
    """The same by its angle."""

    g = tg.parameter(9.81, "m/s2")
    L = tg.parameter(1.0, "m")
    phi = tg.variable("rad", start=0.0, fixed=True)
    w = tg.variable("rad/s", start=7.0, fixed=True)
    x = tg.variable("m")

    def equations(self):
        yield tg.der(self.phi) == self.w
        yield tg.der(self.w) == -self.g / self.L * tg.sin(self.phi)
        yield self.x == self.L * tg.sin(self.phi)


@dataclass(frozen=True)
class Case:
    """A mechanism, how long it runs, what is compared, and the same with fixed states if that is another model."""

    name: str
    model: tg.Component
    stop: float
    path: str
    fixed: tg.Component | None = None
    run: dict[str, Any] = field(default_factory=dict)


def cases() -> list[Case]:
    """From seven bodies to one."""
    squeezer = runpy.run_path(str(EXAMPLES / "squeezing_mechanism.py"))["SqueezingMechanism"]()
    four_bar = runpy.run_path(str(EXAMPLES / "four_bar.py"))["FourBar"]()
    return [
        Case("squeezing mechanism, 30 ms", squeezer, 0.03, "beta.phi"),
        Case("four-bar linkage, 4 s", four_bar, 4.0, "a.phi"),
        Case("slider-crank with dry friction, 1 s", SliderCrank(), 1.0, "bearing.phi"),
        Case("pendulum over the top, 20 s", Pendulum(), 20.0, "x", Angle()),
    ]


def unwatched(simulate: Callable[[], Any]) -> Any:
    """A run with the states it begins with."""
    depends_on_point = ode_integrator.depends_on_point
    ode_integrator.depends_on_point = lambda _: False
    try:
        return simulate()
    finally:
        ode_integrator.depends_on_point = depends_on_point


def row(case: Case) -> list[str]:
    """CPU time, its ratio to that with fixed states, the error and the changes of states, for each solver."""
    compiled = tg.compile(case.model)
    run: dict[str, Any] = {"rtol": RTOL, "points": 21}
    exact = compiled.simulate(case.stop, rtol=1e-11, solver="rk45", points=21)[case.path][-1]
    actions: dict[str, Callable[[], Any]] = {
        solver: partial(compiled.simulate, case.stop, solver=solver, **run) for solver in SOLVERS
    }
    alone = compiled if case.fixed is None else tg.compile(case.fixed)
    actions["fixed"] = partial(unwatched, partial(alone.simulate, case.stop, solver="rk45", **run))
    done = {name: action() for name, action in actions.items()}
    least = cheapest(actions, rounds=15)
    cells = [case.name, f"{1e3 * least['fixed']:.2f} ms"]
    for solver in SOLVERS:
        solution = done[solver]
        error = abs(solution[case.path][-1] - exact)
        changes = solution.stats.get("state_changes", 0)
        ratio = least[solver] / least["fixed"]
        cells.append(f"{1e3 * least[solver]:.2f} ms, {ratio:.2f} x, {error:.0e}" + (f", {changes}" if changes else ""))
    return cells


def main() -> None:
    """One row for each mechanism."""
    warnings.simplefilter("ignore")
    head = ["", "fixed states", *SOLVERS]
    show("CPU time, ratio to fixed states, error, changes of states", head, [row(case) for case in cases()])


if __name__ == "__main__":
    main()
