"""Native dense output of an explicit step: a polynomial of order 4 through its ends (see `interpolate`)."""

from __future__ import annotations

from tellegen.engine.runtime.coefficients.dormand_prince_tableau import D
from tellegen.engine.runtime.one_step.rk_record import RkRun
from tellegen.procedures.language import f64, procedure


@procedure
def rk_dense(run: RkRun, h: f64) -> None:
    """The five vectors of the interpolating polynomial of the step just made."""
    n = run.count
    x = run.x
    trial = run.trial
    k1 = run.k
    k3 = k1[2 * n :]
    k4 = k3[n:]
    k5 = k4[n:]
    k6 = k5[n:]
    k7 = k6[n:]
    d1 = run.dense
    d2 = d1[n:]
    d3 = d2[n:]
    d4 = d3[n:]
    d5 = d4[n:]
    for i in range(n):
        change = trial[i] - x[i]
        bend = h * k1[i] - change
        rest = D[0] * k1[i] + D[2] * k3[i] + D[3] * k4[i] + D[4] * k5[i] + D[5] * k6[i] + D[6] * k7[i]
        d1[i] = x[i]
        d2[i] = change
        d3[i] = bend
        d4[i] = change - h * k7[i] - bend
        d5[i] = h * rest
