"""An OdeProgram run with NumPy: the reference for native ODE mode."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.codegen.python import Function, function
from tellegen.ir.model import Array
from tellegen.ir.ode import Compute, OdeProgram, Solve

_ITERATIONS = 50


class Reference:
    """x' = f(t, x) and the work vector w = (y, y'), step by step."""

    def __init__(self, program: OdeProgram) -> None:
        self.program = program
        self.functions: dict[str, Function] = {name: function(e) for name, e in program.entries.items()}

    def rhs(self, t: float, x: Array, w: Array, p: Array) -> Any:
        """The rates of the states; fills w, whose algebraic part is the guess for loops."""
        n = self.program.size
        y = w[:n]
        yp = w[n:]
        y[self.program.states] = x
        r = np.zeros(n)
        for step in self.program.steps:
            if isinstance(step, Compute):
                self.functions[step.entry](t, y, yp, p, r)
            else:
                self._solve(step, t, w, p, r)
        return yp[self.program.states].copy()

    def _solve(self, step: Solve, t: float, w: Array, p: Array, r: Array) -> None:
        n = self.program.size
        y = w[:n]
        yp = w[n:]
        for _ in range(1 if step.linear else _ITERATIONS):
            for name in step.inner:
                self.functions[name](t, y, yp, p, r)
            self.functions[step.residual](t, y, yp, p, r)
            values = np.zeros(step.entries)
            self.functions[step.jacobian](t, y, yp, p, values)
            change = -_correction(step, values, r[step.judge_row])
            w[step.tear_index] += change
            if np.abs(change).max(initial=0.0) < 1e-14 * (1.0 + np.abs(w[step.tear_index]).max(initial=0.0)):
                break
        for name in step.inner:
            self.functions[name](t, y, yp, p, r)


def _correction(step: Solve, values: Array, residual: Array) -> Any:
    """Block by block: the matrix of the tears after the inner unknowns are eliminated, solved for the residual."""
    out = np.zeros(len(residual))
    for b in range(step.blocks):
        first = step.row_start[b]
        last = step.row_start[b + 1]
        size = last - first
        inner = step.inner_count[b]
        matrix = np.zeros((size, size))
        if step.pattern is not None:
            matrix[step.pattern.indices, step.pattern.column_of_entry] = values
        else:
            for k in range(size):
                entries = slice(step.entry_start[first + k], step.entry_start[first + k + 1])
                matrix[k, step.entry_column[entries]] += values[entries]
        a = matrix[:inner, :inner]
        b_ = matrix[:inner, inner:]
        c = matrix[inner:, :inner]
        d = matrix[inner:, inner:]
        tears = slice(step.tear_start[b], step.tear_start[b + 1])
        out[tears] = np.linalg.solve(d - c @ np.linalg.solve(a, b_) if inner else d, residual[tears])
    return out
