"""The unit of an expression: quantities of a run, added, multiplied and passed through functions.

p.i * p.v       A V, which is W
der(phi)        rad/s
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from tellegen.errors import BindingError
from tellegen.ir.source_location import here
from tellegen.units import DIMENSIONLESS, Dimension, Unit

Reader = Callable[[str], Unit]


def unit_of(expression: str, unit: Reader) -> Unit:
    """In its own unit where it is a quantity or a sum of such; products and powers are in SI units."""
    return _unit(ast.parse(expression, mode="eval").body, expression, unit)


def _unit(node: ast.expr, expression: str, unit: Reader) -> Unit:
    if isinstance(node, ast.Constant):
        return Unit("", DIMENSIONLESS)
    if isinstance(node, ast.UnaryOp):
        return _unit(node.operand, expression, unit)
    if isinstance(node, ast.BinOp):
        return _of_operation(node, expression, unit)
    if isinstance(node, ast.Call):
        return _of_call(node, expression, unit)
    return unit(ast.unparse(node))


def _of_operation(node: ast.BinOp, expression: str, unit: Reader) -> Unit:
    left = _unit(node.left, expression, unit)
    right = _unit(node.right, expression, unit)
    if isinstance(node.op, ast.Add | ast.Sub):
        return right if isinstance(node.left, ast.Constant) else left
    if isinstance(node.right, ast.Constant) and isinstance(node.op, ast.Mult | ast.Div):
        return left
    if isinstance(node.left, ast.Constant) and isinstance(node.op, ast.Mult):
        return right
    if any(each.scale != 1.0 or each.offset for each in (left, right)):
        what = f"'{expression}' multiplies quantities that are not in SI units"
        raise BindingError("E809", what, location=here(), advice="declare a variable for it, and limit that one")
    if left.dimension is None or right.dimension is None:
        return Unit("", None)
    if isinstance(node.op, ast.Pow):
        power = node.right.value if isinstance(node.right, ast.Constant) else None
        if not isinstance(power, int | float):
            return Unit("", None)
        return Unit("", tuple(power * each for each in left.dimension))
    sign = 1.0 if isinstance(node.op, ast.Mult) else -1.0
    return Unit("", _joined(left.dimension, right.dimension, sign))


def _of_call(node: ast.Call, expression: str, unit: Reader) -> Unit:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name == "der" and node.args:
        return unit(ast.unparse(node))
    inside = _unit(node.args[0], expression, unit) if node.args else Unit("", None)
    if name in ("abs", "min", "max"):
        return inside
    if name == "sqrt" and inside.dimension is not None:
        return Unit("", tuple(0.5 * each for each in inside.dimension))
    return Unit("", DIMENSIONLESS if name else None)


def _joined(left: Dimension, right: Dimension, sign: float) -> Dimension:
    return tuple(one + sign * other for one, other in zip(left, right, strict=True))
