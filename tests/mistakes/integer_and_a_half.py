"""An integer is counted up by a half."""

import tellegen as tg


class Counter(tg.Component):
    x = tg.variable(start=0.0, fixed=True)
    n = tg.integer()

    def equations(self):
        yield tg.der(self.x) == 1.0
        yield tg.when(self.x > 1.0, self.n == tg.pre(self.n) + 0.5)


tg.flatten(Counter())
