import tellegen as tg


class Cart(tg.Component):
    x = tg.variable("m", start=0.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    u = tg.input("m/s2")

    def equations(self):
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == self.u


there = tg.Goal(end={"x": 3.0, "v": 0.0}, effort={"u": 1.0})
tg.trajectory(Cart(), 1.0, goal=there, limits={"u": (-1.0, 1.0)}, intervals=4)
