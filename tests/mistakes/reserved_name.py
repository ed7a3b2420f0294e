"""A parameter named like a method of every component."""

import tellegen as tg


class Antenna(tg.Component):
    array = tg.parameter(4, "1", "number of elements")
