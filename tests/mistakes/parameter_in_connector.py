"""A parameter in a connector."""

import tellegen as tg


class Pin(tg.Connector):
    v = tg.across("V")
    i = tg.through("A")
    rated = tg.parameter(230.0, "V")
