import tellegen as tg
from tellegen.library import electrical as el


class Circuit(tg.Component):
    source = el.StepVoltage()
    resistor = el.Resistor(R=10.0)
    capacitor = el.Capacitor(C=1e-3)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.resistor.p
        yield self.resistor.n, self.capacitor.p
        yield self.capacitor.n, self.source.n, self.ground.p


tg.inverse(Circuit(), given={"ground.p.v": "v"}, find=["source.v"])
