"""A when on a number instead of a condition."""

import tellegen as tg


class Ball(tg.Component):
    h = tg.variable("m", start=1.0)

    def equations(self):
        yield tg.der(self.h) == -1.0
        yield tg.when(self.h, tg.reinit(self.h, 1.0))


tg.flatten(Ball())
