"""A fluid port without its medium."""

import tellegen as tg
from tellegen.library import media


class FluidPort(tg.Connector):
    p = tg.across("Pa")
    m_flow = tg.through("kg/s")
    X = tg.stream("1", shape=lambda medium: medium.n_X)


class Source(tg.Component):
    medium = tg.parameter(media.Water(), structural=True)
    port = FluidPort()

    def equations(self):
        yield self.port.p == 1e5
        yield self.port.X == 0.0


tg.flatten(Source())
