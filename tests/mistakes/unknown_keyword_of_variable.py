"""An attribute that variables do not have."""

import tellegen as tg


class Ball(tg.Component):
    h = tg.variable("m", initial=1.0)
