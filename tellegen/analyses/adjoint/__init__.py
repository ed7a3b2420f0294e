"""Gradients of performance functions backwards in time: one run for all parameters.

forms, recorder      what a performance function reads of a run, as linear forms
curves               a run as smooth curves from event to event
partials, point      how equations depend on parameters, and what weights at an instant mean for states and parameters
backward, parts      the weights from event to event; steps and sums over time between two cuts
radau, transposed    the linear equations of a step
jumps, start         what events and initial values do to the weights
adjoint              all together
"""
