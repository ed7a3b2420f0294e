"""Solutions in files: what comes back is what was saved, and loading a file calls nothing that it names."""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from engine.test_models import Drive, Rods
from tellegen.engine.results.export import SAVED

ROOT = Path(__file__).resolve().parent.parent.parent


class Ball(tg.Component):
    """A ball that bounces."""

    e = tg.parameter(0.8, "1", "restitution")
    h = tg.variable("m", "height", start=1.0, fixed=True)
    v = tg.variable("m/s", "velocity", start=0.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -9.81
        yield tg.when(self.h <= 0.0, tg.reinit(self.v, -self.e * tg.pre(self.v)))


class Squared(tg.Component):
    """A model with a function of the user."""

    x = tg.variable(start=1.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == -square(self.x)


@tg.function(opaque=True)
def square(x: float) -> float:
    return x * x


@pytest.mark.parametrize("model", [Ball, Drive, Rods])
def test_what_was_saved_comes_back(model: type[tg.Component], tmp_path: Path) -> None:
    run = tg.simulate(model(), 1.0, points=50)
    run.save(tmp_path / "run.tgs")
    again = tg.load(tmp_path / "run.tgs")
    assert type(again) is type(run)
    assert repr(again) == repr(run)
    assert again.names() == run.names()
    assert again.events == run.events
    assert again.stats == run.stats
    assert str(again.parameters) == str(run.parameters)
    np.testing.assert_array_equal(again.time, run.time)
    for name in run.names():
        np.testing.assert_array_equal(again[name], run[name])
        assert again.unit(name) == run.unit(name)
        assert again.at(0.377)[name] == run.at(0.377)[name]
    assert len(again.plot().axes) == len(run.plot().axes)


def test_in_another_process_that_never_saw_the_model(tmp_path: Path) -> None:
    file = tmp_path / "ball.tgs"
    run = tg.simulate(Ball(), 1.0, points=50)
    run.save(file)
    code = f"import tellegen as tg; s = tg.load({str(file)!r}); print(s.at(0.377)['h'], len(s.events), s['der(v)'][0])"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    height, events, acceleration = done.stdout.split()
    assert float(height) == run.at(0.377)["h"]
    assert int(events) == len(run.events)
    assert float(acceleration) == -9.81


def test_code_of_the_user_is_imported_only_when_trusted(tmp_path: Path) -> None:
    file = tmp_path / "squared.tgs"
    run = tg.simulate(Squared(), 1.0)
    run.save(file)
    with pytest.raises(tg.ExportError, match=r"E405.*is not a class of Tellegen"):
        tg.load(file)
    assert tg.load(file, trust=True)["x"][-1] == run["x"][-1]


class Call:
    """An object whose pickle calls something."""

    def __init__(self, function: Any, *arguments: Any) -> None:
        self.call = (function, arguments)

    def __reduce__(self) -> Any:
        return self.call


def written(folder: Path, value: Any) -> Path:
    """A file that begins like a saved solution."""
    file = folder / "other.tgs"
    file.write_bytes(SAVED + b"0.1.0\n" + zlib.compress(pickle.dumps(value)))
    return file


def test_loading_calls_nothing_that_a_file_names(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    for value in (Call(os.mkdir, str(trace)), Call(eval, f"open({str(trace)!r}, 'w')"), Call(np.memmap, str(trace))):
        with pytest.raises(tg.ExportError, match="E405"):
            tg.load(written(tmp_path, value))
        assert not trace.exists()
    borrowed = (
        b"\x80\x04\x8c\x1etellegen.engine.results.export\x94\x8c\x04Path\x94\x93."  # what one of our modules imports
    )
    file = tmp_path / "borrowed.tgs"
    file.write_bytes(SAVED + b"0.1.0\n" + zlib.compress(borrowed))
    with pytest.raises(tg.ExportError, match="E405"):
        tg.load(file)


def test_other_and_damaged_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(tg.ExportError, match=r"E405.*cannot be loaded"):
        tg.load(tmp_path / "missing.tgs")
    table = tmp_path / "table.csv"
    tg.simulate(Ball(), 1.0).to_csv(table)
    with pytest.raises(tg.ExportError, match="it is not a saved solution"):
        tg.load(table)
    with pytest.raises(tg.ExportError, match="it holds a dict"):
        tg.load(written(tmp_path, {"a": 1.0}))
    with pytest.raises(tg.ExportError, match="E404"):
        tg.simulate(Ball(), 1.0).save(tmp_path / "no" / "folder.tgs")


def test_random_damage_is_an_error_or_without_effect(tmp_path: Path) -> None:
    """zlib's checksum finds every change of the content; 60 of them here, seeded."""
    file = tmp_path / "ball.tgs"
    run = tg.simulate(Ball(), 0.5, points=20)
    run.save(file)
    content = file.read_bytes()
    chance = random.Random(16)
    refused = 0
    for _ in range(60):
        damaged = bytearray(content)
        place = chance.randrange(len(SAVED), len(content))
        damaged[place] ^= 1 << chance.randrange(8)
        file.write_bytes(damaged if chance.random() < 0.7 else content[:place])
        try:
            again = tg.load(file)
        except tg.ExportError:
            refused = refused + 1
        else:
            np.testing.assert_array_equal(again["h"], run["h"])
    assert refused > 50
