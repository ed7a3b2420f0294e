"""Writes der for tg.der."""

import tellegen as tg


class Tank(tg.Component):
    x = tg.variable(start=0.0, fixed=True)

    def equations(self):
        yield der(self.x) == 1.0


tg.simulate(Tank(), 1.0)
