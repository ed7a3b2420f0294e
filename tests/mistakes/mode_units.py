"""Units are checked mode by mode."""

import tellegen as tg


class Switch(tg.Component):
    v = tg.variable("V")
    i = tg.variable("A")
    R = tg.parameter(1.0, "ohm")

    def equations(self):
        yield self.v == 2.0
        yield tg.modes(
            tg.mode("open", self.i == 0),
            tg.mode("closed", self.v == self.i),
            tg.transition("open", "closed", tg.time > 1.0),
        )


tg.flatten(Switch())
