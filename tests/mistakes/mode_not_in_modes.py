"""A mode yielded by itself."""

import tellegen as tg


class Ball(tg.Component):
    v = tg.variable("m/s", start=0.0, fixed=True)

    def equations(self):
        yield tg.mode("flying", tg.der(self.v) == -9.81)


tg.flatten(Ball())
