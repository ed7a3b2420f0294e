"""A valve with two values in one mode."""

import tellegen as tg


class Control(tg.StateMachine):
    valve = tg.boolean()

    def modes(self):
        yield tg.mode("open", self.valve == True, self.valve == False)
        yield tg.mode("shut", self.valve == False)
        yield tg.transition("open", "shut", tg.after(5.0))


tg.flatten(Control())
