"""A part that is a component, not an interface."""

from stock import LoadedSource

import tellegen as tg

tg.bind(LoadedSource(), {"source": "ohmic"})
