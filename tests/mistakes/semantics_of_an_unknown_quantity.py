"""A qualitative proportionality names a quantity that the interface does not have."""

from stock import Pin

import tellegen as tg


class Lamp(tg.Interface):
    p = Pin()
    n = Pin()
    semantics = tg.Semantics(proportional=[("brightness", "+", "p.i")])
