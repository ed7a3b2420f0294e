"""An integer is given a number that turns out to be no whole one."""

import tellegen as tg


class Counter(tg.Component):
    x = tg.variable(start=0.0, fixed=True)
    step = tg.parameter(0.75, "1")
    n = tg.integer()

    def equations(self):
        yield tg.der(self.x) == 1.0
        yield tg.when(self.x > 1.0, self.n == tg.pre(self.n) + self.step)


class Counters(tg.Component):
    good = Counter(step=2.0)
    bad = Counter()


tg.simulate(Counters(), 2.0)
