import tellegen as tg


class Cart(tg.Component):
    v = tg.variable("m/s", start=0.0, fixed=True)
    u = tg.input("m/s2")

    def equations(self):
        yield tg.der(self.v) == self.u


tg.predictive_control(Cart(), period="0.1 s", horizon=5, cost=tg.Cost(track={"v": 1.0}), limits={"u": (1.0, -1.0)})
