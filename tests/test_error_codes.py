"""Codes of errors: the table, the sources and docs/errors.md agree, and no code has a class of another family."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

import tellegen as tg
from tellegen import errors
from tellegen.error_codes import FAMILIES

ROOT = Path(__file__).resolve().parent.parent
CODE = re.compile(r"E[1-9]\d\d")
TABLE = {code: family for family, codes in FAMILIES.items() for code in codes}


@dataclass(frozen=True)
class Use:
    """A string in the sources that is a code, and the name of what is called with it as first argument, if so."""

    location: str
    code: str
    called: str


@cache
def uses() -> tuple[Use, ...]:
    """All of the package; files without a code are not parsed."""
    found: list[Use] = []
    for path in sorted((ROOT / "tellegen").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if CODE.search(text):
            found += uses_in(path.relative_to(ROOT).as_posix(), ast.parse(text))
    return tuple(found)


def uses_in(file: str, tree: ast.AST) -> Iterator[Use]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value):
            yield Use(f"{file}:{node.lineno}", node.value, "")
        elif isinstance(node, ast.Call) and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str) and CODE.fullmatch(first.value):
                name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                yield Use(f"{file}:{node.lineno}", first.value, name)


def decisions_in(file: str, tree: ast.AST) -> Iterator[str]:
    """Where something is decided by the code of an error: a class of its own says it, and the checker knows it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.Match):
            patterns = [each for case in node.cases for each in ast.walk(case.pattern)]
            sides = [node.subject, *(each.value for each in patterns if isinstance(each, ast.MatchValue))]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            sides = [node.func.value, *node.args] if node.func.attr in ("startswith", "endswith") else []
        else:
            continue
        has_code = any(isinstance(side, ast.Attribute) and side.attr == "code" for side in sides)
        words = [each.value for side in sides for each in ast.walk(side) if isinstance(each, ast.Constant)]
        texts = [word for word in words if isinstance(word, str)]
        if any(CODE.fullmatch(text) or has_code for text in texts):
            yield f"{file}:{node.lineno}"


def test_the_table_holds_each_code_once() -> None:
    assert len(TABLE) == sum(map(len, FAMILIES.values()))
    spans = sorted((min(codes), max(codes)) for codes in FAMILIES.values())
    assert all(first[1] == last[1] for first, last in spans), "one digit for each family"
    assert all(one[1] < other[0] for one, other in pairwise(spans)), "families that share a digit have parts of it"


def test_sources_table_and_docs_name_the_same_codes() -> None:
    used = {use.code for use in uses()}
    page = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\| (E[1-9]\d\d) \|", page, re.M)
    assert used == set(TABLE)
    assert set(documented) == set(TABLE)
    assert len(documented) == len(TABLE), "each code once"
    spans = re.findall(r"^\| (E\dxx|E\d{3}-E\d{3}) \| `tg\.(\w+)` \|", page, re.M)
    assert [family for _, family in spans] == sorted(FAMILIES, key=lambda family: FAMILIES[family][0])
    for span, family in spans:
        first, last = span.split("-") if "-" in span else (f"{span[:2]}00", f"{span[:2]}99")
        assert all(first <= code <= last for code in FAMILIES[family]), f"{family} is documented as {span}"


def test_every_error_is_raised_with_a_code_of_its_family() -> None:
    """What the constructor checks, without running it: SomeError("E123", ...) in all sources."""
    wrong = []
    for use in uses():
        kind = getattr(errors, use.called, None)
        if isinstance(kind, type) and not issubclass(kind, errors.class_of(use.code)):
            wrong.append(f"{use.location}: {use.called}({use.code!r})")
    assert not wrong
    assert sum(bool(use.called) for use in uses()) > 500, "calls are seen"


def test_nothing_is_decided_by_the_code_of_an_error() -> None:
    """A subclass is caught instead: what it means is found by its name, and a new code does not change what is done."""
    found: list[str] = []
    for path in sorted((ROOT / "tellegen").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if ".code" in text or CODE.search(text):
            found += decisions_in(path.relative_to(ROOT).as_posix(), ast.parse(text))
    assert not found, found


@pytest.mark.parametrize(
    "text",
    [
        'error.code == "E684"',
        'error.code in ("E684", "E685")',
        '"E684" != code',
        'error.code.startswith("E6")',
        'outcome.code == "success"',
        'match error.code:\n    case "E684" | "E685":\n        pass',
    ],
)
def test_such_decisions_are_seen(text: str) -> None:
    assert list(decisions_in("x.py", ast.parse(text))) == ["x.py:1"]


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (tg.LanguageError, "E310"),
        (tg.LanguageError, "E703"),
        (tg.NumericError, "E197"),
        (tg.RunFailedError, "E100"),
        (tg.TellegenError, "E100"),
    ],
)
def test_a_code_of_another_family_is_refused(kind: type[tg.TellegenError], code: str) -> None:
    with pytest.raises(tg.InternalError, match=f"E906: '{code}' is not a code of {kind.__name__}"):
        kind(code, "anything")


def test_a_subclass_takes_the_codes_of_its_family() -> None:
    assert tg.DataError("E703", "no such kind").code == "E703"
    assert tg.RunFailedError("E310", "stopped").solution is None
    assert isinstance(errors.class_of("E703")("E703", ""), tg.LanguageError)
