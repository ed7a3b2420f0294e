"""A NumPy function that has no meaning for symbols."""

import numpy as np

import tellegen as tg


class Pendulum(tg.Component):
    phi = tg.variable("rad", start=1.0)

    def equations(self):
        yield tg.der(self.phi) == np.sinc(self.phi)


tg.flatten(Pendulum())
