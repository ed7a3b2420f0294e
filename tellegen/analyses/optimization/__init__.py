"""The best values of parameters and start values: tg.optimize, and tg.calibrate for measured data.

`variables` and `problem` make numbers of what is asked, `signals` and `paths` do so for inputs over time, `methods` and
`derivative_free` search, `multipliers` tell what holds the optimum, `result` is what users get.
"""
