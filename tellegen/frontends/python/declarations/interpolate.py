"""tg.interpolate: curves and surfaces through given points, in equations.

Points that are numbers while the model is built (lists, NumPy arrays, structural parameters) become a table that native
code searches by bisection, with exact derivatives of every order. Points that are ordinary parameters, which a run may
change, become a sum over the segments; that is for small tables, and for straight lines.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.errors import DataError
from tellegen.frontends.python.declarations.declare import has_symbols
from tellegen.frontends.python.expressions.functions import NUMBERS, maximum, minimum, no_event
from tellegen.frontends.python.expressions.symbol import Operation, Symbol, as_symbol, common_shape, total
from tellegen.ir.expressions.ops import DELAYS
from tellegen.ir.expressions.table import SAME, Floats, Table
from tellegen.ir.source_location import here

KINDS = ("linear", "constant", "cubic", "akima", "monotone")
SURFACES = ("linear", "constant", "cubic")  # the others are not linear in the values: axis by axis means nothing
OUTSIDE = ("hold", "extend", "periodic")
_SWITCHING = frozenset({"where", "lookup", "floor", "ceil", "mod", "sign", *DELAYS})


def interpolate(x: object, xs: object, ys: object, kind: str = "linear", outside: str = "hold") -> Any:
    """The curve through the points (xs, ys) at x; of two arguments, `interpolate((x, y), (xs, ys), zs)`, the surface.

    `kind`: "linear"; "constant", the value of the point before; "cubic", the natural spline; "akima"; "monotone",
    which never overshoots. `outside`: "hold" the value at the end, "extend" by a straight line, or "periodic".
    Numbers are in SI units, as everywhere in equations. A jump is an event, a corner is none.
    """
    several = isinstance(x, tuple)
    _known("kind of interpolation", kind, SURFACES if several else KINDS)
    _known("extrapolation of a table", outside, OUTSIDE)
    arguments, axes = (x, xs) if several else ((x,), (xs,))
    if several and not (isinstance(xs, (tuple, list)) and len(x) == len(xs) == 2):
        raise _misfit("a table of several arguments has two: its abscissas are two lists")
    if has_symbols(axes) or has_symbols(ys):
        return _of_parameters(arguments, axes, ys, kind, outside)
    table = table_of(axes, ys, kind, outside)
    if outside == "periodic":
        arguments = [_wrapped(x, table, axis) for axis, x in enumerate(arguments)]
    return look_up(table, *arguments)


def look_up(table: Table, *arguments: Any) -> Any:
    """The value of a table that is there already, at numbers or symbols."""
    if all(isinstance(argument, NUMBERS) for argument in arguments):
        return table(*arguments)
    operands = tuple(as_symbol(argument) for argument in arguments)
    return Operation("lookup", operands, common_shape("interpolate", operands), table)


def _known(what: str, given: str, known: tuple[str, ...]) -> None:
    if given not in known:
        raise DataError(
            "E703", f"{given!r} is not a {what}", location=here(), advice=f"take one of {', '.join(map(repr, known))}"
        )


def _misfit(what: str) -> DataError:
    advice = "tg.interpolate(x, [0.0, 1.0, 3.0], [2.0, 5.0, 4.0]): as many abscissas as values, in increasing order"
    return DataError("E702", f"inconsistent points of a table: {what}", location=here(), advice=advice)


def _wrapped(x: Any, table: Table, axis: int) -> Any:
    """The argument, moved by whole periods into the table; where that is continuous, without events."""
    first = float(table.breaks[axis][0])
    period = float(table.breaks[axis][-1]) - first
    inside = (x - first) % period
    along = table.along(axis)[:, 0]
    meets = float(np.abs(along[0] - along[-1]).max()) <= SAME * float(np.abs(along).max())
    is_smooth = meets and not len(table.jumps(axis)) and not isinstance(inside, NUMBERS) and not _switches(x)
    return first + (no_event(inside) if is_smooth else inside)


def _switches(x: Symbol) -> bool:
    """Whether it has events of its own, which may not be lost."""
    return x.op in _SWITCHING or any(_switches(operand) for operand in x.args)


def table_of(axes: Any, values: Any, kind: str, outside: str) -> Table:
    """The piecewise polynomial through points that are numbers."""
    numbers = _numbers(values, "the values")
    positions = tuple(
        _positions(axis, numbers.shape[k] if k < numbers.ndim else 0, kind) for k, axis in enumerate(axes)
    )
    if numbers.ndim != len(positions):
        raise _misfit(f"values of shape {numbers.shape} for {len(positions)} argument(s)")
    if len(positions) == 1:
        return Table(positions, np.ascontiguousarray(_pieces(positions[0], numbers, kind, outside)))
    along_x = _pieces(positions[0], numbers, kind, outside)  # segment, power, point of y
    both = _pieces(positions[1], np.moveaxis(along_x, 2, 0), kind, outside)  # segment and power of y, then of x
    return Table(positions, np.ascontiguousarray(both.transpose(2, 0, 3, 1)))


def _numbers(values: object, what: str) -> Floats:
    try:
        numbers = np.asarray(values, float)
    except (TypeError, ValueError):
        raise _misfit(f"{what} are not numbers") from None
    if not np.isfinite(numbers).all():
        raise _misfit(f"{what} are not all finite")
    return numbers


def _positions(axis: object, count: int, kind: str) -> Floats:
    positions = _numbers(axis, "the abscissas")
    if positions.ndim != 1 or len(positions) != count:
        raise _misfit(f"{positions.size} abscissa(s) for {count} value(s)")
    if count < 2:
        raise _misfit("at least two points are needed")
    steps = np.diff(positions)
    if (steps < 0).any() or not steps.any() or (kind not in ("linear", "constant") and not steps.all()):
        k = int(np.argmin(steps))
        raise _misfit(
            f"the abscissas must increase, but {positions[k + 1]:g} follows {positions[k]:g} as number {k + 1}"
        )
    return positions


def _pieces(xs: Floats, ys: Floats, kind: str, outside: str) -> Floats:
    """Coefficients [segment, power, ...] along the first axis, before the first and after the last point too."""
    periodic = outside == "periodic" and kind not in ("linear", "constant") and np.array_equal(ys[0], ys[-1])
    inner = _periodic(xs, ys, kind) if periodic else _inner(xs, ys, kind)
    width = (xs[-1] - xs[-2]) ** np.arange(inner.shape[1]).reshape(-1, *[1] * (ys.ndim - 1))
    ends = np.zeros((2, *inner.shape[1:]))
    ends[:, 0] = ys[0], ys[-1]
    if outside == "extend":
        order = np.arange(1, inner.shape[1]).reshape(-1, *[1] * (ys.ndim - 1))
        ends[:, 1] = inner[0, 1], (order * inner[-1, 1:] * width[:-1]).sum(axis=0)
    return np.concatenate([ends[:1], inner, ends[1:]])


def _inner(xs: Floats, ys: Floats, kind: str) -> Floats:
    """Coefficients [segment, power, ...] between the points, in rising powers of the distance from the left one."""
    if kind in ("linear", "constant"):
        steps = np.diff(xs).reshape(-1, *[1] * (ys.ndim - 1))
        rises = np.diff(ys, axis=0) / np.where(steps > 0, steps, np.inf)
        return np.stack([ys[:-1], rises if kind == "linear" else 0.0 * rises], axis=1)
    from scipy import interpolate as scipy  # takes a while to import, and few models need it

    if kind == "cubic":
        curve: Any = scipy.CubicSpline(xs, ys, bc_type="natural")
    else:
        curve = (scipy.Akima1DInterpolator if kind == "akima" else scipy.PchipInterpolator)(xs, ys)
    return np.moveaxis(curve.c[::-1], 0, 1)


def _periodic(xs: Floats, ys: Floats, kind: str) -> Floats:
    """The same where the end is the beginning of the next period, so that it has the slopes of a beginning."""
    count = len(xs) - 1
    period = xs[-1] - xs[0]
    if kind == "cubic":
        from scipy import interpolate as scipy

        return np.moveaxis(scipy.CubicSpline(xs, ys, bc_type="periodic").c[::-1], 0, 1)
    around = np.concatenate([xs[:-1] - period, xs[:-1], xs + period])
    return _inner(around, np.concatenate([ys[:-1], ys[:-1], ys]), kind)[count : 2 * count]


def _of_parameters(arguments: Any, axes: Any, values: Any, kind: str, outside: str) -> Symbol:
    """Straight lines through points that a run may change."""
    if len(arguments) > 1 or kind != "linear" or outside == "periodic":
        raise DataError(
            "E703",
            "with ordinary parameters only linear interpolation in one argument is available, not periodic",
            location=here(),
            advice="declare the points with structural=True: they are then known when the model is built",
        )
    x = as_symbol(arguments[0])
    xs = as_symbol(axes[0])
    ys = as_symbol(values)
    if len(xs.shape) != 1 or xs.shape != ys.shape or xs.shape[0] < 2:
        raise _misfit(f"abscissas of shape {xs.shape} for values of shape {ys.shape}")
    count = xs.shape[0]
    parts = [ys[0]]
    for k in range(count - 1):
        inside = x if k == 0 and outside == "extend" else maximum(x, xs[k])
        inside = inside if k == count - 2 and outside == "extend" else minimum(inside, xs[k + 1])
        parts.append((ys[k + 1] - ys[k]) / (xs[k + 1] - xs[k]) * (inside - xs[k]))
    return total(parts)
