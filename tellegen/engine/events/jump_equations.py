"""The equations of one instant in which states jump together, solved by Newton's method.

They are those of impulse_structure.py: constraints after the jump, all other equations integrated over the instant. A
reinit prescribes one jump: the impulse that makes it so comes from outside, through an equation that the reinit stands
for at this instant.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.engine.events.impulse_structure import ImpulseStructure
from tellegen.engine.linear_algebra.pivoted_lu import DenseLU, SparseLU
from tellegen.engine.linear_algebra.pivots import SingularMatrixError, choose_pivots
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.program import Pattern
from tellegen.ir.reduced import BoolArray
from tellegen.ir.show.reduced_rows import equation_text, written_row
from tellegen.start.on_use import scipy
from tellegen.start.records import dataclass

_ITERATIONS = 40
_HOLDS = 1e-10  # of the terms of an equation
_SMALL = 1e-8  # of the largest terms of all: terms that may be roundings
_CHANGES = 1e-6  # of the terms of an equation: its coefficients are others after the jump
_NOTHING = 1e-12  # of the largest effect of an impulse
_DENSE = 40  # unknowns up to which a dense factorization is faster than a sparse one


@dataclass(frozen=True, slots=True)
class Reinit:
    """A state, by its place in y, with its new value; the component whose clause says so, as node and instance."""

    place: int
    value: float
    owner: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Instant:
    """Where an event finds the model: unknowns as they were before, discrete values as they are after it."""

    t: float
    y: FloatArray
    yp: FloatArray
    p: FloatArray


@dataclass(frozen=True, eq=False)
class _Part:
    """A square part of the equations."""

    rows: IntArray
    columns: IntArray


class JumpEquations:
    """The equations of one instant: constraints after the jump, all other equations integrated over it."""

    def __init__(self, structure: ImpulseStructure, at: Instant) -> None:
        self.structure = structure
        self.at = at
        self.is_integrated = structure.before < 0
        self.jumps = np.flatnonzero(structure.jumping >= 0)
        self.matrix = self._matrix(at.y)
        self.integrals = self.matrix.multiply(self.is_integrated[:, None]).tocsr()

    def solved(self, reinits: list[Reinit]) -> FloatArray | None:
        """Jumps and impulses, one for each column; None where Newton's method finds none."""
        columns = self.structure.column_of_state[[each.place for each in reinits]].astype(np.int64)
        wanted = np.array([each.value - self.at.y[each.place] for each in reinits])
        given = self._given(reinits, columns)
        if given is None:
            return None
        jump = np.zeros(self.structure.size)
        part = self._moving(given, columns)
        if not len(part.columns):
            return jump
        matrix = self.matrix
        for _ in range(_ITERATIONS):
            is_near = self._holds(jump)
            factors = _Factors(matrix[part.rows][:, part.columns])
            step = np.zeros(len(jump))
            step[part.columns] = -factors.solve(self._residual(jump)[part.rows])
            if given:
                effect = np.zeros((len(jump), len(given)))
                effect[part.columns] = factors.effects(np.searchsorted(part.rows, given))
                step += effect @ np.linalg.solve(effect[columns], wanted - jump[columns] - step[columns])
            jump = jump + step
            if not np.isfinite(jump).all():
                return None
            if is_near and self._holds(jump):
                return jump
            matrix = self._tangent(jump)
        return None

    def _moving(self, given: list[int], columns: IntArray) -> _Part:
        """The equations and unknowns that are left when all that has no impulse is left out, one after the other.

        An equation that holds already and has a single unknown left says that this one does not jump. Roundings would
        let it, and a contact that just touches would count as an impact.
        """
        entries = self.matrix.tocoo()
        is_entry = entries.data != 0.0
        row = entries.row[is_entry]
        column = entries.col[is_entry]
        stays = self._are_satisfied(np.zeros(self.structure.size))
        stays[given] = False
        rows_left = np.ones(self.structure.size, bool)
        columns_left = np.ones(self.structure.size, bool)
        while True:
            left = rows_left[row] & columns_left[column]
            count = np.bincount(row[left], minlength=self.structure.size)
            done = rows_left & stays & (count == 1)
            fixed = np.unique(column[left & done[row]])
            fixed = fixed[~np.isin(fixed, columns)]
            if not len(fixed):
                break
            columns_left[fixed] = False
            used = left & done[row] & ~columns_left[column]
            first = np.unique(column[used], return_index=True)[1]  # one equation for each of them
            rows_left[row[used][first]] = False
        if not (given or (~stays & rows_left).any()):
            columns_left[:] = False
        return _Part(np.flatnonzero(rows_left), np.flatnonzero(columns_left))

    def after(self, jump: FloatArray) -> FloatArray:
        """The unknowns after a jump; what is neither a state nor tied to one is as before."""
        y = self.at.y.copy()
        y[self.structure.jumping[self.jumps]] += jump[self.jumps]
        return y

    def changing(self, jump: FloatArray) -> str | None:
        """An integrated equation whose coefficients are others after the jump: its integral depends on the way."""
        matrix = self._matrix(self.after(jump))
        change = np.abs((matrix - self.matrix) @ jump)
        terms = abs(self.matrix) @ np.abs(jump)
        found = np.flatnonzero(self.is_integrated & (change > _CHANGES * terms))
        if not len(found):
            return None
        return equation_text(self.structure.model.reduced, int(self.structure.row[found[0]]))

    def _matrix(self, y: FloatArray) -> Any:
        """The derivatives of the equations by the highest derivatives of the unknowns."""
        structure = self.structure
        at = self.at
        row, column, entry, by_rate = structure.entries
        values = structure.model.jacobian(at.t, y, at.yp, at.p)
        rates = structure.model.jacobian(at.t, y, at.yp, at.p, by_value=0.0, by_rate=1.0)
        data = np.where(by_rate, rates[entry], values[entry])
        return scipy.sparse.csr_array((data, (row, column)), shape=(structure.size, structure.size))

    def _residual(self, jump: FloatArray) -> FloatArray:
        """What constraints and integrated equations are off by."""
        at = self.at
        all_rows = self.structure.model.residual(at.t, self.after(jump), at.yp, at.p)
        return np.where(self.is_integrated, self.integrals @ jump, all_rows[self.structure.before])

    def _tangent(self, jump: FloatArray) -> Any:
        """The derivatives of the residual."""
        constraints = self._matrix(self.after(jump)).multiply(~self.is_integrated[:, None])
        return scipy.sparse.csr_array(self.integrals + constraints)

    def _holds(self, jump: FloatArray) -> bool:
        """Whether the constraints hold, up to roundings; the other equations are linear in the jump."""
        return bool(self._are_satisfied(jump).all())

    def _are_satisfied(self, jump: FloatArray) -> BoolArray:
        """The constraints that hold up to roundings, and all other equations."""
        size = np.abs(jump)
        size[self.jumps] += np.abs(self.at.y[self.structure.jumping[self.jumps]])
        terms = abs(self.matrix) @ size
        off = np.abs(self._residual(jump))
        small = _HOLDS * (terms + _SMALL * terms.max(initial=0.0, where=~self.is_integrated))
        return self.is_integrated | (off <= small)

    # -- reinits -------------------------------------------------------------------------------------------------
    def _given(self, reinits: list[Reinit], columns: IntArray) -> list[int] | None:
        """For each reinit the equation through which its impulse comes; None where there is none."""
        if not reinits:
            return []
        factors = _Factors(self.matrix)
        given: list[int] = []
        for k, each in enumerate(reinits):
            for row in self._candidates(each, int(columns[k])):
                effect = factors.effects([*given, row])
                if row not in given and _is_regular(effect[columns[: k + 1]], np.abs(effect[:, -1]).max()):
                    given.append(row)
                    break
            else:
                return None
        return given

    def _candidates(self, reinit: Reinit, column: int) -> list[int]:
        """Integrated equations that a reinit may stand for: those with the derivative of its state, the component's own
        ones first; else those of the component that give no impulse to a single unknown, such as a force."""
        entries = self.integrals.tocoo()
        real = entries.data != 0.0
        with_rate = np.unique(entries.row[real & (entries.col == column)]).tolist()
        alone = np.flatnonzero(np.bincount(entries.row[real], minlength=self.structure.size) == 1).tolist()
        own = {row for row in {*with_rate, *alone} if self._owner(row) == reinit.owner}
        single = [row for row in alone if row in own]
        return [*sorted(with_rate, key=lambda row: row not in own), *single]

    def _owner(self, row: int) -> tuple[int, int] | None:
        written = written_row(self.structure.model.reduced, int(self.structure.row[row]))
        return written[0].owner(written[1]) if written is not None else None


