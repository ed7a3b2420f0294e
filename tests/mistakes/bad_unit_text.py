"""A unit nobody knows."""

import tellegen as tg


class Motor(tg.Component):
    k = tg.parameter(0.04, "Nm/Amp", "torque constant")
