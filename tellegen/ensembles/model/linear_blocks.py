"""Linear algebraic loops: their blocks, and small systems solved by straight-line code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tellegen.codegen.scalar import literal
from tellegen.ensembles.refused import RefusedError
from tellegen.ir.ode import OdeProgram, Solve

if TYPE_CHECKING:
    from tellegen.ensembles.model.lookups import LookupPrinter

MOST_TEARS = 12
"""Of a block, above which code that searches pivots is too long."""

Place = tuple[str, int]
"""An array and an element of it."""


@dataclass(frozen=True)
class Block:
    """The tears of a block, and the rows that judge them."""

    tears: tuple[Place, ...]
    judges: tuple[Place, ...]


def blocks_of(program: OdeProgram, step: Solve) -> list[Block]:
    """The blocks of a step; RefusedError where they are not linear and small."""
    sizes = [int(end - begin) for begin, end in zip(step.tear_start, step.tear_start[1:], strict=False)]
    if not step.linear or max(sizes) > MOST_TEARS or step.pattern is not None:
        kind = "linear" if step.linear else "nonlinear"
        raise RefusedError(f"it has a {kind} algebraic loop of {max(sizes)} unknowns")
    found = []
    for begin, end in zip(step.tear_start.tolist(), step.tear_start[1:].tolist(), strict=False):
        places = step.tear_index[begin:end].tolist()
        tears = tuple(("y", at) if at < program.size else ("yp", at - program.size) for at in places)
        found.append(Block(tears, tuple(("r", row) for row in step.judge_row[begin:end].tolist())))
    return found


@dataclass(eq=False)
class Pivoted:
    """Gaussian elimination with the largest pivot of each column: rows change places by selects, in every lane its own.

    `done` are exchanges and sums of rows in their order, for the right-hand sides.
    """

    printer: LookupPrinter
    matrix: list[list[str]]
    done: list[tuple[str, int, int, str]] = field(default_factory=list)
    inverses: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        size = len(self.matrix)
        for k in range(size):
            for i in range(k + 1, size):
                self._exchange(k, i)
            self.inverses.append(self._emit(f"fdiv double {literal(1.0)}, {self.matrix[k][k]}"))
            for i in range(k + 1, size):
                factor = self._emit(f"fmul double {self.matrix[i][k]}, {self.inverses[k]}")
                self.done.append(("sum", k, i, factor))
                for j in range(k + 1, size):
                    self.matrix[i][j] = self._less(self.matrix[i][j], factor, self.matrix[k][j])

    def _exchange(self, k: int, i: int) -> None:
        """Rows k and i, where the second one has the larger element of column k."""
        upper = self._emit(f"call double @llvm.fabs.f64(double {self.matrix[k][k]})")
        lower = self._emit(f"call double @llvm.fabs.f64(double {self.matrix[i][k]})")
        mask = self._emit(f"fcmp ogt double {lower}, {upper}")
        self.done.append(("exchange", k, i, mask))
        for j in range(k, len(self.matrix)):
            pair = self.matrix[k][j], self.matrix[i][j]
            self.matrix[k][j], self.matrix[i][j] = self._exchanged(mask, *pair)

    def solve(self, right: Sequence[str]) -> list[str]:
        """The solution for a right-hand side."""
        b = list(right)
        for what, k, i, by in self.done:
            if what == "exchange":
                b[k], b[i] = self._exchanged(by, b[k], b[i])
            else:
                b[i] = self._less(b[i], by, b[k])
        for k in reversed(range(len(b))):
            for j in range(k + 1, len(b)):
                b[k] = self._less(b[k], self.matrix[k][j], b[j])
            b[k] = self._emit(f"fmul double {b[k]}, {self.inverses[k]}")
        return b

    def _exchanged(self, mask: str, upper: str, lower: str) -> tuple[str, str]:
        first = self._emit(f"select i1 {mask}, double {lower}, double {upper}")
        return first, self._emit(f"select i1 {mask}, double {upper}, double {lower}")

    def _less(self, value: str, factor: str, other: str) -> str:
        return self._emit(f"fsub double {value}, {self._emit(f'fmul double {factor}, {other}')}")

    def _emit(self, instruction: str) -> str:
        return self.printer.emit(instruction)
