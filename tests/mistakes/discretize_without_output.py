import tellegen as tg


class Sink(tg.Component):
    u = tg.input()
    x = tg.variable(start=0.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == self.u


tg.discretize(Sink(), "1 ms")
