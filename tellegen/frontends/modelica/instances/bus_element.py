"""An element of an expandable connector that no class declares: connections say what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.modelica.values.entity import Entity, Subscript
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, not_supported
from tellegen.frontends.modelica.values.value import Value

if TYPE_CHECKING:
    from tellegen.frontends.modelica.instances.instance import Instance


class BusElement(Entity):
    """A name on a bus, which only connect statements may use until kinds/ has declared it."""

    __slots__ = ("bus", "name")

    def __init__(self, bus: Instance, name: str) -> None:
        self.bus = bus
        self.name = name

    @property
    def path(self) -> str:
        return self.bus.path_of(self.name)

    @property
    def shape(self) -> tuple[int, ...]:
        raise not_supported(f"subscripts of {self.path}, which its expandable connector does not declare")

    def member(self, name: str) -> Entity:
        raise not_supported(f"{self.path}.{name}, whose expandable connector does not declare {self.name}")

    def index(self, subscripts: tuple[Subscript, ...]) -> Entity:
        _ = subscripts, self.shape
        return self

    def value(self) -> Value:
        raise EvaluationError(
            "E576",
            f"{self.path} is read, but its expandable connector does not declare it",
            "declare it in the expandable connector, or connect it to an input",
        )
