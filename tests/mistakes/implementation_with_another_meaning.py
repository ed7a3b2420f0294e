"""An implementation gives a parameter of its interface another meaning."""

from stock import LoadInterface

import tellegen as tg


class Heater(tg.Component, implements=LoadInterface):
    R = tg.parameter(10.0, "K/W", semantics="thermal_resistance")
