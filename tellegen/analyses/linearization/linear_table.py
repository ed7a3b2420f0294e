"""A linear model as a table: eigenvalues with damping, frequency, time constant and the states behind them."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tellegen.analyses.linearization.linear_model import LinearModel, Mode


def table(model: LinearModel, shown: int) -> Any:
    """The table for a terminal."""
    from rich.table import Table
    from rich.text import Text

    heading, caption = Text(_heading(model), style="bold"), Text(_caption(model, shown), style="dim")
    out = Table(title=heading, title_justify="left", caption=caption, caption_justify="left")
    for name in ("eigenvalue [1/s]", "damping", "frequency [Hz]", "time constant [s]"):
        out.add_column(Text(name), justify="right")
    out.add_column("states that take part")
    for mode in model.modes[:shown]:
        out.add_row(*(Text(cell) for cell in _cells(mode)), style="red" if mode.eigenvalue.real > 0 else "")
    return out


def text(model: LinearModel, shown: int) -> str:
    """The same table as plain text."""
    from rich.console import Console

    file = io.StringIO()
    Console(file=file, width=110, color_system=None).print(table(model, shown))
    return "\n".join(line.rstrip() for line in file.getvalue().rstrip().splitlines())


def _heading(model: LinearModel) -> str:
    where = f"{model.point.title.format(t=model.point.t)}"
    counts = f"{len(model.states)} states, {len(model.inputs)} inputs, {len(model.outputs)} outputs"
    return f"{model.point.model.flat.name} linearized {where}: {counts}"


def _caption(model: LinearModel, shown: int) -> str:
    left = len(model.modes) - shown
    more = f"{left} faster modes not shown; " if left > 0 else ""
    lists = [f"{label}: {', '.join(names)}" for label, names in (("inputs", model.inputs), ("outputs", model.outputs))]
    return more + "; ".join(part for part in lists if not part.endswith(": "))


def _cells(mode: Mode) -> tuple[str, str, str, str, str]:
    value = mode.eigenvalue
    pair = f"{value.real:.5g} ± {abs(value.imag):.5g}j" if value.imag else f"{value.real:.5g}"
    who = ", ".join(f"{name} {share:.0%}" for name, share in mode.participation[:4])
    swings = bool(value.imag)
    constant = "∞" if np.isinf(mode.time_constant) else f"{mode.time_constant:.4g}"
    return pair, f"{mode.damping:.3f}", f"{mode.frequency:.4g}" if swings else "", constant, who
