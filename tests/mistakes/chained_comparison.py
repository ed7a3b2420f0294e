"""`0 < x < 1`."""

import tellegen as tg


class Valve(tg.Component):
    x = tg.input("1")
    y = tg.output("1")

    def equations(self):
        yield self.y == tg.where(0 < self.x < 1, self.x, 0.0)


tg.flatten(Valve())
