"""A power as in other languages."""

import tellegen as tg


class Drag(tg.Component):
    v = tg.variable("m/s", start=1.0)
    k = tg.parameter(0.1, "1/m")

    def equations(self):
        yield tg.der(self.v) == -self.k * self.v ^ 2


tg.flatten(Drag())
