"""A vector of three equal to one of four."""

import tellegen as tg


class Rod(tg.Component):
    T = tg.variable("K", shape=4)
    Q = tg.variable("K", shape=3)

    def equations(self):
        yield self.Q == self.T[1:] - self.T
        yield self.T == 300.0


tg.flatten(Rod())
