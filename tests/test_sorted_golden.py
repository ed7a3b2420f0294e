"""Golden texts of the reduced and the sorted model, as page and as LaTeX; read them as a physicist would."""

from __future__ import annotations

import pytest

import tellegen as tg
from analyses.test_linearize import Bridge, Pendulum
from golden import check_golden
from golden_models import electric, rods
from tellegen.ir.show.latex import show_latex, symbol
from tellegen.ir.show.reduced_model import show_reduced
from tellegen.stages import reduce_model, sort_model

CASES = {
    "rc": electric.RC,
    "dc_drive": electric.Drive,
    "pendulum": Pendulum,
    "bridge": Bridge,
    "rod_array_equations": rods.HeatedArrayRod,
    "rod_component_arrays": rods.CellRod,
}


@pytest.mark.golden
@pytest.mark.parametrize("name", CASES)
def test_reduced_text(name: str) -> None:
    check_golden(f"reduced/{name}", show_reduced(reduce_model(CASES[name]())))


@pytest.mark.golden
def test_order_of_evaluation() -> None:
    check_golden("sorted/bridge", show_reduced(sort_model(Bridge())))


@pytest.mark.golden
@pytest.mark.parametrize("name", ["dc_drive", "pendulum"])
def test_latex(name: str) -> None:
    check_golden(f"latex/{name}", show_latex(reduce_model(CASES[name]())))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("x", "x"),
        ("tau", r"\tau"),
        ("motor.i", r"i_{\mathrm{motor}}"),
        ("rack.cells[3].T", r"T_{\mathrm{rack.cells[3]}}"),
        ("cell.T[3]", r"T_{\mathrm{3,cell}}"),
        ("phi_rel0", r"\phi_{\mathrm{rel0}}"),
        ("R1", r"R_{\mathrm{1}}"),
    ],
)
def test_symbols(path: str, text: str) -> None:
    assert symbol(path) == text


def test_equations_for_other_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = tg.compile(Pendulum())
    assert "x'' == vx'" in compiled.equations()
    assert compiled.equations("latex").startswith("\\begin{align}")
    with pytest.raises(tg.LanguageError, match="E189"):
        compiled.equations("mathml")
    with monkeypatch.context() as patch:
        patch.setattr("importlib.util.find_spec", lambda _: None)
        with pytest.raises(tg.ExportError, match="E403"):
            compiled.equations("sympy")
    sympy = pytest.importorskip("sympy")
    found = compiled.equations("sympy")
    t = sympy.Symbol("t", real=True)
    x, vx = (sympy.Function(name, real=True)(t) for name in ("x", "vx"))
    assert sympy.Eq(x.diff(t), vx) in found


def test_report_of_a_model() -> None:
    text = str(tg.compile(Bridge()).report())
    assert "linear (unknowns → after tearing" in text
    assert "cvode" in text
    reduced = tg.compile(Pendulum()).report()
    assert "derivatives became unknowns" in str(reduced)
    assert "has a start value" in str(reduced)
    assert "has a start value" in reduced._repr_html_()
    assert repr(reduced).startswith("<Report of Pendulum: ")
