"""Algebraic loops: their blocks, their systems at a trial, and small systems solved by straight-line code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tellegen.codegen.scalar import literal
from tellegen.ensembles.model.derivatives import SeededSlopes
from tellegen.ensembles.model.lookups import LookupPrinter
from tellegen.ensembles.model.places import Place, place_of
from tellegen.ensembles.model.straight import Straight
from tellegen.ensembles.refused import RefusedError
from tellegen.ir.ode import OdeProgram, Solve

MOST_TEARS = 12
"""Of a block, above which code that searches pivots is too long."""


@dataclass(frozen=True)
class Block:
    """The tears of a block, and the rows that judge them."""

    tears: tuple[Place, ...]
    judges: tuple[Place, ...]


def blocks_of(program: OdeProgram, step: Solve) -> list[Block]:
    """The blocks of a step; RefusedError where they are not small."""
    sizes = [int(end - begin) for begin, end in zip(step.tear_start, step.tear_start[1:], strict=False)]
    if max(sizes) > MOST_TEARS or step.pattern is not None:
        kind = "linear" if step.linear else "nonlinear"
        raise RefusedError(f"it has a {kind} algebraic loop of {max(sizes)} unknowns")
    found = []
    for begin, end in zip(step.tear_start.tolist(), step.tear_start[1:].tolist(), strict=False):
        tears = tuple(place_of(program, at) for at in step.tear_index[begin:end].tolist())
        found.append(Block(tears, tuple(("r", row) for row in step.judge_row[begin:end].tolist())))
    return found


@dataclass(frozen=True, eq=False)
class System:
    """Of a block, for some numbers of its tears: what the rows that judge leave, and the factors of its slopes."""

    left: list[str]
    factors: Pivoted


def systems_at(
    straight: Straight, program: OdeProgram, step: Solve, blocks: Sequence[Block], tears: Sequence[Sequence[str]]
) -> list[System]:
    """The systems of all blocks where their tears are these; what the function knows stays as it is."""
    trial = SeededSlopes(straight.places, straight.printer, dict(straight.known))
    for block, values in zip(blocks, tears, strict=True):
        for number, (tear, value) in enumerate(zip(block.tears, values, strict=True)):
            trial.known[tear] = value
            trial.slopes[tear] = {number: literal(1.0)}
    for name in (*step.inner, step.residual):
        trial.rows(program.entries[name].loops)
    found = []
    for block in blocks:
        slopes = [trial.slopes_of(*judge) for judge in block.judges]
        matrix = [[row.get(number, literal(0.0)) for number in range(len(block.tears))] for row in slopes]
        found.append(System([trial.known[judge] for judge in block.judges], Pivoted.of(straight.printer, matrix)))
    return found


@dataclass(frozen=True)
class _Exchange:
    """Rows that change places where the mask is set."""

    upper: int
    lower: int
    mask: str


@dataclass(frozen=True)
class _Sum:
    """A row that has another one taken away from it, so many times."""

    upper: int
    lower: int
    factor: str


@dataclass(eq=False)
class Pivoted:
    """Gaussian elimination with the largest pivot of each column: rows change places by selects, in every lane its own.

    Of the matrix the upper triangle is left, with reciprocals of pivots on the diagonal. `done` are exchanges and sums
    of rows in their order, for the right-hand sides.
    """

    printer: LookupPrinter
    matrix: list[list[str]]
    done: list[_Exchange | _Sum] = field(default_factory=list)

    @staticmethod
    def of(printer: LookupPrinter, matrix: list[list[str]]) -> Pivoted:
        """The factors of a matrix."""
        found = Pivoted(printer, matrix)
        size = len(matrix)
        for k in range(size):
            for i in range(k + 1, size):
                found._exchange(k, i)
            matrix[k][k] = found._emit(f"fdiv double {literal(1.0)}, {matrix[k][k]}")
            for i in range(k + 1, size):
                factor = found._emit(f"fmul double {matrix[i][k]}, {matrix[k][k]}")
                found.done.append(_Sum(k, i, factor))
                for j in range(k + 1, size):
                    matrix[i][j] = found._less(matrix[i][j], factor, matrix[k][j])
        return found

    @staticmethod
    def of_registers(printer: LookupPrinter, size: int, numbers: Sequence[str], masks: Sequence[str]) -> Pivoted:
        """Factors that went through memory, see `registers`."""
        left = iter(numbers)
        bits = iter(masks)
        upper = [[next(left) if j >= i else "" for j in range(size)] for i in range(size)]
        found = Pivoted(printer, upper)
        for k in range(size):
            found.done += [_Exchange(k, i, next(bits)) for i in range(k + 1, size)]
            found.done += [_Sum(k, i, next(left)) for i in range(k + 1, size)]
        return found

    def registers(self) -> tuple[list[str], list[str]]:
        """All numbers and masks: the upper triangle by rows, then what was done."""
        upper = [value for k, row in enumerate(self.matrix) for value in row[k:]]
        factors = [one.factor for one in self.done if isinstance(one, _Sum)]
        return upper + factors, [one.mask for one in self.done if isinstance(one, _Exchange)]

    def _exchange(self, k: int, i: int) -> None:
        """Rows k and i, where the second one has the larger element of column k."""
        upper = self._emit(f"call double @llvm.fabs.f64(double {self.matrix[k][k]})")
        lower = self._emit(f"call double @llvm.fabs.f64(double {self.matrix[i][k]})")
        mask = self._emit(f"fcmp ogt double {lower}, {upper}")
        self.done.append(_Exchange(k, i, mask))
        for j in range(k, len(self.matrix)):
            pair = self.matrix[k][j], self.matrix[i][j]
            self.matrix[k][j], self.matrix[i][j] = self._exchanged(mask, *pair)

    def solve(self, right: Sequence[str]) -> list[str]:
        """The solution for a right-hand side."""
        b = list(right)
        for one in self.done:
            if isinstance(one, _Exchange):
                b[one.upper], b[one.lower] = self._exchanged(one.mask, b[one.upper], b[one.lower])
            else:
                b[one.lower] = self._less(b[one.lower], one.factor, b[one.upper])
        for k in reversed(range(len(b))):
            for j in range(k + 1, len(b)):
                b[k] = self._less(b[k], self.matrix[k][j], b[j])
            b[k] = self._emit(f"fmul double {b[k]}, {self.matrix[k][k]}")
        return b

    def _exchanged(self, mask: str, upper: str, lower: str) -> tuple[str, str]:
        first = self._emit(f"select i1 {mask}, double {lower}, double {upper}")
        return first, self._emit(f"select i1 {mask}, double {upper}, double {lower}")

    def _less(self, value: str, factor: str, other: str) -> str:
        return self._emit(f"fsub double {value}, {self._emit(f'fmul double {factor}, {other}')}")

    def _emit(self, instruction: str) -> str:
        return self.printer.emit(instruction)
