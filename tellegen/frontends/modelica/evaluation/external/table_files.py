"""Matrices in files: Modelica's text format, comma-separated values, MATLAB (Modelica.Blocks.Tables, MLS annotations).

#1
double speed(3, 2)     # a comment
0 0
1 10; 2 40
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from tellegen.frontends.modelica.evaluation.external.interpolation import Floats
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError

_SIZES = r"\([ \t]*(\d+)[ \t]*,[ \t]*(\d+)[ \t]*\)"
_HEAD = rf"(?m)^[ \t]*(?:double|float)[ \t]+(\S+?)[ \t]*{_SIZES}(.*)$"
_SEPARATORS = r"[\s,;]+"


def read_matrix(path: Path, name: str, delimiter: str = ",", header_lines: int = 0) -> Floats:
    """A matrix by its name; of comma-separated values the whole file."""
    if not path.is_file():
        raise EvaluationError("E579", f"the file {path} does not exist")
    suffix = path.suffix.lower()
    if suffix == ".mat":
        return _from_matlab(path, name)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise EvaluationError("E579", f"the file {path} is not text in UTF-8") from None
    return _separated(text, path, delimiter, header_lines) if suffix == ".csv" else _from_text(text, path, name)


def _separated(text: str, path: Path, delimiter: str, header_lines: int) -> Floats:
    lines = text.splitlines()[header_lines:]
    try:
        return np.array([[float(word) for word in line.split(delimiter)] for line in lines if line.strip()], float)
    except ValueError as error:
        raise EvaluationError("E579", f"the file {path} is not a matrix of numbers: {error}") from None


def _from_text(text: str, path: Path, name: str) -> Floats:
    if not text.lstrip().startswith("#1"):
        raise EvaluationError("E579", f"the file {path} is not a table: its first line is not '#1'")
    for found in re.finditer(_HEAD, text):
        if found[1] == name:
            shape = int(found[2]), int(found[3])
            return _numbers(text[found.start(4) :], shape, f"table '{name}' in {path}")
    names = ", ".join(found[1] for found in re.finditer(_HEAD, text))
    raise EvaluationError("E579", f"the file {path} has no table '{name}'", f"it has: {names}")


def _numbers(text: str, shape: tuple[int, int], what: str) -> Floats:
    """The numbers after the head of a table, without comments."""
    words: list[str] = []
    count = shape[0] * shape[1]
    for line in text.splitlines():
        if len(words) >= count:
            break
        words += filter(None, re.split(_SEPARATORS, line.partition("#")[0]))
    try:
        return np.array([float(word) for word in words[:count]], float).reshape(shape)
    except ValueError:
        raise EvaluationError("E579", f"{what} does not have {shape[0]} x {shape[1]} numbers") from None


def _from_matlab(path: Path, name: str) -> Floats:
    from scipy.io import loadmat  # takes a while to import, and few models need it

    try:
        found: Any = loadmat(path, simplify_cells=True)
    except NotImplementedError:
        raise EvaluationError("E579", f"{path} is a MATLAB file of version 7.3", "save it with -v7") from None
    except Exception as error:  # SciPy raises whatever a damaged file leads to
        raise EvaluationError("E579", f"{path} is not a MATLAB file that can be read: {error}") from None
    for part in name.split("."):
        if not isinstance(found, dict) or part not in found:
            raise EvaluationError("E579", f"the file {path} has no matrix '{name}'")
        found = found[part]
    return np.atleast_2d(np.asarray(found, float))
