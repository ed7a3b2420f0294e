"""A conditional component whose condition is false."""

from __future__ import annotations

from tellegen.frontends.modelica.values.entity import Entity, Subscript
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.value import Value
from tellegen.ir.source_location import SourceLocation


class Removed(Entity):
    """What is left of it: connections to it vanish, any other use is an error."""

    __slots__ = ("location", "path")

    def __init__(self, path: str, location: SourceLocation) -> None:
        self.path = path
        self.location = location

    @property
    def shape(self) -> tuple[int, ...]:
        raise self._error()

    def member(self, name: str) -> Entity:
        return Removed(f"{self.path}.{name}", self.location)

    def index(self, subscripts: tuple[Subscript, ...]) -> Entity:
        _ = subscripts
        return self

    def value(self) -> Value:
        raise self._error()

    def _error(self) -> EvaluationError:
        return EvaluationError(
            "E559",
            f"{self.path} is used, but the condition of this component ({self.location}) is false",
            "name a conditional component in connect only, or under the same condition",
        )
