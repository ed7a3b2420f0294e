"""What the sections of an instance say: scalar statements over the scalars of one Translation.

    v = R*i;  when time > 1 then n = pre(n) + 1; end when;
    ->  Equation(Slot(4), Slot(7)*Slot(5)),  When(branches=(WhenBranch((time > 1,), (Action("assign", pre(n)+1, n),)),))

`Slot(number)` and `Der(number)` name scalars of the whole instance tree; kinds/ makes them local to kinds.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from tellegen.frontends.modelica.values.assertions import Assertion
from tellegen.ir.expressions.expr import Expr
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass

End = Any  # an Entity (connector, array of connectors, scalar connector) or a Value (elements of scalar connectors)


@dataclass(frozen=True, slots=True)
class Equation:
    """left = right, of scalars."""

    left: Expr
    right: Expr
    location: SourceLocation


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do at an event: "assign" or "reinit" the scalar `target`, "assert" a Boolean, "terminate" if the
    value is true. With `values` the message is a format string for them."""

    verb: str
    value: Expr
    target: int = -1
    message: str = ""
    values: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class WhenBranch:
    """The actions to take when one of the conditions becomes true; each has an edge of its own."""

    conditions: tuple[Expr, ...]
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class When:
    """when / elsewhen."""

    branches: tuple[WhenBranch, ...]
    location: SourceLocation


@dataclass(frozen=True, slots=True)
class Connect:
    """connect(left, right) of present connectors; `outside` says of each end whether it is a connector of the
    instance itself (seen from inside), not of one of its components."""

    left: End
    right: End
    outside: tuple[bool, bool]
    location: SourceLocation


@dataclass(frozen=True, slots=True)
class GraphStatement:
    """Connections.branch(a, b), root(a), potentialRoot(a, priority): the graph of overconstrained connectors."""

    operator: str  # "branch", "root", "potentialRoot"
    nodes: tuple[End, ...]
    priority: int
    location: SourceLocation


@dataclass(slots=True)
class Topology:
    """What the equation sections of one instance say about connections: read before anything else."""

    connects: list[Connect] = field(default_factory=list)
    graph: list[GraphStatement] = field(default_factory=list)


@dataclass(slots=True)
class Statements:
    """Everything else the sections of one instance say."""

    equations: list[Equation] = field(default_factory=list)
    initial_equations: list[Equation] = field(default_factory=list)
    whens: list[When] = field(default_factory=list)
    assertions: list[Assertion] = field(default_factory=list)
