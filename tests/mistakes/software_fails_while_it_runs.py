"""A Python error in the code of a continuous controller, in the middle of a run."""

import math

import tellegen as tg


class Valve(tg.Software):
    level = tg.input("m")
    flow = tg.output("m3/s")

    def outputs(self):
        return 0.1 * math.sqrt(self.level - 0.5)


class Tank(tg.Component):
    valve = Valve()
    level = tg.variable("m", start=1.0, fixed=True)
    area = tg.parameter(1.0, "m2")

    def equations(self):
        yield self.valve.level == self.level
        yield self.area * tg.der(self.level) == -self.valve.flow - 0.01


tg.simulate(Tank(), stop=60.0)
