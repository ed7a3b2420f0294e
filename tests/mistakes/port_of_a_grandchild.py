"""A connection that reaches through a component."""

from stock import Ground, Resistor, Source

import tellegen as tg


class Load(tg.Component):
    inner = Resistor()


class Circuit(tg.Component):
    source = Source()
    load = Load()
    ground = Ground()

    def connections(self):
        yield self.source.p, self.load.inner.p
        yield self.source.n, self.load.inner.n, self.ground.p


tg.flatten(Circuit())
