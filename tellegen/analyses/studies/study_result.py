"""Study: what came out of many runs, as an xarray Dataset with the varied parameters as coordinates.

A grid has a dimension for each parameter, other designs the dimension `run`. Beside the outputs stand `outcome` (a
code, "success" if all is well), `reason`, `reached` (the time a run came to) and `seconds`. Where a run has no value
there is nan.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.analyses.studies.columns import Columns
from tellegen.analyses.studies.jobs import NOT_RUN, SUCCESS, Task
from tellegen.analyses.studies.plan import ABOUT_RUNS, Plan
from tellegen.errors import DesignError, nearest, users_call
from tellegen.figure import with_unit
from tellegen.ir.source_location import here
from tellegen.sheet import Result, Table

if TYPE_CHECKING:
    from tellegen.analyses.studies.sobol_indices import SobolIndices

_SHOWN = 12  # runs in print() and in notebooks


@dataclass(frozen=True, eq=False, repr=False)
class Study(Result):
    """`data` is the Dataset; `study["load.w"]` is one of its arrays."""

    data: Any
    variables: tuple[str, ...]  # the paths that were varied
    outputs: tuple[str, ...]
    kind: str
    name: str  # of the model
    parameters: dict[str, Any]  # those given to all runs, by path
    complete: bool = True  # False after Ctrl-C
    device: str = ""  # where runs were made side by side, or why they were not; empty where nobody asked
    _runs: tuple[str, ...] = ("run",)  # the dimensions of the design

    @property
    def success(self) -> bool:
        """Whether all runs were made and none failed."""
        return not self.message

    @property
    def message(self) -> str:
        """How many runs failed or were not made."""
        waiting = int((self.data["outcome"].values == NOT_RUN).sum())
        bad = int(self._failed.sum())
        return ", ".join(filter(None, [f"{bad} failed" if bad else "", f"{waiting} not run" if waiting else ""]))

    @property
    def _failed(self) -> Any:
        """Per run, whether it was made and failed; a table of a million good runs is not made for that."""
        codes = self.data["outcome"].values.ravel()
        return (codes != SUCCESS) & (codes != NOT_RUN)

    @users_call
    def __getitem__(self, name: str) -> Any:
        if name not in self.data.variables:
            names = [str(one) for one in self.data.variables]
            what = f"there is no {name!r} in this study; {nearest(str(name), names)}"
            raise DesignError("E603", what, location=here(), advice=f"study[{self.outputs[0]!r}]")
        return self.data[name]

    def __len__(self) -> int:
        return int(self.data["outcome"].size)

    def _title(self) -> str:
        counts = ", ".join(filter(None, [f"{len(self)} runs", self.message]))
        over = (" x " if self.kind == "grid" else ", ").join(self.variables)
        return f"Study of {self.name}: {self.kind} over {over}, {counts}; {', '.join(self.outputs)}"

    def _page(self) -> list[Table | str]:
        frame = self.to_pandas()
        rows = [
            tuple(f"{cell:.6g}" if isinstance(cell, float) else str(cell) for cell in row)
            for row in frame.head(_SHOWN).itertuples(index=False)
        ]
        units = [with_unit(name, self.data[name].attrs.get("units", "")) for name in frame.columns]
        left = len(frame) - len(rows)
        return [Table(tuple(units), rows), f"... {left} more runs" if left else "", self.device]

    def to_pandas(self) -> Any:
        """A table with a row for each run: parameters, outputs that are one number, outcome."""
        import pandas as pd

        flat = self._by_run()
        numbers = [name for name in self.outputs if flat[name].dims == ("run",)]
        return pd.DataFrame({name: flat[name].values for name in (*self.variables, *numbers, "outcome")})

    def failures(self) -> Any:
        """A table of the runs that failed: their parameters, outcome, reason and how far they came."""
        import pandas as pd

        flat = self._by_run()
        bad = self._failed
        names = (*self.variables, "outcome", "reason", "reached")
        return pd.DataFrame({name: flat[name].values[bad] for name in names}, index=np.flatnonzero(bad))

    def statistics(self) -> Any:
        """Mean, standard deviation, extremes and quantiles of the outputs that are one number, over the good runs."""
        table = self.to_pandas()
        good = table[table["outcome"] == SUCCESS].drop(columns=[*self.variables, "outcome"])
        return good.describe(percentiles=[0.05, 0.5, 0.95]).T

    def sobol_indices(self, output: str | None = None, *, confidence: float = 0.95) -> SobolIndices:
        """Which parameter the variance of an output comes from; for runs of tg.saltelli. Needs SALib."""
        from tellegen.analyses.studies.sobol_indices import indices_of

        return indices_of(self, output, confidence)

    @users_call
    def plot(self, *outputs: str) -> Any:
        """A matplotlib figure, a panel for each output: lines or maps over a grid, histograms, bands of curves."""
        from tellegen.analyses.studies.study_plot import plot

        return plot(self, outputs)

    @users_call
    def to_netcdf(self, target: Any) -> None:
        """Write a NetCDF file; xarray.open_dataset(target) reads it back."""
        from tellegen.engine.results.export import write_netcdf

        write_netcdf(self.data, target)

    def _by_run(self) -> Any:
        """The data with one dimension `run`, also for grids."""
        if self._runs == ("run",):
            return self.data
        return self.data.stack(run=self._runs).transpose("run", ...).reset_index("run")


def gathered(task: Task, plan: Plan, columns: Columns, device: str) -> Study:
    """The Dataset of all runs."""
    import xarray as xr

    count = len(plan.numbers)
    grid = bool(plan.axes)
    names = tuple(one.name for one in plan.coordinates)
    dims, shape = (names, tuple(map(len, plan.axes))) if grid else (("run",), (count,))
    data = xr.Dataset(attrs={"model": task.compiled.flat.name, "design": plan.kind})
    for k, one in enumerate(plan.coordinates):
        values = plan.axes[k] if grid else plan.numbers[:, k]
        note = {"units": one.selection.member.unit.text, "description": one.selection.member.description}
        data.coords[one.name] = ((one.name if grid else "run",), plan.labels(k, values), _said(note))
    if not grid:
        data.coords["run"] = np.arange(count)
    for k, output in enumerate(task.outputs):
        axes, note = output.describe(task.compiled.reduced)
        stacked = columns.stacked(k)
        if output.function is not None:
            axes = tuple(f"{output.name}_{n}" for n in range(stacked.ndim - 1))
        elif output.how == "curve" and stacked.ndim == 1:  # not a single run has a curve
            stacked = np.full((count, len(task.grid), *_selected(task, output.path)), np.nan)
        elif output.how != "curve" and stacked.ndim == 1:
            axes = ()
        data[output.name] = ((*dims, *axes), stacked.reshape(*shape, *stacked.shape[1:]), _said(note))
    if any(output.how == "curve" for output in task.outputs):
        data.coords["time"] = ("time", task.grid, {"units": "s"})
    about = (columns.codes.texts, columns.texts_of_reasons(), columns.reached, columns.seconds)
    for name, values in zip(ABOUT_RUNS, about, strict=True):
        data[name] = (dims, values.reshape(shape), {"units": "s"} if name in ("reached", "seconds") else {})
    outputs = tuple(output.name for output in task.outputs)
    common = dict(task.request.parameters)
    complete = columns.made == count
    about_model = (plan.kind, task.compiled.flat.name, common)
    return Study(data, names, outputs, *about_model, complete, device, dims)


def _selected(task: Task, path: str) -> tuple[int, ...]:
    from tellegen.engine.readout.quantity import quantity

    return quantity(task.compiled.reduced, path).shape


def _said(note: dict[str, str]) -> dict[str, str]:
    return {key: text for key, text in note.items() if text}
