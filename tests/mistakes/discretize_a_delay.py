import tellegen as tg


class Late(tg.Component):
    u = tg.input()
    y = tg.output()

    def equations(self):
        yield self.y == tg.delay(self.u, 0.1)


tg.discretize(Late(), "1 ms")
