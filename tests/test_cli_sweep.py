"""The command line runs models many times: sweep."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import tellegen as tg
from test_cli_run import DRIVE, FAULTY, ask


def test_sweep_prints_writes_and_draws(tmp_path: Path) -> None:
    table, picture = tmp_path / "out.csv", tmp_path / "out.png"
    files = ("--csv", str(table), "--plot", str(picture), "--save", str(tmp_path / "a.study"))
    over = ("--over", "motor.R=1.2:2.4:2", "--over", "load.J=0.01,0.02 kg.m2")
    code, said = ask("sweep", DRIVE, *over, "--stop", "2", "--show", "final(load.w)", *files)
    assert code == 0, said
    assert "4 runs" in said
    frame = pd.read_csv(table)
    assert list(frame.columns) == ["motor.R", "load.J", "final(load.w)", "outcome"]
    assert len(frame) == 4
    assert picture.read_bytes()[:4] == b"\x89PNG"
    code, said = ask(
        "simulate", DRIVE, "--stop", "2", "--set", "motor.R=1.2", "--set", "load.J=0.01", "--show", "load.w"
    )
    assert f"{frame['final(load.w)'][0]:.6g}" in said


def test_sweep_with_samples() -> None:
    code, said = ask(
        "sweep", DRIVE, "--over", "motor.R=1:3", "--stop", "1", "--samples", "50", "--show", "final(load.w)"
    )
    assert code == 0, said
    assert "Latin hypercube" in said
    assert "the first 40" in said


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        (("--over", "motor.RR=1,2"), 1, "perhaps you meant 'motor.R'"),
        (("--over", "motor.R"), 2, "is not PATH=VALUES"),
        (("--over", "motor.R=1:3"), 2, "is not LOW:HIGH:COUNT"),
        (("--over", "motor.R=1,2", "--show", "last(load.w)"), 1, "E603"),
        (("--over", "motor.R=1,2", "--csv", "/no/such/folder/a.csv"), 2, "there is no folder"),
    ],
)
def test_what_is_wrong_is_said(arguments: tuple[str, ...], code: int, expected: str) -> None:
    found, said = ask("sweep", DRIVE, "--stop", "1", *arguments)
    assert expected in said.replace("\n", " ")
    assert found == code


@pytest.mark.filterwarnings("default:every run failed")
def test_failed_runs_are_told(tmp_path: Path) -> None:
    model = tmp_path / "grows.py"
    model.write_text(FAULTY)
    code, said = ask("sweep", str(model), "--over", "x=1,2", "--stop", "3")
    assert code == 1
    assert "warning: " in said
    assert "every run failed" in said.replace("\n", " ")
    assert "2 runs failed" in said
    assert tg.Study.__name__ in said
