"""A guard that is no condition."""

import tellegen as tg


class Ball(tg.Component):
    v = tg.variable("m/s", start=0.0, fixed=True)

    def equations(self):
        yield tg.modes(
            tg.mode("flying", tg.der(self.v) == -9.81),
            tg.mode("lying", tg.der(self.v) == 0),
            tg.transition("flying", "lying", self.v),
        )


tg.flatten(Ball())
