"""Our own FMUs read back: a model made of them equals the model made of equations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from modelica.hybrid_oracle import POINTS, Oracle
from modelica.random_hybrids import STOP, component_of, random_hybrid

COUNT = 10


class Section(tg.Component):
    """A resistor and a capacitor to ground: voltage from the left, current to the right."""

    v_in = tg.input("V")
    i_out = tg.input("A")
    v_out = tg.output("V")
    i_in = tg.output("A")
    R = tg.parameter(100.0, "ohm")
    C = tg.parameter(1e-6, "F")
    v = tg.variable("V", start=0.0, fixed=True)

    def equations(self) -> Any:
        yield self.i_in == (self.v_in - self.v) / self.R
        yield self.C * tg.der(self.v) == self.i_in - self.i_out
        yield self.v_out == self.v


def ladder(section: Any) -> Any:
    class Ladder(tg.Component):
        """Sections one after the other."""

        sections = section.array(COUNT)

        def equations(self) -> Any:
            yield self.sections[0].v_in == tg.where(tg.time > 1e-4, 5.0, 0.0)
            for k in range(COUNT - 1):
                yield self.sections[k + 1].v_in == self.sections[k].v_out
                yield self.sections[k].i_out == self.sections[k + 1].i_in
            yield self.sections[COUNT - 1].i_out == 0.0

    return Ladder()


@pytest.fixture(scope="module")
def own() -> Any:
    return tg.simulate(ladder(Section), stop=0.02, rtol=1e-7)


@pytest.mark.parametrize("version", ["3.0", "2.0"])
def test_a_ladder_of_ten_fmus_equals_the_equations(own: Any, version: Any, tmp_path: Path) -> None:
    tg.export_fmu(Section(), tmp_path / "section.fmu", version=version)
    found = tg.simulate(ladder(tg.read_fmu(tmp_path / "section.fmu")), stop=0.02, rtol=1e-7)
    for k in (0, 4, 9):
        name = f"sections[{k}].v_out"
        assert np.interp(own.time, found.time, found[name]) == pytest.approx(own[name], abs=5e-6)  # of 5 V


@pytest.mark.parametrize("seed", [430, 421])
def test_no_event_is_missed_where_an_indicator_is_short_of_its_root(seed: int, tmp_path: Path) -> None:
    """430: an indicator was located a rounding before zero, the FMU saw nothing, and its reinit was never taken."""
    model = random_hybrid(seed)
    rows = Oracle(model).run()
    states = [f"x[{k}]" for k in range(len(model.start))]
    tg.export_fmu(component_of(model), tmp_path / "random.fmu", version="2.0", stop=STOP)
    found = tg.simulate(tg.read_fmu(tmp_path / "random.fmu", variables=states)(), stop=STOP, points=POINTS, rtol=1e-7)
    at = found.at(np.linspace(0.0, STOP, POINTS))
    for k in range(len(states)):
        assert at[f"x_{k}"] == pytest.approx(rows[:, k], abs=1e-5)  # 100 tolerances


class Integral(tg.Component):
    """What has come in."""

    u = tg.input()
    y = tg.output()
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == self.u
        yield self.y == self.x


def test_a_step_has_the_inputs_from_before_the_point(tmp_path: Path) -> None:
    """An input that changes at the communication points: every step has had the value held over it."""
    tg.export_fmu(Integral(), tmp_path / "integral.fmu", kind=("cs",))
    made = tg.read_fmu(tmp_path / "integral.fmu")

    class Counted(tg.Component):
        """1, 2, 3, ... for 0.5 s each."""

        part = made(communication_step=0.5)
        count = tg.variable(discrete=True, start=0.0)

        def equations(self) -> Any:
            yield tg.when(tg.sample(0.0, 0.5), self.count == tg.pre(self.count) + 1.0)
            yield self.part.u == self.count

    found = tg.simulate(Counted(), stop=2.2)
    held = [float(found.at(t)["part.y"]) for t in (0.2, 0.7, 1.2, 1.7, 2.2)]
    assert held == pytest.approx([0.0, 0.5, 1.5, 3.0, 5.0], abs=1e-9)
