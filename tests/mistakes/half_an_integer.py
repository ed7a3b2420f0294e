"""An integer is given a half."""

import tellegen as tg


class Gearbox(tg.Component):
    w = tg.variable(start=0.0, fixed=True)
    gear = tg.integer(start=1)

    def equations(self):
        yield tg.der(self.w) == 1.0
        yield tg.when(self.w > 0.5, self.gear == 1.5)


tg.flatten(Gearbox())
