"""A when that is written but not yielded."""

import tellegen as tg


class Ball(tg.Component):
    h = tg.variable("m", start=1.0)
    v = tg.variable("m/s")

    def equations(self):
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -9.81
        tg.when(self.h < 0, tg.reinit(self.v, -0.8 * tg.pre(self.v)))


tg.flatten(Ball())
