"""Half a cell."""

import tellegen as tg


class Rod(tg.Component):
    n = tg.parameter(4, structural=True)
    T = tg.variable("K", shape=n)

    def equations(self):
        yield tg.der(self.T) == 0.0


tg.flatten(Rod(n=4.5))
