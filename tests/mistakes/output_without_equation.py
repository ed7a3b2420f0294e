"""An output that nothing computes."""

import tellegen as tg


class Sensor(tg.Component):
    u = tg.input("V")
    y = tg.output("V", "filtered")

    def equations(self):
        return
        yield


tg.flatten(Sensor())
