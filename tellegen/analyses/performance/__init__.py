"""Numbers that say how good a run is, each with an exact gradient; see expression.py.

tg.final, tg.value                      curves at instants
tg.integral, tg.mean, tg.rms            over time
tg.peak, tg.lowest, tg.peak_time        extremes
tg.time_when, tg.event_time             instants
tg.rise_time, tg.settling_time, tg.overshoot
"""
