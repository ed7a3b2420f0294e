"""Numbers with units in a comparison, in the unit of the paths beside them.

x < 2 cm                   x in m       0.02
xmm < x                    in mm and m: their numbers cannot be compared
abs(T - 80 degC) < 5 K     T in degC    80 is a temperature, and 5 K a difference: 5, not -268.15
abs(T - 80 degC) < 5 degC               rejected: degC are temperatures, as everywhere else

A sum of temperatures counts them: each has the weight 1, a difference 0, and both sides of a comparison have the same.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from tellegen.engine.readout.quantity import quantity
from tellegen.ir.reduced import ReducedModel
from tellegen.units import Unit, UnitTextError, may_agree, parse_quantity, parse_unit, written_unit


def numbers_in_unit(
    left: ast.expr, right: ast.expr, quantities: Mapping[str, str], model: ReducedModel
) -> dict[str, float]:
    """The quantities of left > right by name, as numbers; UnitTextError where there is no one unit to compare in."""
    reader = _Reader(model, quantities)
    whole = _Sum()
    reader.add(left, 1, whole)
    reader.add(right, -1, whole)
    unit = reader.one_unit()
    if not quantities:
        return {}
    if unit is None:
        what = "the unit of what it is compared with is not known: it is not a path or a sum of paths; write numbers "
        raise UnitTextError(what + "without units, in the units of the model")
    settle = _Temperatures(quantities, unit)
    settle.resolve(whole, 0)
    return settle.numbers


@dataclass(eq=False)
class _Sum:
    """What is added up at one place, each with its sign."""

    paths: list[tuple[int, str, Unit]] = field(default_factory=list)
    quantities: list[tuple[int, str]] = field(default_factory=list)
    parts: list[tuple[int, _Extreme]] = field(default_factory=list)
    has_numbers: bool = False  # without units
    has_others: bool = False  # products and functions, of which nothing is known


@dataclass(eq=False)
class _Extreme:
    """abs, min or max of sums."""

    sums: list[_Sum]
    is_abs: bool


class _Reader:
    """Sums of a comparison, and the paths in them."""

    def __init__(self, model: ReducedModel, quantities: Mapping[str, str]) -> None:
        self.model = model
        self.quantities = quantities
        self.paths: list[tuple[str, Unit]] = []

    def add(self, node: ast.expr, sign: int, into: _Sum) -> None:
        """An expression as a part of a sum."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            self.add(node.left, sign, into)
            self.add(node.right, sign if isinstance(node.op, ast.Add) else -sign, into)
        elif isinstance(node, ast.UnaryOp):
            self.add(node.operand, -sign if isinstance(node.op, ast.USub) else sign, into)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("abs", "min", "max"):
            sums = [_Sum() for _ in node.args]
            for argument, each in zip(node.args, sums, strict=True):
                self.add(argument, 1, each)
            into.parts.append((sign, _Extreme(sums, node.func.id == "abs")))
        elif isinstance(node, ast.Constant):
            into.has_numbers |= node.value != 0
        elif isinstance(node, ast.Name) and node.id in self.quantities:
            into.quantities.append((sign, node.id))
        elif _is_path(node):
            path = ast.unparse(node)
            unit = parse_unit("s") if path == "time" else quantity(self.model, path).unit
            self.paths.append((path, unit))
            into.paths.append((sign, path, unit))
        else:
            into.has_others = True
            inside = [each.id for each in ast.walk(node) if isinstance(each, ast.Name) and each.id in self.quantities]
            into.quantities += [(0, name) for name in inside]

    def one_unit(self) -> Unit | None:
        """The unit of all paths that are added or compared; None where there are none."""
        known = [(path, unit) for path, unit in self.paths if unit.text or unit.dimension is not None]
        for path, unit in known[1:]:
            first, other = known[0]
            if unit.dimension != other.dimension:
                continue  # what is compared across dimensions is a number, as in "x < time"
            if not may_agree(unit, other) or unit.offset != other.offset:
                what = f"'{first}' is in {other.text} and '{path}' in {unit.text}, and their numbers are compared as "
                raise UnitTextError(what + "they are: declare one more variable in the unit of the other one")
        return known[0][1] if known else (self.paths[0][1] if self.paths else None)


def _is_path(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "der"
    return isinstance(node, ast.Attribute | ast.Subscript) or (isinstance(node, ast.Name) and node.id != "pi")


class _Temperatures:
    """Which quantities are points on a scale with an offset and which are differences."""

    def __init__(self, quantities: Mapping[str, str], unit: Unit) -> None:
        self.quantities = quantities
        self.numbers = {name: parse_quantity(text, unit) for name, text in quantities.items()}
        written = {name: written_unit(text) for name, text in quantities.items()}
        self.is_point = {name: each is not None and each.offset != 0.0 for name, each in written.items()}
        self.may_be_difference = {name: unit.offset != 0.0 and not point for name, point in self.is_point.items()}
        self.shift = -unit.offset / unit.scale  # of a point against a difference

    def resolve(self, found: _Sum, wanted: int | None) -> int:
        """The weight of a sum, with its quantities as they have to be; `wanted` is the one it must have, if any."""
        weight = sum(sign for sign, _, _ in found.paths)
        weight += sum(sign * self._of_extreme(part) for sign, part in found.parts)
        mine = [(sign, name) for sign, name in found.quantities if self.is_point[name] or self.may_be_difference[name]]
        if not mine:
            return weight
        if found.has_numbers or found.has_others or any(sign == 0 for sign, _ in mine):
            texts = ", ".join(repr(self.quantities[name]) for _, name in mine)
            raise UnitTextError(f"beside numbers without units and products it is not clear whether {texts} is a "
                                "temperature or a difference; write sums and differences with units alone")  # fmt: skip
        weight += sum(sign for sign, name in mine if self.is_point[name])
        free = [(sign, name) for sign, name in mine if not self.is_point[name]]
        return weight + self._points(free, [wanted - weight] if wanted is not None else [-weight, 1 - weight], mine)

    def _points(self, free: list[tuple[int, str]], missing: list[int], mine: list[tuple[int, str]]) -> int:
        """Make as many of these temperatures as are missing, and differences of the others."""
        for needed in missing:
            sign = 1 if needed > 0 else -1
            points = [name for each, name in free if each == sign][: abs(needed)]
            if len(points) == abs(needed):
                for _, name in free:
                    self.numbers[name] -= 0.0 if name in points else self.shift
                return needed
        text = self.quantities[free[0][1] if free else mine[-1][1]]
        raise UnitTextError(f"'{text}' is a temperature, where a difference is needed, which is written in K: '5 K'")

    def _of_extreme(self, part: _Extreme) -> int:
        """The weight of abs, min or max; the arguments of the last two have the same.

        A temperature less a number without a unit, abs(T - 80), is a difference.
        """
        if part.is_abs and part.sums[0].has_numbers:
            self.resolve(part.sums[0], None)
            return 0
        certain = [each for each in part.sums if not any(self.may_be_difference[name] for _, name in each.quantities)]
        certain.sort(key=lambda each: not each.paths)
        weights = [self.resolve(each, None) for each in certain]
        wanted = weights[0] if weights else None if part.is_abs else 1
        for each in part.sums:
            if each not in certain:
                weights.append(self.resolve(each, wanted))
        return abs(weights[0]) if part.is_abs else weights[0]
