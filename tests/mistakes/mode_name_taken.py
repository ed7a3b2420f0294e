"""The variable that tells the mode would have the name of another."""

import tellegen as tg


class Ball(tg.Component):
    mode = tg.variable("1")
    v = tg.variable("m/s", start=0.0, fixed=True)

    def equations(self):
        yield self.mode == 1.0
        yield tg.modes(
            tg.mode("flying", tg.der(self.v) == -9.81),
            tg.mode("lying", tg.der(self.v) == 0),
            tg.transition("flying", "lying", self.v < -5.0),
        )


tg.flatten(Ball())
