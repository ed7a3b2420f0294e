"""A software component that returns one number for two outputs."""

from stock import call_software

import tellegen as tg


class Controller(tg.Software):
    error = tg.input("rad/s", default=1.0)
    left = tg.output("V")
    right = tg.output("V")

    def outputs(self):
        return 2.0 * self.error


call_software(Controller())
