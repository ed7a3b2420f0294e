"""A curve is arithmetic on paths."""

import tellegen as tg

worst = tg.peak("motor.i if motor.on else 0")
