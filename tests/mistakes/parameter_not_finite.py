"""A parameter computed by a division by zero."""

import tellegen as tg


class Lens(tg.Component):
    D = tg.parameter(0.0, "1/m", "power")
    f = tg.parameter(1 / D, "m", "focal length")


tg.flatten(Lens())
