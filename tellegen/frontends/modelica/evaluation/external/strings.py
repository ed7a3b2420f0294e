"""The C functions on strings that the Modelica Standard Library calls (Modelica.Utilities.Strings), in Python."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tellegen.frontends.modelica.evaluation.external.served import Outcome, Served
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError

_UNSIGNED_INTEGER = r"[0-9]+(?![.eE])"
_INTEGER = r"[+-]?[0-9]+(?![.eE])"
_UNSIGNED_REAL = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_REAL = rf"[+-]?{_UNSIGNED_REAL}"
_STRING = r'(?s)"(?:[^"\\]|\\.)*"'
_IDENTIFIER = r"[A-Za-z][A-Za-z0-9_]*"
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


def _scan_real(text: str, first: int, unsigned: bool, *_: Any) -> Outcome:
    """A number of Modelica or C; the position does not move where there is none."""
    return _scanned(_UNSIGNED_REAL if unsigned else _REAL, text, first, float, 3, 0.0)


def _scan_integer(text: str, first: int, unsigned: bool, *_: Any) -> Outcome:
    return _scanned(_UNSIGNED_INTEGER if unsigned else _INTEGER, text, first, int, 3, 0)


def _scan_string(text: str, first: int, *_: Any) -> Outcome:
    return _scanned(_STRING, text, first, lambda found: found[1:-1].replace('\\"', '"'), 2, "")


def _scan_identifier(text: str, first: int, *_: Any) -> Outcome:
    return _scanned(_IDENTIFIER, text, first, str, 2, "")


def _scanned(pattern: str, text: str, first: int, convert: Callable[[str], Any], output: int, none: Any) -> Outcome:
    """What stands at a position, after white space; the position does not move where there is nothing.

    Argument `output` of the C function takes the position after it, the next argument the value.
    """
    start = _skip_white_space(text, first)
    found = re.compile(pattern).match(text, start - 1)
    if found is None:
        return Outcome(arguments={output: first, output + 1: none})
    return Outcome(arguments={output: found.end() + 1, output + 1: convert(found[0])})


STRING_FUNCTIONS: dict[str, Served] = {
    f"ModelicaStrings_{name}": Served(function, pure=False)
    for name, function in {
        "length": _length,
        "substring": _substring,
        "skipWhiteSpace": _skip_white_space,
        "compare": _compare,
        "hashString": _hash,
        "scanReal": _scan_real,
        "scanInteger": _scan_integer,
        "scanString": _scan_string,
        "scanIdentifier": _scan_identifier,
    }.items()
}
