"""A boolean is given a number."""

import tellegen as tg


class Fuse(tg.Component):
    i = tg.variable(start=1.0)
    tripped = tg.boolean()

    def equations(self):
        yield tg.der(self.i) == -self.i
        yield self.tripped == self.i - 10.0


tg.simulate(Fuse(), stop=1.0)
