"""annotation(experiment(StopTime=1, Tolerance=1e-6)) of a class -> Experiment."""

from __future__ import annotations

from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.syntax.annotations import annotation_of, annotation_value
from tellegen.frontends.modelica.syntax.expressions import Number, Unary
from tellegen.ir.model import Experiment


def experiment_of(view: ClassView) -> Experiment:
    """How a class asks to be run."""
    return Experiment(
        stop=_number(view, "StopTime"), start=_number(view, "StartTime") or 0.0, tolerance=_number(view, "Tolerance")
    )


def _number(view: ClassView, name: str) -> float | None:
    value = annotation_value(annotation_of(view.definition), "experiment", name)
    if isinstance(value, Unary) and value.operator == "-" and isinstance(value.operand, Number):
        return -float(value.operand.value)
    return float(value.value) if isinstance(value, Number) else None
