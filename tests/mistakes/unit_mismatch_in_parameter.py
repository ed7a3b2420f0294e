"""A time constant that is a resistance."""

import tellegen as tg


class Filter(tg.Component):
    R = tg.parameter(1e3, "ohm")
    C = tg.parameter(1e-6, "F")
    T = tg.parameter(R / C, "s", "time constant")
    u = tg.input("V")
    y = tg.output("V")

    def equations(self):
        yield self.T * tg.der(self.y) == self.u - self.y


tg.flatten(Filter())
