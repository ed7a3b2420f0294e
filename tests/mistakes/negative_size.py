"""A vector of minus two elements."""

import tellegen as tg


class Rod(tg.Component):
    n = tg.parameter(1, structural=True)
    T = tg.variable("K", shape=n - 3)

    def equations(self):
        yield tg.der(self.T) == 0.0


tg.flatten(Rod())
