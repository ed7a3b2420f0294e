"""`tellegen check FILE.mo` lists everything that is not supported in a file, by name, line and construct."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from tellegen.cli.app import app
from tellegen.frontends.modelica.unsupported import unsupported_in

TEXT = """package P
  model A
    Real x = hold(sample(time, Clock(0.1)));
    model Inner
      Boolean y = activeState(time);
    end Inner;
  end A;
  function f
    input Real x;
    output Real y;
    external "FORTRAN 77" y = f(x);
  end f;
  model B
    Real z = 1;
  equation
    when previous(z) > 1 then
      reinit(z, 0);
    end when;
  end B;
  model Misspelt
    Real w = unknownName;
  end Misspelt;
  model Sound
    Real x = time;
  end Sound;
end P;
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "P.mo"
    path.write_text(TEXT)
    return path


def test_every_construct_with_its_line(file: Path) -> None:
    found = [(one.construct, one.location.line, one.within) for one in unsupported_in(file)]
    assert found == [
        ("clocks: hold(...)", 3, "P.A"),
        ("clocks: Clock(...)", 3, "P.A"),
        ("state machines: activeState(...)", 5, "P.A.Inner"),
        ("external FORTRAN 77 code", 11, "P.f"),
        ("clocks: previous(...)", 16, "P.B"),
    ]


def test_the_command_lists_them_and_the_errors_of_models(file: Path) -> None:
    result = CliRunner().invoke(app, ["check", str(file)])
    assert result.exit_code == 1
    shown = result.output
    assert "P.mo:5" in shown
    assert "activeState(...) is not supported" in shown
    assert "'unknownName' is not declared" in shown


def test_a_sound_file(tmp_path: Path) -> None:
    path = tmp_path / "S.mo"
    path.write_text("model S Real x(start = 1, fixed = true); equation der(x) = -x; end S;")
    result = CliRunner().invoke(app, ["check", str(path)])
    assert result.exit_code == 0
