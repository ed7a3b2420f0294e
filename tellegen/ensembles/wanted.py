"""What is asked of many runs: what differs between them, and what is kept of each."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tellegen.engine.request.path_lookup import Selection
from tellegen.ir.expressions.expr import Expr
from tellegen.symbolic.bounds.traced import BoundsOfCurve


@dataclass(frozen=True, eq=False)
class Varied:
    """What differs between runs: a parameter or a start value, as scalars of the model."""

    selection: Selection
    is_start: bool


@dataclass(frozen=True)
class WantedMeasure:
    """A measure of an expression whose slots are paths; see ensembles/model/measures.py."""

    value: Expr
    paths: tuple[str, ...]
    kind: str
    start: float = -math.inf
    stop: float = math.inf
    bounds: BoundsOfCurve | None = None


@dataclass(frozen=True)
class WantedDrive:
    """A formula of time and numbers that moves states; its slots are the numbers of its bounds."""

    value: Expr
    bounds: BoundsOfCurve


@dataclass(frozen=True)
class Wanted:
    """What is asked for: paths, whether curves of them at the output points, whether anything but final values, and
    measures of expressions."""

    paths: tuple[str, ...]
    has_curves: bool
    has_grid: bool
    measures: tuple[WantedMeasure, ...] = ()
    drives: tuple[WantedDrive, ...] = ()
