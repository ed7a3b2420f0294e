"""`tellegen convert` and `tellegen browse`, and the published schema."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import tellegen as tg
from markup import markup_code
from markup.test_version2 import SAMPLES
from tellegen.cli.app import app
from tellegen.markup.formats import FORMATS

FOLDER = Path(__file__).parent / "dc_motor"
DRIVE = Path(__file__).parents[2] / "examples" / "dc_drive.py"


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(map(str, arguments)))
    return result.exit_code, result.output


def test_convert_by_endings(tmp_path: Path) -> None:
    code, shown = run("convert", f"{DRIVE}:Drive", tmp_path / "drive.xml")
    assert (code, "a document" in shown) == (0, True)
    assert run("convert", tmp_path / "drive.xml", tmp_path / "drive.mo")[0] == 0
    assert "model Drive" in (tmp_path / "drive.mo").read_text(encoding="utf-8")
    assert run("convert", tmp_path / "drive.xml", tmp_path / "drive.vhd")[0] == 0
    assert "entity" in (tmp_path / "drive.vhd").read_text(encoding="utf-8").lower()
    assert run("convert", tmp_path / "drive.xml", tmp_path / "again.xml")[0] == 0
    assert (tmp_path / "again.xml").read_bytes() == (tmp_path / "drive.xml").read_bytes()
    code, shown = run("convert", tmp_path / "drive.xml", tmp_path / "one.xml", "--markup", 1)
    assert code == 1
    assert "E852: version 1 has no words for an equation that reads members of 'signal_source'" in shown
    code, shown = run("convert", f"{DRIVE}:Drive", tmp_path / "drive.txt")
    assert code == 1
    assert "E851: 'drive.txt' has not the ending of a format that can be written" in shown


def test_convert_documents_of_version_1(tmp_path: Path) -> None:
    assert run("convert", FOLDER / "motor.xml", tmp_path / "same.xml")[0] == 0
    assert isinstance(tg.read_markup(tmp_path / "same.xml"), tg.MarkupDocument)
    assert run("convert", f"{FOLDER / 'motor.xml'}:smooth", tmp_path / "smooth.xml")[0] == 0
    text = (tmp_path / "smooth.xml").read_text(encoding="utf-8")
    assert 'interface="mech_subsystem" implementation="no-friction-impl"' in text
    code, shown = run("convert", f"{FOLDER / 'motor.xml'}:smoth", tmp_path / "b.xml")
    assert code == 2
    assert "perhaps you meant 'smooth'" in shown


def test_every_format_has_its_function() -> None:
    assert all(callable(one.write) for one in FORMATS)


def test_browse(tmp_path: Path) -> None:
    code, shown = run("browse", FOLDER / "subsystems.xml")
    assert code == 0
    for words in ("mech-subsystem  interface", "no-friction-impl  implementation  default", "ra: resistor  (r=Ra)"):
        assert words in shown
    assert "mech: mech-subsystem -> no-friction-impl" in run("browse", FOLDER / "motor.xml")[1]
    tg.write_markup(SAMPLES[3](), tmp_path / "cells.xml")
    assert "cells[3]: HeatCapacitor" in run("browse", tmp_path / "cells.xml")[1]
    catalogue = Path(tg.__file__).parent / "catalogue" / "data" / "motors.toml"
    code, shown = run("browse", catalogue)
    assert code == 0
    assert "DCMotor" in shown
    code, shown = run("browse", tmp_path / "nothing.xml")
    assert code == 1
    assert "E840" in shown


def test_documents_are_valid_by_the_schema() -> None:
    etree = pytest.importorskip("lxml.etree")
    schema = etree.RelaxNG(etree.parse(str(Path(__file__).parents[2] / "docs" / "markup.rng")))
    for cls in (*SAMPLES, markup_code.Spring, markup_code.Lag, markup_code.LagInC):
        text = tg.write_markup(cls())
        assert schema.validate(etree.fromstring(text.encode())), f"{cls.__name__}: {schema.error_log.last_error}"
    for old, new in (
        ('version="2"', 'version="1"'),
        ("<component ", '<component colour="red" '),
        ("<model", "<modell"),
    ):
        assert not schema.validate(etree.fromstring(text.replace(old, new).encode()))
