"""Two energy domains joined without a component between them."""

from stock import Inertia, Source

import tellegen as tg


class Drive(tg.Component):
    source = Source()
    load = Inertia()

    def connections(self):
        yield self.source.p, self.load.flange


tg.flatten(Drive())
