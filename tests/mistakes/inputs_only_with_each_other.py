"""Two inputs connected, and no output."""

from stock import Gain

import tellegen as tg


class Pair(tg.Component):
    left = Gain()
    right = Gain()

    def connections(self):
        yield self.left.u, self.right.u


tg.flatten(Pair())
