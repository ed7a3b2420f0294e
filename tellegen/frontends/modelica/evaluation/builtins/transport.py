"""spatialDistribution: what a flow carries along a pipe of length one (MLS 3.7.4.2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.frontends.modelica.evaluation.builtins.table import Arguments, builtin
from tellegen.frontends.modelica.values.arrays import shape_of
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.scalars import invert, subtract
from tellegen.frontends.modelica.values.value import Scalar, Value, is_known, symbol
from tellegen.ir.expressions.expr import Call, Expr
from tellegen.symbolic.build import neg

Profile = list[tuple[Scalar, Scalar]]
"""Points of a pipe and what is there at the start."""

_INPUTS = ("in0", "in1", "x", "positiveVelocity")
_ENDS = (0.0, 1.0)


@builtin("spatialDistribution")
def _spatial_distribution(arguments: Arguments) -> tuple[Value, Value]:
    """(out0, out1): what is at the two ends; with arrays of inputs arrays, each with a profile of its own."""
    arguments.take(4, 6)
    given: list[Any] = [arguments.value(k, name) for k, name in enumerate(_INPUTS)]
    in0, in1, x, forward = given
    points = arguments.optional(4, "initialPoints", np.array(_ENDS, object))
    values = arguments.optional(5, "initialValues", np.array((0.0, 0.0), object))
    for name, value in (("x", x), ("positiveVelocity", forward)):
        if shape_of(value):
            raise EvaluationError("E567", f"{name} of spatialDistribution(...) is a scalar, not an array")
    if shape_of(in0) != shape_of(in1) or len(shape_of(in0)) > 1:
        raise EvaluationError("E567", "in0 and in1 of spatialDistribution(...) are scalars, or vectors of one size")
    if not shape_of(in0):
        return _ends(in0, in1, x, forward, _profile(points, values))
    count = len(in0)
    own = [_profile(_row(points, k, count), _row(values, k, count)) for k in range(count)]
    ends = [_ends(in0[k], in1[k], x, forward, own[k]) for k in range(count)]
    out0, out1 = (np.empty(count, object) for _ in range(2))
    for k, (first, last) in enumerate(ends):
        out0[k] = first
        out1[k] = last
    return out0, out1


def _row(profile: Any, k: int, count: int) -> Any:
    """That of one input, of a matrix or of a vector for all of them."""
    if len(shape_of(profile)) == 2 and len(profile) != count:
        raise EvaluationError("E567", f"spatialDistribution(...) of {count} inputs has {len(profile)} initial profiles")
    return profile[k] if len(shape_of(profile)) == 2 else profile


def _profile(points: Any, values: Any) -> Profile:
    """Points and values at the start, checked as far as they are known."""
    if len(shape_of(points)) != 1 or shape_of(points) != shape_of(values) or len(points) < 2:
        raise EvaluationError(
            "E567", "initialPoints and initialValues of spatialDistribution(...) are vectors of one size, at least two"
        )
    known = [float(point) for point in points if is_known(point)]
    if known != sorted(known):
        raise EvaluationError("E566", "initialPoints of spatialDistribution(...) must not descend")
    for end, point in zip(_ENDS, (points[0], points[-1]), strict=True):
        if is_known(point) and float(point) != end:
            raise EvaluationError("E566", f"initialPoints of spatialDistribution(...) go from 0 to 1, not to {point:g}")
    return list(zip(points.tolist(), values.tolist(), strict=True))


def _ends(in0: Scalar, in1: Scalar, x: Scalar, forward: Scalar, profile: Profile) -> tuple[Expr, Expr]:
    """What is at both ends: what enters there, or what has come through; seen from the other end all is mirrored."""
    position = symbol(x)
    is_forward = symbol(forward)
    mirrored = [(subtract(1.0, point), value) for point, value in reversed(profile)]
    at0 = _leaving(symbol(in1), symbol(in0), neg(position), symbol(invert(forward)), mirrored)
    at1 = _leaving(symbol(in0), symbol(in1), position, is_forward, profile)
    return Call("where", (is_forward, symbol(in0), at0)), Call("where", (is_forward, at1, symbol(in1)))


def _leaving(near: Expr, far: Expr, x: Expr, forward: Expr, profile: Profile) -> Expr:
    points = [symbol(point) for point, _ in profile]
    values = [symbol(value) for _, value in profile]
    return Call("transported", (near, far, x, forward, *points, *values))
