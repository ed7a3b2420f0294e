"""`=` to a variable of a port."""

from stock import Pin

import tellegen as tg


class Ground(tg.Component):
    p = Pin()

    def equations(self):
        self.p.v = 0.0
        yield self.p.v == 0


tg.flatten(Ground())
