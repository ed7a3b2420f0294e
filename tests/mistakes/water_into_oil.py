"""Two media are connected."""

import tellegen as tg
from tellegen.library import media


class FluidPort(tg.Connector):
    p = tg.across("Pa")
    m_flow = tg.through("kg/s")
    h = tg.stream("J/kg")


class Source(tg.Component):
    medium = tg.parameter(media.Water(), structural=True)
    port = FluidPort().of(medium)

    def equations(self):
        yield self.port.p == 1e5
        yield self.port.h == 1e3


class Mess(tg.Component):
    water = Source()
    oil = Source(medium=media.ConstantLiquid(rho=870.0, c=2000.0))

    def connections(self):
        yield self.water.port, self.oil.port


tg.flatten(Mess())
