"""A run takes the mass of a body away."""

import tellegen as tg
from tellegen.library import multibody


class Mechanism(tg.Component):
    world = multibody.World()
    hinge = multibody.Revolute()
    bob = multibody.PointMass(m=1.0)
    rod = multibody.FixedTranslation(r=[0, -1, 0])

    def connections(self):
        yield self.world.frame_b, self.hinge.frame_a
        yield self.hinge.frame_b, self.rod.frame_a
        yield self.rod.frame_b, self.bob.frame_a


tg.simulate(Mechanism(), stop=1.0, parameters={"bob.m": 0.0})
