"""An input nothing is connected to."""

from stock import Gain

import tellegen as tg


class Chain(tg.Component):
    first = Gain()
    second = Gain()

    def connections(self):
        yield self.first.y, self.second.u


tg.flatten(Chain())
