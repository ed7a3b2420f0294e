"""A restriction that leaves no model."""

from stock import LoadedSource

import tellegen as tg

tg.model_space(LoadedSource()).restrict(domains=["thermal"])
