"""A kind of interpolation that does not exist."""

import tellegen as tg


class Curve(tg.Component):
    x = tg.input("1")
    y = tg.output("1")

    def equations(self):
        yield self.y == tg.interpolate(self.x, [0.0, 1.0], [1.0, 2.0], kind="quadratic")


tg.flatten(Curve())
