"""A function of the math module."""

import math

import tellegen as tg


class Pendulum(tg.Component):
    phi = tg.variable("rad", start=1.0)
    w = tg.variable("rad/s")

    def equations(self):
        yield self.w == tg.der(self.phi)
        yield tg.der(self.w) == -9.81 * math.sin(self.phi)


tg.flatten(Pendulum())
