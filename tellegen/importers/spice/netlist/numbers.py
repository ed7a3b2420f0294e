"""Numbers of netlists: `4.7k` is 4700, `10MEGohm` 1e7, `100nF` 1e-7, `1m` a thousandth and `1F` a femto-something.

Letters after the scale are units for the reader and mean nothing: `1A` is one ampere, as in ngspice, PSpice and LTspice
(in HSPICE it is 1e-18).
"""

from __future__ import annotations

import re

_NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[ed][+-]?\d+)?)([a-zµμ%°ωΩ]*)", re.IGNORECASE)
_SCALES = {"meg": 6, "t": 12, "g": 9, "k": 3, "m": -3, "u": -6, "µ": -6, "μ": -6, "n": -9, "p": -12, "f": -15}
_MIL = 25.4e-6


def number(text: str) -> float | None:
    """The value of a number, None if it is none."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    letters = match[2].lower()
    (digits, _, power) = match[1].lower().replace("d", "e").partition("e")
    if letters.startswith("mil"):
        return float(f"{digits}e{power or 0}") * _MIL
    scale = next((scale for name, scale in _SCALES.items() if letters.startswith(name)), 0)
    return float(f"{digits}e{int(power or 0) + scale}")  # 10u is the number nearest to 1e-5, not 10 times 1e-6


def leading_number(text: str) -> tuple[float, int] | None:
    """The number a text begins with, and where it ends."""
    match = _NUMBER.match(text)
    if match is None:
        return None
    value = number(match[0])
    return None if value is None else (value, match.end())
