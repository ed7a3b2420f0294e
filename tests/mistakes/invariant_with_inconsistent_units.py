"""The derivative of a length by an angle, declared as an angle."""

import tellegen as tg


class Crank(tg.Component):
    phi = tg.variable("rad", start=0.0)
    gap = tg.variable("m")
    gap_by_phi = tg.variable("rad")

    def equations(self):
        yield tg.der(self.phi) == 0.0
        yield self.gap == 0.1 * tg.sin(self.phi)
        yield self.gap_by_phi == 0.1 * tg.cos(self.phi)
        yield tg.invariant(self.gap, {self.phi: self.gap_by_phi})


tg.flatten(Crank())
