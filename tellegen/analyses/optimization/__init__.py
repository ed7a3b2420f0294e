"""The best values of parameters and start values: tg.optimize, tg.pareto, and tg.calibrate for measured data.

`variables` and `problem` make numbers of what is asked, `signals` and `paths` do so for inputs over time, `methods` and
`derivative_free` search, `multipliers` tell what holds the optimum, `result` is what users get. `pareto`,
`normal_constraint`, `populations` and `front` do the same for several objectives.
"""
