"""The time derivative of a counter."""

import tellegen as tg


class Counter(tg.Component):
    n = tg.integer("events so far")
    rate = tg.variable("1/s")

    def equations(self):
        yield tg.when(tg.sample(0, 1), self.n == tg.pre(self.n) + 1)
        yield self.rate == tg.der(self.n)


tg.flatten(Counter())
