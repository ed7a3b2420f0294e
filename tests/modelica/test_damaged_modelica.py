"""Damaged Modelica text ends in an error with its place, or is Modelica still; thousands more were tried outside."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from modelica.damaged_modelica import damaged
from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.syntax.parser import parse_text
from tellegen.frontends.modelica.syntax.print_tree import print_file

CASES = sorted((Path(__file__).parent / "cases").glob("*.mo"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_damaged_texts(path: Path) -> None:
    rng = np.random.default_rng(7)
    text = path.read_text(encoding="utf-8")
    errors = 0
    for _ in range(120):
        changed = damaged(text, rng)
        error = error_of(changed)
        if error is None:
            continue
        errors += 1
        assert error.location is not None
        assert 1 <= error.location.line <= changed.count("\n") + 1
        assert error.location.column >= 1
    assert errors > 60


def error_of(text: str) -> ModelicaError | None:
    """What is wrong with a text; what is right can be printed and parsed again."""
    try:
        tree = parse_text(text)
    except ModelicaError as error:
        return error
    parse_text(print_file(tree))
    return None
