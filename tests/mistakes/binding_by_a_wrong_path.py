"""A part that the system does not have."""

from stock import LoadedSource

import tellegen as tg

tg.bind(LoadedSource(), {"laod": "ohmic"})
