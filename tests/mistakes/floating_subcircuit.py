"""A subcircuit whose inside floats although the rest is grounded."""

from stock import Ground, Resistor, Source

import tellegen as tg


class Isolated(tg.Component):
    battery = Source()
    lamp = Resistor()

    def connections(self):
        yield self.battery.p, self.lamp.p
        yield self.battery.n, self.lamp.n


class House(tg.Component):
    mains = Source()
    heater = Resistor()
    torch = Isolated()
    ground = Ground()

    def connections(self):
        yield self.mains.p, self.heater.p
        yield self.mains.n, self.heater.n, self.ground.p


tg.flatten(House())
