import tellegen as tg
from tellegen.library import sampled


class Wound(tg.Component):
    u = tg.input()
    y = tg.output()
    clock = tg.Clock("1 ms")
    one = sampled.StateSpace(clock=clock, A=[[0.5]], B=[[1.0]], C=[[1.0]], D=[[0.5]])
    two = sampled.StateSpace(clock=clock, A=[[0.2]], B=[[1.0]], C=[[1.0]], D=[[0.5]])

    def equations(self):
        yield self.one.u[0] == self.u - self.two.y[0]
        yield self.two.u[0] == self.one.y[0]
        yield self.y == self.two.y[0]


tg.write_c(Wound())
