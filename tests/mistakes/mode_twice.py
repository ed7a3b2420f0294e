"""Two modes of one name."""

import tellegen as tg


class Motor(tg.Component):
    i = tg.variable("A", start=0.0, fixed=True)

    def equations(self):
        yield tg.modes(
            tg.mode("linear", tg.der(self.i) == 1.0),
            tg.mode("linear", tg.der(self.i) == 0),
            tg.transition("linear", "linear", self.i > 1.0),
        )


tg.flatten(Motor())
