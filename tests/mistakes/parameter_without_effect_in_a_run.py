"""A diode that was made without resistance gets one in a run."""

import tellegen as tg
from tellegen.library import electrical as el


class Rectifier(tg.Component):
    source = el.SineVoltage(V=10.0, f=50.0)
    diode = el.Diode()
    load = el.Resistor(R=100.0)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.diode.p
        yield self.diode.n, self.load.p
        yield self.load.n, self.source.n, self.ground.p


tg.simulate(Rectifier(), stop="20 ms", parameters={"diode.Rs": 0.5})
