"""The schedule of tasks by levels; the seeker of the thesis has 5 levels and 14 tasks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from typer.testing import CliRunner

import tellegen as tg
from engine.software_seeker import Seeker
from tellegen.cli.app import app

FILE = Path(__file__).resolve().parent / "software_seeker.py"


def test_the_schedule_of_the_seeker() -> None:
    """Section 2.3.2 of the thesis: tasks on levels 0, 2 and 4, port variables on 1 and 3."""
    schedule = tg.compile(Seeker()).schedule()
    assert len(schedule.tasks) == 14
    levels = dict(schedule.levels())
    assert len(levels) == 5
    assert set(levels[0]) == {"g.outputs", "dc_p.outputs", "dc_y.outputs"}
    assert set(levels[1]) == {"g.pitch", "g.pitch_rate", "g.yaw", "g.yaw_rate", "dc_p.angle", "dc_y.angle"}
    both = {f"{part}.{operator}" for part in ("c1", "c2", "pid_p", "pid_y") for operator in ("outputs", "derivatives")}
    assert set(levels[2]) == both
    assert set(levels[3]) == {"c1.torque", "c2.torque", "pid_p.voltage", "pid_y.voltage"}
    assert set(levels[4]) == {"g.derivatives", "dc_p.derivatives", "dc_y.derivatives"}
    tasks = {task.name: task for task in schedule.tasks}
    assert [name for name, task in tasks.items() if task.idle] == ["c1.derivatives", "c2.derivatives"]
    assert set(tasks["dc_p.derivatives"].needs) == {"pid_p.voltage", "c1.torque"}
    assert not tasks["g.outputs"].needs, "feed-through is inferred: the thesis declares the seeker wrongly"
    assert not schedule.loops
    assert str(schedule).startswith("Seeker: 14 tasks on 5 levels, 2 idle\nlevel 0\n")


def test_the_schedule_as_a_table_and_as_a_picture() -> None:
    schedule = tg.compile(Seeker()).schedule()
    rows = schedule.table().rows
    assert [row[:2] for row in rows] == [
        ("0", "tasks"),
        ("1", "values"),
        ("2", "tasks"),
        ("3", "values"),
        ("4", "tasks"),
    ]
    assert "g.pitch" in rows[1][2]
    axis = schedule.plot().axes[0]
    assert {text.get_text() for text in axis.texts} == {name for _, names in schedule.levels() for name in names}
    needed = [name for _, names in list(schedule.levels())[1::2] for name in names]
    arrows = sum((name in task.gives) + (name in task.needs) for task in schedule.tasks for name in needed)
    assert len(axis.lines) == arrows


def test_the_seeker_turns_to_where_it_should_look() -> None:
    compiled = tg.compile(Seeker())
    wanted = {"pitch_wanted": 0.14, "yaw_wanted": -0.14}
    fine = compiled.simulate(0.5, parameters=wanted, solver="cvode", rtol=1e-9)
    coarse = compiled.simulate(0.5, parameters=wanted, solver="ida")
    for solution in (fine, coarse):
        np.testing.assert_allclose([solution["pitch"][-1], solution["yaw"][-1]], [0.14, -0.14], atol=1e-4)
    np.testing.assert_allclose(coarse["pitch"], fine["pitch"], atol=1e-4)


def test_equations_loops_and_sampled_code_have_their_tasks() -> None:
    class Gain(tg.Software):
        u = tg.input()
        y = tg.output()

        def outputs(self) -> float:
            return 0.5 * self.u

    class Sampler(tg.Software):
        u = tg.input()
        y = tg.output()
        x = tg.variable()
        period = tg.parameter(0.1, "s")

        def outputs(self) -> float:
            return self.x

        def next_states(self) -> float:
            return self.u

    class Model(tg.Component):
        a = Gain()
        b = Gain()
        s = Sampler()
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield self.a.u == self.b.y + self.x
            yield self.b.u == self.a.y
            yield self.s.u == self.a.y
            yield tg.der(self.x) == self.s.y - self.a.y

    schedule = tg.compile(Model()).schedule()
    levels = dict(schedule.levels())
    assert levels[0] == ("loop of Model, a, b",)
    assert "Model.derivatives" in levels[2]
    assert schedule.sampled == ("s.outputs", "s.next_states")
    assert str(schedule.loops[0]) in ("a -> b -> Model -> a", "b -> Model -> a -> b")
    assert "sampled: s.outputs" in str(schedule)


def test_a_long_chain_has_a_schedule() -> None:
    class Chain(tg.Component):
        x = tg.variable(shape=300)

        def equations(self) -> Iterator[Any]:
            yield self.x[0] == tg.time
            yield self.x[1:] == 0.5 * self.x[:-1] + 1.0

    levels = dict(tg.compile(Chain()).schedule().levels())
    assert max(levels) > 590


def test_the_command_line_prints_it() -> None:
    done = CliRunner().invoke(app, ["show", f"{FILE}:Seeker", "--stage", "schedule"])
    assert done.exit_code == 0
    assert done.output == f"{tg.compile(Seeker()).schedule()}\n"
