"""Python's max of two quantities."""

import tellegen as tg


class Selector(tg.Component):
    a = tg.input("V")
    b = tg.input("V")
    y = tg.output("V")

    def equations(self):
        yield self.y == max(self.a, self.b)


tg.flatten(Selector())
