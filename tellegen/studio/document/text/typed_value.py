"""What somebody types into a form, as Python text: `2.2 kohm` becomes a string with a unit."""

from __future__ import annotations

import ast
import json
import re

from tellegen.errors import DocumentError

NUMBER = r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?"
WITH_UNIT = re.compile(rf"{NUMBER}\s*[A-Za-zµΩ°%][\w./*^µΩ°%-]*")
COMMA = re.compile(r"[-+]?\d+,\d+(\s*[^\d\s,].*)?")


def value_text(typed: str) -> str:
    """The Python expression for a typed value: a number, a number with a unit, or any expression; E897 for no value."""
    typed = typed.strip()
    if COMMA.fullmatch(typed):
        raise _no_value(typed, f"write a decimal point: {typed.replace(',', '.', 1)}")
    try:
        tree = ast.parse(typed, mode="eval")
    except (SyntaxError, ValueError):
        if WITH_UNIT.fullmatch(typed):
            return json.dumps(typed, ensure_ascii=False)
        advice = 'write 2.2, 2.2 kohm, or an expression of Python such as 2 * R; words are quoted: "ideal"'
        raise _no_value(typed, advice) from None
    if isinstance(tree.body, ast.Tuple) and not typed.startswith("("):
        return f"({typed})"  # several values are one argument
    return typed if len(typed.splitlines()) == 1 else ast.unparse(tree)


def _no_value(typed: str, advice: str) -> DocumentError:
    return DocumentError("E897", f"{typed!r} is not a value", advice=advice)
