"""Option words of several parts are written with underscores; an earlier spelling is answered with the present one."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

import tellegen as tg
from tellegen.library import blocks, power_converters, sampled
from tellegen.library import thermal as th

ROOT = Path(__file__).resolve().parent.parent
FOREIGN = {"nelder-mead", "trust-constr", "differential-evolution"}  # SciPy's names
OPTION = re.compile(r"[a-z]+([ -][a-z]+){1,2}")  # longer ones are sentences
MENTIONED = re.compile(r"""(=|parameter\()\s*(["'])[a-z]+([ -][a-z]+){1,2}\2""")  # few files: only these are parsed


class Lag(tg.Component):
    u = tg.parameter(1.0)
    y = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.y) == self.u - self.y


def robust(**asked: Any) -> Any:
    return tg.robustness(Lag(), 1.0, of=tg.final("y"), tolerances={"u": "5 %"}, **asked)


@pytest.mark.parametrize(
    ("ask", "meant"),
    [
        (lambda: robust(samples=10, sampling="monte carlo"), "monte_carlo"),
        (lambda: robust(samples=10, sampling="latin-hypercube"), "latin_hypercube"),
        (
            lambda: tg.allocate_tolerances(
                Lag(), 1.0, keep=[tg.final("y") <= 1.0], prices={"u": ("1 %", 1.0)}, margin="worst case"
            ),
            "worst_case",
        ),
        (lambda: tg.flatten(sampled.PWM(code="locked anti-phase")), "locked_anti_phase"),
        (lambda: tg.flatten(power_converters.ZeroSequence(kind="space vector")), "space_vector"),
        (lambda: tg.flatten(th.ForcedConvectionPipe(correlation="dittus-boelter")), "dittus_boelter"),
        (lambda: tg.flatten(blocks.Filter(filter_type="low pass")), "low_pass"),
    ],
)
def test_an_earlier_spelling_is_answered_with_the_present_one(ask: Any, meant: str) -> None:
    with pytest.raises(tg.TellegenError, match=f"'{meant}'"):
        ask()


def _is_parameter(function: ast.expr) -> bool:
    """tg.parameter."""
    return isinstance(function, ast.Attribute) and function.attr == "parameter" and ast.unparse(function.value) == "tg"


def test_no_option_of_ours_has_a_space_or_hyphen() -> None:
    """Defaults of parameters in signatures and declarations are options that users repeat."""
    found = set()
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / "tellegen").rglob("*.py"))
    for text in filter(MENTIONED.search, texts):
        for node in ast.walk(ast.parse(text)):
            values: list[Any] = []
            if isinstance(node, ast.FunctionDef):
                values = [*node.args.defaults, *node.args.kw_defaults]
            elif isinstance(node, ast.Call) and _is_parameter(node.func):
                values = node.args[:1]
            words = [value.value for value in values if isinstance(value, ast.Constant)]
            found |= {word for word in words if isinstance(word, str) and OPTION.fullmatch(word)}
    assert found <= FOREIGN


def test_earlier_names_of_keywords_are_accepted() -> None:
    asked: Any = {"outputs": ["final(y)"], "stop": 1.0, "executor": "serial"}
    present = tg.study(Lag(), variables={"u": [1.0, 2.0]}, **asked)
    earlier = tg.study(Lag(), over={"u": [1.0, 2.0]}, **asked)  # type: ignore[call-arg]
    assert present.variables == earlier.variables == ("u",)
    assert list(present["final(y)"].values) == list(earlier["final(y)"].values)
    assert repr(tg.grid(over={"u": [1.0]})) == repr(tg.grid({"u": [1.0]}))  # type: ignore[call-arg]
    netlist = "a divider\nv1 in 0 1\nr1 in out {r}\nr2 out 0 1k\n.param r=1k\n.tran 1 1"
    for name in ("parameters", "params"):
        given: Any = {name: {"r": 3e3}}
        circuit = tg.read_spice(text=netlist, **given)
        assert tg.simulate(circuit)["out.v"][-1] == pytest.approx(0.25)
    with pytest.raises(tg.LanguageError, match="E173"):
        tg.study(Lag(), variables={"u": [1.0]}, over={"u": [1.0]}, **asked)  # type: ignore[call-arg]
