"""A remanence larger than the saturation."""

import tellegen as tg
from tellegen.library import magnetic as mg


class Core(tg.Component):
    iron = mg.HysteresisFluxTube(J_s=0.5, B_r=0.9)


tg.flatten(Core())
