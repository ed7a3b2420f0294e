"""A Python error inside the code of a software component."""

from stock import call_software

import tellegen as tg


class Controller(tg.Software):
    error = tg.input("rad/s", default=1.0)
    command = tg.output("V")
    kp = tg.parameter(0.1, "V.s/rad")

    def outputs(self):
        gains = {"slow": 1.0, "fast": 10.0}
        return gains["medium"] * self.kp * self.error


call_software(Controller())
