"""One component object under two names of a class."""

from stock import Ground, Resistor, Source

import tellegen as tg

r = Resistor(R=10.0)


class Divider(tg.Component):
    source = Source()
    upper = r
    lower = r
    ground = Ground()

    def connections(self):
        yield self.source.p, self.upper.p
        yield self.upper.n, self.lower.p
        yield self.source.n, self.lower.n, self.ground.p


tg.flatten(Divider())
