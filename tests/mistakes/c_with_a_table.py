import tellegen as tg
from tellegen.library import sampled


class Curve(sampled.SampledSISO):
    def equations(self):
        yield tg.when(self.clock.tick, self.y == tg.interpolate(self.u, [0.0, 1.0], [0.0, 2.0]))


tg.write_c(Curve())
