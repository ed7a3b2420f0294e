"""An __init__ that does not call that of Component."""

import tellegen as tg


class Resistor(tg.Component):
    R = tg.parameter(1.0, "ohm")

    def __init__(self, ohms):
        self.R = ohms


Resistor(10.0)
