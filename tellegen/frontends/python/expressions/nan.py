"""What a symbol cannot be: a number or a truth value known to Python."""

from __future__ import annotations

import re
from typing import Any

from tellegen.errors import LanguageError, UntraceableError
from tellegen.ir.place import here


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
        "write a choice between values as tg.where(condition, yes, no),\n"
        "an action at the instant it becomes true as tg.when(condition, ...);\n"
        "a choice between structures needs a parameter with structural=True"
    )


class NoNumber:
    """Answers Python's questions for a value with the way to write it in a model."""

    __slots__ = ()

    def __bool__(self) -> bool:
        raise UntraceableError(
            "E110",
            f"Python needs to know now whether '{self}' is true, but its value is known only while the model runs",
            place=here(),
            advice=_choice(here().source()),
        )

    def __float__(self) -> float:
        raise UntraceableError(
            "E111",
            f"'{self}' has no number yet: it is part of the model's equations",
            place=here(),
            advice=f"a number needed while the model is built: {self} = tg.parameter(..., structural=True)\n"
            "a function of it: tg.sin, tg.sqrt, ... instead of the math module's"
            if hasattr(getattr(self, "decl", None), "structural")
            else "use Tellegen's functions (tg.sin, tg.sqrt, ...) or NumPy's instead of the math module's",
        )

    def __xor__(self, other: object) -> Any:
        raise LanguageError(
            "E176",
            "'^' is no power in Python, and it binds weaker than + and -",
            place=here(),
            advice="write x**2; of two conditions that exclude each other: (a & ~b) | (~a & b)",
        )

    __rxor__ = __xor__
    __int__ = __float__  # type: ignore[assignment]
    __index__ = __float__  # type: ignore[assignment]
