"""What an MDL file says, as it says it: nothing here is checked but the grammar."""

from __future__ import annotations

from dataclasses import dataclass, field

from tellegen.ir.source_location import SourceLocation

Arrays = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Interface:
    """declare(inputs, 2); ... `feedthrough` and `states` are None where nothing is declared."""

    location: SourceLocation
    inputs: int = 0
    outputs: int = 0
    states: int | None = None
    feedthrough: bool | None = None


@dataclass(frozen=True)
class Port:
    """instance.in[0]; of the configuration itself `instance` is empty."""

    instance: str
    is_input: bool
    number: int
    location: SourceLocation = field(compare=False)

    def __str__(self) -> str:
        text = f"{'in' if self.is_input else 'out'}[{self.number}]"
        return f"{self.instance}.{text}" if self.instance else text

    @property
    def name(self) -> str:
        """What the port is called in a component: in0, out0."""
        return f"{'in' if self.is_input else 'out'}{self.number}"


@dataclass(frozen=True)
class Connection:
    """one @ other."""

    one: Port
    other: Port

    def __str__(self) -> str:
        return f"{self.one} @ {self.other}"


@dataclass(frozen=True)
class Submodule:
    """instance isa module name."""

    instance: str
    module: str
    location: SourceLocation


@dataclass(frozen=True)
class Initialization:
    """setState(instance, [...]) or setParam(instance, {[...], [...]})."""

    what: str  # setState, setParam
    instance: str
    arrays: Arrays
    location: SourceLocation


@dataclass(frozen=True)
class Body:
    """The three sections of a configuration."""

    location: SourceLocation
    submodules: tuple[Submodule, ...]
    connections: tuple[Connection, ...]
    initializations: tuple[Initialization, ...]


@dataclass(frozen=True)
class ModuleDefinition:
    """module name is ... or module name isa configuration with ..."""

    name: str
    location: SourceLocation
    is_configuration: bool
    interface: Interface | None
    body: Body | None
