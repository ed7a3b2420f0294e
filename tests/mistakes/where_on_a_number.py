"""A condition that is a number."""

import tellegen as tg


class Valve(tg.Component):
    x = tg.variable(start=1.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == tg.where(self.x, -1.0, 0.0)


tg.flatten(Valve())
