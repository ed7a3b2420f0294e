"""`tellegen fmu inspect`: an FMU described without loading its code; `tellegen export` of a page."""

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


def test_an_ending_that_is_neither(tmp_path: Path) -> None:
    """An FMU of another name is read by nobody."""
    drive = Path(__file__).resolve().parent.parent / "examples" / "dc_drive.py"
    found = CliRunner().invoke(app, ["export", f"{drive}:Drive", "-o", str(tmp_path / "drive.zip")])
    assert found.exit_code == 2
    assert "'drive.zip' is neither an FMU (.fmu) nor a page (.html)" in found.output
    assert not list(tmp_path.iterdir())


def test_export_of_a_page(tmp_path: Path) -> None:
    """The ending of the output decides."""
    page = tmp_path / "drive.html"
    drive = f"{Path(__file__).resolve().parent.parent / 'examples' / 'dc_drive.py'}:Drive"
    asked = ["export", drive, "-o", str(page), "--sliders", "motor.R,load.J", "--plots", "load.w"]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 0
    assert "2 sliders, 1 curves" in done.output
    assert page.stat().st_size < 300_000
