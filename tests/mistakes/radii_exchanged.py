"""A hollow cylinder inside out: its permeance would be negative."""

import tellegen as tg
from tellegen.library import magnetic as mg


class Ring(tg.Component):
    field = mg.ConstantMagneticPotentialDifference()
    iron = mg.HollowCylinderAxialFlux(r_i=0.02, r_o=0.01)
    zero = mg.Ground()

    def connections(self):
        yield self.field.port_p, self.iron.port_p
        yield self.field.port_n, self.iron.port_n, self.zero.port


tg.simulate(Ring(), stop=1.0)
