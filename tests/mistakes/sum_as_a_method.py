"""NumPy's method on a vector."""

import tellegen as tg


class Total(tg.Component):
    x = tg.input("W", shape=3)
    y = tg.output("W")

    def equations(self):
        yield self.y == self.x.sum()


tg.flatten(Total())
