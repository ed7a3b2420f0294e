"""What a page shows: the sliders and curves that were asked for, and where an instance has their numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.engine.readout.quantity import Quantity, displayed, quantity
from tellegen.engine.request.parameter_and_start_vectors import si_values
from tellegen.engine.request.path_lookup import list_of_paths, paths_of
from tellegen.errors import ExportError
from tellegen.exporters.fmu.exported_variables import Exported, ExportedVariables, Place, derivative_name
from tellegen.exporters.fmu.units import UnitTable
from tellegen.exporters.image.prepared_run import PreparedRun
from tellegen.exporters.image.trial_run import TrialRun
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.source_location import here
from tellegen.units import Unit

_MOST_CURVES = 12  # of one array; of more so many evenly spaced ones are drawn
_MOST_SLIDERS = 8  # where the user names none
_LOWEST, _HIGHEST = 0.2, 2.0  # of the present value, where the user gives no limits

Sliders = Sequence[str] | Mapping[str, Any]
"""Paths, or paths with the pairs of their limits."""


@dataclass(frozen=True)
class PageContent:
    """What a page is made from. References of sliders and curves are positions in `places`."""

    sliders: list[dict[str, Any]]
    panels: list[dict[str, Any]]
    places: tuple[Place, ...]


def page_content(trial: TrialRun, prepared: PreparedRun, sliders: Sliders | None, plots: Iterable[str]) -> PageContent:
    """The sliders and panels of a page; without sliders the model's own parameters, without plots what it shows."""
    maker = _Maker(trial, ExportedVariables(trial, prepared, UnitTable(), indicators=False))
    if sliders is None:
        sliders = maker.usual_sliders()
    made = [maker.slider(path, limits) for path, limits in _with_limits(sliders)]
    panels = maker.panels(paths_of(plots) or trial.solution.shown(limit=_MOST_CURVES))
    return PageContent(made, panels, tuple(maker.places))


def _with_limits(sliders: Sliders) -> list[tuple[str, Any]]:
    if isinstance(sliders, Mapping):
        return [(str(path), limits) for path, limits in sliders.items()]
    return [(path, None) for path in list_of_paths("sliders", sliders)]


