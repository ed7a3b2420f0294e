"""The only column is named like nothing in the model."""

import tellegen as tg


class Cooling(tg.Component):
    T = tg.variable("K", start=350.0, fixed=True)
    tau = tg.parameter(5.0, "s")

    def equations(self):
        yield self.tau * tg.der(self.T) == 300.0 - self.T


data = {"time": [0.0, 1.0, 2.0], "thermometer": [350.0, 340.0, 332.0]}
tg.calibrate(Cooling(), data, variables={"tau": (1.0, 20.0)})
