"""The elements of version 1 that interfaces and declarations consist of, as records.

What the source's table marks `R` is a field without default here.
"""

from __future__ import annotations

from dataclasses import dataclass

from tellegen.markup.version1.schema import Record, characters, choice, flag, limit, many, one, text, token, tokens

NATURES = (
    *("electrical", "magnetic", "fluidic", "thermal", "mechanical", "translational", "rotational"),
    "electrical_vector",
)
COMMON = ("signal", "constant", "type", "sub-type", "variable", "package")


# -- what several elements have in common --------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class Vector(Record):
    """Bounds of an array; `range` says that the nature is constrained."""

    range: bool = flag("range")
    default: str | None = text("default", None)
    row_low: str | None = text("row-l", None)
    row_high: str | None = text("row-h", None)


@dataclass(frozen=True, kw_only=True)
class Matrix(Vector):
    """Bounds of an array of two axes."""

    column_low: str | None = text("col-l", None)
    column_high: str | None = text("col-h", None)


@dataclass(frozen=True, kw_only=True)
class Limited(Matrix):
    """Numbers with limits."""

    min: str = limit("min", "-big")
    max: str = limit("max", "big")


# -- interfaces ----------------------------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class Parameter(Limited, tag="parameter"):
    """A formal parameter; `semantics` says what it means, for subtyping."""

    ident: str = token("ident")
    nature: str = text("nature-type")
    semantics: str | None = token("semantics", None)


@dataclass(frozen=True, kw_only=True)
class Generics(Record, tag="generics"):
    """The formal parameters of an interface."""

    parameters: tuple[Parameter, ...] = many("parameter", least=1)


@dataclass(frozen=True, kw_only=True)
class Terminal(Record, tag="terminal"):
    """A port of an energy domain."""

    name: str = token("name")
    nature: str = choice("nature-type", NATURES, "electrical")


@dataclass(frozen=True, kw_only=True)
class Quantity(Vector, tag="quantity"):
    """A directed port."""

    name: str = token("name")
    nature: str = token("nature-type", "real")
    direction: str = choice("direction", ("in", "out"))


@dataclass(frozen=True, kw_only=True)
class InterfaceSignal(Vector, tag="interface-signal"):
    """A port of discrete values."""

    name: str = token("name")
    nature: str = text("nature-type")
    kind: str | None = choice("signal-kind", ("in", "out", "inout", "buffer"), None)
    guarded: bool = flag("guarded")


@dataclass(frozen=True, kw_only=True)
class Boundary(Record, tag="boundary"):
    """The ports of an interface."""

    ports: tuple[Terminal | Quantity | InterfaceSignal, ...] = many("terminal", "quantity", "interface-signal", least=1)


@dataclass(frozen=True, kw_only=True)
class Assert(Record, tag="assert"):
    """A condition that must hold."""

    label: str | None = token("label", None)
    postponed: bool = flag("postponed")
    condition: str = text("condition")
    report: str | None = text("report", None)
    severity: str | None = text("severity", None)


@dataclass(frozen=True, kw_only=True)
class Assertions(Record, tag="assertions"):
    """Conditions on the parameters of an interface."""

    conditions: tuple[Assert, ...] = many("assert", least=1)


@dataclass(frozen=True, kw_only=True)
class QualitativeProportionality(Record, tag="qprop"):
    """One quantity grows (or falls) with another."""

    sign: str = choice("sign", ("pos", "neg", "none"), "pos")
    first: str = text("Q1")
    second: str = text("Q2")


@dataclass(frozen=True, kw_only=True)
class Assumption(Record, tag="assumption"):
    """What is assumed of all implementations."""

    definition: str = text("def")


@dataclass(frozen=True, kw_only=True)
class Property(Record, tag="pprop"):
    """A property in words."""

    body: str = characters()


@dataclass(frozen=True, kw_only=True)
class Semantics(Record, tag="semantics"):
    """What an interface means."""

    statements: tuple[QualitativeProportionality | Assumption | Property, ...] = many(
        "qprop", "assumption", "pprop", least=1
    )


@dataclass(frozen=True, kw_only=True)
class Specification(Record, tag="specification"):
    """An implementation and where it is found."""

    name: str = token("name")
    url: str = text("url")
    default: bool = flag("default")


@dataclass(frozen=True, kw_only=True)
class Implementations(Record, tag="implementations"):
    """The implementations of an interface."""

    specifications: tuple[Specification, ...] = many("specification", least=1)


# -- declarations --------------------------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class Signal(Vector, tag="signal"):
    """A discrete signal."""

    name: str = token("name")
    nature: str = text("nature-type")
    kind: str | None = choice("signal-kind", ("register", "bus"), None)


@dataclass(frozen=True, kw_only=True)
class Constant(Limited, tag="constant"):
    """A number with a meaning."""

    ident: str = token("ident")
    nature: str = token("nature-type")
    semantics: str = token("semantics")


@dataclass(frozen=True, kw_only=True)
class Variable(Limited, tag="variable"):
    """A variable of processes."""

    ident: str = token("ident")
    nature: str = token("nature-type")
    shared: bool = flag("shared")


@dataclass(frozen=True, kw_only=True)
class Type(Record, tag="type"):
    """A type by its definition."""

    name: str = token("name")
    definition: str = text("type-definition")


@dataclass(frozen=True, kw_only=True)
class SubType(Record, tag="sub-type"):
    """A restricted type."""

    name: str = token("name")
    indication: str = text("subtype-indication")


@dataclass(frozen=True, kw_only=True)
class Package(Record, tag="package"):
    """A package that is used."""

    name: str = token("name")


@dataclass(frozen=True, kw_only=True)
class FreeQuantity(Limited, tag="free-quantity"):
    """An unknown."""

    ident: str = token("ident")
    nature: str = token("nature-type")
    semantics: str | None = token("semantics", None)


@dataclass(frozen=True, kw_only=True)
class SpectralQuantity(Record, tag="spectral-quantity"):
    """A source of the frequency domain."""

    ident: str = token("ident")
    nature: str = token("nature-type")
    magnitude: str = token("magnitude")
    phase: str = token("phase")


@dataclass(frozen=True, kw_only=True)
class NoiseQuantity(Record, tag="noise-quantity"):
    """A source of noise."""

    ident: str = token("ident")
    nature: str = token("nature-type")
    definition: str = text("definition")


@dataclass(frozen=True, kw_only=True)
class BranchQuantity(Record, tag="branch-quantity"):
    """Across and through quantities between two terminals; without the second one to the reference."""

    across: tuple[str, ...] = tokens("across-vars")
    through: tuple[str, ...] = tokens("through-vars")
    plus: str = text("plus-terminal")
    minus: str | None = text("minus-terminal", None)


@dataclass(frozen=True, kw_only=True)
class FormalArgument(Matrix, tag="formal-arg"):
    """An argument of a function."""

    name: str = token("name")
    nature: str = token("nature-type")


@dataclass(frozen=True, kw_only=True)
class FunctionArguments(Record, tag="function-args"):
    """The arguments of a function."""

    arguments: tuple[FormalArgument, ...] = many("formal-arg", least=1)


@dataclass(frozen=True, kw_only=True)
class FunctionBody(Record, tag="function-body"):
    """The statements of a function."""

    body: str = characters()


@dataclass(frozen=True, kw_only=True)
class Function(Record, tag="function"):
    """A function of numbers."""

    name: str = token("name")
    return_type: str = token("return-type")
    arguments: FunctionArguments = one("function-args")
    body: FunctionBody = one("function-body")
