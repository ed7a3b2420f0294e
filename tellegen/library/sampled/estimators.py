"""State estimators for x[k+1] = A x[k] + B u[k] + w[k], y[k] = C x[k] + D u[k] + v[k].

At a tick the measurement corrects what was predicted at the tick before:

    xe = x + K (y - C x - D u)        the estimate
    x  = A xe + B u                   the prediction for the next tick
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy.linalg import solve_discrete_are

import tellegen as tg
from tellegen.library.sampled.base import Statements, shape_of
from tellegen.library.sampled.linear import MatrixBlock


class Estimator(MatrixBlock):
    """What observer and Kalman filter share: inputs, measurements, and the estimate of the states."""

    u = tg.input(shape=MatrixBlock.m, description="inputs of the plant", default=0.0)
    y = tg.input(shape=MatrixBlock.p, description="measurements")
    xe = tg.output(shape=MatrixBlock.n, description="estimated states", start=0.0)
    x = tg.variable(shape=MatrixBlock.n, description="prediction for the next tick", discrete=True, start=0.0)

    def predicted(self, gain: Any) -> list[Any]:
        """The two assignments of a tick, for a gain."""
        x = tg.pre(self.x)
        xe = x + gain @ (self.y - self.C @ x - self.D @ self.u)
        return [self.xe == xe, self.x == self.A @ xe + self.B @ self.u]


class Observer(Estimator):
    """Corrects with a constant gain K, placed by hand or by `Observer.steady`."""

    K = tg.parameter(0.0, shape=(MatrixBlock.n, MatrixBlock.p), description="gain")

    def equations(self) -> Statements:
        yield tg.when(self.clock.tick, *self.predicted(self.K))

    @classmethod
    def steady(cls, *, A: Any, C: Any, Q: Any, R: Any, **values: Any) -> Self:
        """With the gain a Kalman filter ends up with, from the algebraic Riccati equation."""
        a, c, q, r = (np.array(matrix, float) for matrix in (A, C, Q, R))
        P = solve_discrete_are(a.T, c.T, q, r)
        return cls(A=A, C=C, K=P @ c.T @ np.linalg.inv(c @ P @ c.T + r), **values)


class KalmanFilter(Estimator):
    """The best gain at every tick, for noise of covariance Q in the states and R in the measurements.

    Starts from the estimate x and its covariance P: `KalmanFilter(..., P=tg.variable(start=np.eye(2)))`.
    """

    Q = tg.parameter(0.0, shape=(MatrixBlock.n, MatrixBlock.n), description="covariance of the noise of the states")
    R = tg.parameter(1.0, shape=(MatrixBlock.p, MatrixBlock.p), description="covariance of that of the measurements")
    K = tg.variable(shape=(MatrixBlock.n, MatrixBlock.p), description="gain", discrete=True, start=0.0)
    P = tg.variable(
        shape=(MatrixBlock.n, MatrixBlock.n), description="covariance of the prediction x", discrete=True, start=0.0
    )

    sizes = (*MatrixBlock.sizes, ("Q", "n", "n"), ("R", "p", "p"))

    def equations(self) -> Statements:
        P = tg.pre(self.P)
        left = P @ self.C.T
        corrected = P - self.K @ left.T
        yield tg.when(
            self.clock.tick,
            self.K == _divided(left, self.C @ left + self.R),
            self.P == self.A @ corrected @ self.A.T + self.Q,
            *self.predicted(self.K),
        )


def _divided(left: Any, S: Any) -> Any:
    """left S^-1 for a symmetric positive definite S: elimination without pivots, written out."""
    size = shape_of(S)[0]
    rows = [[S[i, j] for j in range(size)] for i in range(size)]
    right = [left[:, j] for j in range(size)]
    for k in range(size):
        for i in range(k + 1, size):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [rows[i][j] - factor * rows[k][j] for j in range(size)]
            right[i] = right[i] - factor * right[k]
    for k in reversed(range(size)):
        for j in range(k + 1, size):
            right[k] = right[k] - rows[k][j] * right[j]
        right[k] = right[k] / rows[k][k]
    return [[right[j][i] for j in range(size)] for i in range(shape_of(left)[0])]
