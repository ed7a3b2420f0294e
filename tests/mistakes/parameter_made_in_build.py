"""A variable assigned in build()."""

import tellegen as tg


class Rod(tg.Component):
    n = tg.parameter(4, structural=True)

    def build(self):
        self.T = tg.variable("K", shape=self.n)

    def equations(self):
        yield tg.der(self.T) == 0.0


tg.flatten(Rod())
