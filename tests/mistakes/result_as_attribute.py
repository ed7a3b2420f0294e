"""Reads a curve as an attribute of the solution."""

from stock import Capacitor, Ground, Resistor, Source

import tellegen as tg


class Filter(tg.Component):
    source = Source()
    r = Resistor()
    c = Capacitor(v=tg.variable(start=0.0, fixed=True))
    ground = Ground()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.r.n, self.c.p
        yield self.source.n, self.c.n, self.ground.p


solution = tg.simulate(Filter(), stop=1.0)
print(solution.c.v)
