"""Takes a part from the package of another domain."""

import tellegen as tg
from tellegen.library import electrical as el


class Drive(tg.Component):
    motor = el.EMF(k=0.1)
    load = el.Inertia(J=1e-3)


tg.simulate(Drive(), 1.0)
