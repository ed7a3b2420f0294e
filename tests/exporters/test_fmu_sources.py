"""C sources in FMUs: compiled by others they compute the same digits as the library that we made."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import tellegen as tg
from tellegen.exporters.sources.llvm_as_c import print_llvm_as_c

fmpy = pytest.importorskip("fmpy")
validation = pytest.importorskip("fmpy.validation")
pytest.importorskip("ziglang")

ZIG = (sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=all")
OUTPUT = ("x", "v", "count", "level", "held")


class Hopper(tg.Component):
    """A ball with a counter, a table, a sampled value and a loop that is not linear."""

    g = tg.parameter(9.81)
    x = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)
    level = tg.variable(start=0.5)
    count = tg.integer()
    held = tg.variable(discrete=True)

    def equations(self) -> Iterator[Any]:
        """Free fall and impact, a cubic with powers, minima and angles in it."""
        drag = tg.interpolate(self.v, [-4.0, -1.0, 0.0, 1.0, 4.0], [-0.3, -0.1, 0.0, 0.1, 0.3])
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == -self.g - drag + 0.01 * tg.sin(3.0 * tg.time) * tg.exp(-self.x)
        yield self.level + 0.1 * self.level**3 == tg.maximum(self.x, 0.1) + tg.sqrt(1.0 + self.v**2) + self.held
        yield tg.when(self.x < 0, tg.reinit(self.v, -0.8 * tg.pre(self.v)), self.count == tg.pre(self.count) + 1)
        yield tg.when(tg.sample(0.0, 0.13), self.held == tg.tanh(self.x))


@pytest.fixture(scope="module", params=["2.0", "3.0"])
def exported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tg.ExportedFmu:
    """With sources, of both versions."""
    path = tmp_path_factory.mktemp("sources") / "hopper.fmu"
    return tg.export_fmu(Hopper(), path, version=request.param, stop=1.0, sources=True)


def test_the_description_lists_the_sources(exported: tg.ExportedFmu) -> None:
    assert validation.validate_fmu(str(exported.path)) == []
    names = listed(exported)
    with zipfile.ZipFile(exported.path) as archive:
        assert {f"sources/{name}" for name in names} < set(archive.namelist())


@pytest.mark.slow
def test_other_compilers_make_the_same_digits(exported: tg.ExportedFmu, tmp_path: Path) -> None:
    """That of the wheel, which is clang, for one version, and gcc where there is one for the other."""
    has_gcc = exported.version == "2.0" and shutil.which("gcc") is not None
    with zipfile.ZipFile(exported.path) as archive:
        archive.extractall(tmp_path)
    library = next((tmp_path / "binaries").rglob("Hopper.so"))
    own = run(exported, tmp_path)
    library.unlink()
    command = ("gcc", "-Werror") if has_gcc else ZIG
    flags = (
        "-std=c99",
        "-Wall",
        "-O1" if has_gcc else "-O0",
        "-fPIC",
        "-ffp-contract=off",
        "-fno-strict-aliasing",
        "-fwrapv",
    )
    build([*command, *flags], listed(exported), tmp_path / "sources", ["-shared", "-o", str(library)])
    again = run(exported, tmp_path)
    for kind, result in own.items():
        for name in OUTPUT:
            assert np.array_equal(result[name], again[kind][name]), (kind, name)


def test_nan_and_minus_zero_stay_what_they_are(tmp_path: Path) -> None:
    """llvm.minimum differs from fmin in both."""
    text = """
    declare double @llvm.minimum.f64(double, double)
    declare double @llvm.maximum.f64(double, double)
    define void @f(double %a, double %b, ptr %r) {
      %low = call double @llvm.minimum.f64(double %a, double %b)
      %high = call double @llvm.maximum.f64(double %a, double %b)
      %less = fcmp ult double %a, %b
      %one = uitofp i1 %less to double
      store double %low, ptr %r
      %second = getelementptr double, ptr %r, i64 1
      store double %high, ptr %second
      %third = getelementptr double, ptr %r, i64 2
      store double %one, ptr %third
      ret void
    }
    """
    main = """
    #include <stdio.h>
    extern void f(double, double, char *);
    int main(void) {
        double pairs[][2] = {{-0.0, 0.0}, {0.0, -0.0}, {0.0 / 0.0, 1.0}, {1.0, 0.0 / 0.0}, {1.0, 2.0}};
        for (int k = 0; k < 5; k++) {
            double r[3];
            f(pairs[k][0], pairs[k][1], (char *)r);
            printf("%d %d %d %d %g\\n", r[0] != r[0], 1.0 / r[0] < 0.0, r[1] != r[1], 1.0 / r[1] < 0.0, r[2]);
        }
    }
    """
    (tmp_path / "f.c").write_text(print_llvm_as_c(text))
    (tmp_path / "main.c").write_text(main)
    build(ZIG, ["f.c", "main.c"], tmp_path, ["-o", "main"])
    said = subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert said.split("\n")[:5] == ["0 1 0 0 0", "0 1 0 0 0", "1 0 1 0 1", "1 0 1 0 1", "0 0 0 0 1"]


def build(compiler: Sequence[str], sources: Sequence[str], folder: Path, output: Sequence[str]) -> None:
    """Compile and link. The system's compiler links where there is one: zig makes a C library first, for 20 seconds."""
    objects = [f"{Path(source).stem}.o" for source in sources]
    for source, compiled in zip(sources, objects, strict=True):
        subprocess.run([*compiler, "-c", source, "-o", compiled], cwd=folder, check=True)
    linker = ("gcc",) if shutil.which("gcc") is not None else ZIG
    subprocess.run([*linker, *objects, "-lm", *output], cwd=folder, check=True)


def listed(exported: tg.ExportedFmu) -> list[str]:
    """The files to compile, as the FMU says."""
    with zipfile.ZipFile(exported.path) as archive:
        if exported.version == "3.0":
            root = ElementTree.fromstring(archive.read("sources/buildDescription.xml"))
            return [each.attrib["name"] for each in root.iter("SourceFile")]
        root = ElementTree.fromstring(archive.read("modelDescription.xml"))
        return [each.attrib["name"] for each in root.iterfind("CoSimulation/SourceFiles/File")]


def run(exported: tg.ExportedFmu, folder: Path) -> dict[str, Any]:
    """In a process of its own: a library that is loaded stays so."""
    script = f"""
import fmpy, numpy as np
for kind in ("CoSimulation", "ModelExchange"):
    found = fmpy.simulate_fmu({str(folder)!r}, fmi_type=kind, stop_time=1.0, output_interval=0.02, output={OUTPUT!r})
    np.save({str(folder)!r} + "/" + kind + ".npy", found)
"""
    subprocess.run([sys.executable, "-c", script], check=True)
    return {kind: np.load(folder / f"{kind}.npy") for kind in ("CoSimulation", "ModelExchange")}
