from pathlib import Path

import tellegen as tg


class Gain(tg.Software):
    u = tg.input()
    y = tg.output()
    k = tg.parameter(1.0)

    def outputs(self):
        return self.k * self.u


class Lag(tg.Software):
    u = tg.input()
    y = tg.output()
    x = tg.variable(start=0.0)

    def outputs(self):
        return self.x

    def derivatives(self):
        return self.u - self.x


tg.read_mdl(Path(__file__).with_name("mdl_body_of_a_primitive.mdl"), modules={"gain": Gain, "lag": Lag})
