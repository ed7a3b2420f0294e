"""A numerator of higher degree: the output would depend on the next input."""

from tellegen.library import sampled

sampled.TransferFunction(b=[1.0, -1.0], a=[1.0])
