"""A quaternion of zeros is no orientation."""

import tellegen as tg
from tellegen.library import multibody


class Tumbling(tg.Component):
    world = multibody.World()
    stone = multibody.Body(m=1.0, Q_start=[0, 0, 0, 0])


tg.compile(Tumbling())
