"""A NumPy array of the wrong size for an array parameter."""

import numpy as np

import tellegen as tg


class Body(tg.Component):
    r = tg.parameter([0.0, 0.0, 1.0], "m", "centre of mass")
    x = tg.variable("m", shape=3)

    def equations(self):
        yield self.x == self.r


tg.flatten(Body(r=np.zeros(4)))
