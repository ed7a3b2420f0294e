"""The value of an input with a default is read from outside: the equation counts as the one that determines it."""

import tellegen as tg


class Gain(tg.Component):
    u = tg.input("1", default=2.0)
    y = tg.output("1")

    def equations(self):
        yield self.y == 3.0 * self.u


class Pair(tg.Component):
    gains = Gain.array(2)


class Top(tg.Component):
    pair = Pair()
    z = tg.variable("1")

    def equations(self):
        yield self.z == 2.0 * self.pair.gains[1].u


tg.simulate(Top(), stop=1.0)
