"""A name that no implementation has."""

from stock import LoadedSource

import tellegen as tg

tg.bind(LoadedSource(), {"load": "omhic"})
