"""The numbers of tables: from arrays or files, checked before anything is built of them."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.frontends.python.declarations.interpolate import KINDS
from tellegen.frontends.python.expressions.refusal import check_option
from tellegen.library.blocks.interfaces import shape_of
from tellegen.library.matrix_files import read_mat, read_npy, read_npz

EXTRAPOLATIONS = ("hold", "extend", "periodic", "error")
READABLE = ".csv, .txt, .mat, .npy or .npz"


def read_table(file: str | os.PathLike[str], name: str = "", location: Any = None) -> np.ndarray[Any, Any]:
    """The matrix in a file: comma, semicolon or blank separated text (lines that begin with # are skipped, and one line
    of headings), a Modelica text file of tables, a MATLAB file, or a NumPy file. `name` chooses one of several."""
    path = Path(file)
    if not path.is_file() and location is not None:
        path = Path(location.file).parent / path  # beside the file that names it
    try:
        found = _read(path)
    except FileNotFoundError:
        raise _unreadable(file, "there is no such file", "give the path of one", location) from None
    except (OSError, ValueError) as error:
        raise _unreadable(file, str(error), f"a table is a matrix of numbers in a {READABLE} file", location) from None
    if isinstance(found, dict):
        matrices = {key: value for key, value in found.items() if not key.startswith("__")}
        if name not in matrices and (name or len(matrices) != 1):
            what = f"has no '{name}'" if name else f"has {len(matrices)} matrices"
            raise _unreadable(file, f"it {what}", f'table_name="..." with one of {", ".join(matrices)}', location)
        found = matrices[name] if name else next(iter(matrices.values()))
    return np.atleast_2d(np.asarray(found, float))


def _unreadable(file: Any, why: str, advice: str, location: Any) -> tg.LanguageError:
    return tg.LanguageError("E191", f"no table could be read from '{file}': {why}", location=location, advice=advice)


def _read(path: Path) -> Any:
    if path.suffix == ".mat":
        return read_mat(path.read_bytes())
    if path.suffix == ".npy":
        return read_npy(path.read_bytes())
    if path.suffix == ".npz":
        return read_npz(path)
    if path.suffix not in (".csv", ".txt"):
        raise ValueError(f"'{path.suffix}' files are not known")
    text = path.read_text(encoding="utf-8-sig")
    return _modelica(text) if text.startswith("#1") else _matrix(text)


def _matrix(text: str) -> list[list[float]]:
    """Rows of numbers; one line of words before the first is a heading."""
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    rows = [re.split(r"\s*[,;\t]\s*|\s+", line) for line in lines if line]
    if rows and not any(_is_number(word) for word in rows[0]):
        rows = rows[1:]
    if len({len(row) for row in rows}) > 1:
        raise ValueError("its rows have different lengths")
    return [[float(word) for word in row] for row in rows]


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _modelica(text: str) -> dict[str, Any]:
    """The text format of tables that Modelica tools share: `#1`, then `double name(rows, columns)` and the numbers."""
    out: dict[str, Any] = {}
    for part in re.split(r"^\s*(?:double|float)\s+", text, flags=re.MULTILINE)[1:]:
        head, _, rest = part.partition(")")
        name, _, sizes = head.partition("(")
        rows, columns = (int(size) for size in sizes.split(","))
        words = " ".join(line.partition("#")[0] for line in rest.splitlines()).replace(",", " ").split()
        numbers = [float(word) for word in words[: rows * columns]]
        out[name.strip()] = np.reshape(numbers, (rows, columns))
    return out


def count_columns(component: Any, given: dict[str, Any]) -> None:
    """Tell a component how many curves the table given to it has, or that of its file."""
    table = given.get("table")
    if isinstance(given.get("file"), (str, Path)) and given["file"]:
        table = read_table(given["file"], given.get("table_name", ""), component._location)
    if len(shape_of(table)) == 2 and "columns" not in given:
        component.columns = shape_of(table)[1] - 1


def checked(component: Any, kinds: tuple[str, ...] = KINDS) -> None:
    """E703 for a kind of table that does not exist."""
    check_option(component, "smoothness", kinds)
    check_option(component, "extrapolation", EXTRAPOLATIONS)


def matrix(component: Any, table: Any, columns: int = 0) -> np.ndarray[Any, Any]:
    """The matrix of a table that has so many columns, or any number from two on."""
    numbers: np.ndarray[Any, Any] = np.zeros(0)
    with suppress(TypeError, ValueError):
        numbers = np.asarray(table, float)
    if numbers.ndim != 2 or len(numbers) < 2 or numbers.shape[1] < 2 or (columns and numbers.shape[1] != columns):
        wanted = f"{columns} columns" if columns else "two columns or more"
        what = f"a table needs two rows or more and {wanted}, but this one has the shape {numbers.shape}"
        advice = "table=[[0.0, 1.0], [1.0, 3.0]]: rows of an abscissa and its values"
        raise tg.DataError("E702", what, location=component._location, advice=advice)
    return numbers
