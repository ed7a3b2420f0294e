"""An equation among the connections."""

from stock import Ground, Source

import tellegen as tg


class Circuit(tg.Component):
    source = Source()
    ground = Ground()

    def connections(self):
        yield self.source.n.v == self.ground.p.v


tg.flatten(Circuit())
