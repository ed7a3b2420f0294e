"""Models that were compiled before: found in a later process without a stage, and never taken for other ones."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.frontends.python.building.hidden_kinds import HiddenKinds
from tellegen.kept.files import keep, kept, make_room
from tellegen.kept.pickles import NotKeptError, from_bytes, to_bytes
from tellegen.kept.room import MOST_BYTES
from tellegen.library import multibody as mb

MODEL = """
import sys
import tellegen as tg

class Decay(tg.Component):
    T = tg.parameter({time_constant}, unit="s")
    x = tg.variable(start=1.0, fixed=True)

    def equations(self):
        yield self.T * tg.der(self.x) == -{factor} * self.x
        yield tg.when(self.x < 0.1, tg.reinit(self.x, 1.0))

solution = tg.simulate(Decay(), stop=1.0, solver={solver!r})
result = [float(solution["x"][-1]), len(solution.events), "tellegen.stages" in sys.modules]
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a program as a process does that has not needed the stages yet, with a cache of the test.

    What two processes do stands in test_second_start.py.
    """
    monkeypatch.setenv("TELLEGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("TELLEGEN_CHECK", "0")
    gc.freeze()  # what other tests made is not looked through again and again

    def run_program(text: str, **values: Any) -> Any:
        monkeypatch.delitem(sys.modules, "tellegen.stages", raising=False)
        usual = {"time_constant": 1.0, "factor": 1.0, "solver": "rk45"}
        names: dict[str, Any] = {"__name__": "program"}
        exec(text.format(**usual | values), names)
        result = names["result"]
        names.clear()
        gc.collect()  # a model is written when nobody needs it any more
        return result

    return run_program


def test_another_number_equation_or_solver_is_another_run(run: Any) -> None:
    first = run(MODEL)
    assert first[2]
    usual = first[0]
    assert len({usual, run(MODEL, time_constant=2.0)[0], run(MODEL, factor=3.0)[0]}) == 3
    assert run(MODEL, solver="ida")[0] == pytest.approx(usual, rel=1e-4)
    assert run(MODEL) == [usual, 0, False]


def test_damaged_files_count_as_none(run: Any, tmp_path: Path) -> None:
    first = run(MODEL)
    (file,) = (tmp_path / "cache").glob("*/models/*.compiled")
    whole = file.read_bytes()
    for damage in (b"", whole[:-1], whole[:100] + b"x" + whole[101:]):
        file.write_bytes(damage)
        assert run(MODEL) == first
    assert not run(MODEL)[2]


def test_a_function_of_the_user_is_never_kept(run: Any, tmp_path: Path) -> None:
    """What it does is not in its name: it may be another one in the next process."""
    text = """
import tellegen as tg

@tg.function
def law(x):
    return {factor} * float(x) ** 2

class Opaque(tg.Component):
    x = tg.variable(start=1.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == -law(self.x)

result = float(tg.simulate(Opaque(), stop=1.0)["x"][-1])
"""
    assert run(text) == pytest.approx(0.5, rel=1e-4)
    assert run(text, factor=3.0) == pytest.approx(0.25, rel=1e-4)
    assert not list((tmp_path / "cache").glob("*/models/*"))


def test_a_folder_that_others_can_write_to_is_not_used(run: Any, tmp_path: Path) -> None:
    run(MODEL)
    (room,) = (tmp_path / "cache").glob("*/models")
    room.chmod(0o777)
    assert run(MODEL)[2]


def test_room_is_made_by_forgetting_the_oldest(tmp_path: Path) -> None:
    for number in range(10):
        keep(tmp_path / str(number), bytes(1000))
        os.utime(tmp_path / str(number), (number, number))
    make_room(tmp_path, 8000)
    left = sorted(int(path.name) for path in tmp_path.iterdir())
    assert left == list(range(10 - len(left), 10))
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 6000
    assert kept(tmp_path / "9") == bytes(1000)
    assert kept(tmp_path / "0") is None


def test_only_data_is_read(tmp_path: Path) -> None:
    record = {"a": (1.0, "two", [3])}
    assert from_bytes(to_bytes(record, most=1000)) == record
    large = np.arange(100_000.0)
    np.testing.assert_array_equal(from_bytes(to_bytes(large, most=1_000_000)), large)
    with pytest.raises(NotKeptError):
        to_bytes(large, most=700_000)
    with pytest.raises(NotKeptError):
        to_bytes(record, most=10)
    with pytest.raises(NotKeptError):
        to_bytes([tmp_path], rejected=(type(tmp_path),), most=1000)
    with pytest.raises(NotKeptError):
        from_bytes(to_bytes(os.system, most=1000))


def test_a_thousand_bodies_are_not_too_large_to_be_kept() -> None:
    """Their bytes grow in proportion, so that two short chains say how many a long one has."""
    sizes = []
    for bodies in (2, 5):
        chain = tg.System("Chain")
        chain.add(world=mb.World())
        last = chain.world.frame_b
        for k in range(bodies):
            joint, rod = mb.Revolute(), mb.BodyShape(r=[0.5, 0.0, 0.0])
            chain.add(**{f"j{k}": joint, f"rod{k}": rod})
            chain.connect(last, joint.frame_a)
            chain.connect(joint.frame_b, rod.frame_a)
            last = rod.frame_b
        compiled = tg.compile(chain)
        made = (compiled.reduced, compiled.program, compiled.native, compiled.ode)
        sizes.append(len(to_bytes(made, reduced={HiddenKinds: HiddenKinds.without}, most=MOST_BYTES)))
    assert sizes[0] + (1000 - 2) * (sizes[1] - sizes[0]) / 3 < MOST_BYTES
