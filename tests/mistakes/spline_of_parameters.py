"""A spline through points that are ordinary parameters."""

import tellegen as tg


class Curve(tg.Component):
    xs = tg.parameter([0.0, 1.0, 2.0])
    ys = tg.parameter([1.0, 4.0, 2.0])
    x = tg.input("1")
    y = tg.output("1")

    def equations(self):
        yield self.y == tg.interpolate(self.x, self.xs, self.ys, kind="cubic")


tg.flatten(Curve())
