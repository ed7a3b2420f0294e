"""The command line: what it answers to right and wrong requests, and with which exit code."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module, metadata
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from tellegen.cli.app import app
from tellegen.cli.report import print_error
from tellegen.cli.target import Target
from tellegen.errors import LanguageError
from tellegen.ir.source_location import SourceLocation

PARTS = """
import tellegen as tg

class Pin(tg.Connector):
    v = tg.across("V")
    i = tg.through("A")

class TwoPin(tg.Component):
    p = Pin()
    n = Pin()
    v = tg.variable("V")
    i = tg.variable("A")

    def equations(self):
        yield self.v == self.p.v - self.n.v
        yield self.p.i == self.i
        yield self.n.i == -self.i

class Resistor(TwoPin):
    R = tg.parameter(1.0, "ohm", "resistance")

    def equations(self):
        yield self.v == self.R * self.i

class Source(TwoPin):
    V = tg.parameter(1.0, "V", "voltage")

    def equations(self):
        yield self.v == self.V

class Ground(tg.Component):
    p = Pin()

    def equations(self):
        yield self.p.v == 0
"""

CIRCUIT = (
    PARTS
    + '''
class Circuit(tg.Component):
    """A source and a resistor."""
    source = Source(V=5.0)
    r = Resistor(R=10.0)
    ground = Ground()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.source.n, self.r.n, self.ground.p
'''
)

Answer = tuple[int, str]
Ask = Callable[..., Answer]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], str]:
    """Writes a model file and gives its path."""

    def write(text: str, name: str = "model.py") -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return write


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ask]:
    """Runs a command in this process: exit code and all it said. Imported model files are forgotten afterwards."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delenv("TELLEGEN_DEBUG", raising=False)

    def ask(*arguments: str) -> Answer:
        result = CliRunner().invoke(app, list(arguments))
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        assert "Traceback" not in result.output
        return result.exit_code, result.output

    yield ask
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs `python -m tellegen` as a user would."""
    command = [sys.executable, "-m", "tellegen", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=False)


def test_version() -> None:
    result = run("--version")
    assert (result.returncode, result.stdout.strip()) == (0, f"tellegen {metadata.version('tellegen')}")


def test_without_arguments_it_explains_itself(ask: Ask) -> None:
    assert all(command in ask()[1] for command in ("check", "show", "--version"))


def test_check_counts(ask: Ask, write: Callable[..., str]) -> None:
    code, said = ask("check", write(CIRCUIT) + ":Circuit")
    rows = dict(line.strip("│ \n").split("│") for line in said.splitlines() if line.count("│") == 3)
    counts = {label.strip(): value.strip() for label, value in rows.items()}
    assert code == 0
    assert counts["components"] == "4"
    assert counts["kinds"] == "4"
    # Two-pins have v, i and two pins of two; the ground has one pin.
    assert counts["variables"] == counts["equations"] == "14"
    assert counts["shapes traced"] == "4"
    assert float(counts["seconds"]) >= 0.0
    assert "ok" in said


def test_show_stages(ask: Ask, write: Callable[..., str]) -> None:
    file = write(CIRCUIT) + ":Circuit"
    code, model = ask("show", file, "--stage", "model")
    assert code == 0
    assert "Resistor" in model
    code, flat = ask("show", file, "--stage", "flat")
    assert code == 0
    assert "r.v" in flat
    assert ask("show", file) == (0, flat)


def test_unknown_stage(ask: Ask, write: Callable[..., str]) -> None:
    code, said = ask("show", write(CIRCUIT), "--stage", "flta")
    assert code == 2
    assert "flat" in said


def test_last_model_is_taken_and_the_choice_is_told(ask: Ask, write: Callable[..., str]) -> None:
    code, said = ask("check", write(CIRCUIT))
    assert code == 0
    assert "Circuit used" in said
    assert "TwoPin, Resistor, Source, Ground, Circuit" in said


def test_single_model_needs_no_name(ask: Ask, write: Callable[..., str]) -> None:
    write(PARTS, "parts.py")
    text = "import tellegen as tg\nfrom parts import Ground, Source\n"
    text += "class Circuit(tg.Component):\n    source = Source()\n    ground = Ground()\n"
    text += "    def connections(self):\n        yield self.source.n, self.ground.p\n"
    code, said = ask("check", write(text))
    assert (code, "taken" in said) == (0, False)


def test_system_object(ask: Ask, write: Callable[..., str]) -> None:
    text = PARTS + (
        'loop = tg.System("loop")\n'
        "loop.add(source=Source(V=2.0), r=Resistor(), ground=Ground())\n"
        "loop.connect(loop.source.p, loop.r.p)\n"
        "loop.connect(loop.source.n, loop.r.n, loop.ground.p)\n"
    )
    assert ask("check", write(text) + ":loop")[0] == 0
    assert "loop used" in ask("check", write(text))[1]


def test_function_that_makes_a_model(ask: Ask, write: Callable[..., str]) -> None:
    assert ask("check", write(CIRCUIT + "\ndef make():\n    return Circuit(r=Resistor(R=2.0))\n") + ":make")[0] == 0


def test_error_of_the_model_is_plain_text(write: Callable[..., str]) -> None:
    file = write(CIRCUIT.replace("self.r.p", "self.r.q"))
    result = run("check", f"{file}:Circuit")
    assert result.returncode == 1
    assert result.stdout == ""
    first, *rest = result.stderr.splitlines()
    assert first.startswith("E1")
    assert "'q'" in first
    assert any("at model.py:" in line for line in rest)


def test_error_in_the_class_body(ask: Ask, write: Callable[..., str]) -> None:
    code, said = ask("check", write(CIRCUIT.replace("Resistor(R=10.0)", "Resistor(r=10.0)")))
    assert code == 1
    assert said.startswith("E1")
    assert "'R'" in said


def test_fault_in_equations(ask: Ask, write: Callable[..., str]) -> None:
    code, said = ask("check", write(CIRCUIT.replace("self.R * self.i", "1 / 0")) + ":Circuit")
    assert code == 1
    assert all(part in said for part in ("ZeroDivisionError", "yield self.v == 1 / 0", "model.py:23"))


def test_panel_at_a_terminal(write: Callable[..., str]) -> None:
    file = write("line one\nyield self.v == self.i\n")
    error = LanguageError(
        "E199", "volts are not amperes", location=SourceLocation(file, 2, "R"), details=["v  V"], advice="use [R]"
    )
    screen = io.StringIO()
    print_error(error, Console(file=screen, force_terminal=True, width=80))
    said = screen.getvalue()
    for text in (
        "E199",
        "volts are not amperes",
        "model.py:2 (R)",
        "yield self.v == self.i",
        "v  V",
        "use [R]",
        "╭",
        "\x1b[31m",
    ):
        assert text in said


def test_no_panel_elsewhere() -> None:
    error = LanguageError("E199", "volts are not amperes " * 9, advice="use [R]")
    screen = io.StringIO()
    print_error(error, Console(file=screen, width=40))
    assert screen.getvalue() == error.text() + "\n"


@pytest.mark.parametrize(
    ("text", "target", "expected"),
    [
        (CIRCUIT, "model.py:Circiut", ["no 'Circiut' in model.py", "'Circuit'"]),
        (CIRCUIT, "model.py:Pin", ["'Pin'", "not a component"]),
        (CIRCUIT, "modle.py", ["no file", "modle.py", "'model.py'"]),
        (CIRCUIT, ".", ["is a folder"]),
        ("x = 1\n", "model.py", ["model.py defines no component", "tg.Component"]),
        ("x = 1\n", "model.py:Drive", ["no 'Drive' in model.py", "defines no component"]),
        ("x = 1\n", "model.py:x", ["'x'", "int, not a component"]),
        ("import tellegen\n\nclass A:\n    x = = 1\n", "model.py", ["model.py:4: Python cannot read this", "x = = 1"]),
        ("\nx = 1 / 0\n", "model.py", ["model.py:2: ZeroDivisionError: division by zero", "x = 1 / 0"]),
        ("import nonsense_xyz\n", "model.py", ["model.py:1: ModuleNotFoundError", "nonsense_xyz"]),
        ("raise SystemExit(3)\n", "model.py", ["model.py:1: SystemExit: 3"]),
        (
            PARTS + "\nclass A(Ground):\n    def __init__(self, n):\n        super().__init__()\n",
            "model.py:A",
            ["'n'", "A(...)"],
        ),
        (
            CIRCUIT + "\n    def __init__(self):\n        super().__init__()\n        self.r.R = 1 / 0\n",
            "model.py",
            ["ZeroDivisionError", "self.r.R = 1 / 0", "model.py:49"],
        ),
    ],
)
def test_wrong_requests(
    ask: Ask,
    write: Callable[..., str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    target: str,
    expected: list[str],
) -> None:
    write(text)
    monkeypatch.chdir(tmp_path)
    code, said = ask("check", target)
    assert code == 2, said
    assert [part for part in expected if part not in said] == [], said


def test_no_python_file(ask: Ask, write: Callable[..., str]) -> None:
    code, said = ask("show", write("{}", "model.json"))
    assert (code, "not a Python file" in said) == (2, True)


def test_file_named_like_a_module(ask: Ask, write: Callable[..., str]) -> None:
    before = sys.modules["json"] if "json" in sys.modules else __import__("json")
    assert ask("check", write(CIRCUIT, "json.py") + ":Circuit")[0] == 0
    assert sys.modules["json"] is before


def test_drive_letters_stay_in_the_path() -> None:
    assert Target.parse(r"C:\models\drive.py") == Target(Path(r"C:\models\drive.py"), "")
    assert Target.parse("models/drive.py:Drive") == Target(Path("models/drive.py"), "Drive")


def test_fault_of_ours_is_told_as_such(ask: Ask, write: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(component: object) -> None:
        raise RuntimeError("lost")

    broken.__code__ = broken.__code__.replace(co_filename=import_module("tellegen.compile").__file__ or "")
    monkeypatch.setattr("tellegen.flatten", broken)
    code, said = ask("check", write(CIRCUIT))
    assert code == 1
    assert "E900: internal error: RuntimeError: lost" in said
