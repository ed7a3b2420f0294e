"""FMUs that call an installed Python (`python=True`): their functions run in a process beside the importer."""

from __future__ import annotations

import importlib
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.errors import ExportError
from tellegen.exporters.fmu.python_functions import python_resources
from tellegen.exporters.image.standalone import PythonFunction
from tellegen.ir.expressions.expr import Function

fmpy = pytest.importorskip("fmpy")
validation = pytest.importorskip("fmpy.validation")
pytest.importorskip("ziglang")

MODEL = '''
import tellegen as tg
from spring_helpers import cubic

@tg.function(opaque=True)
def law(x):
    if x > 5.0:
        raise ValueError("the spring is 100 % broken")
    return cubic(x)

class Regulator(tg.Software):
    """Sampled, with a state."""
    y = tg.input()
    u = tg.output()
    total = tg.variable(start=0.0)
    gain = tg.parameter(2.0)
    period = tg.parameter(0.05, "s")

    def outputs(self):
        print("what functions print is not an answer")
        return self.gain * (1.0 - self.y) + self.total

    def next_states(self):
        return {"total": self.total + 0.1 * (1.0 - self.y)}

class Plant(tg.Component):
    """A mass on a spring that is a function in Python, and its controller."""
    x = tg.variable(start=0.5, fixed=True)
    push = tg.parameter(0.0)
    regulator = Regulator()

    def equations(self):
        yield tg.der(self.x) == self.push + self.regulator.u - law(self.x)
        yield self.regulator.y == self.x
'''
HELPERS = "def cubic(x):\n    return x + 0.2*x**3\n"
STOP = 1.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Modules of a user, FMUs of both versions, and then no modules any more."""
    made = tmp_path_factory.mktemp("own modules")
    (made / "spring_model.py").write_text(MODEL)
    (made / "spring_helpers.py").write_text(HELPERS)
    sys.path.insert(0, str(made))
    try:
        plant = importlib.import_module("spring_model").Plant()
        for version in ("2.0", "3.0"):
            tg.export_fmu(plant, made / f"plant{version[0]}.fmu", version=version, stop=STOP, python=True)
    finally:
        sys.path.remove(str(made))
    np.save(made / "x.npy", tg.simulate(plant, stop=STOP, rtol=1e-9)["x"][-1])
    (made / "spring_model.py").unlink()
    (made / "spring_helpers.py").unlink()
    return made


@pytest.mark.parametrize(("version", "kind"), [("2", "ModelExchange"), ("3", "CoSimulation")])
def test_it_runs_as_the_model_does(folder: Path, version: str, kind: str) -> None:
    path = folder / f"plant{version}.fmu"
    assert not validation.validate_fmu(str(path))
    result = fmpy.simulate_fmu(str(path), fmi_type=kind, stop_time=STOP, output=["x"])
    assert abs(result["x"][-1] - np.load(folder / "x.npy")) < 1e-6


def test_it_says_what_it_needs(folder: Path) -> None:
    with zipfile.ZipFile(folder / "plant3.fmu") as archive:
        assert 'needsExecutionTool="true"' in archive.read("modelDescription.xml").decode()
        page = archive.read("documentation/index.html").decode()
        names = {name for name in archive.namelist() if name.startswith("resources/python/modules/")}
    assert "calls Python" in page
    assert "tellegen" in page
    assert names == {f"resources/python/modules/spring_{name}.py" for name in ("model", "helpers")}


def test_a_function_that_raises_is_reported(folder: Path) -> None:
    said: list[str] = []
    with pytest.raises(Exception, match="failed"):
        fmpy.simulate_fmu(
            str(folder / "plant2.fmu"),
            fmi_type="CoSimulation",
            stop_time=STOP,
            start_values={"push": 1e3},
            logger=lambda *arguments: said.append(arguments[-1].decode()),
        )
    assert any("the spring is 100   broken" in text for text in said)  # no %, which loggers would replace


@pytest.mark.parametrize("version", ["2", "3"])
def test_without_a_python_it_says_so(folder: Path, version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setenv("TELLEGEN_PYTHON", "/no/python")
    with pytest.raises(Exception, match="nstantiate"):
        fmpy.simulate_fmu(
            str(folder / f"plant{version}.fmu"),
            stop_time=STOP,
            logger=lambda *arguments: said.append(arguments[-1].decode()),
        )
    assert "/no/python: no such program" in "".join(said)


def test_a_python_without_tellegen_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    bare = Path(sys.base_prefix) / "bin" / "python3"
    if not bare.exists():
        pytest.skip("there is no other Python")
    monkeypatch.setenv("TELLEGEN_PYTHON", str(bare))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    with pytest.raises(Exception, match="nstantiate"):
        fmpy.simulate_fmu(
            str(folder / "plant3.fmu"),
            stop_time=STOP,
            logger=lambda *arguments: said.append(arguments[-1].decode()),
        )
    assert "ModuleNotFoundError" in "".join(said)


def test_a_script_takes_its_own_functions_along(folder: Path, tmp_path: Path) -> None:
    """The process of the FMU loads the script and does not run it again."""
    script = tmp_path / "script.py"
    export = 'if __name__ == "__main__":\n    tg.export_fmu(Plant(), "plant.fmu", stop=1.0, kind="cs", python=True)\n'
    script.write_text(MODEL.replace("from spring_helpers import cubic", HELPERS) + export)
    subprocess.run([sys.executable, str(script)], cwd=tmp_path, check=True)
    result = fmpy.simulate_fmu(str(tmp_path / "plant.fmu"), stop_time=STOP, output=["x"])
    assert abs(result["x"][-1] - np.load(folder / "x.npy")) < 1e-6


class Closure(tg.Component):
    """A function that no other process can import."""

    x = tg.variable(start=1.0, fixed=True)

    def equations(self) -> Any:
        factor = 2.0
        inner = tg.function(lambda x: factor * x, opaque=True)
        yield tg.der(self.x) == -inner(self.x)


def test_functions_that_cannot_be_taken_along_are_named(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="at the top level"):
        tg.export_fmu(Closure(), tmp_path / "closure.fmu", python=True)
    with pytest.raises(ExportError, match="python=True"):
        tg.export_fmu(Closure(), tmp_path / "closure.fmu")


def test_packages_of_other_environments_stay_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment may name the packages of another one (a .pth file): their compiled parts cannot be taken along."""
    packages = tmp_path / "base" / "lib" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "laws_of_others.py").write_text("def law(x):\n    return 1.0 - x\n")
    monkeypatch.syspath_prepend(packages)
    law = importlib.import_module("laws_of_others").law
    found = python_resources([PythonFunction(0, 1, Function("law", law, 1))])
    assert found.needs == ("laws_of_others", "tellegen")
    assert not any("modules/" in path for path in found.content)
