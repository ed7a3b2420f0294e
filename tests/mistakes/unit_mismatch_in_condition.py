"""A time compared with a length."""

import tellegen as tg


class Ball(tg.Component):
    h = tg.variable("m", start=1.0)
    bounces = tg.integer()

    def equations(self):
        yield tg.der(self.h) == -1.0
        yield tg.when(self.h < tg.time, self.bounces == tg.pre(self.bounces) + 1)


tg.flatten(Ball())
