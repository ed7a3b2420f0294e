"""Colours: names to numbers, and the palette of items without a colour of their own."""

from __future__ import annotations

import numpy as np

from tellegen.errors import ExportError
from tellegen.ir.model import FloatArray

PALETTE = ("#4477bb", "#dd6644", "#44aa88", "#cc9922", "#aa5599", "#66aacc", "#8899aa", "#99aa44")
TRACE_COLOR = "#dd6644"
FORCE_COLOR = "#cc2244"
TORQUE_COLOR = "#7744bb"


def rgb(color: str) -> FloatArray:
    """Red, green and blue from 0 to 1, in sRGB, of a CSS colour."""
    from PIL import ImageColor

    try:
        return np.array(ImageColor.getrgb(color)[:3], float) / 255.0
    except (ValueError, AttributeError, TypeError) as error:
        advice = 'a name of CSS such as "steelblue", or "#4682b4"'
        raise ExportError("E406", f"{color!r} is not a colour", advice=advice) from error


AXIS_COLORS = (np.array([0.85, 0.25, 0.22]), np.array([0.25, 0.65, 0.25]), np.array([0.25, 0.42, 0.88]))
"""Of the axes x, y and z."""
