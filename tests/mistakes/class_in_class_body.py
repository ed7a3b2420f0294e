"""A class in a class body instead of an instance."""

from stock import Ground, Resistor

import tellegen as tg


class Circuit(tg.Component):
    load = Resistor
    ground = Ground()

    def connections(self):
        yield self.load.n, self.ground.p


tg.flatten(Circuit())
