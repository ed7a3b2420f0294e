"""A pressure in Bar."""

from tellegen.library import hydraulic as hy

hy.ReliefValve(p_set="120 Bar")
