"""tg.after counts from the entry into a mode."""

import tellegen as tg


class Timer(tg.Component):
    n = tg.integer()

    def equations(self):
        yield tg.when(tg.after(5.0), self.n == 1)


tg.flatten(Timer())
