"""A helper that forgets to return."""

import tellegen as tg


def friction(w):
    0.1 * w


class Brake(tg.Component):
    w = tg.input("rad/s")
    tau = tg.output("N.m")

    def equations(self):
        yield self.tau == friction(self.w)


tg.flatten(Brake())
