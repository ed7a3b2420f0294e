"""The C functions on strings that the Modelica Standard Library calls (Modelica.Utilities.Strings), in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tellegen.frontends.modelica.values.evaluation_error import EvaluationError

_WHITE = " \t\n\v\f\r"


def _length(text: str) -> int:
    return len(text)


def _substring(text: str, first: int, last: int) -> str:
    if not 1 <= first <= last <= len(text):
        raise EvaluationError("E568", f'characters {first} to {last} of "{text}" do not exist')
    return text[first - 1 : last]


def _skip_white_space(text: str, first: int = 1) -> int:
    position = first
    while position <= len(text) and text[position - 1] in _WHITE:
        position += 1
    return position


def _compare(left: str, right: str, case_sensitive: bool = True) -> int:
    """1 less, 2 equal, 3 greater: the ordinals of Modelica.Utilities.Types.Compare."""
    one, other = (left, right) if case_sensitive else (left.lower(), right.lower())
    return 1 + (one >= other) + (one > other)


def _hash(text: str) -> int:
    """Partow's AP hash in 32 bits, as a signed integer."""
    value = 0xAAAAAAAA
    for position, character in enumerate(text.encode()):
        if position % 2 == 0:
            value ^= (value << 7) ^ (character * (value >> 3))
        else:
            value ^= ~((value << 11) + (character ^ (value >> 5)))
        value &= 0xFFFFFFFF
    return value - (1 << 32) if value >= 1 << 31 else value


STRING_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "ModelicaStrings_length": _length,
    "ModelicaStrings_substring": _substring,
    "ModelicaStrings_skipWhiteSpace": _skip_white_space,
    "ModelicaStrings_compare": _compare,
    "ModelicaStrings_hashString": _hash,
}
