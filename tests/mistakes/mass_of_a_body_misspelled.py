"""A run names the mass of a body as nobody does here."""

import tellegen as tg
from tellegen.library import multibody


class Mechanism(tg.Component):
    world = multibody.World()
    hinge = multibody.Revolute()
    bar = multibody.BodyShape(r=[0, -1, 0])

    def connections(self):
        yield self.world.frame_b, self.hinge.frame_a
        yield self.hinge.frame_b, self.bar.frame_a


tg.simulate(Mechanism(), stop=1.0, parameters={"bar.mass": 2.0})
