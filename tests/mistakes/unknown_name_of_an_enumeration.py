"""A mode of another component, misspelt."""

import tellegen as tg


class Pump(tg.StateMachine):
    def modes(self):
        yield tg.mode("idle")
        yield tg.mode("pumping")
        yield tg.transition("idle", "pumping", tg.after(5.0))


class Tank(tg.Component):
    pump = Pump()
    level = tg.variable("m", start=1.0, fixed=True)

    def equations(self):
        yield tg.der(self.level) == tg.where(self.pump.mode == "pumpin", 1.0, 0.0)


tg.flatten(Tank())
