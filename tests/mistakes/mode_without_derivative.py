"""A state that one of the modes knows nothing of."""

import tellegen as tg


class Piston(tg.Component):
    x = tg.variable("m", start=0.0, fixed=True)

    def equations(self):
        yield tg.modes(
            tg.mode("moving", tg.der(self.x) == 1.0),
            tg.mode("stuck", self.x == 2.0),
            tg.transition("moving", "stuck", self.x > 2.0),
        )


tg.compile(Piston())