class _Factors:
    """LU factors of the matrix of one instant."""

    def __init__(self, matrix: Any) -> None:
        self.size = matrix.shape[0]
        columns = scipy.sparse.csc_array(matrix)
        pattern = Pattern(matrix.shape, columns.indptr.astype(np.int32), columns.indices.astype(np.int32))
        values = columns.data
        if not np.isfinite(values).all():
            raise SingularMatrixError
        small = matrix.shape[0] <= _DENSE
        self.factors = DenseLU(pattern) if small else SparseLU(pattern, choose_pivots(pattern, values))
        self.factors.factor(values)

    def solve(self, rhs: FloatArray) -> FloatArray:
        """A^-1 rhs."""
        return self.factors.solve(rhs)

    def effects(self, rows: Any) -> FloatArray:
        """What unit impulses in these equations do, a column for each."""
        out = np.zeros((self.size, len(rows)))
        for k, row in enumerate(rows):
            unit = np.zeros(self.size)
            unit[row] = 1.0
            out[:, k] = self.solve(unit)
        return out


def _is_regular(matrix: FloatArray, size: float) -> bool:
    """Whether impulses move the states that reinits name, each in its own way."""
    rows = np.abs(matrix).max(axis=1, initial=0.0)
    if (rows <= _NOTHING * size).any():
        return False
    return bool(np.linalg.cond(matrix / rows[:, None]) < 1.0 / _NOTHING)