class _Maker:
    """Looks up what paths name."""

    def __init__(self, trial: TrialRun, variables: ExportedVariables) -> None:
        self.trial = trial
        self.model: ReducedModel = trial.model.reduced
        self.variables = variables
        self.places: dict[Place, int] = {}

    def _reference(self, place: Place) -> int:
        return self.places.setdefault(place, len(self.places))

    def _named(self, what: Quantity, k: int) -> Exported | None:
        name = derivative_name(what.scalar_name(self.model, k))
        position = self.variables.position.get(name)
        return None if position is None else self.variables.rows[position]

    # -- sliders ----------------------------------------------------------------------------------------------------

    def usual_sliders(self) -> list[str]:
        """The parameters of the model itself, then those of its parts: real ones that are not zero."""
        wanted = [
            row.variable.name
            for row in self.variables.rows
            if row.variable.causality == "parameter" and row.variable.base == "Float64" and row.variable.start != (0.0,)
        ]
        return sorted(wanted, key=lambda name: name.count("."))[:_MOST_SLIDERS]

    def slider(self, path: str, limits: Any) -> dict[str, Any]:
        """What a page needs to know of a slider; numbers are in its unit."""
        what = quantity(self.model, path)
        found = self._named(what, 0) if math.prod(what.shape) == 1 else None
        if found is None or not _may_be_set(found):
            raise self._not_a_slider(what, found)
        assert found.variable.start is not None
        value = float(what.unit.from_si(float(found.variable.start[0])))  # pyright: ignore[reportArgumentType]
        least, most = _bounds(what)
        low, high = self._limits(what, limits, value)
        return {
            "name": what.name,
            "description": what.description,
            "reference": self._reference(found.place),
            "value": value,
            "low": low,
            "high": high,
            "least": least,
            "most": most,
            "kind": found.variable.base,
            "literals": list(found.literals),
            **_unit(what.unit),
        }

    def _limits(self, what: Quantity, limits: Any, value: float) -> tuple[float, float]:
        """Those given, or around the present value and within the bounds of the parameter."""
        if limits is None:
            ends = sorted((_LOWEST * value, _HIGHEST * value)) if value else [-1.0, 1.0]
            least, most = _bounds(what)
            low = ends[0] if least is None else max(ends[0], least)
            high = ends[1] if most is None else min(ends[1], most)
            return low, high
        if not isinstance(limits, list | tuple) or len(limits) != 2:
            raise ExportError(
                "E456",
                f"the limits of the slider '{what.path}' are two numbers, not {limits!r}",
                location=here(),
                advice=f"sliders={{'{what.path}': (0.5, 2.0)}}",
            )
        low, high = (float(what.unit.from_si(si_values(what.selection, end).item())) for end in limits)
        if not low <= value <= high or not low < high:
            raise ExportError(
                "E456",
                f"'{what.path}' is {value:g} {what.unit.text}, which is not between the limits of its slider, {low:g} "
                f"and {high:g}",
                location=here(),
                advice="give limits around the value, or another value with parameters=",
            )
        return low, high

    def _not_a_slider(self, what: Quantity, found: Exported | None) -> ExportError:
        if math.prod(what.shape) != 1:
            reason = f"it has the shape {what.shape}"
            advice = f"name an element: '{what.scalar_name(self.model, 0)}'"
        elif found is not None and found.variable.causality == "calculatedParameter":
            reason = "it is computed from other parameters"
            advice = "name one of those"
        elif what.parameter:
            reason = "the compiled equations do not read it"
            advice = "a parameter that decides about structure needs an export for each of its values"
        else:
            reason = "it is computed while the model runs"
            advice = "name a parameter, an input, or a state with a fixed start value"
        return ExportError("E456", f"'{what.path}' cannot have a slider: {reason}", location=here(), advice=advice)

    # -- curves -----------------------------------------------------------------------------------------------------

    def panels(self, paths: Iterable[str]) -> list[dict[str, Any]]:
        """One for each unit or enumeration, as Solution.plot draws them."""
        by_unit: dict[Any, list[Quantity]] = {}
        for path in paths:
            what = displayed(self.model, path)
            by_unit.setdefault(what.literals or what.unit.text, []).append(what)
        return [self._panel(members) for members in by_unit.values()]

    def _panel(self, members: list[Quantity]) -> dict[str, Any]:
        curves = [self._curve(what, k) for what in members for k in _drawn(math.prod(what.shape))]
        return {"unit": members[0].unit.text, "literals": list(members[0].literals), "curves": curves}

    def _curve(self, what: Quantity, k: int) -> dict[str, Any]:
        found = self._named(what, k)
        if found is None:
            raise ExportError(
                "E457",
                f"'{what.path}' cannot be drawn: an exported model does not compute it",
                location=here(),
                advice="name a variable of the model",
            )
        name = what.name if math.prod(what.shape) == 1 else what.scalar_name(self.model, k)
        reference = self._reference(found.place)
        return {"name": name, "description": what.description, "reference": reference, **_unit(what.unit)}


def _bounds(what: Quantity) -> tuple[float | None, float | None]:
    """The bounds of a parameter in its unit."""
    attributes = what.selection.member.attributes
    least = attributes.get("min")
    most = attributes.get("max")
    return (
        None if least is None else float(what.unit.from_si(np.max(least))),
        None if most is None else float(what.unit.from_si(np.min(most))),
    )


def _may_be_set(found: Exported) -> bool:
    variable = found.variable
    return variable.start is not None and (variable.causality in ("parameter", "input") or variable.initial == "exact")


def _unit(unit: Unit) -> dict[str, Any]:
    return {"unit": "" if unit.text == "1" else unit.text, "scale": unit.scale, "offset": unit.offset}


def _drawn(count: int) -> list[int]:
    """Elements of an array that get a curve."""
    return sorted({int(k) for k in np.linspace(0, count - 1, min(count, _MOST_CURVES)).round()})
