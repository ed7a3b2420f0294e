"""From an assembly to a component of the library.

solid       a rigid part with its own frame
drives      what acts along the axis of a joint: damping, friction, a spring, a rotor, a joint that follows another
plan        which children a mechanism has, and what is connected
component   the component itself
"""
