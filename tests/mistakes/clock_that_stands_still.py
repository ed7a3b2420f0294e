"""A rate of zero."""

import tellegen as tg

tg.Clock(rate=0)
