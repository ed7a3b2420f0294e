"""Gradients of performance functions backwards in time: one run for all parameters.

forms, recorder      what a performance function reads of a run, as linear forms
curves               a run as smooth curves from event to event
partials, point      how equations depend on parameters, and what weights at an instant mean for states and parameters
backward, radau      the linear equations of the weights, solved from event to event
jumps, start         what events and initial values do to the weights
gradients            all together
"""
