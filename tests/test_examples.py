"""Every example runs as a program in an empty folder and says where its files are.

They run in this interpreter, which has imported what they need: a second of CPU less for each of them. One is started
as a user starts it. A warning is an error, but where an example is about one.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from waiting import LIMIT

WARNS = {"two_tanks": "the consumer runs dry"}
EXAMPLES = sorted((Path(__file__).resolve().parent.parent / "examples").glob("*.py"))


@pytest.mark.usefixtures("plain_layout")
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(example)])
    monkeypatch.setattr(sys, "path", [str(example.parent), *sys.path])
    warns = WARNS.get(example.stem)
    with pytest.warns(UserWarning, match=warns) if warns else nullcontext():
        runpy.run_path(str(example), run_name="__main__")
    check_output(example, tmp_path, capsys.readouterr().out)


def test_an_example_in_a_new_interpreter(tmp_path: Path) -> None:
    example = next(path for path in EXAMPLES if path.stem == "dc_drive")
    command = [sys.executable, str(example)]
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    check_output(example, tmp_path, done.stdout)


def check_output(example: Path, folder: Path, printed: str) -> None:
    assert "demo_output" in printed
    assert list((folder / "demo_output").glob(f"{example.stem}*.png"))
