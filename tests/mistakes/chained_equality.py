"""Two equations written as one."""

from stock import Pin

import tellegen as tg


class Joint(tg.Component):
    a = Pin()
    b = Pin()
    c = Pin()

    def equations(self):
        yield self.a.v == self.b.v == self.c.v
        yield self.a.i + self.b.i + self.c.i == 0


tg.flatten(Joint())
