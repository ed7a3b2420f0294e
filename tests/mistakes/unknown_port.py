"""A port that does not exist."""

from stock import Ground, Resistor, Source

import tellegen as tg


class Circuit(tg.Component):
    source = Source()
    load = Resistor()
    ground = Ground()

    def connections(self):
        yield self.source.plus, self.load.p
        yield self.source.n, self.load.n, self.ground.p


tg.flatten(Circuit())
