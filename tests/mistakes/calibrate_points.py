"""Output points of its own, where data have theirs."""

import tellegen as tg


class Tank(tg.Component):
    h = tg.variable("m", "level", start=1.0, fixed=True)
    A = tg.parameter(2.0, "m2", "area", min=0.0)
    q = tg.parameter(0.1, "m3/s", "inflow")

    def equations(self):
        yield self.A * tg.der(self.h) == self.q - self.h * 0.1


tg.calibrate(Tank(), {"time": [0.0, 1.0], "h": [1.0, 0.9]}, variables={"q": (0.0, 1.0)}, points=100)
