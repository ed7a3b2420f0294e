"""Two equations behind one yield."""

import tellegen as tg


class Pair(tg.Component):
    a = tg.variable("V")
    b = tg.variable("V")

    def equations(self):
        yield self.a == 1.0, self.b == 2.0


tg.flatten(Pair())
