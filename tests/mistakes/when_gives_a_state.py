"""A state is assigned where it should be restarted."""

import tellegen as tg


class Counter(tg.Component):
    x = tg.variable(start=0.0, fixed=True)
    n = tg.integer("passages")

    def equations(self):
        yield tg.der(self.x) == 1.0
        yield tg.when(self.x > 0.5, self.x == 0.0, self.n == tg.pre(self.n) + 1)


tg.flatten(Counter())
