"""Forgets to derive the class from Component."""

import tellegen as tg


class Tank:
    x = tg.variable(start=0.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == 1.0

    def __repr__(self):
        return "<Tank>"


tg.simulate(Tank(), 1.0)
