"""A quantity text inside an equation."""

import tellegen as tg


class Ball(tg.Component):
    v = tg.variable("m/s")

    def equations(self):
        yield tg.der(self.v) == "-9.81 m/s2"


tg.flatten(Ball())
