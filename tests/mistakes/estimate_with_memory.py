import tellegen as tg


class Thermostat(tg.Component):
    T = tg.variable("degC", start=20.0, fixed=True)
    heats = tg.boolean(start=True)

    def equations(self):
        yield tg.when(self.T > 22.0, self.heats == False).elsewhen(self.T < 18.0, self.heats == True)
        yield tg.der(self.T) == tg.where(self.heats, 1.0, -1.0)


tg.estimate(Thermostat(), {"time": [0.0, 1.0], "T": [20.0, 21.0]}, states={"T": 0.1}, noise=tg.NoiseLevels({"T": 0.1}))
