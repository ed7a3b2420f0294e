"""What is no procedure is refused, with the line: by the parser what it cannot read, by the checker what cannot run."""

from __future__ import annotations

from pathlib import Path

import pytest

from procedures.sources import FIRST_LINE, module
from tellegen.errors import InternalError
from tellegen.ir.procedure import (
    BOOL,
    F64,
    I64,
    ArrayOf,
    Assign,
    Break,
    Call,
    Constant,
    Element,
    Field,
    For,
    If,
    Local,
    LocalArray,
    Operation,
    Parameter,
    Procedure,
    RecordOf,
    Return,
    Statement,
    Unit,
    While,
)
from tellegen.ir.source_location import SourceLocation
from tellegen.procedures.check import check, mistakes
from tellegen.procedures.load import load

UNREADABLE = {
    "x = [1.0, 2.0]": "'[1.0, 2.0]' is not an expression",
    "x = y + 1.0": "'y' is not defined here",
    "x = k\n    k = 1": "'k' is not defined here",
    "x = module_name": "'module_name' is not defined here",
    "x = run.speed": "record 'Run' has no field 'speed'",
    "x = n.count": "'n' is not a record",
    "x = n[0]": "'n' is not an array",
    "x = run.x[1:2]": "'array[start:]'",
    "x = run.x[0.5]": "i64 is needed here, and this is f64",
    "x = 1\n    x = 1.5": "i64 is needed here, and this is f64",
    "x = a = 1.0": "one assignment a line",
    "x, y = 1.0, 2.0, 3.0": "as many values as targets",
    "if n:\n        pass": "a condition is a bool",
    "while n:\n        pass": "a condition is a bool",
    "for k in run.x:\n        pass": "a for goes over a range",
    "for k in range(0, n, n):\n        pass": "the step of a range is a constant",
    "for k in range(n):\n        pass\n    else:\n        pass": "a loop has no else",
    "with open('x') as f:\n        pass": "'With' is not a statement",
    "def inner() -> None: ...": "'FunctionDef' is not a statement",
    "x = 1.5 // 2": "'//' is for integers",
    "x = 1 @ 2": "this operator is not one of procedures",
    "x = ~n": "'-' and 'not' are the unary operators",
    "x = not n": "'not' is of a bool",
    "x = n in (1, 2)": "'in' is not part of procedures",
    "x = n is run": "compare a pointer with None",
    "x = 0 < one(n) < 2": "computed twice",
    "run.x[one(n)] += 1.0": "a call in the target",
    "n + 1": "the value of this expression is lost",
    "x = print(n)": "neither a procedure nor an operation",
    "x = run.count(1.0)": "'run.count' is not a function",
    "x = run.rate(1.0, 2.0)": "1 arguments are needed, and there are 2",
    "x = f(run, n=3)": "arguments are given one after the other",
    "x = f(run)": "2 arguments are needed, and there are 1",
    "return 1.0": "a procedure returns what its '->' says",
    "x = nothing(n)": "'x' would have no value",
    "x = local_array(f64, n)": "constant integer",
    "LIMIT[0] = 1.0": "'LIMIT' is not an array",
}


@pytest.mark.parametrize("line", UNREADABLE)
def test_what_the_parser_refuses(line: str, tmp_path: Path) -> None:
    others = "@procedure\ndef nothing(n: i64) -> None:\n    pass\n@procedure\ndef one(n: i64) -> i64:\n    return 1\n"
    source = module(tmp_path, f"@procedure\ndef f(run: Run, n: i64) -> None:\n    {line}\n{others}")
    with pytest.raises(InternalError) as caught:
        load(source.f)
    assert caught.value.code == "E904"
    assert UNREADABLE[line] in str(caught.value)
    assert caught.value.location is not None
    assert caught.value.location.line in (FIRST_LINE + 2, FIRST_LINE + 3)


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("def f(x) -> None: pass", "parameter 'x' has no type"),
        ("def f(x: str) -> None: pass", "is not a type of procedures"),
        ("def f(x: f64 = 1.0) -> None: pass", "plain parameters without defaults"),
        ("def f(*x: f64) -> None: pass", "plain parameters without defaults"),
    ],
)
def test_heads(head: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InternalError, match=message):
        load(module(tmp_path, f"@procedure\n{head}\n").f)


def test_unmarked_functions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InternalError, match="not marked as @procedure"):
        load(module(tmp_path, "def f(x: f64) -> None: pass\n").f)


