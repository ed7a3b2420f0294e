"""The heat port was asked for and forgotten."""

import tellegen as tg
from tellegen.library import electrical as el


class Heater(tg.Component):
    source = el.ConstantVoltage(V=12.0)
    r = el.Resistor(R=10.0, use_heat_port=True)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.source.n, self.r.n, self.ground.p


tg.flatten(Heater())
