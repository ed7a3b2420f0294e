"""A misspelt parameter of a study."""

import tellegen as tg


class Tank(tg.Component):
    h = tg.variable("m", "level", start=1.0, fixed=True)
    A = tg.parameter(2.0, "m2", "area", min=0.0)
    q = tg.parameter(0.1, "m3/s", "inflow")

    def equations(self):
        yield self.A * tg.der(self.h) == self.q


tg.study(Tank(), {"Q": [0.1, 0.2]}, stop=1.0)
