"""in_stream() of a variable that is no stream."""

import tellegen as tg


class FluidPort(tg.Connector):
    p = tg.across("Pa")
    m_flow = tg.through("kg/s")
    h = tg.stream("J/kg")


class Sink(tg.Component):
    port = FluidPort()

    def equations(self):
        yield self.port.p == 1e5
        yield self.port.h == tg.in_stream(self.port.p)


tg.flatten(Sink())
