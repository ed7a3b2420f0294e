"""The description where the unit belongs."""

import tellegen as tg


class Ball(tg.Component):
    h = tg.variable("height above ground", "m")
