"""Conditions of a query as data: "torque_max >= 0.13 N.m", "3 <= ratio < 50", 'name ~ "RE 25"'.

A condition is parsed by a regular expression and compared with columns; nothing of it is ever evaluated as code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tellegen.catalogue.quantity import ONE, split_quantity
from tellegen.errors import BindingError
from tellegen.ir.source_location import here
from tellegen.units import Unit, UnitTextError, parse_unit

TEXTS = ("name", "implementation", "source", "date", "tag")
"""What is compared as a string."""
ADVICE = '"mass < 0.2 kg", "3 <= ratio < 50", \'name ~ "RE 25"\' (contains), \'tag == "brushed"\''
_NAME = r"[A-Za-z_]\w*"
_SINGLE = re.compile(rf"\s*({_NAME})\s*(<=|>=|==|!=|<|>|~)\s*(.+?)\s*", re.S)
_TURNED = re.compile(rf"\s*([-+.\d][^<>=!~]*?)\s*(<=|>=|==|!=|<|>)\s*({_NAME})\s*", re.S)
_RANGE = re.compile(rf"\s*([-+.\d][^<>=!~]*?)\s*(<=|<|>=|>)\s*({_NAME})\s*(<=|<|>=|>)\s*([^<>=!~]+?)\s*", re.S)
_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True)
class Comparison:
    """A quantity against a number in a unit."""

    name: str
    operator: str
    value: float
    unit: Unit
    text: str  # as written


@dataclass(frozen=True)
class TextComparison:
    """A string of a part against another: equal, different, or contained in it whatever its case."""

    name: str
    operator: str
    value: str

    def holds(self, stated: str) -> bool:
        """Whether a string of a part satisfies it."""
        if self.operator == "~":
            return self.value.lower() in stated.lower()
        return (stated == self.value) == (self.operator == "==")


Condition = Comparison | TextComparison


def parse_conditions(given: tuple[str, ...]) -> list[Condition]:
    """The conditions that all have to hold."""
    return [condition for text in given for condition in _parsed(text)]


def _parsed(text: str) -> list[Condition]:
    if not isinstance(text, str):
        raise BindingError("E827", f"a condition is a string, not {text!r}", location=here(), advice=ADVICE)
    if match := _RANGE.fullmatch(text):
        low, first, name, second, high = match.groups()
        return [_comparison(name, _FLIPPED[first], low, text), _comparison(name, second, high, text)]
    if match := _TURNED.fullmatch(text):
        value, operator, name = match.groups()
        return [_comparison(name, _FLIPPED[operator], value, text)]
    if match := _SINGLE.fullmatch(text):
        name, operator, value = match.groups()
        return [_text_comparison(match, text) if name in TEXTS else _comparison(name, operator, value, text)]
    what = f"'{text}' is not a condition"
    equals = "; equality is written ==" if re.fullmatch(rf"\s*{_NAME}\s*=[^=].*", text, re.S) else ""
    raise BindingError("E827", what + equals, location=here(), advice=ADVICE)


def _text_comparison(match: re.Match[str], text: str) -> TextComparison:
    name, operator, value = match.groups()
    if operator not in ("==", "!=", "~"):
        what = f"'{text}': '{name}' is a string, which is not compared by {operator}"
        raise BindingError("E827", what, location=here(), advice="==, != or ~ (contains)")
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return TextComparison(name, operator, value[1:-1] if quoted else value)


def _comparison(name: str, operator: str, value: str, text: str) -> Comparison:
    parts = split_quantity(value)
    if parts is None or operator == "~":
        what = f"'{text}' does not compare '{name}' with a number"
        raise BindingError("E827", what, location=here(), advice=ADVICE)
    number, unit = parts
    try:
        return Comparison(name, operator, number, parse_unit(unit or ONE), text)
    except UnitTextError as error:
        raise BindingError("E829", f"'{text}': {error}", location=here(), advice=ADVICE) from error
