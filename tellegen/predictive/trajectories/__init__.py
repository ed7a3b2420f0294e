"""Open-loop optimal trajectories: from a start to an end at least time, effort or other cost, within limits."""
