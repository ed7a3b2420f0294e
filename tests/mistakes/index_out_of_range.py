"""The fifth of four."""

import tellegen as tg


class Rod(tg.Component):
    T = tg.variable("K", shape=4)

    def equations(self):
        yield self.T[4] == 300.0


tg.flatten(Rod())
