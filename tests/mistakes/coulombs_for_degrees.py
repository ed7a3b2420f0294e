"""A temperature in C, which are coulombs."""

from tellegen.library import pneumatic as pn

pn.Volume(T_start="20 C")
