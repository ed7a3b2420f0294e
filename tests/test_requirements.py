"""docs/inside/reconfigurable-models.md: every ID of the requirements has an answer, and what it names is there."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
PAGE = (TESTS.parent / "docs" / "inside" / "reconfigurable-models.md").read_text(encoding="utf-8")
WANTED = {
    *(f"S{k}" for k in range(1, 29)),
    *(f"L{k}" for k in range(1, 12)),
    *(f"K{k}" for k in range(1, 10)),
    *(f"R{k}" for k in range(1, 19)),
    *(f"D{k}" for k in range(1, 6)),
    *(f"X{k}" for k in range(1, 11)),
    *("M21", "W6", "V5", "V6", "V7", "V8", "V9", "V10", "V13", "V15"),
}
NAMED = sorted(set(re.findall(r"`([a-z_0-9]+/test_[a-z_0-9]+)(?:::(test_[a-z_0-9]+))?`", PAGE)))


@cache
def text_of(module: str) -> str:
    return (TESTS / f"{module}.py").read_text(encoding="utf-8")


def test_every_requirement_is_answered_once() -> None:
    listed = re.findall(r"^\| ([A-Z]\d+) \| [^|]+ \| [^|]+ \|$", PAGE, re.M)
    assert sorted(listed) == sorted(WANTED)


@pytest.mark.parametrize(("module", "test"), NAMED)
def test_what_is_named_exists(module: str, test: str) -> None:
    assert f"def {test or 'test_'}" in text_of(module)
