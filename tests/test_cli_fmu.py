"""`tellegen fmu inspect`: an FMU described without loading its code."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from tellegen.cli.app import app
from tellegen.fmi.archive import write_archive
from tellegen.fmi.description import CoSimulation, ModelDescription, Variable
from tellegen.fmi.write_description import write_description


def test_an_fmu_is_described_without_its_library(tmp_path: Path) -> None:
    variables = (Variable("speed", 1, causality="output"), Variable("gain", 2, causality="parameter", start=(2.5,)))
    description = ModelDescription("3.0", "Pump", "{1}", variables, co_simulation=CoSimulation("Pump"))
    write_archive(tmp_path / "pump.fmu", {"modelDescription.xml": write_description(description)})
    found = CliRunner().invoke(app, ["fmu", "inspect", str(tmp_path / "pump.fmu")])
    assert found.exit_code == 0
    for part in ("Pump", "Co-Simulation", "no libraries", "speed", "gain", "2.5"):
        assert part in found.output


def test_a_file_that_is_no_fmu(tmp_path: Path) -> None:
    (tmp_path / "text.fmu").write_text("no archive")
    found = CliRunner().invoke(app, ["fmu", "inspect", str(tmp_path / "text.fmu")])
    assert found.exit_code != 0
    assert "not a ZIP archive" in found.output
