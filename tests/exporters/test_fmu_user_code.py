"""Exported models that call the user's own code: C source is compiled into the FMU, kernels are native anyway."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.errors import ExportError

fmpy = pytest.importorskip("fmpy")
validation = pytest.importorskip("fmpy.validation")
pytest.importorskip("ziglang")

STOP = 1.0
RTOL = 1e-6


class Regulator(tg.Software):
    """A continuous controller with a helper that other sources have too."""

    wanted = tg.input()
    y = tg.input()
    u = tg.output()
    integral = tg.variable(start=0.0)
    k = tg.parameter(3.0)

    source = """
    double limited(double x) { return fmax(-2.0, fmin(x, 2.0)); }

    void outputs(double time, const double *x, const double *u, const double *p, double *y)
    {
        y[Y_u] = limited(p[P_k]*(u[U_wanted] - u[U_y]) + x[X_integral]);
    }

    void derivatives(double time, const double *x, const double *u, const double *p, double *dx)
    {
        dx[X_integral] = u[U_wanted] - u[U_y];
    }
    """


class Monitor(tg.Software):
    """Sampled: it remembers how far the plant has come at a tick."""

    y = tg.input()
    seen = tg.output()
    last = tg.variable(start=0.0)
    period = tg.parameter(0.1, "s")

    source = """
    double limited(double x) { return fmin(x, 1e3); }

    void outputs(double time, const double *x, const double *u, const double *p, double *y)
    {
        y[Y_seen] = limited(x[X_last]);
    }

    void next_states(double time, const double *x, const double *u, const double *p, double *next)
    {
        next[X_last] = sqrt(u[U_y]*u[U_y] + 1.0) + time;
    }
    """


class Loop(tg.Component):
    """A plant of first order with both."""

    regulator = Regulator()
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """The plant, and what the controller reads."""
        yield self.regulator.wanted == 1.0
        yield self.regulator.y == self.x
        yield tg.der(self.x) == self.regulator.u - self.x


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_c_source_is_compiled_into_the_fmu(tmp_path: Path, version: str) -> None:
    platforms = ("linux64", "win64") if version == "3.0" else ("linux64",)
    exported = tg.export_fmu(Loop(), tmp_path / "loop.fmu", version=version, stop=STOP, platforms=platforms)
    assert len(exported.sizes) == len(platforms)
    assert validation.validate_fmu(str(exported.path)) == []
    here = tg.simulate(Loop(), stop=STOP)
    for kind in ("CoSimulation", "ModelExchange"):
        found = fmpy.simulate_fmu(
            str(exported.path), fmi_type=kind, output=["x", "regulator.u"], output_interval=0.1, relative_tolerance=1e-8
        )
        for name in ("x", "regulator.u"):
            np.testing.assert_allclose(found[name], here.at(found["time"])[name], atol=50.0 * RTOL)  # kinks


class Watched(Loop):
    """With a sampled block in C, whose helper has the name of another one's."""

    monitor = Monitor()

    def equations(self) -> Iterator[Any]:
        """What the monitor reads."""
        yield self.monitor.y == self.x


def test_sampled_c_source_runs_at_its_instants(tmp_path: Path) -> None:
    exported = tg.export_fmu(Watched(), tmp_path / "watched.fmu", stop=STOP)
    here = tg.simulate(Watched(), stop=STOP)
    for kind in ("CoSimulation", "ModelExchange"):
        found = fmpy.simulate_fmu(
            str(exported.path), fmi_type=kind, output=["monitor.seen"], output_interval=0.05, relative_tolerance=1e-8
        )
        times = np.arange(0.05, 1.0, 0.1)
        seen = np.interp(times, found["time"], found["monitor.seen"])
        np.testing.assert_allclose(seen, here.at(times)["monitor.seen"], atol=50.0 * RTOL)


def test_binary_libraries_are_refused_by_name(tmp_path: Path) -> None:
    made = tmp_path / "outputs.so"
    source = "void outputs(double t, const double *x, const double *u, const double *p, double *y) { y[0] = u[0]; }"
    (tmp_path / "outputs.c").write_text(source)
    zig = (sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=all")
    compiler = ("gcc",) if shutil.which("gcc") is not None else zig  # zig makes a C library first, for 20 seconds
    subprocess.run([*compiler, "-shared", "-fPIC", "outputs.c", "-o", made.name], cwd=tmp_path, check=True)

    class Binary(tg.Software):
        y = tg.input()
        u = tg.output()
        outputs = tg.c_code(made, "outputs")

    class Plant(tg.Component):
        block = Binary()
        x = tg.variable(start=1.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield self.block.y == self.x
            yield tg.der(self.x) == -self.block.u

    with pytest.raises(ExportError, match=r"Binary\.outputs") as refused:
        tg.export_fmu(Plant(), tmp_path / "plant.fmu")
    assert refused.value.code == "E442"
    assert "C source" in str(refused.value)
