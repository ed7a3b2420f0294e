"""Examples exported as FMUs, read again and run: the same numbers as without the detour."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import pytest

import tellegen as tg
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
