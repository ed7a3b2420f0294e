"""`tellegen sync`: what changed in the files of a model is printed and kept."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tellegen as tg
from tellegen.cli.app import app

ROBOT = """<robot name="lever"><link name="base"/><link name="bar"><inertial><mass value="{mass}"/>
  <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <joint name="pivot" type="continuous"><parent link="base"/><child link="bar"/></joint></robot>"""
MODEL = """
import tellegen as tg
from tellegen.library import multibody

class Lever(tg.Component):
    world = multibody.World()
    lever = tg.Assembly.load({saved!r}).component()

    def connections(self):
        yield self.world.frame_b, self.lever.mount

robot = tg.read_urdf({robot!r})
"""


def ask(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["sync", *arguments])
    return result.exit_code, result.output


def test_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    robot, saved, model = (tmp_path / name for name in ("lever.urdf", "lever.json", "lever_model.py"))
    robot.write_text(ROBOT.format(mass=2.0))
    tg.read_urdf(robot).save(saved)
    model.write_text(MODEL.format(saved=str(saved), robot=str(robot)))
    assert ask(str(saved)) == (0, f"lever: in step with {robot}\n")
    robot.write_text(ROBOT.format(mass=2.25))
    code, text = ask(str(model))
    assert code == 0
    assert "bar  mass 2 -> 2.25 kg" in text
    assert f"wrote {saved}" in text
    assert f"lever: read from {robot} at every start" in text
    assert tg.Assembly.load(saved).parts[1].mass.m == 2.25
    assert ask(str(saved)) == (0, f"lever: in step with {robot}\n")
    robot.write_text(ROBOT.format(mass=2.25).replace("pivot", "hinge"))
    assert "hinge  was called 'pivot'" in ask(str(saved))[1]
    robot.write_text(robot.read_text() + "<!-- nothing else -->")
    assert "with the same parts and joints" in ask(str(saved))[1]
    assert ask(str(saved)) == (0, f"lever: in step with {robot}\n")
    robot.unlink()
    assert "is missing" in ask(str(saved))[1]


def test_sync_of_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "nothing_here.py").write_text("import tellegen as tg\n")
    code, text = ask(str(tmp_path / "nothing_here.py"))
    assert code == 2
    assert "uses no assembly" in text
    (tmp_path / "bad.json").write_text("{}")
    code, text = ask(str(tmp_path / "bad.json"))
    assert code == 1
    assert "E510" in text
