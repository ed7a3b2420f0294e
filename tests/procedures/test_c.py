"""C99 from procedures: it compiles without warnings, and computes what compiled LLVM IR computes."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from golden import check_golden
from procedures import samples
from procedures.native import Compiled
from procedures.sources import module
from procedures.test_kernels import UNITS
from procedures.test_random import HELPERS, PROGRAMS, SIZE, program
from tellegen.procedures.evaluate import evaluate
from tellegen.procedures.load import load
from tellegen.procedures.print_c import print_c

COMPILER = shutil.which("cc") or shutil.which("gcc")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler here")


class CompiledC(Compiled):
    """The entries of a unit, compiled by the C compiler."""

    def __init__(self, unit: Any, folder: Path) -> None:
        self.unit = unit
        source = folder / "unit.c"
        source.write_text(print_c(unit))
        strict = ("-std=c99", "-Wall", "-Wextra", "-Wno-unused", "-Werror", "-fwrapv", "-ffp-contract=off")
        command = (str(COMPILER), *strict, "-O1", "-shared", "-fPIC", str(source), "-o", str(folder / "unit.so"), "-lm")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[:3000]
        library = ctypes.CDLL(str(folder / "unit.so"))
        address = {name: ctypes.cast(getattr(library, name), ctypes.c_void_p).value for name in unit.entries}
        self.code: Any = type("Code", (), {"addresses": address, "library": library})()


def test_text() -> None:
    check_golden("procedures/samples_c", print_c(load(samples.advance, samples.collatz, samples.last_below)))


@needs_compiler
@pytest.mark.parametrize("name", UNITS)
def test_kernels_compile(name: str, tmp_path: Path) -> None:
    CompiledC(load(*UNITS[name]), tmp_path)


@needs_compiler
def test_random_programs(tmp_path: Path) -> None:
    seeds = range(1000, 1000 + PROGRAMS)
    source = module(tmp_path, HELPERS + "".join(map(program, seeds)))
    unit = load(*(getattr(source, f"program_{seed}") for seed in seeds))
    compiled = CompiledC(unit, tmp_path)
    numbers = np.random.default_rng(7)
    for seed in seeds:
        x, y = (float(number) for number in numbers.normal(scale=3.0, size=2))
        u, m = numbers.normal(size=SIZE + 1), numbers.integers(-9, 9, SIZE).astype(np.int32)
        u_native, m_native = u.copy(), m.copy()
        expected = evaluate(unit, f"program_{seed}", x, y, u, m)
        found = getattr(compiled, f"program_{seed}")(x, y, u_native, m_native)
        np.testing.assert_equal(found, expected, err_msg=program(seed))
        np.testing.assert_array_equal(u_native, u, err_msg=program(seed))
        np.testing.assert_array_equal(m_native, m, err_msg=program(seed))
