"""feedthrough = False on code that reads an input for its output."""

import tellegen as tg


class Controller(tg.Software):
    error = tg.input("rad/s")
    command = tg.output("V")
    kp = tg.parameter(0.1, "V.s/rad")
    feedthrough = False

    def outputs(self):
        return self.kp * self.error
