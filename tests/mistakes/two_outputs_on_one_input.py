"""An input with two masters."""

from stock import Gain

import tellegen as tg


class Mixer(tg.Component):
    left = Gain(u=1.0)
    right = Gain(u=2.0)
    amplifier = Gain()

    def connections(self):
        yield self.left.y, self.amplifier.u
        yield self.right.y, self.amplifier.u


tg.flatten(Mixer())
