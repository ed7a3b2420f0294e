"""Types of Modelica: what a variable, an input or an attribute of one type can be given, in every place and form.

The table is the specification's (MLS 6.7, 10.6.13): each type takes its own, and Real takes Integer. A variable of an
enumeration is not told from its ordinal, so these two are left out here.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import tellegen as tg

FUNCTIONS = "\n".join(
    f"function f{name}\n input {written} u;\n output {written} y;\nalgorithm\n y := u;\nend f{name};"
    for name, written in (
        ("Real", "Real"),
        ("Integer", "Integer"),
        ("Boolean", "Boolean"),
        ("String", "String"),
        ("E", "E"),
        ("Vector", "Real[2]"),
        ("R", "R"),
    )
)
DECLARATIONS = """
  parameter Real pr = 1.5;
  Real vr = sin(time);
  Integer vi = integer(time);
  Boolean vb = time > 0.5;
  Real vv[2] = {time, 1};
  R rr(re = time);
"""
EXPRESSIONS = {
    "Real": ("1.5", "pr", "2*vr"),
    "Integer": ("2", "vi"),
    "Boolean": ("true", "vb", "time > 1"),
    "String": ('"s"',),
    "E": ("E.a",),
    "Vector": ("{1.0, 2.0}", "vv"),
    "R": ("R(1.0)", "rr"),
}
VARYING = ("2*vr", "vi", "vb", "time > 1", "vv", "rr")
OTHERS = {
    "Real": "0.5",
    "Integer": "7",
    "Boolean": "false",
    "E": "E.b",
    "Vector": "{3.0, 4.0}",
    "R": "R(2.0)",
    "String": '"s"',
}
PLACES = {
    "binding": "  {type} z = {value};\n",
    "parameter": "  parameter {type} z = {value};\n",
    "equation": "  {type} z;\nequation\n  z = {value};\n",
    "algorithm": "  {type} z;\nalgorithm\n  z := {value};\n",
    "argument": "  {type} z = f{name}({value});\n",
    "branch": "  {type} z = if time > 1 then {value} else {other};\n",
    "when": "  discrete {type} z;\nequation\n  when time > 1 then\n    z = {value};\n  end when;\n",
    "start": "  {type} z(start = {value}) = {other};\n",
}


def cases() -> list[tuple[str, str, bool]]:
    """What is written where, the text of the model, and whether it is correct."""
    found = []
    for place, text in PLACES.items():
        for name in EXPRESSIONS:
            if name in ("String", "R", "Vector") and place in ("when", "start", "algorithm"):
                continue
            for given, values in EXPRESSIONS.items():
                for value in values:
                    is_ordinal = (name, value) == ("E", "vi") or (
                        place == "branch" and {name, given} in ({"E", "Real"}, {"E", "Integer"})
                    )
                    if (place in ("parameter", "start") and value in VARYING) or is_ordinal:
                        continue
                    body = text.format(type=_written(name), name=name, value=value, other=OTHERS[name])
                    found.append((f"{place}: {name} takes {value}", body, name == given or (name, given) == _WIDER))
    return found


_WIDER = ("Real", "Integer")


def _written(name: str) -> str:
    return "Real[2]" if name == "Vector" else name


def test_each_type_takes_its_own_and_real_takes_integer(tmp_path: Path) -> None:
    written = cases()
    models = "".join(f"model M{k}\n{DECLARATIONS}{body}end M{k};\n" for k, (_, body, _) in enumerate(written))
    file = tmp_path / "P.mo"
    types = "type E = enumeration(a, b);\nrecord R\n Real re;\nend R;\n"
    file.write_text(f"package P\n{types}{FUNCTIONS}\n{models}end P;\n")
    library = tg.load_modelica(file)
    wrong = []
    for k, (what, _, is_correct) in enumerate(written):
        try:
            _ = library[f"P.M{k}"].model
        except tg.TellegenError as error:
            if is_correct:
                wrong.append(f"{what}: {error}")
        else:
            if not is_correct:
                wrong.append(f"{what}: accepted")
    assert not wrong
    assert len(written) > 400


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("Real x(start = 0);\nequation\n der(x) = time > 1;", "one side of the equation is Real, the other Boolean"),
        ("Integer n;\nequation\n n = 1.5;", "one side of the equation is Integer, the other Real"),
        ("Real x = f(1);", "the input 'u' is an array of 1 dimensions, not a scalar"),
        ("Real x(start = {1, 2}) = 1;", "an attribute of x\\[\\] has the size \\[2\\]"),
        (
            "discrete Real x;\nequation\n when time > 1 then x = 1; end when;\n when time > 2 then x = 2; end when;",
            "x is assigned by two when-equations",
        ),
    ],
)
def test_mistakes_are_said_in_words(tmp_path: Path, body: str, said: str) -> None:
    file = tmp_path / "A.mo"
    function = "function f\n input Real u[:];\n output Real y;\nalgorithm\n y := sum(u);\nend f;\n"
    file.write_text(f"model A\n{function}{body}\nend A;\n")
    with pytest.raises(tg.TellegenError, match=said):
        _ = tg.load_modelica(file)["A"].model
