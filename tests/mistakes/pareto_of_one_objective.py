"""A front of a single objective."""

import tellegen as tg


class Tank(tg.Component):
    h = tg.variable(start=1.0, fixed=True)
    k = tg.parameter(2.0)

    def equations(self):
        yield tg.der(self.h) == -self.k * self.h


tg.pareto(Tank(), stop=1.0, minimize=tg.final("h"), variables={"k": (1.0, 10.0)})
