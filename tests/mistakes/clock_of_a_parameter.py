"""The period is a parameter of a run: it may change without anybody building the model again."""

import tellegen as tg


class Controller(tg.Component):
    period = tg.parameter("1 ms", "s")
    u = tg.input(default=1.0)
    y = tg.output()

    def equations(self):
        yield tg.when(tg.Clock(self.period).tick, self.y == self.u)


tg.simulate(Controller(), stop=1.0)
