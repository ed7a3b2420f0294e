"""A parameter under two names."""

import tellegen as tg


class Divider(tg.Component):
    R1 = tg.parameter(1.0, "ohm")
    R2 = R1
