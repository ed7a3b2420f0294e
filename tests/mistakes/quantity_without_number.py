"""A text that is no quantity."""

from stock import Capacitor

import tellegen as tg

tg.flatten(Capacitor(C="large"))
