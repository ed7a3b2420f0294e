"""`|` binds stronger than `<`."""

import tellegen as tg


class Heater(tg.Component):
    T = tg.variable("K", start=288.0, fixed=True)
    tau = tg.parameter(100.0, "s")
    on = tg.boolean()

    def equations(self):
        yield self.tau * tg.der(self.T) == tg.where(self.on, 300.0, 280.0) - self.T
        yield self.on == (self.T < 290.0 | tg.pre(self.on))


tg.flatten(Heater())
