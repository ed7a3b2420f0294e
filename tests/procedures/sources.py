"""Procedures from Python text, as if it stood in a file of its own."""

from __future__ import annotations

import importlib.util
import itertools
import sys
from pathlib import Path
from typing import Any

HEAD = """from __future__ import annotations
from collections.abc import Callable
from math import inf, sin
from tellegen.procedures.language import *
from tellegen.procedures.language import Address, Array, Record, f64, i32, i64, is_finite, local_array, procedure
LIMIT = 4.0
class Run(Record):
    t: f64
    count: i64
    x: Array[f64]
    rate: Callable[[f64], i32] | None
    handle: Address
"""
FIRST_LINE = len(HEAD.splitlines()) + 1
_numbers = itertools.count()


def module(folder: Path, text: str) -> Any:
    """The text as an imported module."""
    path = folder / f"source_{next(_numbers)}.py"
    path.write_text(HEAD + text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = found
    spec.loader.exec_module(found)
    return found
