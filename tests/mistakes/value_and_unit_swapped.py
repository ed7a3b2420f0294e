"""The unit where the value belongs."""

import tellegen as tg


class Resistor(tg.Component):
    R = tg.parameter("ohm", 1.0)
