"""The number of sections of a rod is changed in a run."""

import tellegen as tg


class Rod(tg.Component):
    n = tg.parameter(3, structural=True)
    T = tg.variable(start=300.0, shape=n)

    def equations(self):
        yield tg.der(self.T) == -self.T


class Rig(tg.Component):
    rod = Rod(n=4)


tg.simulate(Rig(), stop=1.0, parameters={"rod.n": 10})
