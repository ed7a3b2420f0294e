"""A variable with two masters."""

import tellegen as tg


class Counter(tg.Component):
    n = tg.integer()

    def equations(self):
        yield tg.when(tg.sample(0, 1), self.n == tg.pre(self.n) + 1)
        yield tg.when(tg.time > 10, self.n == 0)


tg.flatten(Counter())
