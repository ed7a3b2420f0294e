"""Choices that work for numbers, arrays and symbols alike, and make no events.

Media are written once and used twice: with numbers, in scripts and for start values, and with symbols, in equations.
Their pieces (ranges of a polynomial, phases) meet without a jump, so nothing has to be located when one is left.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg

NUMBERS = (int, float, np.number, np.ndarray)


def is_number(*values: Any) -> bool:
    """Whether all are numbers, or arrays of numbers."""
    return all(isinstance(value, NUMBERS) for value in values)


def choose(condition: Any, yes: Any, no: Any) -> Any:
    """`yes` where the condition holds, `no` elsewhere."""
    if isinstance(condition, (bool, np.bool_)):
        return yes if condition else no
    if isinstance(condition, np.ndarray):
        return np.where(condition, yes, no)
    return tg.no_event(tg.where(condition, yes, no))


def at_least(x: Any, least: Any) -> Any:
    """The larger of the two."""
    return np.maximum(x, least) if is_number(x, least) else tg.maximum(x, least)


def at_most(x: Any, most: Any) -> Any:
    """The smaller of the two."""
    return np.minimum(x, most) if is_number(x, most) else tg.minimum(x, most)
