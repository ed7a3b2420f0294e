"""Two blocks of code that need each other's output at once, one of which must not be iterated."""

import tellegen as tg


class Filter(tg.Software):
    u = tg.input("V")
    y = tg.output("V")

    def outputs(self):
        return 0.5 * self.u


class Controller(tg.Software):
    measured = tg.input("V")
    command = tg.output("V")
    in_loops = False

    def outputs(self):
        return 1.0 - 2.0 * self.measured


class Loop(tg.Component):
    filter = Filter()
    control = Controller()

    def connections(self):
        yield self.filter.y, self.control.measured
        yield self.control.command, self.filter.u


tg.compile(Loop())
