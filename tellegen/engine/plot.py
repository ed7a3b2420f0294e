"""Curves of a Solution on paper: quantities of one unit share a panel, time runs below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tellegen.engine.names import find

if TYPE_CHECKING:
    from tellegen.engine.solution import Solution


def plot(solution: Solution, paths: tuple[str, ...]) -> Any:
    """A figure with one panel per unit, in the order in which the units are first used."""
    import matplotlib.pyplot as plt

    panels: dict[str, list[str]] = {}
    for path in paths:
        panels.setdefault(solution.unit(path), []).append(path)
    height = 1.2 + 2.2 * len(panels)
    figure, axes = plt.subplots(len(panels), 1, sharex=True, squeeze=False, figsize=(8.0, height), layout="constrained")
    for axis, (unit, members) in zip(axes[:, 0], panels.items(), strict=True):
        for path in members:
            values = solution[path]
            curves = values.reshape(len(solution.time), -1) if getattr(values, "ndim", 0) else None
            if curves is None:  # a parameter
                axis.axhline(values, label=path, linestyle="--", linewidth=1.0)
                continue
            for k in range(curves.shape[1]):
                axis.plot(solution.time, curves[:, k], label=path if curves.shape[1] == 1 else f"{path}[{k}]")
        axis.set_ylabel(_label(solution, unit, members))
        if len(members) > 1 or len(axis.get_lines()) > 1:
            axis.legend(loc="best", fontsize="small")
        axis.grid(alpha=0.3)
    axes[-1, 0].set_xlabel("time [s]")
    figure.suptitle(solution.model.flat.name)
    return figure


def _label(solution: Solution, unit: str, members: list[str]) -> str:
    """The name (or description) of a single curve, and the unit."""
    if len(members) == 1:
        description = find(solution.model.flat, members[0]).member.description if members[0] != "time" else ""
        name = description if 0 < len(description) <= 30 else members[0]
        return f"{name} [{unit}]" if unit else name
    return f"[{unit}]" if unit else ""
