"""Pictures of studies: lines and maps over grids, histograms, families and bands of curves, bars of indices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.engine.request.path_lookup import paths_of
from tellegen.figure import entitle, panels, with_unit

if TYPE_CHECKING:
    from tellegen.analyses.studies.sobol_indices import SobolIndices
    from tellegen.analyses.studies.study_result import Study

_FAMILY = 40  # more curves than this are shown as a band


def plot(study: Study, names: tuple[str, ...]) -> Any:
    """A figure with a panel for each output."""
    chosen = [study[name] for name in paths_of(names) or study.outputs]
    with panels(len(chosen), 1, (8.5, 0.8 + 2.8 * len(chosen))) as (figure, axes):
        for axis, values in zip(axes[:, 0], chosen, strict=True):
            _panel(study, values, axis)
            axis.set_title(values.attrs.get("description", ""), fontsize="small", color="#333333")
        entitle(figure, f"{study.name}: {study.kind} of {len(study)} runs")
    return figure


def _panel(study: Study, values: Any, axis: Any) -> None:
    dims = study._runs
    rest = tuple(dim for dim in values.dims if dim not in dims)
    if rest[:1] == ("time",):
        _curves(study, values, axis)
    elif rest:
        axis.text(0.5, 0.5, f"{values.name}: an array for each run", ha="center", transform=axis.transAxes)
        axis.set_axis_off()
    elif study.kind == "grid" and _is_numeric(study, dims):
        {1: _line, 2: _map}.get(len(dims), _histogram)(study, values, axis)
    else:
        _histogram(study, values, axis)


def _is_numeric(study: Study, dims: tuple[str, ...]) -> bool:
    return all(study[dim].dtype.kind == "f" for dim in dims)


def _label(values: Any) -> str:
    return with_unit(str(values.name), values.attrs.get("units", ""))


def _line(study: Study, values: Any, axis: Any) -> None:
    """A number over the one parameter of a grid; gaps where runs failed."""
    (dim,) = study._runs
    axis.plot(study[dim].values, values.values, "o-", markersize=3.5)
    axis.set(xlabel=_label(study[dim]), ylabel=_label(values))


def _map(study: Study, values: Any, axis: Any) -> None:
    """A number over two parameters; white where runs failed."""
    x, y = study._runs
    drawn = axis.pcolormesh(study[x].values, study[y].values, values.values.T, shading="nearest", cmap="viridis")
    axis.grid(False)
    axis.set(xlabel=_label(study[x]), ylabel=_label(study[y]))
    axis.figure.colorbar(drawn, ax=axis, label=_label(values))


def _histogram(_study: Study, values: Any, axis: Any) -> None:
    """How often a number came out, with its mean and 5 % and 95 % quantiles."""
    good = values.values[np.isfinite(values.values)].ravel()
    if not len(good):
        axis.text(0.5, 0.5, f"{values.name}: no run has a number", ha="center", transform=axis.transAxes)
        return
    axis.hist(good, bins=min(60, max(5, int(np.sqrt(len(good))))), color="#3366aa", alpha=0.75)
    low, high = np.quantile(good, [0.05, 0.95])
    for where, style, label in ((good.mean(), "-", "mean"), (low, "--", "5 %, 95 %"), (high, "--", None)):
        axis.axvline(where, color="#dd5533", linestyle=style, linewidth=1.2, label=label)
    axis.set(xlabel=_label(values), ylabel="runs")
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize="small")


def _curves(study: Study, values: Any, axis: Any) -> None:
    """Few curves one by one, shaded by the first parameter; many as median and bands."""
    import matplotlib as mpl
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    time = study["time"].values
    curves = values.transpose(*study._runs, "time", ...).values.reshape(len(study), len(time), -1)
    axis.set(xlabel="time [s]", ylabel=_label(values))
    if len(study) > _FAMILY:
        flat = np.moveaxis(curves, 1, -1).reshape(-1, len(time))
        flat = flat[np.isfinite(flat).any(axis=1)]
        if not len(flat):
            return
        low, first, middle, last, high = np.nanquantile(flat, [0.0, 0.05, 0.5, 0.95, 1.0], axis=0)
        axis.fill_between(time, low, high, alpha=0.15, color="#3366aa", linewidth=0, label="all")
        axis.fill_between(time, first, last, alpha=0.35, color="#3366aa", linewidth=0, label="5 % to 95 %")
        axis.plot(time, middle, color="#3366aa", label="median")
        axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize="small")
        return
    key = study._by_run()[study.variables[0]]
    numeric = key.dtype.kind == "f"
    levels = key.values if numeric else np.unique(key.values, return_inverse=True)[1].astype(float)
    norm = Normalize(float(levels.min()), float(levels.max()))
    shades = mpl.colormaps["viridis"]
    for curve, level in zip(curves, levels, strict=True):
        axis.plot(time, curve, color=shades(0.92 * norm(level)), linewidth=1.3)
    if numeric and len(study) > 1:
        scale = ScalarMappable(norm, shades)
        axis.figure.colorbar(scale, ax=axis, label=_label(study[study.variables[0]]))


def plot_indices(found: SobolIndices) -> Any:
    """Two bars for each parameter."""
    table = found.table
    with panels(1, 1, (8.5, 1.4 + 0.5 * len(table))) as (figure, axes):
        axis = axes[0, 0]
        positions = np.arange(len(table))
        for shift, column, label in ((-0.2, "S1", "by itself (S1)"), (0.2, "ST", "in all (ST)")):
            bars = {"height": 0.38, "xerr": table[f"{column} ±"], "error_kw": {"ecolor": "#555555", "capsize": 2.5}}
            axis.barh(positions + shift, table[column], label=label, **bars)
        axis.set_yticks(positions, list(table.index))
        axis.invert_yaxis()
        axis.set_xlabel(f"share of the variance of {found.output}")
        axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure
