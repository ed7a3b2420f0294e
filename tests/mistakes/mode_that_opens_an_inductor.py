"""An ideal switch that interrupts the current of an inductor: the number of states would change."""

import tellegen as tg
from tellegen.library import electrical as el


class Switch(el.OnePort):
    def equations(self):
        yield tg.modes(
            tg.mode("closed", self.v == 0),
            tg.mode("open", self.i == 0),
            tg.transition("closed", "open", tg.time > 1.0),
        )


class Circuit(tg.Component):
    source = el.ConstantVoltage(V=5.0)
    switch = Switch()
    coil = el.Inductor(L=0.1, i=tg.variable(start=0.0, fixed=True))
    r = el.Resistor(R=10.0)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.switch.p
        yield self.switch.n, self.coil.p
        yield self.coil.n, self.r.p
        yield self.r.n, self.source.n, self.ground.p


tg.compile(Circuit())
