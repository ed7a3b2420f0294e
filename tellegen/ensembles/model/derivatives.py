"""The derivatives of the rates by the states and by time, as straight-line code: the chain rule along the rows.

    y[5] = p[2]*y[1]     dy[5] = {x1: p[2]}
    yp[3] = y[5]*y[1]    dyp[3] = {x1: y[1]*p[2] + y[5]}

Only what is not zero is there, so the pattern of the Jacobian comes out as well.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tellegen.codegen.scalar import Value, literal
from tellegen.ensembles.model.straight import Straight, _Operands, refuse_calls
from tellegen.ir.expressions.expr import Expr, Slot, Time, walk
from tellegen.ir.program import SCALAR, Loop
from tellegen.symbolic.build import is_zero
from tellegen.symbolic.partial import partials

TIME = -1
"""Stands for time among the states."""

Slopes = dict[int, str]
"""Derivatives by states (their numbers), in registers."""


@dataclass(eq=False)
class StraightSlopes(Straight):
    """A function that computes derivatives beside the values."""

    slopes: dict[tuple[str, int], Slopes] = field(default_factory=dict)

    def slopes_of(self, array: str, index: int) -> Slopes:
        """The derivatives of an element."""
        if array == "y" and index in self.places.x and (array, index) not in self.slopes:
            return {self.places.x[index]: literal(1.0)}
        return self.slopes.get((array, index), {})

    def row(self, loop: Loop, row: int) -> None:
        """One row and its derivatives."""
        table = loop.table[row].tolist()
        operands = _Operands(self, loop, table)
        done: dict[Expr, Value] = {}
        for store in loop.stores:
            refuse_calls(store.value)
            value = self.printer.expression(store.value, operands, done)
            key = (store.array, table[store.column])
            slopes = self._row_slopes(store.value, loop, table, operands, done)
            if store.accumulate:
                value = self.printer.emit(f"fadd double {self.read(*key)}, {value}")
                slopes = self.sum_of(self.slopes_of(*key), slopes)
            self.known[key] = value
            self.slopes[key] = slopes
            if loop.recurrent:
                operands.clear()
                done.clear()

    def _row_slopes(
        self, value: Expr, loop: Loop, table: list[int], operands: _Operands, done: dict[Expr, Value]
    ) -> Slopes:
        """The chain rule over what a row reads."""
        total: Slopes = {}
        leaves = [node for node in dict.fromkeys(walk(value)) if isinstance(node, Slot | Time)]
        by_leaf = partials(value, tuple(leaves))
        for leaf in leaves:
            inner = self._leaf_slopes(leaf, loop, table)
            by = by_leaf.get(leaf)
            if not inner or by is None or is_zero(by):
                continue
            outer = self.printer.expression(by, operands, done)
            product = {k: self.printer.emit(f"fmul double {outer}, {slope}") for k, slope in inner.items()}
            total = self.sum_of(total, product)
        return total

    def _leaf_slopes(self, leaf: Slot | Time, loop: Loop, table: list[int]) -> Slopes:
        if isinstance(leaf, Time):
            return self.time_slopes()
        operand = loop.operands[leaf.index]
        if operand.column == SCALAR:
            return self.time_slopes() if operand.array == "t" else {}
        return self.slopes_of(operand.array, table[operand.column])

    def time_slopes(self) -> Slopes:
        """The derivatives of time."""
        return {TIME: literal(1.0)}

    def sum_of(self, a: Slopes, b: Slopes) -> Slopes:
        """Derivatives of a sum."""
        out = dict(a)
        for k, slope in b.items():
            out[k] = self.printer.emit(f"fadd double {out[k]}, {slope}") if k in out else slope
        return out


class SeededSlopes(StraightSlopes):
    """A function that computes derivatives by seeds alone, which were given slopes; states and time have none."""

    def slopes_of(self, array: str, index: int) -> Slopes:
        """The derivatives of an element."""
        return self.slopes.get((array, index), {})

    def time_slopes(self) -> Slopes:
        """None."""
        return {}
