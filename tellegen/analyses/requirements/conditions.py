"""Conditions by text: "abs(error) < 0.02 rad", "0 < tank.level < 2 and not pump.on > 0.5".

The text is read as a Python expression and only looked at, never run. A number may have a unit; it is converted to that
of what it is compared with. Of one comparison the margin is the difference of its sides: positive where it holds.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

from tellegen.analyses.performance.signal_expressions import Signal, condition
from tellegen.analyses.requirements.units_of_comparisons import numbers_in_unit
from tellegen.errors import DesignError
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.source_location import here
from tellegen.units import UnitTextError

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
        try:
            numbers = numbers_in_unit(self.left, self.right, self.quantities, model)
        except UnitTextError as error:
            raise _not_understood(self.text, str(error)) from None
        sides = [_with_numbers(side, numbers) for side in (self.left, self.right)]
        return condition(f"({sides[0]}) {self.sign} ({sides[1]})")


def _with_numbers(side: ast.expr, numbers: dict[str, float]) -> str:
    """The text of a side, numbers in the place of quantities."""
    return ast.unparse(_Numbers(numbers).visit(ast.parse(ast.unparse(side))) if numbers else side)


class _Numbers(ast.NodeTransformer):
    """Names of quantities replaced by numbers."""

    def __init__(self, numbers: dict[str, float]) -> None:
        self.numbers = numbers

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """See ast.NodeTransformer."""
        return ast.Constant(self.numbers[node.id]) if node.id in self.numbers else node


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
