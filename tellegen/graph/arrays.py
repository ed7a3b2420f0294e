"""The arrays of this toolbox: integers in, integers out."""

from __future__ import annotations

from typing import Any

import numpy as np

IntArray = np.ndarray[Any, np.dtype[np.int64]]
Array = np.ndarray[Any, np.dtype[Any]]  # of any numbers: indices of either width, masks, values


def distinct(values: Array) -> Any:
    """The different values in a flat array, in order; as np.unique without numpy.ma, which takes 20 ms to import."""
    ordered = np.sort(np.asarray(values).ravel())
    if len(ordered) < 2:
        return ordered
    return ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])]


def among(values: Array, known: Array) -> Any:
    """Which of the values are among the sorted `known` ones; as np.isin, which imports numpy.ma as well."""
    if not len(known):
        return np.zeros(len(values), bool)
    return known[np.minimum(np.searchsorted(known, values), len(known) - 1)] == values


def missing(values: Array, known: Array) -> Any:
    """The different values in a flat array that are not among the sorted `known` ones, in order."""
    found = distinct(values)
    return found[~among(found, known)]
