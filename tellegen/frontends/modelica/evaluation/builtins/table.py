"""The table of built-in functions; the files of this folder fill it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tellegen.frontends.modelica.evaluation.evaluate import evaluate
from tellegen.frontends.modelica.evaluation.references import resolve
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.syntax.expressions import Call, Expression, Reference
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.value import Value
from tellegen.start.records import dataclass


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a built-in function, evaluated one by one when asked for."""

    call: Call
    scope: Scope

    @property
    def name(self) -> str:
        """What is called."""
        return str(self.call.function)

    def __len__(self) -> int:
        return len(self.call.arguments)

    def expression(self, position: int, name: str = "") -> Expression | None:
        """An argument as written, by position or by name."""
        if position < len(self.call.arguments):
            return self.call.arguments[position]
        return dict(self.call.named).get(name)

    def value(self, position: int, name: str = "") -> Value:
        """The value of an argument that has to be there."""
        expression = self.expression(position, name)
        if expression is None:
            raise EvaluationError("E570", f"{self.name}(...) needs an argument {name or position + 1}")
        return evaluate(expression, self.scope)

    def optional(self, position: int, name: str, default: Value) -> Value:
        """The value of an argument, or the default."""
        expression = self.expression(position, name)
        return default if expression is None else evaluate(expression, self.scope)

    def values(self) -> list[Value]:
        """All arguments by position."""
        return [evaluate(argument, self.scope) for argument in self.call.arguments]

    def entity(self, position: int = 0) -> Any:
        """What an argument names, not read."""
        expression = self.expression(position)
        if not isinstance(expression, Reference):
            raise EvaluationError("E570", f"{self.name}(...) takes the name of a component")
        return resolve(expression, self.scope)

    def take(self, least: int, most: int | None = None) -> None:
        """Check how many arguments there are."""
        given = len(self.call.arguments) + len(self.call.named)
        if not least <= given <= (least if most is None else most):
            wanted = str(least) if most is None else f"{least} to {most}"
            raise EvaluationError("E570", f"{self.name}(...) takes {wanted} arguments, {given} are given")


Handler = Callable[[Arguments], Any]
BUILTINS: dict[str, Handler] = {}


def builtin(*names: str) -> Callable[[Handler], Handler]:
    """Decorator: what these functions do."""

    def register(handler: Handler) -> Handler:
        BUILTINS.update(dict.fromkeys(names, handler))
        return handler

    return register
