"""Controlled sources: port 1 is the control, port 2 the source.

The first letter is what controls, V (port 1 is an open circuit) or C for current (port 1 is a short circuit); the last
is what port 2 delivers. In a netlist they are E (VCV), G (VCC), F (CCC) and H (CCV): `E1 a b c d 10` is a VCV with
gain 10 whose p2, n2, p1, n1 are the nodes a, b, c, d. As there, a positive current goes into p2, through the source and
out of n2. Netlists name a voltage source whose current controls F and H: put port 1 in series with that source.

The polynomial ones are E, G, F, H with POLY(N): N controls x0, x1, ... and coefficients in the order of netlists,

    y = c0 + c1 x0 + c2 x1 + c3 x0^2 + c4 x0 x1 + c5 x1^2 + c6 x0^3 + ...          (here N = 2)

with as many terms as there are coefficients. Products of two controls make multipliers, mixers and nonlinear resistors.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, count, islice
from typing import Any

import tellegen as tg
from tellegen.library.electrical.interfaces import OnePort, Pin, Statements, TwoPort


class VCV(TwoPort):
    """Voltage-controlled voltage source: v2 = gain v1, i1 = 0 (E of a netlist)."""

    gain = tg.parameter(1.0, "1", "voltage gain")

    def equations(self) -> Statements:
        yield self.i1 == 0
        yield self.v2 == self.gain * self.v1


class VCC(TwoPort):
    """Voltage-controlled current source: i2 = trans_conductance v1, i1 = 0 (G of a netlist)."""

    trans_conductance = tg.parameter(1.0, "S", "transconductance")

    def equations(self) -> Statements:
        yield self.i1 == 0
        yield self.i2 == self.trans_conductance * self.v1


class CCV(TwoPort):
    """Current-controlled voltage source: v2 = trans_resistance i1, v1 = 0 (H of a netlist)."""

    trans_resistance = tg.parameter(1.0, "ohm", "transresistance")

    def equations(self) -> Statements:
        yield self.v1 == 0
        yield self.v2 == self.trans_resistance * self.i1


class CCC(TwoPort):
    """Current-controlled current source: i2 = gain i1, v1 = 0 (F of a netlist)."""

    gain = tg.parameter(1.0, "1", "current gain")

    def equations(self) -> Statements:
        yield self.v1 == 0
        yield self.i2 == self.gain * self.i1


class PolynomialSource(OnePort):
    """Base of sources between p and n that a polynomial of N controls gives; the controls are ports p1[k], n1[k]."""

    N = tg.parameter(1, structural=True, description="number of controls", min=1)
    m = tg.parameter(2, structural=True, description="number of coefficients, found from them", min=1)
    coefficients = tg.parameter(None, description="of 1, x0, x1, ..., x0^2, x0 x1, ..., in SI units", shape=m)
    p1 = Pin.array(N, "positive pins of the controls")
    n1 = Pin.array(N, "negative pins of the controls")
    v1 = tg.variable("V", "controlling voltages", shape=N)
    i1 = tg.variable("A", "controlling currents", shape=N)

    def __init__(self, *unnamed: Any, **given: Any) -> None:
        if hasattr(given.get("coefficients"), "__len__"):
            given.setdefault("m", len(given["coefficients"]))
        super().__init__(*unnamed, **given)

    def polynomial(self, controls: Any) -> Any:
        """The value for these controls."""
        total: Any = 0.0
        for k, factors in enumerate(islice(monomials(self.N), self.m)):
            term = self.coefficients[k]
            for factor in factors:
                term = term * controls[factor]
            total = total + term
        return total

    def equations(self) -> Statements:
        yield self.v1 == self.p1.v - self.n1.v
        yield self.i1 == self.p1.i
        yield self.p1.i + self.n1.i == [0.0] * self.N


def monomials(controls: int) -> Iterator[tuple[int, ...]]:
    """Numbers of the controls that are multiplied: (), (0,), (1,), (0, 0), (0, 1), (1, 1), (0, 0, 0), ..."""
    for degree in count():
        yield from combinations_with_replacement(range(controls), degree)


class PolynomialVCV(PolynomialSource):
    """Voltage given by a polynomial of voltages: v = c0 + c1 v1[0] + ... (E with POLY)."""

    def equations(self) -> Statements:
        yield self.i1 == [0.0] * self.N
        yield self.v == self.polynomial(self.v1)


class PolynomialVCC(PolynomialSource):
    """Current given by a polynomial of voltages: i = c0 + c1 v1[0] + ... (G with POLY)."""

    def equations(self) -> Statements:
        yield self.i1 == [0.0] * self.N
        yield self.i == self.polynomial(self.v1)


class PolynomialCCV(PolynomialSource):
    """Voltage given by a polynomial of currents: v = c0 + c1 i1[0] + ... (H with POLY)."""

    def equations(self) -> Statements:
        yield self.v1 == [0.0] * self.N
        yield self.v == self.polynomial(self.i1)


class PolynomialCCC(PolynomialSource):
    """Current given by a polynomial of currents: i = c0 + c1 i1[0] + ... (F with POLY)."""

    def equations(self) -> Statements:
        yield self.v1 == [0.0] * self.N
        yield self.i == self.polynomial(self.i1)
