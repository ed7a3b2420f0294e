"""A when on a whole vector."""

import tellegen as tg


class Rod(tg.Component):
    T = tg.variable("K", shape=3)
    alarm = tg.boolean()

    def equations(self):
        yield tg.der(self.T) == 1.0
        yield tg.when(self.T > 400.0, self.alarm == True)


tg.flatten(Rod())
