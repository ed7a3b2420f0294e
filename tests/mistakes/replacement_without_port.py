"""A replacement that lacks a port."""

from stock import Ground, Resistor, Source

import tellegen as tg


class Circuit(tg.Component):
    source = Source()
    load = Resistor()
    ground = Ground()

    def connections(self):
        yield self.source.p, self.load.p
        yield self.source.n, self.load.n, self.ground.p


Circuit(load=Ground())
