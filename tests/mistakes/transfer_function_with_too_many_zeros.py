"""A transfer function that differentiates."""

from tellegen.library import blocks

blocks.TransferFunction(b=[1.0, 2.0, 3.0], a=[1.0, 1.0])
