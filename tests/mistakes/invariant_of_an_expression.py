"""An invariant written as an expression."""

import tellegen as tg


class Circle(tg.Component):
    x = tg.variable("m", start=1.0)
    y = tg.variable("m", start=0.0)

    def equations(self):
        yield tg.der(self.x) == -self.y
        yield tg.der(self.y) == self.x
        yield tg.invariant(self.x**2 + self.y**2 - 1.0, {self.x: 2.0 * self.x, self.y: 2.0 * self.y})


tg.flatten(Circle())
