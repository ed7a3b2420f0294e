"""B as a row, though there are two states and one input."""

from tellegen.library import sampled

sampled.StateSpace(A=[[1.0, 0.1], [0.0, 1.0]], B=[[0.0, 0.1]], C=[[1.0, 0.0]])
