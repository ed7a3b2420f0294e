"""Gradients of performance functions backwards in time: one run for all parameters.

linear_forms, functional_recorder    what a performance function reads of a run, as linear forms
run_curves                           a run as smooth curves from event to event
weighted_partials, local_weights     how equations depend on parameters; what weights mean for states and parameters
backward, backward_steps             the weights from event to event; steps and sums over time between two cuts
radau, transposed_lu                 the linear equations of a step
event_jumps, initial_weights         what events and initial values do to the weights
adjoint                              all together
"""
