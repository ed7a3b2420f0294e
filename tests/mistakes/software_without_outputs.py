"""A software component without the method that computes its outputs."""

import tellegen as tg


class Controller(tg.Software):
    error = tg.input("rad/s")
    command = tg.output("V")
    kp = tg.parameter(0.1, "V.s/rad")

    def output(self):
        return self.kp * self.error


tg.compile(Controller())
