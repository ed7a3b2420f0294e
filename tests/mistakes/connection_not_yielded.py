"""One connection of several without its yield."""

from stock import Ground, Resistor, Source

import tellegen as tg


class Circuit(tg.Component):
    source = Source()
    load = Resistor()
    ground = Ground()

    def connections(self):
        yield self.source.p, self.load.p
        self.source.n, self.load.n
        yield self.source.n, self.ground.p


tg.flatten(Circuit())
