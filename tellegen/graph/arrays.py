"""The arrays of this toolbox: integers in, integers out."""

from __future__ import annotations

from typing import Any

import numpy as np

IntArray = np.ndarray[Any, np.dtype[np.int64]]
Array = np.ndarray[Any, np.dtype[Any]]  # of any numbers: indices of either width, masks, values
