"""A parameter as a signal: it is one number in a run."""

import tellegen as tg


class Tank(tg.Component):
    h = tg.variable(start=1.0, fixed=True)
    inflow = tg.input()
    k = tg.parameter(2.0)

    def equations(self):
        yield tg.der(self.h) == self.inflow - self.k * self.h


tg.optimize(Tank(), stop=1.0, minimize=tg.rms("h"), variables={"k": tg.piecewise(10, 0.0, 1.0)})
