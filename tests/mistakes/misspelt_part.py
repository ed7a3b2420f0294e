"""Spells the name of a part of the library almost right."""

import tellegen as tg
from tellegen.library import thermal as th


class Wall(tg.Component):
    inside = th.HeatCapacitors(C=1e4)


tg.simulate(Wall(), 1.0)
