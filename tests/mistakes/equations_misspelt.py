"""A method that is named almost right."""

import tellegen as tg


class Tank(tg.Component):
    h = tg.variable("m", start=1.0)

    def equation(self):
        yield tg.der(self.h) == -self.h


tg.flatten(Tank())
