"""Numbers of netlists: `4.7k` is 4700, `10MEGohm` 1e7, `100nF` 1e-7, `1m` a thousandth and `1F` a femto-something.

Letters after the scale are units for the reader and mean nothing. A lone `a` could be ampere or atto, by the program that
reads it; it is refused.
"""

from __future__ import annotations

import re

_NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[ed][+-]?\d+)?)([a-zµμ%]*)", re.IGNORECASE)
_SCALES = {
    "meg": 1e6,
    "mil": 25.4e-6,
    "t": 1e12,
    "g": 1e9,
    "k": 1e3,
    "m": 1e-3,
    "u": 1e-6,
    "µ": 1e-6,
    "μ": 1e-6,
    "n": 1e-9,
    "p": 1e-12,
    "f": 1e-15,
}


def number(text: str) -> float | None:
    """The value of a number, None if it is none."""
    match = _NUMBER.fullmatch(text)
    if match is None or match[2].lower() == "a":
        return None
    value, letters = float(match[1].lower().replace("d", "e")), match[2].lower()
    return value * next((scale for name, scale in _SCALES.items() if letters.startswith(name)), 1.0)


def leading_number(text: str) -> tuple[float, int] | None:
    """The number a text begins with, and where it ends."""
    match = _NUMBER.match(text)
    if match is None:
        return None
    value = number(match[0])
    return None if value is None else (value, match.end())
