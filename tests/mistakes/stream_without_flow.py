"""A stream variable that nothing carries."""

import tellegen as tg


class FluidPort(tg.Connector):
    h = tg.stream("J/kg")
