"""Between phasors and direct current."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.electrical import Pin
from tellegen.library.quasi_static.interfaces import PhasorPin, Statements, current, potential
from tellegen.library.quasi_static.phasors import active_power, reactive_power, zero


class IdealACDCConverter(tg.Component):
    """v_dc = conversion_factor |v_ac|, without losses and reactive power: P_ac + v_dc i_dc = 0, Q_ac = 0."""

    conversion_factor = tg.parameter(1.0, "1", "direct voltage over the effective value of the AC voltage", min=1e-300)
    ac_p = PhasorPin.array(1, "positive AC terminal")
    ac_n = PhasorPin.array(1, "negative AC terminal")
    dc_p = Pin("positive DC pin")
    dc_n = Pin("negative DC pin")

    def equations(self) -> Statements:
        v = potential(self.ac_p) - potential(self.ac_n)
        i = current(self.ac_p)
        v_dc = self.dc_p.v - self.dc_n.v
        yield from zero(i + current(self.ac_n), 1)
        yield self.dc_p.i + self.dc_n.i == 0
        yield v_dc == self.conversion_factor * v[0].absolute()
        yield active_power(v, i) + v_dc * self.dc_p.i == 0
        yield reactive_power(v, i) == 0
