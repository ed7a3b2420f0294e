"""A mode without a way to it."""

import tellegen as tg


class Motor(tg.Component):
    i = tg.variable("A", start=0.0, fixed=True)

    def equations(self):
        yield tg.modes(
            tg.mode("linear", tg.der(self.i) == 1.0),
            tg.mode("saturated", tg.der(self.i) == 0),
            tg.mode("burnt", tg.der(self.i) == -self.i),
            tg.transition("linear", "saturated", self.i > 1.0),
            tg.transition("burnt", "linear", self.i < 0.1),
        )


tg.flatten(Motor())
