"""The operator String: values as text (MLS 3.7.2)."""

from __future__ import annotations

import re

from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, NotInlinableError
from tellegen.frontends.modelica.values.value import EnumerationValue, Value, describe
from tellegen.ir.expressions.expr import Expr

_FORMAT = re.compile(r"%?[-+ #0]*\d*(\.\d+)?[diouxXeEfFgG]")


def formatted(value: Value, *, digits: int = 6, length: int = 0, left: bool = True, form: str = "") -> str:
    """A Boolean, number, enumeration or String as text, padded to `length`; `form` is a C format."""
    text = _with_format(value, form) if form else _plain_text(value, digits)
    return text.ljust(length) if left else text.rjust(length)


class VaryingText(str):
    """A message that shows quantities as they are when it is shown: a format string of Python and their expressions.

    It is made by String(x) of an x that varies and stays one in sums; no other use of it is possible."""

    values: tuple[Expr, ...]

    def __new__(cls, form: str, values: tuple[Expr, ...]) -> VaryingText:
        made = super().__new__(cls, form)
        made.values = values
        return made


def varying_text(value: Expr, *, digits: int, length: int, left: bool, form: str) -> VaryingText:
    """String(x) of an x that varies."""
    fields = (form or f".{digits}g").lstrip("%").lstrip("-")
    align = ("<" if left else ">") + str(length) if length else ""
    return VaryingText("{:" + (fields if form else align + fields) + "}", (value,))


def joined_text(left: str, right: str) -> str:
    """left + right."""
    if not isinstance(left, VaryingText) and not isinstance(right, VaryingText):
        return left + right
    values = (*getattr(left, "values", ()), *getattr(right, "values", ()))
    return VaryingText(str.__add__(_escaped(left), _escaped(right)), values)


def _escaped(text: str) -> str:
    return str(text) if isinstance(text, VaryingText) else text.replace("{", "{{").replace("}", "}}")


def _plain_text(value: Value, digits: int) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"%.{digits}g" % value
    if isinstance(value, EnumerationValue):
        return value.name
    if isinstance(value, str):
        return value
    raise NotInlinableError(
        "E569", f"String(...) needs a value that is known while the model is translated, not {describe(value)}"
    )


def _with_format(value: Value, form: str) -> str:
    if not _FORMAT.fullmatch(form) or isinstance(value, bool) or not isinstance(value, int | float):
        raise EvaluationError(
            "E566", f'"{form}" is not a format of {describe(value)}', "use one of C's for numbers, such as .3f"
        )
    number = int(value) if form[-1] in "diouxX" else float(value)
    return ("%" + form.lstrip("%")) % number
