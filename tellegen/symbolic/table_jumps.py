"""Where the values of tables jump, and the pieces between: on each of them a table is continuous.

    before   u == interpolate(time)                        3 until 1 s, 5 until 2 s, then 9
    after    u == interpolate(min(max(time, lower), upper))     with lower and upper of piece 0, 1 or 2

An event moves the piece, as it moves the level of a floor. So what is integrated has no jumps, and at the instant of a
jump everybody reads the same side of it: pre() the value before. Corners, and jumps of slopes, make no events.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from tellegen.ir.expressions.expr import Call, Const, Expr, Lookup
from tellegen.ir.expressions.table import Floats, Table
from tellegen.start.records import dataclass
from tellegen.symbolic.build import call, sub

_FAR = 1e300
_NOWHERE = Const(-1.0)  # a difference that never passes zero


@dataclass(frozen=True, eq=False)
class Pieces:
    """The pieces of one axis of a table, numbered from 0, and the points between them."""

    jumps: Floats

    def rise(self, x: Expr, piece: Expr) -> Expr:
        """Positive where x is beyond the upper end of a piece."""
        has_next = Call("lt", (piece, Const(len(self.jumps) - 0.5)))
        return call("where", has_next, sub(x, Lookup(self._next, (piece,))), _NOWHERE)

    def fall(self, x: Expr, piece: Expr) -> Expr:
        """Negative where x is before the lower end of a piece."""
        has_last = Call("gt", (piece, Const(0.5)))
        return call("where", has_last, sub(x, Lookup(self._last, (piece,))), Const(1.0))

    def number(self, x: Expr) -> Expr:
        """The piece that x lies in."""
        return Lookup(_steps(self.jumps, np.arange(len(self.jumps) + 1.0)), (x,))

    def held(self, x: Expr, piece: Expr) -> Expr:
        """x, or the end of the piece if it is outside: by a rounding, or in a step that will be cut short."""
        lower = Lookup(self._last, (piece,))
        return call("min", call("max", x, lower), Lookup(self._end, (piece,)))

    @cached_property
    def _last(self) -> Table:
        return self._by_piece(np.concatenate([[-_FAR], self.jumps]))

    @cached_property
    def _next(self) -> Table:
        return self._by_piece(np.concatenate([self.jumps, [_FAR]]))

    @cached_property
    def _end(self) -> Table:
        return self._by_piece(np.concatenate([np.nextafter(self.jumps, -np.inf), [_FAR]]))

    def _by_piece(self, values: Floats) -> Table:
        return _steps(np.arange(0.5, len(self.jumps)), values)


def pieces(table: Table, axis: int) -> Pieces | None:
    """None where the table is continuous along the axis, and for the slope of another table."""
    jumps = np.zeros(0) if table.is_slope else table.jumps(axis)
    return Pieces(jumps) if len(jumps) else None


def has_jumps(table: Table) -> bool:
    """Whether its value jumps anywhere."""
    return any(pieces(table, axis) is not None for axis in range(len(table.breaks)))


def _steps(breaks: Floats, values: Floats) -> Table:
    """A table of constant values, one more than breaks."""
    return Table((breaks,), np.stack([values, np.zeros(len(values))], axis=1))
