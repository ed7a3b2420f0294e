"""A variable given by an equation and by an event."""

import tellegen as tg


class Valve(tg.Component):
    opening = tg.variable("1")

    def equations(self):
        yield self.opening == 0.5
        yield tg.when(tg.time > 2, self.opening == 1.0)


tg.flatten(Valve())
