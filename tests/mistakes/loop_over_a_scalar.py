"""A for loop over a scalar."""

import tellegen as tg


class Sum(tg.Component):
    u = tg.input("1")
    y = tg.output("1")

    def equations(self):
        yield self.y == sum(u for u in self.u)


tg.flatten(Sum())
