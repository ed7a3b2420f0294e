"""Three start values for four cells."""

import tellegen as tg


class Rod(tg.Component):
    n = tg.parameter(4, structural=True)
    T = tg.variable("K", "temperature", shape=n)
    k = tg.parameter([1.0, 2.0, 3.0], "1/s", shape=n)

    def equations(self):
        yield tg.der(self.T) == -self.k * self.T


tg.flatten(Rod())
