"""Calls the derivative what another program calls it."""

import tellegen as tg


class Tank(tg.Component):
    x = tg.variable(start=0.0, fixed=True)

    def equations(self):
        yield tg.ddt(self.x) == 1.0


tg.simulate(Tank(), 1.0)
