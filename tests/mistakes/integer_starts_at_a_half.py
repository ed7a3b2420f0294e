"""The start value of an integer is a half."""

import tellegen as tg


class Counter(tg.Component):
    n = tg.integer(start=0.5)

    def equations(self):
        yield tg.when(tg.time > 1.0, self.n == 3)


tg.flatten(Counter())
