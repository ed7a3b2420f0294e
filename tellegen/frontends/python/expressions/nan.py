"""What a symbol cannot be: a number or a Boolean known to Python."""

from __future__ import annotations

import re
from typing import Any

from tellegen.errors import LanguageError, UntraceableError
from tellegen.ir.source_location import here


def _choice(source: str) -> str:
    """How to write a choice, by what the line seems to try."""
    for word, sign in ((" and ", "&"), (" or ", "|")):
        if word in source:
            return f"write {sign} instead of '{word.strip()}', and parentheses around each: (a < b) {sign} (c < d)"
    if re.search(r"\bnot\b", source):
        return "write ~(condition) instead of 'not condition'"
    for name in ("max", "min"):
        if re.search(rf"(?<![.\w]){name}\(", source):
            return f"write tg.{name}imum(a, b) instead of {name}(a, b)"
    if re.search(r"==[^=<>()]+[<>]", source):
        return "put parentheses around the condition: yield self.on == (a < b)"
    if re.search(r"==.*==", source):
        return "write one equation for each ==: yield a == b, then yield b == c"
    if re.search(r"[<>]=?[^<>()]+[<>]=?", source):
        return "write (a < b) & (b < c) instead of 'a < b < c'"
    return (
        "write a conditional expression as tg.where(condition, yes, no),\n"
        "an action when it becomes true as tg.when(condition, ...);\n"
        "a structural choice needs a parameter with structural=True"
    )


class NoNumber:
    """Answers Python's questions for a value with the way to write it in a model."""

    __slots__ = ()

    def __bool__(self) -> bool:
        raise UntraceableError(
            "E110",
            f"Python evaluates '{self}' now, but its value is known only during a run",
            location=here(),
            advice=_choice(here().source()),
        )

    def __float__(self) -> float:
        raise UntraceableError(
            "E111",
            f"'{self}' is a symbol of the model's equations, not a number",
            location=here(),
            advice=f"a number needed when the model is built: {self} = tg.parameter(..., structural=True)\n"
            "a function of it: tg.sin, tg.sqrt, ... instead of those of the math module"
            if hasattr(getattr(self, "decl", None), "structural")
            else "use Tellegen's functions (tg.sin, tg.sqrt, ...) or NumPy's instead of those of the math module",
        )

    def __xor__(self, other: object) -> Any:
        raise LanguageError(
            "E176",
            "'^' is not the power operator in Python, and its precedence is lower than that of + and -",
            location=here(),
            advice="write x**2; for an exclusive or of conditions: (a & ~b) | (~a & b)",
        )

    __rxor__ = __xor__
    __int__ = __float__  # type: ignore[assignment]
    __index__ = __float__  # type: ignore[assignment]
