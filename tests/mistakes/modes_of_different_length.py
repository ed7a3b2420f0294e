"""One mode says less than the other."""

import tellegen as tg


class Motor(tg.Component):
    v = tg.variable("V")
    i = tg.variable("A", start=0.0, fixed=True)

    def equations(self):
        yield tg.modes(
            tg.mode("linear", tg.der(self.i) == self.v, self.v == 1.0),
            tg.mode("saturated", tg.der(self.i) == 0),
            tg.transition("linear", "saturated", self.i > 1.0),
        )


tg.flatten(Motor())
