"""A tolerance below zero."""

import tellegen as tg
from tellegen.library import electrical as el


class LowPass(tg.Component):
    source = el.ConstantVoltage(V=1.0)
    r = el.Resistor(R=1e3)
    c = el.Capacitor(C=1e-6, v=tg.variable(start=0.0, fixed=True))
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.r.n, self.c.p
        yield self.c.n, self.source.n, self.ground.p


tg.robustness(LowPass(), 1e-3, of=tg.final("c.v"), tolerances={"r.R": "-5 %"})
