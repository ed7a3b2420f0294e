"""pre() of an expression."""

import tellegen as tg


class Ball(tg.Component):
    h = tg.variable("m", start=1.0)
    v = tg.variable("m/s")

    def equations(self):
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -9.81
        yield tg.when(self.h < 0, tg.reinit(self.v, tg.pre(-0.8 * self.v)))


tg.flatten(Ball())
