"""`tellegen check FILE.mo` lists what is not supported in a file, by name, line and construct, and its mistakes."""

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


CHECKED = {
    "too few": ("Real x;\n Real y;\nequation\n x = 1;", 1, "fewer equations than unknowns"),
    "too many": ("Real x;\nequation\n x = 1;\n x = time;", 1, "more equations than unknowns"),
    "units": ('Real v(unit = "V") = 1;\n Real i(unit = "A");\nequation\n i = v;', 0, "'i' has the dimension of A"),
    "either quantity": (
        'Real v(unit = "V");\n Real i(unit = "A");\n'
        "equation\n v = 2*time;\n if time > 1 then\n  i = 0;\n else\n  v = 5 - i;\n end if;",
        0,
        "complete and consistent",
    ),
    "no source": (
        "connector In = input Real;\n block B\n In u;\n Real y;\nequation\n der(y) = 2*u;\nend B;\n B b;",
        1,
        "inputs that nothing is connected to:\n    b.u\n",
    ),
    "subscripts": ("Real x[3];\nequation\n for i in 1:4 loop\n  x[i] = i;\n end for;", 1, "x[i] = i;"),
    "library": ("Modelica.Units.SI.Mass m = 1;", 1, "tellegen modelica add PATH"),
    "element": ("model B\n Real u = 1;\nend B;\n B b;\n Real x = b.uu;", 1, "try: perhaps you meant 'u'\n"),
    "no value": ("parameter Real k;\n Real x = k;", 1, "E155: parameter 'k' has no value"),
}


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("which", CHECKED)
def test_check_of_a_file_says_what_is_wrong(which: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body, code, said = CHECKED[which]
    monkeypatch.delenv("MODELICAPATH", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    path = tmp_path / "A.mo"
    path.write_text(f"model A\n {body}\nend A;\n")
    result = CliRunner().invoke(app, ["check", str(path)])
    assert said in result.output
    assert result.exit_code == code
    assert ("E160" in result.output) == (which == "units")
    one = CliRunner().invoke(app, ["check", f"{path}:A"])
    assert one.exit_code == code
