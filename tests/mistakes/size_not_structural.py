"""An ordinary parameter as the size of an array."""

import tellegen as tg


class Rod(tg.Component):
    n = tg.parameter(4)
    T = tg.variable("K", shape=n)

    def equations(self):
        yield tg.der(self.T) == 0.0


tg.flatten(Rod())
