"""What a symbol cannot be: a number or a truth value known to Python."""

from __future__ import annotations

from tellegen.errors import LanguageError
from tellegen.ir.place import here


class NoNumber:
    """Answers Python's questions for a value with the way to write it in a model."""

    __slots__ = ()

    def __bool__(self) -> bool:
        raise LanguageError(
            "E110",
            f"Python needs to know now whether '{self}' is true, but its value is known only while the model runs",
            place=here(),
            advice="write a choice between values as tg.where(condition, yes, no), an action at an instant as\n"
            "tg.when(condition, ...), and combine conditions with & | ~ instead of and / or / not / a < b < c;\n"
            "a choice between structures needs a parameter with structural=True",
        )

    def __float__(self) -> float:
        raise LanguageError(
            "E111",
            f"'{self}' has no number yet: it is part of the model's equations",
            place=here(),
            advice="use Tellegen's functions (tg.sin, tg.sqrt, ...) or NumPy's instead of the math module's;\n"
            "a number needed to build the structure is a parameter with structural=True",
        )

    __int__ = __float__  # type: ignore[assignment]
    __index__ = __float__  # type: ignore[assignment]
