"""The time derivative of a parameter."""

import tellegen as tg


class Tank(tg.Component):
    h = tg.parameter(1.0, "m", "level")
    q = tg.variable("m/s")

    def equations(self):
        yield tg.der(self.h) == self.q


tg.flatten(Tank())
