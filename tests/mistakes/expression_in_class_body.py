"""An expression in a class body."""

import tellegen as tg


class Filter(tg.Component):
    R = tg.parameter(1e3, "ohm")
    C = tg.parameter(1e-6, "F")
    T = R * C
