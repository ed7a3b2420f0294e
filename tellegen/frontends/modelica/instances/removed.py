"""Names without a component: a conditional one whose condition is false, an element of a bus that no class declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.modelica.values.entity import Entity, Subscript
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, not_supported
from tellegen.frontends.modelica.values.value import Value
from tellegen.ir.source_location import SourceLocation

if TYPE_CHECKING:
    from tellegen.frontends.modelica.instances.instance import Instance


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


class BusElement(Entity):
    """A name on an expandable connector, which only connect statements may use until kinds/ has declared it.

    With a `position` it is an element of an array, whose size follows from all that are connected."""

    __slots__ = ("bus", "name", "position")

    def __init__(self, bus: Instance, name: str, position: int | None = None) -> None:
        self.bus = bus
        self.name = name
        self.position = position

    @property
    def path(self) -> str:
        return self.bus.path_of(self.name) + ("" if self.position is None else f"[{self.position + 1}]")

    @property
    def shape(self) -> tuple[int, ...]:
        return (0,)  # one dimension, nobody knows of which size

    def member(self, name: str) -> Entity:
        raise not_supported(f"{self.path}.{name}, whose expandable connector does not declare {self.name}")

    def index(self, subscripts: tuple[Subscript, ...]) -> Entity:
        at = subscripts[0]
        if self.position is not None or len(subscripts) > 1 or not isinstance(at, int) or at < 0:
            raise not_supported(f"such a subscript of {self.path}, which its expandable connector does not declare")
        return BusElement(self.bus, self.name, at)

    def value(self) -> Value:
        raise EvaluationError(
            "E576",
            f"{self.path} is read, but its expandable connector does not declare it",
            "declare it in the expandable connector, or connect it to an input",
        )