UNSOUND = {
    "if n > 0:\n        x = 1.0\n    return x": ("'x' may have no value here", 4),
    "for k in range(n):\n        x = 1.0\n    return x": ("'x' may have no value here", 4),
    "while n > 2:\n        x = 1.0\n        break\n    return x": ("'x' may have no value here", 5),
    "for k in range(n):\n        pass\n    return float(k)": ("'k' may have no value here", 4),
    "if n > 0:\n        return 1.0": ("may end without returning a value", 0),
    "while n > 0:\n        return 1.0": ("may end without returning a value", 0),
    "return 1.0\n    n += 1": ("this is never reached", 3),
    "while True:\n        break\n        n += 1\n    return 1.0": ("this is never reached", 4),
    "while True:\n        n += 1\n    return 1.0": ("this is never reached", 4),
    "for k in range(n):\n        k = 2\n    return 1.0": ("'k' counts the rounds", 3),
    "for k in range(n):\n        for k in range(n):\n            pass\n    return 1.0": ("'k' counts rounds", 3),
    "k = 1\n    for k in range(n):\n        pass\n    return 1.0": ("'k' counts rounds", 3),
    "break": ("no loop to leave", 2),
}


@pytest.mark.parametrize("body", UNSOUND)
def test_what_the_checker_refuses(body: str, tmp_path: Path) -> None:
    if body == "break":  # Python itself refuses it
        location = SourceLocation("file.py", FIRST_LINE + 2)
        found = list(mistakes(_unit(Break(location))))
    else:
        source = module(tmp_path, f"@procedure\ndef f(run: Run, n: i64) -> f64:\n    {body}\n")
        found = list(mistakes(load(source.f)))
    message, line = UNSOUND[body]
    assert found
    assert message in str(found[0])
    assert found[0].location is not None
    assert found[0].location.line == FIRST_LINE + (line or 1)


@pytest.mark.parametrize(
    "body",
    [
        "while True:\n        x = 1.0\n        if n > 0:\n            break\n    return x",
        "if n > 0:\n        x = 1.0\n    else:\n        return 2.0\n    return x",
        "while True:\n        if n > 3:\n            return 1.0\n        n += 1",
        "for k in range(n):\n        x = 1.0\n        if x > 0:\n            continue\n        run.t = x\n    return 0",
        "for k in range(n):\n        pass\n    for k in range(n):\n        run.t += k\n    return 0.0",
    ],
)
def test_what_is_sound(body: str, tmp_path: Path) -> None:
    check(load(module(tmp_path, f"@procedure\ndef f(run: Run, n: i64) -> f64:\n    {body}\n").f))


HERE = SourceLocation("file.py", 3)
N, X, ARRAY = Local("n", I64), Local("x", F64), Local("a", ArrayOf(F64))


def _unit(*body: Statement) -> Unit:
    parameters = (Parameter("n", I64), Parameter("x", F64), Parameter("a", ArrayOf(F64)))
    return Unit({"f": Procedure("f", parameters, None, tuple(body))}, {}, {})


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (Assign(X, N, HERE), "a value of type i64 for f64"),
        (Assign(X, Operation("+", (X, N), F64), HERE), "no '+' of (f64, i64)"),
        (Assign(X, Operation("cube", (X,), F64), HERE), "no 'cube'"),
        (Assign(X, Operation("choose", (X, X, X), F64), HERE), "no 'choose'"),
        (Assign(X, Local("n", F64), HERE), "'n' is i64"),
        (Assign(Local("n", F64), X, HERE), "'n' has the types i64 and f64"),
        (Assign(X, Element(ARRAY, X, F64), HERE), "an index is an integer"),
        (Assign(N, Element(ARRAY, N, I64), HERE), "not of type i64"),
        (Assign(X, Element(X, N, F64), HERE), "'x' is not an array"),
        (Assign(X, Field(X, "t", F64), HERE), "not a field"),
        (Assign(X, Field(Local("a", RecordOf("Run")), "t", F64), HERE), "not a field"),
        (Assign(X, Call("g", (), F64), HERE), "not a function"),
        (Assign(X, Call("f", (N, X, ARRAY), F64), HERE), "does not fit"),
        (If(N, (), (), HERE), "a condition is a bool"),
        (While(X, (), HERE), "a condition is a bool"),
        (For("k", X, N, 1, (), HERE), "integer bounds"),
        (Return(X, HERE), "returns None"),
        (LocalArray("w", F64, 0, HERE), "no elements"),
        (Assign(Local("b", BOOL), Element(Local("w", ArrayOf(BOOL)), N, BOOL), HERE), "may have no value"),
        (Assign(X, Constant(1, I64), HERE), "a value of type i64 for f64"),
    ],
)
def test_types(statement: Statement, message: str) -> None:
    found = "\n".join(str(each) for each in mistakes(_unit(statement)))
    assert message in found
    assert "file.py:3" in found


def test_entries_have_no_bools(tmp_path: Path) -> None:
    source = module(tmp_path, "@procedure\ndef f(n: i64) -> bool:\n    return n > 0\n")
    with pytest.raises(InternalError, match="a bool has no common size"):
        check(load(source.f))
