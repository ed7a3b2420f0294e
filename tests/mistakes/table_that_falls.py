"""A table whose places do not rise."""

import tellegen as tg


class Curve(tg.Component):
    x = tg.input("1")
    y = tg.output("1")

    def equations(self):
        yield self.y == tg.interpolate(self.x, [0.0, 2.0, 1.0], [1.0, 2.0, 3.0])


tg.flatten(Curve())
