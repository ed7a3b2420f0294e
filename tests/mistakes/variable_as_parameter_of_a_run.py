"""A variable among the parameters of a run."""

import tellegen as tg


class Decay(tg.Component):
    x = tg.variable(start=1.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == -self.x


tg.simulate(Decay(), stop=1.0, parameters={"x": 2.0})
