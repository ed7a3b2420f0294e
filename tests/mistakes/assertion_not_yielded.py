"""An assertion that is written but not yielded."""

import tellegen as tg


class Shaft(tg.Component):
    tau = tg.input("N.m")
    stress = tg.variable("Pa")

    def equations(self):
        yield self.stress == 1e6 * self.tau
        tg.assert_(self.stress < 300e6, "the shaft yields")


tg.flatten(Shaft())
