"""Messages of assert and terminate; what varies in them is filled in when they are shown.

"T = " + String(T) + " K"      ->      Message("T = {:.6g} K", (T,))
"""

from __future__ import annotations

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.evaluation.evaluate import evaluate
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.syntax.expressions import Binary, Call, Expression, Text
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.ir.expressions.expr import Expr
from tellegen.start.records import dataclass

_NUMBER = "{:.6g}"


@dataclass(frozen=True, slots=True)
class Message:
    """A format string of Python and its values; a literal string where there are none."""

    text: str
    values: tuple[Expr, ...] = ()

    def without_values(self) -> str:
        """The string where values are not at hand."""
        return self.text.replace(_NUMBER, "{}").format(*("..." for _ in self.values)) if self.values else self.text


def message_of(expression: Expression, scope: Scope) -> Message:
    """A message as far as it is known now."""
    parts = _parts(expression, scope)
    values = tuple(part for part in parts if isinstance(part, Expr))
    if not values:
        return Message("".join(map(str, parts)))
    texts = [_NUMBER if isinstance(part, Expr) else part.replace("{", "{{").replace("}", "}}") for part in parts]
    return Message("".join(texts), values)


def _parts(expression: Expression, scope: Scope) -> list[str | Expr]:
    if isinstance(expression, Text):
        return [expression.value]
    if isinstance(expression, Binary) and expression.operator == "+":
        return _parts(expression.left, scope) + _parts(expression.right, scope)
    if isinstance(expression, Call) and expression.function.name == "String" and expression.arguments:
        value = _value(expression.arguments[0], scope)
        if isinstance(value, Expr):
            return [value]
    value = _value(expression, scope)
    return [value if isinstance(value, str) else "..."]


def _value(expression: Expression, scope: Scope) -> object:
    """None where a value cannot be known, since a model with an incomplete message still runs."""
    try:
        return evaluate(expression, scope)
    except (ModelicaError, EvaluationError):
        return None
