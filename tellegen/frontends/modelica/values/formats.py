"""The operator String: values as text (MLS 3.7.2)."""

from __future__ import annotations

import re

from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.value import EnumerationValue, Value, describe

_FORMAT = re.compile(r"%?[-+ #0]*\d*(\.\d+)?[diouxXeEfFgG]")


def formatted(value: Value, *, digits: int = 6, length: int = 0, left: bool = True, form: str = "") -> str:
    """A Boolean, number, enumeration or String as text, padded to `length`; `form` is a C format."""
    text = _with_format(value, form) if form else _plain_text(value, digits)
    return text.ljust(length) if left else text.rjust(length)


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
    raise EvaluationError(
        "E569", f"String(...) needs a value that is known while the model is translated, not {describe(value)}"
    )


def _with_format(value: Value, form: str) -> str:
    if not _FORMAT.fullmatch(form) or isinstance(value, bool) or not isinstance(value, int | float):
        raise EvaluationError(
            "E566", f'"{form}" is not a format of {describe(value)}', "use one of C's for numbers, such as .3f"
        )
    number = int(value) if form[-1] in "diouxX" else float(value)
    return ("%" + form.lstrip("%")) % number
