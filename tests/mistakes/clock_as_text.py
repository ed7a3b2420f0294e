"""The period where a clock is wanted."""

import tellegen as tg
from tellegen.library import sampled


class Loop(tg.Component):
    x = tg.variable(start=0.0, fixed=True)
    control = sampled.PID(clock="1 ms")

    def equations(self):
        yield tg.der(self.x) == self.control.y
        yield self.control.measured == self.x
        yield self.control.reference == 1.0


tg.simulate(Loop(), stop=1.0)
