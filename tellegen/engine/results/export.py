"""Solutions for other programs (pandas, xarray, CSV, Parquet, NetCDF) and for later runs of this one."""

from __future__ import annotations

import csv
import importlib.util
import math
import os
import pickle
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.engine.readout.quantity import quantity
from tellegen.engine.request.path_lookup import paths_of
from tellegen.errors import ExportError
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import SourceLocation, here

if TYPE_CHECKING:
    from tellegen.engine.results.solution import Solution

Target = str | PathLike[str]
SAVED = b"tellegen solution 1, version "  # how a saved solution begins
_COMPRESSED = {".gz", ".bz2", ".zip", ".xz", ".zst", ".tar"}


def scalars(solution: Solution, paths: tuple[str, ...]) -> Iterator[tuple[str, str, FloatArray]]:
    """Name, unit and curve of every scalar; arrays are taken apart. All variables unless paths are given."""
    flat = solution._reduced.flat
    if not paths:
        for first, length, _, member in flat.variables.blocks():
            values = member.unit.from_si(solution.si(np.arange(first, first + length)))
            for k in range(length):
                yield flat.variables.name(first + k), member.unit.text, values[:, k]
        return
    for path in paths_of(paths):
        what = quantity(solution._reduced, path)
        count = len(solution.time)
        values = np.broadcast_to(solution[path], (count, *what.shape)).reshape(count, -1)
        for k in range(values.shape[1]):
            yield what.scalar_name(solution._reduced, k), what.unit.text, values[:, k]


def to_pandas(solution: Solution, paths: tuple[str, ...]) -> Any:
    """A DataFrame over time; the units are in its `attrs`."""
    import pandas as pd

    columns = list(scalars(solution, paths))
    frame = pd.DataFrame({name: values for name, _, values in columns}, index=pd.Index(solution.time, name="time"))
    frame.attrs["units"] = {"time": "s", **{name: unit for name, unit, _ in columns}}
    return frame


def to_xarray(solution: Solution, paths: tuple[str, ...]) -> Any:
    """A Dataset over time with units and descriptions; arrays keep their shape, arrays of components are dimensions."""
    import xarray as xr

    model = solution._reduced
    dataset = xr.Dataset(coords={"time": ("time", solution.time, {"units": "s"})})
    for path in paths_of(paths) or members(model.flat):
        what = quantity(model, path)
        values = solution[path]
        axes = what.axes if what.parameter else ("time", *what.axes)
        note = {"units": what.unit.text, "description": what.description}
        dataset[what.name] = (axes, values, {key: text for key, text in note.items() if text})
    dataset.attrs["model"] = model.flat.name
    dataset.attrs["outcome"] = str(solution.outcome)
    return dataset


def members(flat: FlatModel) -> Iterator[str]:
    """The variables as declared, one path for each array, also of components."""
    for first, length, _, member in flat.variables.blocks():
        if not length:
            continue
        node = flat.variables.locate(first)[0]
        for path in flat.tree.paths(node):
            yield f"{path}.{member.name}" if path else member.name


@contextmanager
def writing(target: Target, location: SourceLocation) -> Iterator[None]:
    """E404 for a file that cannot be written."""
    try:
        yield
    except OSError as error:
        folder = Path(target).parent
        there = folder.is_dir()
        why = error.strerror or str(error) if there else f"there is no folder '{folder}'"
        raise ExportError(
            "E404",
            f"the file '{target}' cannot be written: {why}",
            location=location,
            advice="check the permissions, or write to another folder"
            if there
            else f"create it first: mkdir -p '{folder}'",
        ) from error


def save(solution: Solution, target: Target) -> None:
    """The solution with its model, for saved_solution.load: a line that names the format, then a compressed pickle."""
    from importlib import metadata  # it loads the standard library's mail package

    heading = SAVED + metadata.version("tellegen").encode() + b"\n"
    content = zlib.compress(pickle.dumps(solution))
    with writing(target, here()):
        Path(target).write_bytes(heading + content)


def to_csv(solution: Solution, target: Target, paths: tuple[str, ...]) -> None:
    """A table: time, then one column for each scalar, units in the heading. Numbers keep all their digits.

    The file is the one pandas writes, which takes ten times as long to import as a small table to write; only a name
    that asks for compression (table.csv.gz) is left to pandas.
    """
    columns = {"time [s]": solution.time}
    columns |= {f"{name} [{unit}]" if unit else name: curve for name, unit, curve in scalars(solution, paths)}
    with writing(target, here()):
        if Path(target).suffix.lower() in _COMPRESSED:
            import pandas as pd

            pd.DataFrame(columns).to_csv(target, index=False)
            return
        with open(target, "w", encoding="utf-8", newline="") as file:
            table = csv.writer(file, lineterminator=os.linesep)
            table.writerow(columns)
            table.writerows(zip(*(_written(curve) for curve in columns.values()), strict=True))


def _written(curve: FloatArray) -> list[Any]:
    """The numbers of a column, nothing for NaN."""
    numbers = curve.tolist()
    return ["" if math.isnan(number) else number for number in numbers] if np.isnan(curve).any() else numbers


def to_parquet(solution: Solution, target: Target, paths: tuple[str, ...]) -> None:
    """A Parquet file; the units are in the metadata (DataFrame.attrs when read with pandas)."""
    if importlib.util.find_spec("pyarrow") is None:
        raise ExportError(
            "E401",
            "writing Parquet needs the package pyarrow, which is not installed",
            location=here(),
            advice="pip install 'tellegen[parquet]'; to_netcdf and to_csv work without it",
        )
    with writing(target, here()):
        to_pandas(solution, paths).to_parquet(target, engine="pyarrow")


def to_netcdf(solution: Solution, target: Target, paths: tuple[str, ...]) -> None:
    """A NetCDF 3 file with units and descriptions; xarray.open_dataset(target) reads it back."""
    write_netcdf(to_xarray(solution, paths), target)


def write_netcdf(dataset: Any, target: Target) -> None:
    """A Dataset in a file. Names beyond ASCII are not written: what reads the file would not know their encoding."""
    location = here()
    if (name := next((str(one) for one in dataset.variables if not str(one).isascii()), None)) is not None:
        what = f"'{name}' cannot be a name in a NetCDF 3 file, whose names are ASCII"
        advice = (
            "rename it in to_xarray(): dataset.rename({...}); or to_csv(), to_parquet(), save(), which keep all names"
        )
        raise ExportError("E404", what, location=location, advice=advice)
    with writing(target, location):
        dataset.to_netcdf(target, engine="scipy")
