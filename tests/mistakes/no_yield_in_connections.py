"""connections() written like statements."""

from stock import Ground, Source

import tellegen as tg


class Circuit(tg.Component):
    source = Source()
    ground = Ground()

    def connections(self):
        self.source.n, self.ground.p


tg.flatten(Circuit())
