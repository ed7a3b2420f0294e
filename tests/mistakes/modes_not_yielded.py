"""Modes that nobody hears of."""

import tellegen as tg


class Ball(tg.Component):
    v = tg.variable("m/s", start=0.0, fixed=True)

    def equations(self):
        yield tg.der(self.v) == -9.81
        tg.modes(tg.mode("flying"), tg.mode("lying"), tg.transition("flying", "lying", self.v < -5.0))


tg.flatten(Ball())
