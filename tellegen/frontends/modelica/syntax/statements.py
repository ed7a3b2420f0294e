"""The syntax tree of Modelica text, part two: equations and the statements of algorithms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.modelica.syntax.expressions import Call, Expression, Iterator, Reference
from tellegen.frontends.modelica.syntax.node import Node
from tellegen.start.records import dataclass

if TYPE_CHECKING:
    from tellegen.frontends.modelica.syntax.classes import Modification


@dataclass(slots=True)
class Annotation(Node):
    """annotation(...): the range of its tokens from `(` to the one after `)`.

    `relevant` holds the arguments that a translation may need (Evaluate, derivative, experiment ...). Those for
    drawings and documentation, far more text, are only parsed when asked for (annotations.py).
    """

    first: int
    last: int
    relevant: Modification | None = None


@dataclass(slots=True)
class SimpleEquation(Node):
    """left = right."""

    left: Expression
    right: Expression
    token: int
    description: str = ""


@dataclass(slots=True)
class CallEquation(Node):
    """assert(...), reinit(...), terminate(...), Connections.root(...), f(x)."""

    call: Call
    token: int


@dataclass(slots=True)
class ConnectEquation(Node):
    """connect(a, b)."""

    left: Reference
    right: Reference
    token: int
    annotation: Annotation | None = None


@dataclass(slots=True)
class IfEquation(Node):
    """Pairs (condition, equations); the last condition is None for `else`."""

    branches: tuple[tuple[Expression | None, tuple[Equation, ...]], ...]
    token: int


@dataclass(slots=True)
class ForEquation(Node):
    """for i in 1:n loop ... end for."""

    iterators: tuple[Iterator, ...]
    body: tuple[Equation, ...]
    token: int


@dataclass(slots=True)
class WhenEquation(Node):
    """when / elsewhen: pairs (condition, equations)."""

    branches: tuple[tuple[Expression, tuple[Equation, ...]], ...]
    token: int


Equation = SimpleEquation | CallEquation | ConnectEquation | IfEquation | ForEquation | WhenEquation


@dataclass(slots=True)
class Assignment(Node):
    """target := value."""

    target: Reference
    value: Expression
    token: int


@dataclass(slots=True)
class MultipleAssignment(Node):
    """(a, , c) := f(x)."""

    targets: tuple[Reference | None, ...]
    call: Call
    token: int


@dataclass(slots=True)
class CallStatement(Node):
    """f(x) for its effect: assert, reinit, terminate, print."""

    call: Call
    token: int


@dataclass(slots=True)
class IfStatement(Node):
    """Pairs (condition, statements); the last condition is None for `else`."""

    branches: tuple[tuple[Expression | None, tuple[Statement, ...]], ...]
    token: int


@dataclass(slots=True)
class ForStatement(Node):
    """for i in 1:n loop ... end for."""

    iterators: tuple[Iterator, ...]
    body: tuple[Statement, ...]
    token: int


@dataclass(slots=True)
class WhileStatement(Node):
    """while c loop ... end while."""

    condition: Expression
    body: tuple[Statement, ...]
    token: int


@dataclass(slots=True)
class WhenStatement(Node):
    """when / elsewhen: pairs (condition, statements)."""

    branches: tuple[tuple[Expression, tuple[Statement, ...]], ...]
    token: int


@dataclass(slots=True)
class Break(Node):
    """break: leave the innermost loop."""

    token: int


@dataclass(slots=True)
class Return(Node):
    """return: leave the function."""

    token: int


Statement = (
    Assignment
    | MultipleAssignment
    | CallStatement
    | IfStatement
    | ForStatement
    | WhileStatement
    | WhenStatement
    | Break
    | Return
)
