"""A clock is no condition."""

import tellegen as tg


class Hold(tg.Component):
    clock = tg.Clock("1 ms")
    u = tg.input()
    y = tg.output()

    def equations(self):
        yield tg.when(self.clock, self.y == self.u)


tg.flatten(Hold())
