"""range() of a parameter that is not structural."""

import tellegen as tg


class Polynomial(tg.Component):
    n = tg.parameter(3)
    u = tg.input("1")
    y = tg.output("1")

    def equations(self):
        yield self.y == sum(self.u**k for k in range(self.n))


tg.flatten(Polynomial())
