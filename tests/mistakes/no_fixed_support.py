"""A chain of springs held nowhere."""

from stock import Spring

import tellegen as tg


class Chain(tg.Component):
    first = Spring()
    second = Spring()

    def connections(self):
        yield self.first.b, self.second.a


tg.flatten(Chain())
