"""The command line runs models: simulate, report, show --stage sorted."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from tellegen.cli.app import app
from tellegen.cli.run import parse_settings
from tellegen.cli.target import TargetError

ROOT = Path(__file__).resolve().parent.parent
DRIVE = str(ROOT / "examples" / "dc_drive.py") + ":Drive"
FAULTY = """
import tellegen as tg

class Grows(tg.Component):
    x = tg.variable(start=1.0)

    def equations(self):
        yield tg.der(self.x) == self.x**2
"""


def ask(*arguments: str) -> tuple[int, str]:
    """Exit code and all that was said."""
    result = CliRunner().invoke(app, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result.exit_code, result.output


def test_simulate_prints_writes_and_draws(tmp_path: Path) -> None:
    table, picture = tmp_path / "out.csv", tmp_path / "out.png"
    files = ("--csv", str(table), "--plot", str(picture))
    code, said = ask("simulate", DRIVE, "--stop", "2", "--set", "motor.R=1.2", "--show", "load.w", *files)
    assert code == 0, said
    assert "load.w" in said
    assert "279.3" in said
    frame = pd.read_csv(table)
    assert list(frame.columns) == ["time [s]", "load.w [rad/s]"]
    assert frame["load.w [rad/s]"].iloc[-1] == pytest.approx(279.34, rel=1e-4)
    assert picture.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        (("--stop", "2", "--set", "motor.RR=1"), 1, "perhaps you meant 'motor.R'"),
        (("--stop", "2", "--show", "load.ww"), 1, "perhaps you meant 'load.w'"),
        (("--stop", "2", "--set", "motor.R"), 2, "is not PATH=VALUE"),
        (("--stop", "2", "--csv", "/no/such/folder/a.csv"), 2, "there is no folder"),
        (("--stop", "2", "--plot", "a.nonsense"), 2, "cannot be drawn"),
        (("--stop", "-2"), 1, "E181"),
        (("--stop", "2", "--solver", "ode15s"), 1, "E183"),
    ],
)
def test_wrong_requests(
    arguments: tuple[str, ...], code: int, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer, said = ask("simulate", DRIVE, *arguments)
    assert answer == code, said
    assert expected in said
    assert "main.py" not in said


def test_a_run_that_stops_early_says_so(tmp_path: Path) -> None:
    file = tmp_path / "grows.py"
    file.write_text(FAULTY, encoding="utf-8")
    code, said = ask("simulate", str(file), "--stop", "2", "--csv", str(tmp_path / "out.csv"))
    assert code == 1
    assert "stopped: " in said
    assert "try: " in said
    assert len(pd.read_csv(tmp_path / "out.csv")) > 10


def test_settings() -> None:
    assert parse_settings(["a.R=1e3", "T = 1,2,3", "b.C=2 nF"]) == {"a.R": 1e3, "T": [1.0, 2.0, 3.0], "b.C": "2 nF"}
    for wrong in ("a", "=1", "a="):
        with pytest.raises(TargetError):
            parse_settings([wrong])


def test_report() -> None:
    code, said = ask("report", DRIVE)
    assert code == 0
    for word in ("eliminate aliases", "seconds", "17 eliminated", "load.phi", "initial system", "solver"):
        assert word in said


def test_report_shows_a_pass() -> None:
    code, said = ask("report", DRIVE, "--show", "eliminate_aliases")
    assert code == 0
    before, after = said.split("== after eliminate_aliases ==")
    assert "source.p.i + source.n.i == 0" in before
    assert "source.n.i = motor.i" in after
    assert ask("report", DRIVE, "--show", "select-states")[1].startswith("== select_states changes nothing ==")
    assert ask("report", DRIVE, "--show", "unsorted")[0] == 0
    code, said = ask("report", DRIVE, "--show", "tearing")
    assert code == 2
    assert "there is no pass 'tearing'" in said


def test_show_sorted() -> None:
    code, said = ask("show", DRIVE, "--stage", "sorted")
    assert code == 0
    assert "load.J*load.a + motor.shaft.tau == 0" in said
