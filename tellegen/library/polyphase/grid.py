"""The grid: a three-phase source with an impedance, specified by its nameplate.

    e[k] = sqrt(2/3) V (1 + dV) unbalance[k] sin(phi - 2 pi k/3)          dphi/dt = 2 pi (f + df)

The lines are at plug_p, the neutral at pin_n. With `use_impedance` they are in series with R and L of every phase, by
default those of the short-circuit power S_sc at the ratio X/R. The signals dV and df change voltage and frequency while
the model runs: steps, dips, swings. Left open they are zero.
"""

from __future__ import annotations

import math

import tellegen as tg
from tellegen.library.electrical import Pin
from tellegen.library.polyphase.interfaces import Plug, Statements, lag

AMPLITUDE = math.sqrt(2.0 / 3.0)


class Grid(tg.Component):
    """Three phases of a grid with the rms voltage V between lines: plug_p.v = pin_n.v + e + R i + L di/dt.

    i is the current into plug_p, so a load that draws current lowers the voltage. The neutral pin_n is grounded by the
    user, directly or through an impedance. What R turns into heat is lost far away: there is no heat port.
    """

    use_impedance = tg.parameter(False, structural=True, description="R and L between source and lines")
    V = tg.parameter(400.0, "V", "rms voltage between lines", min=0.0)
    f = tg.parameter(50.0, "Hz", "frequency")
    phase = tg.parameter(0.0, "rad", "angle of phase 1 at time 0")
    unbalance = tg.parameter(1.0, "1", "factors of the three phases; all 1 in a balanced grid", shape=3)
    S_sc = tg.parameter(1e6, "V.A", "short-circuit power at V", min=1e-300)
    X_R = tg.parameter(10.0, "1", "reactance over resistance of the impedance", min=0.0)
    R = tg.parameter(V**2 / S_sc / tg.sqrt(1.0 + X_R**2), "ohm", "resistance of a phase", min=0.0)
    L = tg.parameter(X_R * R / (2.0 * tg.pi * f), "H", "inductance of a phase", min=0.0)
    plug_p = Plug.array(3, "lines")
    pin_n = Pin("neutral")
    dV = tg.input("1", "relative change of the voltage", default=0.0)
    df = tg.input("Hz", "change of the frequency", default=0.0)
    e = tg.variable("V", "internal voltages of the source", shape=3)
    phi = tg.variable("rad", "angle of phase 1: e[0] has the sign of sin(phi)", start=phase, fixed=True)
    i = tg.variable("A", "currents into the lines, positive into the grid", shape=3)

    def equations(self) -> Statements:
        height = AMPLITUDE * self.V * (1.0 + self.dV)
        behind = [-angle for angle in lag(3)]
        yield self.e == height * self.unbalance * tg.sin(self.phi + behind)
        yield tg.der(self.phi) == 2.0 * tg.pi * (self.f + self.df)
        yield self.i == self.plug_p.i
        drop = self.R * self.i + self.L * tg.der(self.i) if self.use_impedance else 0.0
        yield self.plug_p.v == self.pin_n.v + self.e + drop
        yield tg.sum(self.plug_p.i) + self.pin_n.i == 0
