import tellegen as tg


class Signal(tg.Component):
    x = tg.variable()
    n = tg.variable(discrete=True, start=0.0)

    def equations(self):
        yield self.x == tg.sin(tg.time)
        yield tg.when(tg.der(self.x) < 0, self.n == tg.pre(self.n) + 1)


tg.simulate(Signal(), stop=1.0)
