"""Forgets the argument self."""

import tellegen as tg


class Tank(tg.Component):
    x = tg.variable(start=0.0, fixed=True)

    def equations():
        yield 1.0 == 0.0


tg.simulate(Tank(), 1.0)
