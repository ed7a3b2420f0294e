"""What determines connected signals: at most one source in each connection set of a component (MLS 9.3)."""

from __future__ import annotations

from collections.abc import Iterator

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.layout import ElementLayout
from tellegen.frontends.modelica.instances.variable import VariableInstance
from tellegen.frontends.modelica.kinds.ports import Address, PortTable
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass


@dataclass(frozen=True, slots=True)
class Joined:
    """A connector in a connect statement, of the component itself (outside) or of one of its parts."""

    address: Address
    is_outside: bool


class SignalSources:
    """The sets of signals that the connect statements of one component join, each with its source."""

    def __init__(self, ports: PortTable) -> None:
        self._ports = ports
        self._above: dict[Address, Address] = {}
        self._source: dict[Address, str] = {}  # by the representative of a set: the path of its source

    def join(self, one: Joined, other: Joined, location: SourceLocation) -> None:
        """Two connectors are connected; E585 where both, or what they are connected to, determine the signal."""
        sources = [self._set(joined) for joined in (one, other)]
        first = self._representative(one.address)
        second = self._representative(other.address)
        if first == second:
            return
        if all(sources):
            raise ModelicaError(
                "E585",
                f"two sources are connected: {sources[0]} and {sources[1]} both determine the signal",
                location=location,
                advice="connect at most one output of a component, or one input of the model around, to others",
            )
        self._above[first] = second
        self._source[second] = sources[0] or sources[1]

    def _set(self, joined: Joined) -> str:
        """The source of the set that a connector is in, empty where it has none."""
        end = joined.address
        if end not in self._above:
            self._above[end] = end
            self._source[end] = self._own_source(end, joined.is_outside)
        return self._source[self._representative(end)]

    def _own_source(self, end: Address, is_outside: bool) -> str:
        port = self._ports.ports[end.part][end.port]
        if port.on_bus or len(port.variables) != 1:
            return ""
        (variable,) = port.variables
        if is_outside and any(layout.protected for layout in _declarations(variable)):
            return ""  # a connector inside of the component alone, with which conditional ones are replaced
        determines = "input" if is_outside else "output"
        return variable.path if self._ports.roles.get(variable.first_number) == determines else ""

    def _representative(self, end: Address) -> Address:
        while self._above[end] != end:
            end = self._above[end]
        return end


def _declarations(variable: VariableInstance) -> Iterator[ElementLayout]:
    """Its declaration and those of the connectors it is in."""
    yield variable.layout
    owner: Instance | None = variable.owner
    while owner is not None and owner.kind_of != "component" and owner.declaration is not None:
        yield owner.declaration
        owner = owner.parent
