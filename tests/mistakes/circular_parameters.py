"""Two parameters, each computed from the other."""

import tellegen as tg


class Series(tg.Component):
    total = tg.parameter(100.0, "ohm")
    part = tg.parameter(0.5 * total, "ohm")


class Circle(Series):
    total = tg.parameter(2 * Series.part, "ohm")


tg.flatten(Circle())
