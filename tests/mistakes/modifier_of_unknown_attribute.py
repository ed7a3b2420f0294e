"""An attribute that variables do not have, set on a variable."""

from stock import Capacitor

c = Capacitor()
c.v.initial = 5.0
