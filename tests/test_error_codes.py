"""Codes of errors: the table, the sources and docs/errors.md agree, and no code has a class of another family."""

from __future__ import annotations

import ast
import re
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


@cache
def sources() -> list[tuple[str, ast.AST]]:
    """Every file of the package with its syntax tree."""
    paths = sorted((ROOT / "tellegen").rglob("*.py"))
    return [(path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))) for path in paths]


def is_code(node: ast.AST) -> bool:
    """Whether a node is a string that is a code and nothing else."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(CODE.fullmatch(node.value))


def test_the_table_holds_each_code_once() -> None:
    assert len(TABLE) == sum(map(len, FAMILIES.values()))
    spans = sorted((min(codes), max(codes)) for codes in FAMILIES.values())
    assert all(first[1] == last[1] for first, last in spans), "one digit for each family"
    assert all(one[1] < other[0] for one, other in pairwise(spans)), "families that share a digit have parts of it"


def test_sources_table_and_docs_name_the_same_codes() -> None:
    used = {node.value for _, tree in sources() for node in ast.walk(tree) if is_code(node)}  # type: ignore[attr-defined]
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
    for file, tree in sources():
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and node.args and is_code(node.args[0])):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            kind = getattr(errors, name, None)
            if isinstance(kind, type) and not issubclass(kind, errors.class_of(node.args[0].value)):  # type: ignore[attr-defined]
                wrong.append(f"{file}:{node.lineno}: {name}({node.args[0].value!r})")  # type: ignore[attr-defined]
    assert not wrong


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
