"""The path of an engineer from outside, tried as docs/your-own-component.md tells it: own file, look, use, test."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from waiting import LIMIT

PAGE = Path(__file__).resolve().parent.parent / "docs" / "your-own-component.md"
FILE = re.compile(r'^```python[^\n]* title="(?P<name>\w+\.py)"\n(?P<code>.*?)^```$', re.M | re.S)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the page, in a folder that knows nothing of this repository."""
    folder = tmp_path_factory.mktemp("project")
    for match in FILE.finditer(PAGE.read_text(encoding="utf-8")):
        (folder / match["name"]).write_text(match["code"], encoding="utf-8")
    return folder


def run(project: Path, *command: str) -> str:
    environment = {**os.environ, "MPLBACKEND": "Agg", "COLUMNS": "120"}
    done = subprocess.run(
        [sys.executable, *command], cwd=project, env=environment, capture_output=True, text=True, timeout=LIMIT
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_component_is_short(project: Path) -> None:
    lines = [line for line in (project / "my_fan.py").read_text().splitlines() if line.strip()]
    assert len(lines) <= 25


def test_the_example_has_the_same_component(project: Path) -> None:
    example = (PAGE.parent.parent / "examples" / "fan.py").read_text(encoding="utf-8")
    written = (project / "my_fan.py").read_text(encoding="utf-8")
    assert written[written.index("class Fan") :] in example


def test_it_is_explained_as_the_page_says(project: Path) -> None:
    said = re.search(r"^```text\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert said
    text = re.sub(r"\s+", " ", run(project, "-m", "tellegen", "library", "my_fan.py"))
    for line in said[1].splitlines():
        wanted = re.sub(r"\s+", " ", line).strip(" .")
        assert wanted in text, wanted


def test_it_is_used(project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """In this interpreter, as the examples."""
    monkeypatch.chdir(project)
    monkeypatch.setattr(sys, "path", [str(project), *sys.path])
    runpy.run_path("cooled.py", run_name="__main__")
    assert " K at " in capsys.readouterr().out
    assert (project / "cooled.png").is_file()


def test_it_is_tested(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # those of this repository take half a second
    assert "2 passed" in run(project, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_my_fan.py")
