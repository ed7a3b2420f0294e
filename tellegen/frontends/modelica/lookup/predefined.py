"""Names that every class sees although no library declares them (MLS 3.6 to 3.8, 4.9, 9.4, 10.3, 16)."""

from __future__ import annotations

from tellegen.frontends.modelica.syntax.classes import ClassDefinition, EnumerationLiteral
from tellegen.start.records import dataclass


@dataclass(frozen=True, slots=True)
class Builtin:
    """A predefined name; `kind` is "type", "operator" (also functions), "variable" or "package"."""

    name: str
    kind: str


TYPES = frozenset(("Real", "Integer", "Boolean", "String", "Clock", "ExternalObject"))

_OPERATORS = """
    abs sign sqrt sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 div mod rem ceil floor integer
    der pre edge change initial terminal noEvent smooth sample reinit assert terminate homotopy semiLinear delay
    spatialDistribution cardinality inStream actualStream getInstanceName isPresent pure
    ndims size scalar vector matrix identity diagonal zeros ones fill linspace min max sum product transpose
    outerProduct symmetric cross skew cat array promote rooted
    previous hold subSample superSample shiftSample backSample noClock interval firstTick
    transition initialState activeState ticksInState timeInState
"""
_GRAPH_OPERATORS = "branch root potentialRoot isRoot rooted uniqueRoot uniqueRootIndices"

NAMES: dict[str, Builtin] = {
    **{name: Builtin(name, "type") for name in TYPES},
    **{name: Builtin(name, "operator") for name in _OPERATORS.split()},
    "time": Builtin("time", "variable"),
    "Connections": Builtin("Connections", "package"),
}
MEMBERS: dict[str, dict[str, Builtin]] = {
    "Connections": {name: Builtin(f"Connections.{name}", "operator") for name in _GRAPH_OPERATORS.split()}
}
"""What predefined packages contain."""


def _enumeration(name: str, literals: str) -> ClassDefinition:
    records = tuple(EnumerationLiteral(literal) for literal in literals.split())
    return ClassDefinition(name, "type", token=0, enumeration=records)


ENUMERATIONS = {
    "StateSelect": _enumeration("StateSelect", "never avoid default prefer always"),
    "AssertionLevel": _enumeration("AssertionLevel", "warning error"),
}
