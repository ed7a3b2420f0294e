"""The sine of a length."""

import tellegen as tg


class Wave(tg.Component):
    x = tg.input("m")
    y = tg.output("1")

    def equations(self):
        yield self.y == tg.sin(self.x)


tg.flatten(Wave())
