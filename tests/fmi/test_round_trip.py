"""Our own FMUs read back: a model made of them equals the model made of equations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from modelica.hybrid_oracle import POINTS, Oracle
from modelica.random_hybrids import STOP, component_of, random_hybrid
from tellegen.importers.fmu.evaluations import Evaluated
from tellegen.importers.fmu.fmu_use import evaluation

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
    """An input that changes at the communication points: every step has had the value held over it. The last step, to
    the end of the run, is shorter."""
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
    held = [float(found.at(t)["part.y"]) for t in (0.2, 0.7, 1.2, 1.7, 2.1, 2.2)]
    assert held == pytest.approx([0.0, 0.5, 1.5, 3.0, 5.0, 6.0], abs=1e-9)


class Rod(tg.Component):
    """So many states that each equation of the FMU mentions only those it depends on; the loop closes outside."""

    u1 = tg.input()
    u2 = tg.input()
    y1 = tg.output()
    y2 = tg.output()
    x = tg.variable(shape=30, start=1.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """Neighbours exchange; each output reads an input and a state."""
        x = self.x
        yield tg.der(x[1:-1]) == x[2:] - 2.0 * x[1:-1] + x[:-2]
        yield tg.der(x[0]) == x[1] - 2.0 * x[0] + self.u1
        yield tg.der(x[29]) == x[28] - 2.0 * x[29] ** 2 + self.u2
        yield self.y1 == x[3] + 0.5 * self.u1
        yield self.y2 == x[28] * self.u2


def closed(rod: Any) -> Any:
    """A rod whose first input needs its second output, and that its second input: a loop, then one after the other."""

    class Closed(tg.Component):
        rod_inside = rod()
        w = tg.variable(start=0.3)

        def equations(self) -> Iterator[Any]:
            rod = self.rod_inside
            yield rod.u1 == tg.sin(tg.time) + 0.2 * rod.y2
            yield rod.u2 == 0.1 * self.w
            yield self.w**3 + self.w == 1.0 + 0.01 * rod.y2

    return Closed()


def test_equations_of_large_fmus_mention_what_they_depend_on(tmp_path: Path) -> None:
    tg.export_fmu(Rod(), tmp_path / "rod.fmu", kind="me")
    read = tg.read_fmu(tmp_path / "rod.fmu")
    assert all(read.fmu.layouts[what].lacks_arguments for what in (Evaluated.DERIVATIVES, Evaluated.DIRECT_OUTPUTS))
    early = evaluation(read.fmu, Evaluated.DERIVATIVES, "rates").callable(*[0.0] * 35)
    assert np.isnan(early).all()  # asked before there is an instance
    model = tg.compile(closed(read))
    widths = [group.bindings.shape[1] for group in model.flat.equations]
    assert np.median(widths) < 10  # 35 if every one mentioned all states
    own = tg.simulate(closed(Rod), stop=2.0, rtol=1e-9, solver="cvode")
    found = tg.simulate(model, stop=2.0, rtol=1e-9, solver="cvode")
    for name in ("w", "rod_inside.y1", "rod_inside.y2", "rod_inside.x[0]", "rod_inside.x[29]"):
        assert found[name][-1] == pytest.approx(own[name][-1], rel=1e-9), name


class Swing(tg.Component):
    """Its position is the cosine of time."""

    y = tg.output()
    x = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """A mass and a spring of one."""
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == -self.x
        yield self.y == self.x


def test_an_fmu_integrates_with_the_tolerance_that_it_is_asked_for(tmp_path: Path) -> None:
    tg.export_fmu(Swing(), tmp_path / "swing.fmu", kind="cs", stop=10.0, rtol=1e-3)
    off = {}
    for tolerance in (None, 1e-9):
        read = tg.read_fmu(tmp_path / "swing.fmu", tolerance=tolerance)
        run = tg.simulate(read(communication_step=5.0), stop=10.0)
        off[tolerance] = abs(run["y"][-1] - np.cos(10.0))
    assert off[None] > 1e-5
    assert off[1e-9] < 1e-7
    with pytest.raises(tg.FmuError, match="no relative tolerance"):
        tg.read_fmu(tmp_path / "swing.fmu", tolerance=2.0)
