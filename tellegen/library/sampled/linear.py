"""Linear sampled systems: transfer functions in z and state space. Sizes follow from the numbers given."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.sampled.base import Sampled, SampledSISO, Statements, shape_of


class TransferFunction(SampledSISO):
    """y = b(z)/a(z) u, coefficients in falling powers of z: b=[0.5], a=[1, -0.5] is 0.5/(z - 0.5)."""

    zeros = tg.parameter(0, structural=True, description="degree of b, found from it")
    order = tg.parameter(0, structural=True, description="degree of a, found from it")
    b = tg.parameter(1.0, shape=zeros + 1, description="numerator")
    a = tg.parameter(1.0, shape=order + 1, description="denominator")
    x = tg.variable(shape=order, description="what earlier ticks have left", discrete=True, start=0.0)

    def __init__(self, *unnamed: Any, **values: Any) -> None:
        for name, degree in (("b", "zeros"), ("a", "order")):
            if shape_of(values.get(name)):
                values.setdefault(degree, shape_of(values[name])[0] - 1)
        super().__init__(*unnamed, **values)
        if values.get("zeros", 0) > values.get("order", 0):
            advice = "write a with as many coefficients: 1 + 2/z is b=[1, 2], a=[1, 0]"
            raise tg.DataError("E705", "b has a higher power of z than a", location=self._location, advice=advice)

    def equations(self) -> Statements:
        """Direct form II, transposed: as many states as the order."""
        n = self.order
        missing = self.order - self.zeros
        b = [0.0 if k < missing else self.b[k - missing] / self.a[0] for k in range(n + 1)]
        x = [*(tg.pre(self.x[k]) for k in range(n)), 0.0]
        y = x[0] + b[0] * self.u
        states = [self.x[k] == x[k + 1] + b[k + 1] * self.u - self.a[k + 1] / self.a[0] * y for k in range(n)]
        yield tg.when(self.clock.tick, self.y == y, *states)


class MatrixBlock(Sampled):
    """The matrices of x[k+1] = A x[k] + B u[k], y[k] = C x[k] + D u[k], with sizes found from them."""

    n = tg.parameter(1, structural=True, description="states: rows of A")
    m = tg.parameter(1, structural=True, description="inputs: columns of B")
    p = tg.parameter(1, structural=True, description="outputs: rows of C")
    A = tg.parameter(0.0, shape=(n, n), description="states to next states")
    B = tg.parameter(0.0, shape=(n, m), description="inputs to next states")
    C = tg.parameter(1.0, shape=(p, n), description="states to outputs")
    D = tg.parameter(0.0, shape=(p, m), description="inputs to outputs")

    sizes = (("A", "n", "n"), ("B", "n", "m"), ("C", "p", "n"), ("D", "p", "m"))

    def __init__(self, *unnamed: Any, **values: Any) -> None:
        given = {name: shape_of(values[name]) for name, _, _ in self.sizes if shape_of(values.get(name))}
        for size, matrix, axis in (("n", "A", 0), ("m", "B", -1), ("p", "C", 0)):
            if matrix in given:
                values.setdefault(size, given[matrix][axis])
        super().__init__(*unnamed, **values)
        for name, rows, columns in self.sizes:
            wanted = (values.get(rows, 1), values.get(columns, 1))
            if name in given and given[name] != wanted:
                what = f"{name} has the shape {given[name]}; with the other matrices it should have {wanted}"
                advice = "A is n x n, B n x m, C p x n, D p x m, each a list of rows: B=[[0.0], [1.0]]"
                raise tg.DataError("E701", what, location=self._location, advice=advice)


class StateSpace(MatrixBlock):
    """x[k+1] = A x[k] + B u[k], y[k] = C x[k] + D u[k]; inputs and outputs are vectors."""

    u = tg.input(shape=MatrixBlock.m, description="inputs")
    y = tg.output(shape=MatrixBlock.p, description="outputs", start=0.0)
    x = tg.variable(shape=MatrixBlock.n, description="states for the next tick", discrete=True, start=0.0)

    def equations(self) -> Statements:
        x = tg.pre(self.x)
        yield tg.when(
            self.clock.tick,
            self.y == self.C @ x + self.D @ self.u,
            self.x == self.A @ x + self.B @ self.u,
        )
