"""connect() as in other tools."""

from stock import Ground, Source

import tellegen as tg


class Circuit(tg.Component):
    source = Source()
    ground = Ground()

    def connections(self):
        self.connect(self.source.n, self.ground.p)


tg.flatten(Circuit())
