"""Unknowns of a model together with their derivatives."""

from __future__ import annotations

from typing import NamedTuple

from tellegen.ir.model import FloatArray


class Consistent(NamedTuple):
    """Unknowns and their derivatives that satisfy the equations."""

    y: FloatArray
    yp: FloatArray
