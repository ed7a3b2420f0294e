"""A parameter assigned at an event."""

import tellegen as tg


class Ball(tg.Component):
    h = tg.variable("m", start=1.0)
    e = tg.parameter(0.8)

    def equations(self):
        yield tg.der(self.h) == -1.0
        yield tg.when(self.h < 0, self.e == 0.5)


tg.flatten(Ball())
