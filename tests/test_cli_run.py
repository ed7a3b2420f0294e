"""The command line runs models: simulate, report, show --stage reduced."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

import motors
import tellegen as tg
from tellegen.cli.app import app
from tellegen.cli.target import TargetError
from tellegen.cli.values import parse_settings

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


def test_simulate_explains_what_limited_the_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    code, said = ask("simulate", DRIVE, "--stop", "2", "--explain")
    assert code == 0, said
    assert "steps limited by" in said
    assert "motor.i" in said
    assert "dc_drive.py:" in said
    assert "try: " in said


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        (("--stop", "2", "--set", "motor.RR=1"), 1, "perhaps you meant 'motor.R'"),
        (("--stop", "2", "--show", "load.ww"), 1, "perhaps you meant 'load.w'"),
        (("--stop", "2", "--set", "motor.R"), 2, "is not PATH=VALUE"),
        (("--stop", "2", "--csv", "/no/such/folder/a.csv"), 2, "there is no folder"),
        (("--stop", "2", "--plot", "a.nonsense"), 2, "cannot be drawn"),
        (("--stop", "-2"), 1, "E181"),
        (("--stop", "2 V"), 1, "E181"),
        (("--stop", "2", "--points", "1"), 1, "E184"),
        (("--stop", "2", "--initial", "load.w"), 2, "--initial 'load.w' is not PATH=VALUE"),
        (("--stop", "2", "--initial", "stedy"), 2, "or --initial steady"),
        (("--stop", "2", "--plot", "a.png", "--x", "load.ww"), 1, "perhaps you meant 'load.w'"),
        (("--stop", "2", "--show", "load.w [V]"), 1, "E121"),
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
    given = parse_settings(["a.R=1e3", "T = 1,2,3", "b.C=2 nF"], "--set")
    assert given == {"a.R": 1e3, "T": [1.0, 2.0, 3.0], "b.C": "2 nF"}
    for wrong in ("a", "=1", "a="):
        with pytest.raises(TargetError):
            parse_settings([wrong], "--set")


def last_values(said: str) -> dict[str, float]:
    """The last values in the table that `simulate` prints."""
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in said.splitlines() if "│" in line]
    return {name: float(last) for name, _, last, _ in rows}


def test_times_points_and_start_values(tmp_path: Path) -> None:
    table = tmp_path / "out.csv"
    run = ("simulate", DRIVE, "--stop", "20 ms", "--points", "11", "--initial", "load.w=100", "--csv", str(table))
    code, said = ask(*run, "--show", "load.w [rpm]", "--show", "load.phi")
    assert code == 0, said
    frame = pd.read_csv(table)
    assert len(frame) == 11
    assert frame["time [s]"].iloc[-1] == pytest.approx(0.02)
    assert frame["load.w [rpm]"].iloc[0] == pytest.approx(100.0 * 30.0 / 3.141592653589793)
    code, said = ask("simulate", DRIVE, "--stop", "1", "--initial", "steady")
    assert code == 1  # the angle of a drive has no steady state
    assert "steady" in said


def test_help_shows_the_brackets_of_units() -> None:
    said = ask("simulate", "--help")[1]
    assert "[rpm]" in said
    assert "[ms]" in said


def test_parameters_from_a_file(tmp_path: Path) -> None:
    toml = tmp_path / "drive.toml"
    toml.write_text('"load.J" = 0.02\n[motor]\nR = "1200 mohm"\nL = 1e-3\n', encoding="utf-8")
    json = tmp_path / "drive.json"
    json.write_text('{"load.J": 0.02, "motor": {"R": "1.2 ohm", "L": 0.001}}', encoding="utf-8")
    settings = ("--set", "load.J=0.02", "--set", "motor.R=1.2", "--set", "motor.L=0.001")
    run = ("simulate", DRIVE, "--stop", "2", "--show", "load.w", "--show", "motor.i")
    wanted = last_values(ask(*run, *settings)[1])
    for file in (toml, json):
        assert last_values(ask(*run, "--parameters", str(file))[1]) == wanted
    changed = last_values(ask(*run, "--parameters", str(toml), "--set", "motor.R=2.4")[1])
    assert changed["load.w"] < wanted["load.w"]  # --set takes precedence


@pytest.mark.parametrize(
    ("name", "content", "code", "expected"),
    [
        ("a.toml", "motor.R = = 2", 2, "is not valid TOML"),
        ("a.json", "{", 2, "is not valid JSON"),
        ("a.json", "[1, 2]", 2, "holds no values by path"),
        ("a.yaml", "motor: 2", 2, "give a .toml or .json file"),
        ("a.toml", "motor.RR = 2.0", 1, "perhaps you meant 'motor.R'"),
        ("a.toml", 'motor.R = "2 V"', 1, "cannot be converted"),
        ("", "", 2, "cannot be read"),
    ],
)
def test_wrong_parameter_files(tmp_path: Path, name: str, content: str, code: int, expected: str) -> None:
    file = tmp_path / (name or "missing.toml")
    if name:
        file.write_text(content, encoding="utf-8")
    answer, said = ask("simulate", DRIVE, "--stop", "2", "--parameters", str(file))
    assert answer == code, said
    assert expected in said.replace("\n", " ")


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
    assert ask("report", DRIVE, "--show", "residual_form")[0] == 0
    code, said = ask("report", DRIVE, "--show", "tearing")
    assert code == 2
    assert "there is no pass 'tearing'" in said


def test_show_reduced_and_sorted() -> None:
    code, reduced = ask("show", DRIVE, "--stage", "reduced")
    assert code == 0
    assert "load.J*load.a + motor.shaft.tau == 0" in reduced
    code, ordered = ask("show", DRIVE, "--stage", "sorted")
    assert code == 0
    assert "order of evaluation" in ordered
    assert "order of evaluation" not in reduced


def test_a_netlist_takes_the_place_of_a_python_file(tmp_path: Path) -> None:
    netlist, picture = tmp_path / "filter.cir", tmp_path / "out.png"
    netlist.write_text(
        "filter\nv1 in 0 pulse(0 5 1m 1u 1u 10m)\nr1 in out 1k\nc1 out 0 1u\n.ac dec 10 1 1k\n.tran 1u 9m\n"
    )
    code, said = ask("simulate", str(netlist), "--plot", str(picture))
    assert code == 0, said
    assert "to t = 0.009 s" in said
    assert "out.v" in said
    assert "4.998" in said  # 5 V (1 - exp(-8))
    assert ".ac is not used" in said
    assert picture.read_bytes()[:4] == b"\x89PNG"
    assert ask("check", str(netlist))[0] == 0
    code, said = ask("simulate", str(netlist), "--stop", "2e-3", "--set", "r1.R=2000", "--show", "c1.v")
    assert (code, "1.96" in said) == (0, True)  # 5 V (1 - exp(-1/2))


def test_mistakes_in_netlists_are_told_with_their_line(tmp_path: Path) -> None:
    netlist = tmp_path / "wrong.cir"
    netlist.write_text("wrong\nr1 in out 4k7\n")
    code, said = ask("check", str(netlist))
    assert code == 1
    assert "E504" in said
    assert "wrong.cir:2" in said
    code, said = ask("check", str(tmp_path / "wrng.cir"))
    assert code == 2
    assert "perhaps you meant 'wrong.cir'" in said


def test_simulate_with_bindings() -> None:
    drive = str(ROOT / "tests" / "motors.py") + ":Drive"
    bound = ("--bind", "motor=complex", "--bind", "motor.armature=inductive")
    code, said = ask("simulate", drive, "--stop", "0.1", *bound, "--show", "motor.armature.L")
    assert code == 0, said
    code, said = ask("show", drive, "--bind", "motor=complx")
    assert code == 1
    assert "Motor has no implementation 'complx'" in said
    code, said = ask("check", drive, "--bind", "motor")
    assert code == 2
    assert "is not PATH=NAME" in said


def test_documents_are_bound_too(tmp_path: Path) -> None:
    file = tmp_path / "drive.xml"
    tg.write_markup(motors.Drive(), file, candidates=True)
    code, said = ask("simulate", str(file), "--stop", "0.1", "--bind", "motor=complex", "--show", "motor.armature.R")
    assert code == 0, said
