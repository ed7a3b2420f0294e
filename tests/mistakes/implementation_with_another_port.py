"""An implementation declares a port of its interface again, of another domain."""

from stock import Flange, LoadInterface

import tellegen as tg


class Brake(tg.Component, implements=LoadInterface):
    n = Flange()
