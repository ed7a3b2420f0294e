"""A valve that modes hold and an action turns."""

import tellegen as tg


class Control(tg.StateMachine):
    valve = tg.boolean()

    def modes(self):
        yield tg.mode("open", self.valve == True)
        yield tg.mode("shut", self.valve == False)
        yield tg.transition("open", "shut", tg.after(5.0), self.valve == False)


tg.flatten(Control())
