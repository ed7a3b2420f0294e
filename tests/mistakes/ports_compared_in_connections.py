"""Ports compared instead of connected."""

from stock import Ground, Source

import tellegen as tg


class Circuit(tg.Component):
    source = Source()
    ground = Ground()

    def connections(self):
        yield self.source.n == self.ground.p


tg.flatten(Circuit())
