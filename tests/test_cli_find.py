"""`tellegen find`: families, tables of parts, one part in full, JSON, mistakes."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

import tellegen as tg
from tellegen.cli.app import app


def ask(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["find", *arguments], env={"COLUMNS": "240", "TERM": "dumb"})
    return result.exit_code, result.output


def test_families_and_tables() -> None:
    code, text = ask()
    assert code == 0
    assert "DCMotorInterface" in text
    code, text = ask("DCMotor", "torque_max >= 0.13 N.m", "mass < 0.6 kg", "--order-by", "mass", "--limit", "3")
    assert code == 0
    assert "3 parts of DCMotorInterface" in text
    assert "torque_max" in text
    assert "mN.m" in text
    code, text = ask("name == 1N4148")
    assert code == 0
    assert "github.com" in text


def test_json_and_files(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("name,mass [g]\nA,130\nB,95\n")
    code, text = ask("mine", "mass < 0.1 kg", "--in", str(path), "--json")
    assert code == 0
    assert json.loads(text)[0]["limits"] == {"mass": "95 g"}
    [found] = json.loads(ask("name == Sony US26650FTC1", "--json")[1])
    assert found["implementation"] == "table"
    assert found["parameters"]["Qnom"] == "10800 C"
    assert tg.catalogue()["Sony US26650FTC1"].source == found["source"]


def test_mistakes() -> None:
    for arguments, code in (
        (["gearbx"], "E826"),
        (["DCMotor", "mass < 1 V"], "E829"),
        (["DCMotor", "mas < 1 kg"], "E828"),
        (["--in", "nowhere.toml"], "E820"),
    ):
        status, text = ask(*arguments)
        assert status == 1
        assert code in text
