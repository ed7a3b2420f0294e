"""The derivative of a scalar by four elements, given as a scalar."""

import tellegen as tg


class Body(tg.Component):
    Q = tg.variable(shape=4, start=[0.0, 0.0, 0.0, 1.0])
    norm = tg.variable()

    def equations(self):
        yield tg.der(self.Q) == 0.0
        yield self.norm == tg.dot(self.Q, self.Q) - 1.0
        yield tg.invariant(self.norm, {self.Q: 2.0})


tg.flatten(Body())
