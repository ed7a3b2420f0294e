"""A speed given to an input that is a voltage."""

from stock import Gain

import tellegen as tg


class Tacho(tg.Component):
    w = tg.output("rad/s")

    def equations(self):
        yield self.w == 3.0


class Loop(tg.Component):
    tacho = Tacho()
    amplifier = Gain()

    def connections(self):
        yield self.tacho.w, self.amplifier.u


tg.flatten(Loop())
