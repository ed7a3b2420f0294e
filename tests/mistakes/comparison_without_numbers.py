"""A comparison of nothing."""

from stock import LoadedSource

import tellegen as tg

tg.compare(tg.bind(LoadedSource(), {"load": "ohmic"}), of=[], stop=1.0)
