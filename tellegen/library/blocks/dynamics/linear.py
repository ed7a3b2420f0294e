"""Linear systems of any order: transfer functions in s, and state space. Sizes follow from the numbers given."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.blocks.interfaces import SISO, Statements, shape_of, sizes_from


class TransferFunction(SISO):
    """y = b(s)/a(s) u, coefficients in falling powers of s: b=[2], a=[0.1, 1] is 2/(0.1 s + 1)."""

    zeros = tg.parameter(0, structural=True, description="degree of b, found from it")
    order = tg.parameter(0, structural=True, description="degree of a, found from it")
    b = tg.parameter(1.0, shape=zeros + 1, description="numerator")
    a = tg.parameter(1.0, shape=order + 1, description="denominator")
    x_start = tg.parameter(0.0, shape=order, description="values of x at the start")
    x = tg.variable(shape=order, description="states", start=x_start)

    def __init__(self, *unnamed: Any, **given: Any) -> None:
        sizes_from(given, zeros=("b", 0, -1), order=("a", 0, -1))
        super().__init__(*unnamed, **given)
        if given.get("zeros", 0) > given.get("order", 0):
            advice = "a transfer function needs as many powers of s below as above: blocks.Derivative has a lag"
            raise tg.DataError("E705", "b has a higher power of s than a", location=self._location, advice=advice)

    def equations(self) -> Statements:
        """Observer form: y is the first state and what goes straight through, every state feeds the one before it."""
        n = self.order
        missing = self.order - self.zeros
        b = [0.0 if k < missing else self.b[k - missing] / self.a[0] for k in range(n + 1)]
        x = [*(self.x[k] for k in range(n)), 0.0]
        yield self.y == x[0] + b[0] * self.u
        for k in range(n):
            yield tg.der(self.x[k]) == x[k + 1] + b[k + 1] * self.u - self.a[k + 1] / self.a[0] * self.y


class StateSpace(tg.Component):
    """dx/dt = A x + B u, y = C x + D u; inputs and outputs are vectors."""

    n = tg.parameter(1, structural=True, description="states: rows of A")
    m = tg.parameter(1, structural=True, description="inputs: columns of B")
    p = tg.parameter(1, structural=True, description="outputs: rows of C")
    A = tg.parameter(0.0, shape=(n, n), description="states to rates")
    B = tg.parameter(0.0, shape=(n, m), description="inputs to rates")
    C = tg.parameter(1.0, shape=(p, n), description="states to outputs")
    D = tg.parameter(0.0, shape=(p, m), description="inputs to outputs")
    x_start = tg.parameter(0.0, shape=n, description="values of x at the start")
    u = tg.input(shape=m, description="inputs")
    y = tg.output(shape=p, description="outputs")
    x = tg.variable(shape=n, description="states", start=x_start)

    def __init__(self, *unnamed: Any, **given: Any) -> None:
        sizes_from(given, n=("A", 0, 0), m=("B", 1, 0), p=("C", 0, 0))
        super().__init__(*unnamed, **given)
        for name, rows, columns in (("A", "n", "n"), ("B", "n", "m"), ("C", "p", "n"), ("D", "p", "m")):
            wanted = (given.get(rows, 1), given.get(columns, 1))
            found = shape_of(given.get(name))
            if found and found != wanted:
                what = f"{name} has the shape {found}; with the other matrices it should have {wanted}"
                advice = "A is n x n, B n x m, C p x n, D p x m, each a list of rows: B=[[0.0], [1.0]]"
                raise tg.DataError("E701", what, location=self._location, advice=advice)

    def equations(self) -> Statements:
        yield tg.der(self.x) == self.A @ self.x + self.B @ self.u
        yield self.y == self.C @ self.x + self.D @ self.u
