"""A rod that does not fit into its cylinder: the area left for the oil is negative."""

import tellegen as tg
from tellegen.library import hydraulic as hy


class Press(tg.Component):
    oil = hy.Oil()
    cylinder = hy.DoubleActingCylinder(D="30 mm", d_rod="40 mm")


tg.flatten(Press())
