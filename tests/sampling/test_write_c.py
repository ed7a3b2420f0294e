"""tg.write_c: controllers compiled by ziglang without a warning, and run against the components sample by sample."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from sampling.c_programs import CORTEX_M, compiled, random_inputs, samples_in_c, samples_in_python, zig
from sampling.controllers import Bent, Cascade, Knotted, StateFeedback
from tellegen.library import blocks, sampled
from tellegen.markup.formats import convert

PERIOD = 0.01
CLOCK = tg.Clock(PERIOD)
NOISE = {"Q": [[1e-6, 0.0], [0.0, 1e-3]], "R": [[1e-2]], "P": tg.variable(start=[[1.0, 0.0], [0.0, 1.0]])}
CONTROLLERS: dict[str, tuple[Any, list[str], str]] = {
    "pid": (
        sampled.PID(clock=CLOCK, kp=2.0, ki=3.0, kd=0.1, Tf=0.02, y_max=1.0, y_min=-1.0),
        ["reference", "measured"],
        "y",
    ),
    "kalman": (
        sampled.KalmanFilter(clock=CLOCK, A=[[1.0, PERIOD], [0.0, 1.0]], B=[[0.0], [PERIOD]], C=[[1.0, 0.0]], **NOISE),
        ["u[0]", "y[0]"],
        "xe[1]",
    ),
    "feedback": (tg.discretize(StateFeedback(), PERIOD, "zoh"), ["y", "r"], "u"),
    "cascade": (tg.discretize(Cascade(), PERIOD, "tustin"), ["wanted", "speed", "current"], "voltage"),
    "knotted": (tg.discretize(Knotted(), PERIOD, "backward", iterations=8), ["u"], "y"),
    "stiff": (tg.discretize(Bent(), PERIOD, "rosenbrock"), ["u"], "y"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("controllers")


@pytest.fixture(scope="module")
def programs(folder: Path) -> Any:
    return compiled(folder, {name: component for name, (component, _, _) in CONTROLLERS.items()})


@pytest.mark.parametrize("name", CONTROLLERS)
def test_samples_are_the_same_bit_by_bit(programs: Any, name: str) -> None:
    """sin and tanh of `stiff` come from the same math.h here; all else is exactly rounded."""
    library, made = programs
    component, inputs, output = CONTROLLERS[name]
    given = random_inputs(inputs, 25, 3, 2.0)
    in_c = samples_in_c(library, made[name], given, output)
    assert in_c == samples_in_python(component, PERIOD, given, output)
    assert np.ptp(in_c) > 0.05


def test_a_cortex_m_is_served_as_well(programs: Any, folder: Path) -> None:
    """Thumb code for a Cortex-M4, the three controllers."""
    for name in ("pid", "kalman", "feedback"):
        zig(*CORTEX_M, "-Os", "-c", str(folder / f"{name}.c"), "-o", str(folder / f"{name}.o"))
        assert (folder / f"{name}.o").read_bytes()[:5] == b"\x7fELF\x01"  # of 32 bits


def test_code_has_no_heap_no_recursion_and_no_loop_without_a_limit(programs: Any) -> None:
    """Every loop ends after a constant number of rounds; no function calls itself."""
    for made in programs[1].values():
        text = made.source
        assert not re.search(r"\b(malloc|calloc|realloc|free)\s*\(|\bgoto\b|\bfor\b", text)
        loops = re.findall(r"while \(1\) \{\n\s*if \((.*)\)", text)
        assert len(loops) == text.count("while")
        assert all("rounds < 1000000" in condition for condition in loops)
        bodies = re.findall(r"^(?:static )?\w+ (\w+)\([^;]*?\)\n\{(.*?)^\}", text, re.S | re.M)
        calls = {name: {other for other, _ in bodies if f"{other}(" in body} for name, body in bodies}
        assert len(calls) >= 2
        while calls:
            leaves = {name for name, called in calls.items() if not called}
            assert leaves, "functions that call each other"
            calls = {name: called - leaves for name, called in calls.items() if name not in leaves}


def test_parameters_can_be_changed_in_c(programs: Any) -> None:
    """The matrices of `feedback` follow after an update, as in a run with other parameters."""
    _, made = programs
    code = made["feedback"]
    assert "feedback_update" in code.header
    assert "par.k[1]" in code.fields
    assert "/* m, measured position */" in code.header


REFUSED = {
    "a continuous state": (blocks.PI(k=1.0, T=1.0), "'x' is a continuous state"),
    "no clock": (blocks.Gain(k=2.0), "it is not sampled"),
}


def test_words_of_c_are_no_names() -> None:
    with pytest.raises(tg.ExportError, match="'static' is not a name of C"):
        tg.write_c(tg.discretize(blocks.PI(k=1.0, T=1.0), 1e-3, "tustin"), "static.c")


@pytest.mark.parametrize("case", REFUSED)
def test_what_has_no_c(case: str) -> None:
    component, words = REFUSED[case]
    with pytest.raises(tg.ExportError, match=words):
        tg.write_c(component)


class Odd(sampled.SampledSISO):
    """A tick that reads the time, and others."""

    kind = tg.parameter("time", structural=True)
    other = tg.variable(discrete=True, start=0.0)

    def equations(self) -> Any:
        if self.kind == "time":
            yield tg.when(self.clock.tick, self.y == self.u * tg.time, self.other == 0.0)
        elif self.kind == "table":
            yield tg.when(self.clock.tick, self.y == tg.interpolate(self.u, [0.0, 1.0], [0.0, 2.0]), self.other == 0.0)
        elif self.kind == "clocks":
            yield tg.when(self.clock.tick, self.y == self.u)
            yield tg.when(self.clock.every(2).tick, self.other == self.u)
        elif self.kind == "loop":
            yield tg.when(self.clock.tick, self.y == self.u + 0.5 * self.other, self.other == tg.sin(self.y))
        else:
            yield tg.when(self.clock.tick, self.y == self.u)
            yield tg.when(self.u > 1.0, self.other == tg.pre(self.other) + 1.0)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("time", "reads the time"),
        ("table", "reads a table"),
        ("clocks", "several clocks: 0.001 s from 0 s on, 0.002 s from 0 s on"),
        ("when", "waits for no clock"),
    ],
)
def test_constructs_without_c_are_named(kind: str, words: str) -> None:
    with pytest.raises(tg.ExportError, match=words):
        tg.write_c(Odd(kind=kind))


def test_convert_writes_c(folder: Path) -> None:
    """`tellegen convert FILE:CLASS controller.c` knows the ending."""
    assert convert(CONTROLLERS["pid"][0], folder / "converted.c").function == "write_c"
    assert "void converted_step(struct converted *c);" in (folder / "converted.h").read_text()
