"""State estimators for x[k+1] = A x[k] + B u[k] + w[k], y[k] = C x[k] + D u[k] + v[k].

At a tick the measurement corrects what was predicted at the tick before:

    e  = y - C x - D u                what nobody expected
    xe = x + K e                      the estimate
    x  = A xe + B u                   the prediction for the next tick

Every intermediate matrix of the Kalman filter is a variable: its equations stay as short as they are on paper, where
one expression for all of it would grow with the fourth power of the number of states.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

import tellegen as tg
from tellegen.library.sampled.base import Statements
from tellegen.library.sampled.linear import MatrixBlock


class Estimator(MatrixBlock):
    """What observer and Kalman filter share: inputs, measurements, and the estimate of the states."""

    u = tg.input(shape=MatrixBlock.m, description="inputs of the plant", default=0.0)
    y = tg.input(shape=MatrixBlock.p, description="measurements")
    xe = tg.output(shape=MatrixBlock.n, description="estimated states", start=0.0)
    x = tg.variable(shape=MatrixBlock.n, description="prediction for the next tick", discrete=True, start=0.0)
    e = tg.variable(shape=MatrixBlock.p, description="innovation: measured less predicted", discrete=True, start=0.0)

    def estimate(self) -> list[Any]:
        """The assignments of a tick, for a gain K."""
        return [
            self.e == self.y - self.C @ tg.pre(self.x) - self.D @ self.u,
            self.xe == tg.pre(self.x) + self.K @ self.e,
            self.x == self.A @ self.xe + self.B @ self.u,
        ]


class Observer(Estimator):
    """Corrects with a constant gain K, placed by hand or by `Observer.steady`."""

    K = tg.parameter(0.0, shape=(MatrixBlock.n, MatrixBlock.p), description="gain")

    sizes = (*MatrixBlock.sizes, ("K", "n", "p"))

    def equations(self) -> Statements:
        yield tg.when(self.clock.tick, *self.estimate())

    @classmethod
    def steady(cls, *, A: ArrayLike, C: ArrayLike, Q: ArrayLike, R: ArrayLike, **values: Any) -> Self:
        """With the gain a Kalman filter ends up with, from the algebraic Riccati equation."""
        from scipy.linalg import solve_discrete_are  # takes a while to import, and few models need it

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
    Pe = tg.variable(
        shape=(MatrixBlock.n, MatrixBlock.n), description="covariance of the estimate xe", discrete=True, start=0.0
    )
    AP = tg.variable(shape=(MatrixBlock.n, MatrixBlock.n), description="A Pe", discrete=True, start=0.0)
    PC = tg.variable(shape=(MatrixBlock.n, MatrixBlock.p), description="P C'", discrete=True, start=0.0)
    U = tg.variable(
        shape=(MatrixBlock.p, MatrixBlock.p), description="S = C P C' + R, eliminated", discrete=True, start=0.0
    )
    W = tg.variable(shape=(MatrixBlock.n, MatrixBlock.p), description="P C', eliminated", discrete=True, start=0.0)

    sizes = (*MatrixBlock.sizes, ("Q", "n", "n"), ("R", "p", "p"))

    def equations(self) -> Statements:
        yield tg.when(
            self.clock.tick,
            self.PC == tg.pre(self.P) @ self.C.T,
            *self.gain(),
            self.Pe == tg.pre(self.P) - self.K @ self.PC.T,
            self.AP == self.A @ self.Pe,
            self.P == self.AP @ self.A.T + self.Q,
            *self.estimate(),
        )

    def gain(self) -> Iterator[Any]:
        """K = P C' S^-1. S is symmetric and positive definite: elimination needs no pivots."""
        U = self.U
        W = self.W
        K = self.K
        steps = range(self.p)
        for k in steps:
            for j in steps:
                S = self.C[k] @ self.PC[:, j] + self.R[k, j]
                yield U[k, j] == (sum((-U[m, k] * U[m, j] / U[m, m] for m in range(k)), S) if j >= k else 0.0)
            yield W[:, k] == sum((-U[m, k] / U[m, m] * W[:, m] for m in range(k)), self.PC[:, k])
            yield K[:, k] == sum((-U[k, j] * K[:, j] for j in range(k + 1, self.p)), W[:, k]) / U[k, k]
