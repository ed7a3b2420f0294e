"""A tolerance in words, for second derivatives."""

import tellegen as tg


class Tank(tg.Component):
    h = tg.variable("m", "level", start=1.0, fixed=True)
    A = tg.parameter(2.0, "m2", "area", min=0.0)
    q = tg.parameter(0.1, "m3/s", "inflow")

    def equations(self):
        yield self.A * tg.der(self.h) == self.q - self.h * 0.1


tg.hessian_vector(Tank(), 1.0, of=tg.final("h"), wrt=["q"], direction={"q": 1.0}, rtol="fine")
