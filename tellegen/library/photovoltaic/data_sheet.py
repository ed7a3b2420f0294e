"""From a data sheet to the single-diode model.

For a given ideality N and series resistance Rs the characteristic is linear in Iph, I0 and 1/Rsh. Three points of it
are known (short circuit, open circuit, maximum power), so these follow from three linear equations. The power has its
maximum at the third point for one Rs, found by bisection. That is the idea of M. G. Villalva, J. R. Gazoli and E. R.
Filho, IEEE Transactions on Power Electronics 24 (2009) 1198-1208, without their iteration.
"""

from __future__ import annotations

import math

import numpy as np

import tellegen as tg

THERMAL = 1.380649e-23 / 1.602176634e-19 * 298.15
TRIALS = 400
IDEALITIES = (1.1, 1.05, 1.0, 0.95, 0.9, 0.85, 0.8)

Sheet = tuple[float, float, float, float]


def single_diode(sheet: Sheet, Ns: float, N: float | None = None) -> dict[str, float]:
    """Iph_ref, I0_ref, Rs, Rsh and N of a module whose data sheet says (Voc, Isc, Vmp, Imp)."""
    Voc, Isc, Vmp, Imp = sheet
    if not (0.0 < Vmp < Voc and 0.0 < Imp < Isc):
        what = f"Vmp = {Vmp} and Imp = {Imp} are not a point of a module with Voc = {Voc} and Isc = {Isc}"
        raise tg.DataError("E704", what, advice="0 < Vmp < Voc and 0 < Imp < Isc")
    for ideality in IDEALITIES if N is None else (float(N),):
        if found := _resistances(sheet, ideality * Ns * THERMAL):
            return {**found, "N": ideality}
    tried = f"N = {N}" if N is not None else f"N from {IDEALITIES[0]} to {IDEALITIES[-1]}"
    what = f"no series and shunt resistance give this maximum of power with the ideality {tried}"
    raise tg.DataError("E704", what, advice="another N, mostly a smaller one: from 0.9 to 1.5")


def _resistances(sheet: Sheet, a: float) -> dict[str, float] | None:
    """The numbers for one a = N Ns k T/q; None if they would have to be negative."""
    from scipy.optimize import brentq  # takes a while to import, and few models need it

    Voc, _, Vmp, Imp = sheet
    trials = np.linspace(0.0, 0.999 * (Voc - Vmp) / Imp, TRIALS)  # at the end two points would be one
    slopes = [_slope(sheet, a, float(Rs)) for Rs in trials]
    for k in range(TRIALS - 1):
        if slopes[k] * slopes[k + 1] < 0.0:
            Rs = float(brentq(lambda x: _slope(sheet, a, x), trials[k], trials[k + 1], xtol=1e-14))  # type: ignore[arg-type]
            Iph, I0, shunt = _linear(sheet, a, Rs)
            if I0 > 0.0 and shunt > 0.0:
                return {"Iph_ref": Iph, "I0_ref": I0, "Rs": Rs, "Rsh": 1.0 / shunt}
    return None


def _linear(sheet: Sheet, a: float, Rs: float) -> tuple[float, float, float]:
    """Iph, I0 and the conductance of the shunt through the three points."""
    Voc, Isc, Vmp, Imp = sheet
    rows = []
    currents = []
    for v, i in ((0.0, Isc), (Voc, 0.0), (Vmp, Imp)):
        junction = v + Rs * i
        rows.append([1.0, math.exp(-Voc / a) - math.exp((junction - Voc) / a), -junction])
        currents.append(i)
    light, scaled, shunt = np.linalg.solve(np.array(rows), np.array(currents))
    return float(light), float(scaled) * math.exp(-Voc / a), float(shunt)


def _slope(sheet: Sheet, a: float, Rs: float) -> float:
    """dP/dV at the point of maximum power: zero for the right Rs."""
    Vmp = sheet[2]
    Imp = sheet[3]
    _, I0, shunt = _linear(sheet, a, Rs)
    g = I0 / a * math.exp((Vmp + Rs * Imp) / a) + shunt
    return Imp - Vmp * g / (1.0 + g * Rs)
