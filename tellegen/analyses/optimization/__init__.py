"""The best values of parameters and start values: tg.optimize, and tg.calibrate for measured data.

`variables` and `problem` make numbers of what is asked, `methods` and `derivative_free` search, `multipliers` tell what
holds the optimum, `result` is what users get.
"""
