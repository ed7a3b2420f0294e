"""The cache of machine code on disk: used, refused when damaged, shared by processes; and threads side by side."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from engine.test_models import Drive, Resonator
from tellegen.cache import cache_folder
from tellegen.engine.native import machine_code as jit
from tellegen.engine.native import waiting_for_code
from tellegen.ir.program import Module
from waiting import LIMIT

ROOT = Path(__file__).resolve().parent.parent.parent

SCRIPT = """
import sys
sys.path.insert(0, "tests")
import tellegen as tg
from engine.test_models import Drive
from tellegen.engine.native import machine_code as jit
count = []
inner = jit._compile
jit._compile = lambda module: count.append(module) or inner(module)
value = tg.compile(Drive()).simulate(2.0)["load.w"][-1]
print(len(count), value)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    speed()  # the runtime is loaded once for the whole process
    monkeypatch.setenv("TELLEGEN_CACHE", str(tmp_path / "cache"))
    found = cache_folder()
    assert found is not None
    assert found.parent == tmp_path / "cache"  # older code looks for files there, not deeper
    return found


def speed() -> float:
    return float(tg.compile(Drive()).simulate(2.0)["load.w"][-1])


def in_a_process() -> tuple[int, float]:
    """How many modules were compiled, and the result, in a process of its own."""
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, cwd=ROOT)
    count, value = done.stdout.split()
    return int(count), float(value)


def test_a_second_process_compiles_nothing(folder: Path) -> None:
    first, second = in_a_process(), in_a_process()
    assert first[0] > 0
    assert second[0] == 0
    assert first[1] == second[1]
    assert list(folder.glob("*.o"))


def test_statistics_leave_out_compilation(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Clock:
        """It goes on when something is compiled, and at no other time."""

        seconds = 0.0

    compile_module = jit._compile

    def compiled(module: Module) -> bytes:
        Clock.seconds += 1.0
        return compile_module(module)

    monkeypatch.setattr(jit, "_compile", compiled)
    monkeypatch.setattr(waiting_for_code, "perf_counter", lambda: Clock.seconds)
    for solver in ("ida", "cvode"):
        begun = Clock.seconds
        solution = tg.compile(Drive()).simulate(2.0, solver=solver)
        assert Clock.seconds > begun
        assert solution.stats["initialization_seconds"] == 0.0
        assert solution.stats["seconds"] == 0.0


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\0" * 5000])
def test_damaged_files_are_written_again(folder: Path, damage: bytes) -> None:
    before = speed()
    kept = {path: path.read_bytes() for path in folder.glob("*.o")}
    assert kept
    for path, content in kept.items():
        path.write_bytes(damage or content[:-1])
    assert speed() == before
    assert {path: path.read_bytes() for path in folder.glob("*.o")} == kept


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a file"
    file.write_text("in the way")
    monkeypatch.setenv("TELLEGEN_CACHE", str(file / "below"))
    assert speed() > 0.0
    monkeypatch.setenv("TELLEGEN_CACHE", "")
    assert cache_folder() is None
    assert speed() > 0.0


@pytest.mark.slow
def test_many_writers_at_once(folder: Path) -> None:
    command = [sys.executable, "-c", SCRIPT]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) for _ in range(2)]
    answers = [process.communicate(timeout=LIMIT)[0].split() for process in processes]
    assert len({value for _, value in answers}) == 1
    assert not list(folder.glob("tmp*"))


def test_old_objects_are_forgotten(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "KEPT_FILES", 8)
    monkeypatch.setattr(jit, "LOOKED_AFTER", "0123456789abcdef")
    folder.mkdir(parents=True)
    for k in range(12):
        (folder / f"{k}.o").write_bytes(b"old")
    speed()
    assert len(list(folder.glob("*.o"))) <= 12


def many(compiled: Any, runs: int) -> list[Any]:
    """Runs with different parameters, one after the other."""
    stop = 2.0 if compiled.flat.name == "Drive" else 2e-3
    name = "motor.R" if compiled.flat.name == "Drive" else "r.R"
    return [compiled.simulate(stop, points=50, parameters={name: 1.0 + 0.05 * k}).unknowns for k in range(runs)]


def test_models_in_threads_do_not_disturb_each_other() -> None:
    """Fifty runs of each of four models, side by side and one after the other: the same bits."""
    kinds = (Drive, Resonator, Drive, Resonator)
    alone = [many(tg.compile(kind()), 50) for kind in kinds]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(many, [tg.compile(kind()) for kind in kinds], [50] * 4))
    for one, other in zip(alone, together, strict=True):
        for a, b in zip(one, other, strict=True):
            np.testing.assert_array_equal(a, b)


def test_one_model_in_many_threads() -> None:
    compiled = tg.compile(Drive())
    alone = many(compiled, 50)
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(many, [compiled] * 4, [50] * 4))
    for other in together:
        for a, b in zip(alone, other, strict=True):
            np.testing.assert_array_equal(a, b)


def test_the_runtime_is_found_by_all_its_sources() -> None:
    """A folder of kernels that is not looked at would leave old machine code in use after a change."""
    runtime = Path(jit.__file__).parent.parent / "runtime"
    folders = {path.parent for path in runtime.rglob("*.py")}
    assert folders <= {Path(folder) for folder in jit._RUNTIME_SOURCES}
