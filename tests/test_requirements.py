"""Pages of requirements in docs/inside: every ID has an answer, and what it names is there."""

from __future__ import annotations

import re
import warnings
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
INSIDE = TESTS.parent / "docs" / "inside"
MODELS = (INSIDE / "reconfigurable-models.md").read_text(encoding="utf-8")
MECHANISMS = (INSIDE / "mechanism-requirements.md").read_text(encoding="utf-8")
FMI = (INSIDE / "fmi-requirements.md").read_text(encoding="utf-8")
OF_FMI = {f"F{k}" for k in range(1, 44)}
MODELICA = (INSIDE / "modelica-requirements.md").read_text(encoding="utf-8")
OF_MODELICA = {f"A{k}" for k in range(1, 43)}
STUDIO = (INSIDE / "studio-requirements.md").read_text(encoding="utf-8")
OF_STUDIO = {f"U{k}" for k in range(1, 26)}
CIRCUITS = (INSIDE / "circuit-requirements.md").read_text(encoding="utf-8")
OF_CIRCUITS = {f"N{k}" for k in range(1, 23)}
CONTROLLERS = (INSIDE / "controller-requirements.md").read_text(encoding="utf-8")
OF_CONTROLLERS = {
    *(f"I{k}" for k in range(1, 7)),
    *(f"E{k}" for k in range(1, 9)),
    *(f"P{k}" for k in range(1, 9)),
    *(f"C{k}" for k in range(1, 4)),
    *(f"R{k}" for k in range(1, 6)),
    *("D1", "D2", "V19", "V20"),
}
HOUSE = (INSIDE / "house-requirements.md").read_text(encoding="utf-8")
OF_HOUSE = {f"H{k}" for k in range(1, 25)}
OF_MECHANISMS = {*(f"M{k}" for k in range(1, 21)), *(f"B{k}" for k in range(1, 39)), "Q19", "V3", "V4", "V7"}
OF_MODELS = {
    *(f"S{k}" for k in range(1, 29)),
    *(f"L{k}" for k in range(1, 12)),
    *(f"K{k}" for k in range(1, 10)),
    *(f"R{k}" for k in range(1, 19)),
    *(f"D{k}" for k in range(1, 6)),
    *(f"X{k}" for k in range(1, 11)),
    *("M21", "W6", "V5", "V6", "V7", "V8", "V9", "V10", "V13", "V15"),
}
PAGES = {
    MODELS: OF_MODELS,
    MECHANISMS: OF_MECHANISMS,
    FMI: OF_FMI,
    MODELICA: OF_MODELICA,
    STUDIO: OF_STUDIO,
    CONTROLLERS: OF_CONTROLLERS,
    CIRCUITS: OF_CIRCUITS,
    HOUSE: OF_HOUSE,
}
NAMED = sorted(set(re.findall(r"`((?:[a-z_0-9]+/)*test_[a-z_0-9]+)(?:::(test_[a-z_0-9]+))?`", "".join(PAGES))))


@cache
def text_of(module: str) -> str:
    return (TESTS / f"{module}.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("page", "wanted"),
    PAGES.items(),
    ids=["models", "mechanisms", "fmi", "modelica", "studio", "controllers", "circuits", "house"],
)
def test_every_requirement_is_answered_once(page: str, wanted: set[str]) -> None:
    listed = re.findall(r"^\| ([A-Z]\d+) \| [^|]+ \| [^|]+ \|$", page, re.M)
    assert sorted(listed) == sorted(wanted)


@pytest.mark.parametrize(("module", "test"), NAMED)
def test_what_is_named_exists(module: str, test: str) -> None:
    assert f"def {test or 'test_'}" in text_of(module)


def test_a_warning_that_no_test_expects_is_an_error() -> None:
    for kind in (UserWarning, DeprecationWarning, RuntimeWarning, ResourceWarning):
        with pytest.raises(kind, match="unexpected"):
            warnings.warn("unexpected", kind, stacklevel=1)
