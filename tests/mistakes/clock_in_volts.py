"""A clock that is no time."""

import tellegen as tg

tg.Clock("5 V")
