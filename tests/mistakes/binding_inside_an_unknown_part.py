"""A path into an implementation that contains no such part."""

from stock import LoadedSource

import tellegen as tg

tg.bind(LoadedSource(), {"load": "ohmic", "load.winding": "ohmic"})
