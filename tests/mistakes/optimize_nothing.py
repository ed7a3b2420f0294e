"""A search with nothing to vary."""

import tellegen as tg


class Cooling(tg.Component):
    T = tg.variable("K", start=350.0, fixed=True)
    tau = tg.parameter(5.0, "s")

    def equations(self):
        yield self.tau * tg.der(self.T) == 300.0 - self.T


tg.optimize(Cooling(), stop=1.0, minimize=tg.final("T"))
