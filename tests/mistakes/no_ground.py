"""A circuit without a reference."""

from stock import Resistor, Source

import tellegen as tg


class Circuit(tg.Component):
    source = Source()
    load = Resistor()

    def connections(self):
        yield self.source.p, self.load.p
        yield self.source.n, self.load.n


tg.flatten(Circuit())
