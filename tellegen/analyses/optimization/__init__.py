"""The best values of parameters and start values: tg.optimize, tg.pareto, and tg.calibrate for measured data.

formulation          what is asked as numbers: variables between bounds, one run as an evaluation, inputs over time
algorithms           methods that find a minimum: with gradients, without them, populations
single_objective     tg.optimize: a method at work, what it found, going on after Ctrl-C
multi_objective      tg.pareto: a front of designs
calibration          tg.calibrate: fit a model to measured data
"""
