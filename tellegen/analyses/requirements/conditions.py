"""Conditions by text: "abs(error) < 0.02 rad", "0 < tank.level < 2 and not pump.on > 0.5".

The text is read as a Python expression and only looked at, never run. A number may have a unit; it is converted to that
of what it is compared with. Of one comparison the margin is the difference of its sides: positive where it holds.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tellegen.analyses.performance.signal_expressions import Signal, condition, signal
from tellegen.engine.readout.quantity import quantity
from tellegen.errors import DesignError
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.source_location import here
from tellegen.units import Unit, UnitTextError, parse_quantity, parse_unit

_WITH_UNIT = re.compile(
    r"(?<![\w.\]])((?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s+(?!(?:and|or|if|else|in|is|not)\b)([A-Za-z%][\w%]*(?:[/.^-]+\w+)*)"
)
_NAME = "_quantity_"
_COMPARISONS = {ast.Gt: ">", ast.GtE: ">=", ast.Lt: "<", ast.LtE: "<="}


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two signals that are compared, as they were written; numbers with units stand under names of their own."""

    text: str
    left: ast.expr
    sign: str
    right: ast.expr
    quantities: Mapping[str, str]  # by name

    def signal(self, model: ReducedModel) -> Signal:
        """The curve that is positive where the comparison holds, for a model with its units."""
        if not self.quantities:
            return condition(f"({ast.unparse(self.left)}) {self.sign} ({ast.unparse(self.right)})")
        unit = self._unit(model)
        numbers: dict[str, float] = {}
        for name, text in self.quantities.items():
            try:
                numbers[name] = parse_quantity(text, unit)
            except UnitTextError as error:
                raise _not_understood(self.text, str(error)) from None
        sides = [ast.unparse(_Numbers(numbers).visit(ast.parse(ast.unparse(side)))) for side in (self.left, self.right)]
        return condition(f"({sides[0]}) {self.sign} ({sides[1]})")

    def _unit(self, model: ReducedModel) -> Unit:
        """The unit of what is compared: that of a path beside which a number with a unit may stand."""
        for side in (self.left, self.right):
            for path in _terms(side):
                if not path.startswith(_NAME):
                    return parse_unit("s") if path == "time" else quantity(model, path).unit
        why = "the unit of what it is compared with is not known: it is not a path or a sum of paths"
        raise _not_understood(self.text, why, "numbers without units, in the units of the model")


class _Numbers(ast.NodeTransformer):
    """Names of quantities replaced by numbers."""

    def __init__(self, numbers: dict[str, float]) -> None:
        self.numbers = numbers

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """See ast.NodeTransformer."""
        return ast.Constant(self.numbers[node.id]) if node.id in self.numbers else node


def _terms(node: ast.expr) -> Iterator[str]:
    """The paths of which an expression is a sum, a difference, an absolute value or an extreme: they share its unit."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield from _terms(node.left)
        yield from _terms(node.right)
    elif isinstance(node, ast.UnaryOp):
        yield from _terms(node.operand)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("abs", "min", "max"):
        for argument in node.args:
            yield from _terms(argument)
    elif isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
        text = ast.unparse(node)
        if text == "time" or signal(text).path is not None or text.startswith("der("):
            yield text


def read_condition(text: str) -> ast.expr:
    """The tree of a condition; numbers with units are names (`named_quantities`)."""
    if not isinstance(text, str) or not text.strip():
        raise _not_understood(repr(text), "a requirement is a string that compares signals, or made of such strings")
    try:
        return ast.parse(_with_names(text)[0].strip(), mode="eval").body
    except SyntaxError as error:
        raise _not_understood(text, error.msg) from None


def comparisons(text: str, node: ast.Compare) -> list[Comparison]:
    """The comparisons of a chain: 0 < x < 1 are two."""
    quantities = _with_names(text)[1]
    sides = [node.left, *node.comparators]
    found = []
    for left, operator, right in zip(sides[:-1], node.ops, sides[1:], strict=True):
        if type(operator) not in _COMPARISONS:
            raise _not_understood(text, "signals are compared by <, <=, > and >=")
        sign = _COMPARISONS[type(operator)]
        mine = _original(f"{ast.unparse(left)} {sign} {ast.unparse(right)}", quantities)
        comparison = Comparison(mine, left, sign, right, _used(quantities, left, right))
        condition(f"({ast.unparse(left)}) {sign} ({ast.unparse(right)})")  # rejects what is not arithmetic
        found.append(comparison)
    return found


def _used(quantities: tuple[str, ...], *sides: ast.expr) -> dict[str, str]:
    """The quantities that stand on some sides of a comparison."""
    names = {node.id for side in sides for node in ast.walk(side) if isinstance(node, ast.Name)}
    return {f"{_NAME}{k}": text for k, text in enumerate(quantities) if f"{_NAME}{k}" in names}


def _with_names(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with a name for each number with a unit, and these."""
    found: list[str] = []

    def named(match: re.Match[str]) -> str:
        found.append(match[0])
        return f"{_NAME}{len(found) - 1}"

    return _WITH_UNIT.sub(named, text), tuple(found)


def _original(text: str, quantities: tuple[str, ...]) -> str:
    return re.sub(rf"{_NAME}(\d+)", lambda match: quantities[int(match[1])], text)


def not_a_condition(text: str, node: ast.expr) -> DesignError:
    """What stands where a condition should."""
    return _not_understood(text, f"'{ast.unparse(node)}' is neither a comparison nor made of comparisons")


def _not_understood(
    text: str, why: str, advice: str = "write 'abs(error) < 0.02 rad', 'x > 1 and y < 2', '0 < level < 2'"
) -> DesignError:
    return DesignError("E670", f"the requirement '{text}' is not understood: {why}", location=here(), advice=advice)
