"""Two-ports: windings that share their flux, coupled inductors and transformers, from ideal to lossy; a line.

The dots of a circuit diagram are the pins p: currents into the dots add to the common flux when M > 0.

    Transformer          two windings with L1, L2 and M
    CoupledInductors     N windings with an inductance matrix; the K of netlists
    IdealTransformer     v1 = n v2, no flux needed; with a magnetizing inductance if wanted
    LossyTransformer     resistances of the windings, leakage, magnetizing inductance and core losses
    TLine                waves between two ends

The energy of the field, sum of L_jk i_j i_k / 2, must be positive for all currents, or the windings were a source of
energy. So |M| < sqrt(L1 L2): a coupling of exactly 1 determines only a sum of the currents, not each of them; for that
limit take an IdealTransformer with `consider_magnetization`.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import tellegen as tg
from tellegen.library.electrical.interfaces import Pin, Statements, TwoPort
from tellegen.library.losses import Lossy

MOST_WINDINGS_ELIMINATED = 5


class Transformer(TwoPort):
    """Two coupled inductors: v1 = L1 di1/dt + M di2/dt, v2 = M di1/dt + L2 di2/dt."""

    L1 = tg.parameter(1.0, "H", "inductance of winding 1", min=0.0)
    L2 = tg.parameter(1.0, "H", "inductance of winding 2", min=0.0)
    M = tg.parameter(0.5, "H", "mutual inductance; k sqrt(L1 L2) for a coupling factor k between -1 and 1")

    def equations(self) -> Statements:
        yield self.v1 == self.L1 * tg.der(self.i1) + self.M * tg.der(self.i2)
        yield self.v2 == self.M * tg.der(self.i1) + self.L2 * tg.der(self.i2)
        yield tg.assert_(self.M * self.M < self.L1 * self.L2, "M must be below sqrt(L1 L2)")  # noqa: PT009


class CoupledInductors(tg.Component):
    """N windings between p[k] and n[k] with an inductance matrix: v = L di/dt.

    L[j][k] with j != k is a mutual inductance, k_jk sqrt(L_jj L_kk) for the coupling factor k_jk (K of a netlist). The
    matrix is symmetric and positive definite; anything else is an error when a run begins (with more than five windings
    only the pairs are checked).
    """

    N = tg.parameter(2, structural=True, description="number of windings, found from the matrix", min=1)
    p = Pin.array(N, "positive pins, the dots")
    n = Pin.array(N, "negative pins")
    L = tg.parameter(None, "H", "inductances, mutual ones beside the diagonal", shape=(N, N))
    v = tg.variable("V", "voltage drops from p to n", shape=N)
    i = tg.variable("A", "currents from p to n", shape=N)

    def __init__(self, *unnamed: Any, **given: Any) -> None:
        if hasattr(given.get("L"), "__len__"):
            given.setdefault("N", len(given["L"]))
        super().__init__(*unnamed, **given)

    def equations(self) -> Statements:
        yield self.v == self.p.v - self.n.v
        yield self.i == self.p.i
        yield self.p.i + self.n.i == [0.0] * self.N
        yield self.v == self.L @ tg.der(self.i)
        for j, k in combinations(range(self.N), 2):
            difference = abs(self.L[j, k] - self.L[k, j])
            yield tg.assert_(difference <= 1e-9 * abs(self.L[j, k]), "the inductances must be symmetric")  # noqa: PT009
        for pivot in self.pivots():
            yield tg.assert_(pivot > 0, "the inductances must be a positive definite matrix")  # noqa: PT009

    def pivots(self) -> list[Any]:
        """Pivots of Gauss elimination: a symmetric matrix is positive definite just if all of them are positive.

        The text of the last one grows like 4^N. For many windings only each pair is looked at, which is necessary.
        """
        if self.N > MOST_WINDINGS_ELIMINATED:
            pairs = combinations(range(self.N), 2)
            return [self.L[j, j] * self.L[k, k] - self.L[j, k] ** 2 for j, k in pairs]
        rows = [[self.L[j, k] for k in range(self.N)] for j in range(self.N)]
        for done in range(self.N):
            for j in range(done + 1, self.N):
                factor = rows[j][done] / rows[done][done]
                rows[j] = [a - factor * b for a, b in zip(rows[j], rows[done], strict=True)]
        return [rows[k][k] for k in range(self.N)]


class IdealTransformer(TwoPort):
    """v1 = n v2 and i2 = -n (i1 - im1): transforms voltages and currents of any frequency, without losses.

    With `consider_magnetization` the current im1 through the inductance Lm1, Lm1 dim1/dt = v1, magnetizes the core;
    without it im1 is zero and constant voltages are transformed as well.
    """

    consider_magnetization = tg.parameter(False, structural=True, description="the core takes a magnetizing current")
    n = tg.parameter(1.0, "1", "turns of winding 1 over turns of winding 2")
    Lm1 = tg.parameter(1.0, "H", "magnetizing inductance seen from port 1", min=0.0)
    im1 = tg.variable("A", "magnetizing current seen from port 1")

    def equations(self) -> Statements:
        yield self.v1 == self.n * self.v2
        yield self.i2 == -self.n * (self.i1 - self.im1)
        if self.consider_magnetization:
            yield self.v1 == self.Lm1 * tg.der(self.im1)
        else:
            yield self.im1 == 0


class LossyTransformer(Lossy, TwoPort):
    """The T equivalent circuit: resistance and leakage of each winding, a magnetizing inductance and core losses.

        v1 = R1 i1 + L1sigma di1/dt + v_m          v_m: voltage that the common flux induces in winding 1
        v2 = R2 i2 + L2sigma di2/dt + v_m/n
        v_m = Lm1 dim1/dt,   im1 + Gc v_m = i1 + i2/n

    Gc v_m is the current of the core losses (eddy currents and hysteresis as a conductance, seen from port 1). Without
    core_losses there is none, and one state less: three inductors meet in one node.
    """

    core_losses = tg.parameter(True, structural=True, description="core losses; without them Gc is not used")
    n = tg.parameter(1.0, "1", "turns of winding 1 over turns of winding 2")
    R1 = tg.parameter(0.1, "ohm", "resistance of winding 1", min=0.0)
    R2 = tg.parameter(0.1, "ohm", "resistance of winding 2", min=0.0)
    L1sigma = tg.parameter(1e-3, "H", "leakage inductance of winding 1", min=0.0)
    L2sigma = tg.parameter(1e-3, "H", "leakage inductance of winding 2", min=0.0)
    Lm1 = tg.parameter(1.0, "H", "magnetizing inductance seen from port 1", min=0.0)
    Gc = tg.parameter(1e-3, "S", "conductance of the core losses seen from port 1, or core_losses=False", min=1e-300)
    v_m = tg.variable("V", "voltage induced in winding 1 by the common flux")
    im1 = tg.variable("A", "magnetizing current seen from port 1")

    def losses(self) -> Any:
        copper = self.R1 * self.i1**2 + self.R2 * self.i2**2
        return copper + self.Gc * self.v_m**2 if self.core_losses else copper

    def equations(self) -> Statements:
        yield self.v1 == self.R1 * self.i1 + self.L1sigma * tg.der(self.i1) + self.v_m
        yield self.v2 == self.R2 * self.i2 + self.L2sigma * tg.der(self.i2) + self.v_m / self.n
        yield self.v_m == self.Lm1 * tg.der(self.im1)
        excitation = self.im1 + self.Gc * self.v_m if self.core_losses else 1.0 * self.im1
        yield excitation == self.i1 + self.i2 / self.n


class Gyrator(TwoPort):
    """i1 = G2 v2 and i2 = -G1 v1: a capacitor at one port is an inductor at the other. Lossless if G1 = G2."""

    G1 = tg.parameter(1.0, "S", "gyration conductance from port 1 to port 2")
    G2 = tg.parameter(1.0, "S", "gyration conductance from port 2 to port 1")

    def equations(self) -> Statements:
        yield self.i1 == self.G2 * self.v2
        yield self.i2 == -self.G1 * self.v1
