"""The derivatives of a model at a point as a record (engine/runtime/instance/instance_derivatives.py)."""

from __future__ import annotations

import numpy as np

from tellegen.codegen.llvm import build
from tellegen.engine.linear_algebra.pivoted_lu import SparseLU
from tellegen.engine.linear_algebra.pivots import Elimination, SingularMatrixError, choose_pivots
from tellegen.engine.loaded.native_entry import LoadedEntries
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.native.record import Record
from tellegen.engine.runtime.instance.instance_record import LocalDerivatives
from tellegen.exporters.image.known_jacobian import KNOWN_JACOBIAN, PARAMETER_SLOPES, known_jacobian
from tellegen.exporters.image.trial_run import TrialRun
from tellegen.ir.program import Int32Array, Pattern
from tellegen.ir.reduced import BoolArray
from tellegen.procedures.language import field_names

_LARGEST_DENSE = 400
"""Unknowns up to which matrices are factored densely where the pivots of the trial run do not do."""


def allow_dense_factors(lu: SparseLU) -> None:
    """Room for them, if the matrix is not too large."""
    if lu.pattern.shape[0] <= _LARGEST_DENSE:
        lu.make_room_for_dense_factors()


def derivative_memory(system: OdeSystem, trial: TrialRun) -> DerivativeMemory | None:
    """None where the equations are singular along the trial run: states alone do not determine the rest."""
    matrix = _Matrix(system.model.program.pattern, system.model.reduced.is_state)
    pivots = _pivots(trial, matrix)
    return DerivativeMemory(system, matrix, pivots) if pivots is not None else None


class DerivativeMemory:
    """The record with its work space, and the code it refers to."""

    def __init__(self, system: OdeSystem, matrix: _Matrix, pivots: Elimination) -> None:
        model = system.model
        pattern = model.program.pattern
        known = known_jacobian(model.reduced)
        self.entries = LoadedEntries(build(known.program), known.program.entries)
        self.lu = SparseLU(matrix.pattern, pivots)
        allow_dense_factors(self.lu)
        size = system.program.size
        p_count = len(system.p)
        self.dw = np.zeros(2 * size)
        self.dp = np.zeros(p_count)
        self.record = Record(field_names(LocalDerivatives))
        self.record.set(
            known=self.entries[KNOWN_JACOBIAN].words if KNOWN_JACOBIAN in known.program.entries else 0,
            known_start=known.pattern.indptr,
            known_row=_padded(known.pattern.indices),
            known_values=np.zeros(known.pattern.count + 1),
            slopes=self.entries[PARAMETER_SLOPES].words if PARAMETER_SLOPES in known.program.entries else 0,
            slope_count=len(known.slopes.target),
            slope_target=_padded(known.slopes.target),
            slope_source=_padded(known.slopes.source),
            slope_values=np.zeros(len(known.slopes.target) + 1),
            jacobian=model.entries["jacobian"].words,
            column_start=pattern.indptr,
            row_index=_padded(pattern.indices),
            by_value=np.zeros(pattern.count + 1),
            by_rate=np.zeros(pattern.count + 1),
            matrix_count=matrix.pattern.count,
            matrix_from=_padded(matrix.source),
            matrix_is_rate=_padded(matrix.is_rate),
            matrix=np.zeros(matrix.pattern.count + 1),
            lu=self.lu.record.address,
            is_state=_padded(model.reduced.is_state.astype(np.int32)),
            p_count=p_count,
            w=np.zeros(2 * size),
            p=np.zeros(p_count),
            dw=self.dw,
            dp=self.dp,
            change=np.zeros(size),
        )


class _Matrix:
    """M = [F_z F_x'] of a Jacobian: its pattern, and which entries of the Jacobian it has."""

    def __init__(self, pattern: Pattern, is_state: BoolArray) -> None:
        of_state = is_state[pattern.column_of_entry]
        kept = np.where(of_state, pattern.by_rate, pattern.by_value).astype(bool)
        columns = np.bincount(pattern.column_of_entry[kept], minlength=pattern.shape[1])
        starts = np.concatenate([[0], np.cumsum(columns)]).astype(np.int32)
        self.pattern = Pattern(pattern.shape, starts, pattern.indices[kept])
        self.source = np.flatnonzero(kept).astype(np.int32)
        self.is_rate = of_state[kept].astype(np.int32)


def _pivots(trial: TrialRun, matrix: _Matrix) -> Elimination | None:
    """Pivots of M that suit the end of the trial run, or else its beginning."""
    model = trial.model
    for t in (trial.solution.time[-1], trial.solution.time[0]):
        at = trial.solution.at(float(t))
        by_value, by_rate = (
            model.jacobian(at.t, at.unknowns, at.rates, at._p, by_value=1.0 - weight, by_rate=weight)
            for weight in (0.0, 1.0)
        )
        values = np.where(matrix.is_rate > 0, by_rate[matrix.source], by_value[matrix.source])
        try:
            return choose_pivots(matrix.pattern, values)
        except SingularMatrixError:
            continue
    return None


def _padded(values: Int32Array) -> Int32Array:
    """With one more element, so that it is never empty."""
    return np.append(values, 0).astype(np.int32)
