"""A system of interfaces without a default is simulated as it is."""

from stock import Ground, LoadInterface, Source

import tellegen as tg


class Circuit(tg.Component):
    source = Source()
    load = LoadInterface()
    ground = Ground()

    def connections(self):
        yield self.source.p, self.load.p
        yield self.source.n, self.load.n, self.ground.p


tg.simulate(Circuit(), stop=1.0)
