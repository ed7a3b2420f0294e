import tellegen as tg


class Lag(tg.Component):
    x = tg.variable(start=0.0, fixed=True)
    y = tg.variable()

    def equations(self):
        yield tg.der(self.x) == 1 - self.x
        yield self.y == 2 * self.x


tg.estimate(Lag(), {"time": [0.0, 1.0], "y": [0.0, 1.2]}, states={"x": 0.1}, noise=tg.NoiseLevels({}))
