"""How long is left out."""

import tellegen as tg


class Tank(tg.Component):
    h = tg.variable(start=1.0, fixed=True)

    def equations(self):
        yield tg.der(self.h) == -self.h


tg.simulate(Tank())
