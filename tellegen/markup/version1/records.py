"""The elements of version 1 that hold models: components, implementations, interfaces, documents."""

from __future__ import annotations

from dataclasses import dataclass

from tellegen.markup.version1.declarations import (
    COMMON,
    Assert,
    Assertions,
    Boundary,
    Generics,
    Implementations,
    Package,
    Parameter,
    Semantics,
)
from tellegen.markup.version1.schema import Record, characters, flag, many, mixed, one, perhaps, text, token, tokens

DECLARATIONS = (
    *("branch-quantity", "free-quantity", "spectral-quantity", "noise-quantity", "terminal", "component", "function"),
    *COMMON,
)


# -- components ----------------------------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class ParameterBinding(Record, tag="parameter-binding"):
    """A formal parameter gets an expression over the parameters of the enclosing scope."""

    formal: str = token("formal-part")
    actual: str = text("actual-part")


@dataclass(frozen=True, kw_only=True)
class BoundImplementation(Record, tag="bound-implementation"):
    """The implementation of a component, and what is bound inside it."""

    name: str = token("implementation-name")
    components: tuple[Component, ...] = many("component")


@dataclass(frozen=True, kw_only=True)
class CandidateImplementation(Record, tag="candidate-implementation"):
    """An implementation that is still open to choice."""

    is_default: bool = flag("is-default")
    name: str = token("implementation-name")
    components: tuple[Component, ...] = many("component")


@dataclass(frozen=True, kw_only=True)
class Position(Record, tag="position"):
    """Where a component is: metres and radians."""

    x: str = token("x", "0")
    y: str = token("y", "0")
    z: str = token("z", "0")
    roll: str = token("roll", "0")
    pitch: str = token("pitch", "0")
    yaw: str = token("yaw", "0")


@dataclass(frozen=True, kw_only=True)
class Component(Record, tag="component"):
    """An instance of an interface, a part of a catalogue."""

    final: bool = flag("final")
    name: str = token("name")
    interface: str = token("interface-name")
    vrml: str | None = text("vrml", None)
    url: str | None = text("url", None)
    parameters: tuple[ParameterBinding, ...] = many("parameter-binding")
    bound: BoundImplementation | None = perhaps("bound-implementation")
    candidates: tuple[CandidateImplementation, ...] = many("candidate-implementation")
    position: Position | None = perhaps("position")


# -- implementations -----------------------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class Labelled(Record):
    """A statement in words of VHDL-AMS."""

    label: str | None = token("label", None)
    body: str = characters()


@dataclass(frozen=True, kw_only=True)
class Process(Labelled, tag="process"):
    """Sequential statements."""


@dataclass(frozen=True, kw_only=True)
class Break(Labelled, tag="break"):
    """Discontinuities."""


@dataclass(frozen=True, kw_only=True)
class Equation(Labelled, tag="equation"):
    """A simultaneous statement."""


@dataclass(frozen=True, kw_only=True)
class Connect(Record, tag="connect"):
    """Two terminals are connected."""

    a: str = text("terminal-A")
    b: str = text("terminal-B")


@dataclass(frozen=True, kw_only=True)
class ConcurrentStatements(Record, tag="concurrent-statements"):
    """The behaviour: equations or connections; text between them is kept."""

    statements: tuple[str | Process | Break | Equation | Assert | Connect, ...] = mixed(
        "process", "break", "equation", "assert", "connect"
    )


@dataclass(frozen=True, kw_only=True)
class Description(Record, tag="description"):
    """What an implementation is for."""

    body: str = characters()


@dataclass(frozen=True, kw_only=True)
class Implementation(Record, tag="implementation"):
    """A behaviour of an interface."""

    ident: str = token("ident")
    interface: str = token("of-interface")
    compound: bool = flag("compound")
    configure: bool = flag("configure")
    is_default: bool = flag("is-default")
    vrml: str | None = text("vrml", None)
    declarations: tuple[Record, ...] = many(*DECLARATIONS)
    statements: ConcurrentStatements = one("concurrent-statements")
    description: Description | None = perhaps("description")


@dataclass(frozen=True, kw_only=True)
class Interface(Record, tag="interface"):
    """A family of behaviours: parameters, ports, what is common to all implementations, and which there are."""

    ident: str = token("ident")
    abstract: bool = flag("abstract")
    super_type: str = token("super-type", "null")
    sub_types: tuple[str, ...] = tokens("sub-types", ("null",))
    generics: Generics | None = perhaps("generics")
    boundary: Boundary | None = perhaps("boundary")
    declarations: tuple[Record, ...] = many(*COMMON)
    assertions: Assertions | None = perhaps("assertions")
    semantics: Semantics | None = perhaps("semantics")
    implementations: Implementations | None = perhaps("implementations")


@dataclass(frozen=True, kw_only=True)
class NamedParameters(Record, tag="record"):
    """Parameters under one name."""

    ident: str = token("ident")
    parameters: tuple[Parameter, ...] = many("parameter", least=1)


# -- documents -----------------------------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class Require(Record, tag="require"):
    """Another document that is needed."""

    url: str = text("url")


@dataclass(frozen=True, kw_only=True)
class Library(Record, tag="library"):
    """A library that is used."""

    name: str = token("name")


@dataclass(frozen=True, kw_only=True)
class Document(Record, tag="document"):
    """Interfaces, implementations and records; or a catalogue of components."""

    version: str = text("version")
    is_library: bool = flag("is_library")
    requires: tuple[Require, ...] = many("require")
    uses: tuple[Library | Package, ...] = many("library", "package")
    definitions: tuple[Interface | Implementation | NamedParameters, ...] = many(
        "interface", "implementation", "record"
    )
    components: tuple[Component, ...] = many("component")
