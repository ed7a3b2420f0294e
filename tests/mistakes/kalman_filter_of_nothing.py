import tellegen as tg


class Lag(tg.Component):
    u = tg.input()
    x = tg.variable(start=0.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == self.u - self.x


tg.kalman_filter(Lag(), "1 ms", noise=tg.NoiseLevels({}))
