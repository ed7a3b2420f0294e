"""A misspelt name inside a software component."""

from stock import call_software

import tellegen as tg


class Controller(tg.Software):
    error = tg.input("rad/s", default=1.0)
    command = tg.output("V")
    kp = tg.parameter(0.1, "V.s/rad")

    def outputs(self):
        return self.Kp * self.error


call_software(Controller())
