"""Examples exported as FMUs, read again and run: the same numbers as without the detour."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import pytest

import tellegen as tg
from tellegen.importers.fmu.component import FmuComponent
from tellegen.units import parse_unit

pytest.importorskip("ziglang")

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
RTOL = 1e-6
POINTS = 21


class Example(NamedTuple):
    """The component of an example, how long it runs, and the states that are compared."""

    file: str
    component: str
    stop: float
    states: tuple[str, ...]
    kinds: tuple[Literal["me", "cs"], ...] = ("me", "cs")


CASES = (
    Example("bouncing_ball", "Ball", 1.0, ("h", "v")),
    Example("dc_drive", "Drive", 0.5, ("motor.i", "load.w")),
    Example("two_tanks", "Tanks", 30.0, ("upper", "lower")),
    Example("rectifier", "Rectifier", 0.03, ("c.v",)),
    # clocks whose ticks are a rounding apart
    Example("cascade_drive", "Servo", 0.002, ("rotor.w", "rotor.phi"), ("me",)),
    # more unknowns than are factored densely otherwise, and pivots that do not do for all its steps
    Example("thermostat_house", "House", 86400.0, ("north.air.T", "south.air.T", "heat"), ("cs",)),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.file)
def test_a_read_export_gives_the_same_numbers(case: Example, tmp_path: Path) -> None:
    model = tg.compile(component(case))
    here = tg.simulate(model, stop=case.stop, points=POINTS)
    for version in ("2.0", "3.0"):
        exported = tg.export_fmu(model, tmp_path / f"model{version[0]}.fmu", version=version, stop=case.stop)
        for kind in case.kinds:
            imported = tg.read_fmu(exported.path, kind=kind, variables=list(case.states))
            there = tg.simulate(imported(), stop=case.stop, points=POINTS)
            for name in case.states:
                own = values(here, name)
                off = np.abs(values(there, name.replace(".", "_")) - own).max()
                assert off <= 10.0 * RTOL * np.abs(own).max(), (version, kind, name)


class Judge(tg.Component):
    """Conditions, functions that jump and a delay of inputs alone; they change between events."""

    u = tg.input()
    late = tg.input()
    z = tg.variable(start=0.0, fixed=True)
    on = tg.boolean("below")
    level = tg.integer("stairs")
    above = tg.integer("how often u has come above")
    passed = tg.variable(discrete=True, start=0.0)

    def equations(self) -> Any:
        yield tg.when(self.u > 0.5, self.above == tg.pre(self.above) + 1, tg.reinit(self.z, 10.0))
        yield self.on == (self.u < -0.5)
        yield self.level == tg.floor(3.0 * self.u)
        yield tg.when(tg.time > self.late, self.passed == tg.time)
        yield tg.der(self.z) == tg.sign(self.u) - self.z + tg.where(self.on, 5.0, 0.0) + tg.delay(self.u, 0.2)


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_conditions_on_inputs_alone(kind: Any, tmp_path: Path) -> None:
    """Importers find them by indicators. In Model Exchange the delay is interpolated between steps; in Co-Simulation
    inputs are held over a step, which is 1 ms: 5e-3 for a sine of 5 rad/s."""
    names = ["z", "on", "level", "above", "passed"]
    tg.export_fmu(Judge(), tmp_path / "judge.fmu", stop=2.0, kind=(kind,), arrays=False)
    imported = tg.read_fmu(tmp_path / "judge.fmu", kind=kind, variables=names)
    runs = [tg.simulate(driven(each), stop=2.0, rtol=1e-8, points=POINTS) for each in (Judge, imported)]
    for name in names:
        own, there = (values(run, f"part.{name}") for run in runs)
        assert there == pytest.approx(own, abs=1e-3 if kind == "me" else 0.02), name


def driven(part: Any) -> Any:
    """A part with a sine and a ramp as inputs."""

    def equations(self: Any) -> Any:
        yield self.part.u == tg.sin(5.0 * tg.time)
        yield self.part.late == 1.5 - 0.1 * tg.time

    step = {"communication_step": 1e-3} if issubclass(part, FmuComponent) and part.fmu.kind == "cs" else {}
    return type("Driven", (tg.Component,), {"part": part(**step), "equations": equations, "__doc__": "Inputs."})()


def component(case: Example) -> Any:
    """The model of an example."""
    spec = importlib.util.spec_from_file_location(case.file, EXAMPLES / f"{case.file}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[case.file] = module
    spec.loader.exec_module(module)
    return getattr(module, case.component)()


def values(solution: tg.Solution, name: str) -> Any:
    """In SI units, at the output times: without the rows that events add."""
    times = np.linspace(0.0, solution.time[-1], POINTS)
    return parse_unit(solution.unit(name)).to_si(solution.at(times)[name])
