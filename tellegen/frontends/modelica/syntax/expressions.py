"""The syntax tree of Modelica text, part one: expressions (Modelica Language Specification, appendix A).

    2*a.b[3]      ->      Binary("*", Number(2), Reference((Part("a"), Part("b", (Number(3),)))))

Nodes are plain records without behaviour. `token` is the number of the first token of a node in its file; a
`SourceFile` turns it into line and column when somebody asks, which is rare.
"""

from __future__ import annotations

from tellegen.frontends.modelica.syntax.node import Node
from tellegen.start.records import dataclass


@dataclass(slots=True)
class Number(Node):
    """A literal; an `int` where the text has neither point nor exponent."""

    value: int | float


@dataclass(slots=True)
class Text(Node):
    """A string literal, its escapes resolved."""

    value: str


@dataclass(slots=True)
class Truth(Node):
    """`true` or `false`."""

    value: bool


@dataclass(slots=True)
class EndOfDimension(Node):
    """`end` inside a subscript."""


@dataclass(slots=True)
class Colon(Node):
    """`:` as a subscript or as an array dimension."""


@dataclass(slots=True)
class Unary(Node):
    """`-x`, `+x`, `.-x`, `.+x`, `not x`."""

    operator: str
    operand: Expression
    token: int


@dataclass(slots=True)
class Binary(Node):
    """Two operands; operators as written: `+ - * / ^ .+ .- .* ./ .^ < <= > >= == <> and or`."""

    operator: str
    left: Expression
    right: Expression
    token: int


@dataclass(slots=True)
class IfExpression(Node):
    """if c1 then v1 elseif c2 then v2 else v3: pairs (condition, value), then the value otherwise."""

    branches: tuple[tuple[Expression, Expression], ...]
    otherwise: Expression
    token: int


@dataclass(slots=True)
class Range(Node):
    """start : stop or start : step : stop."""

    start: Expression
    step: Expression | None
    stop: Expression
    token: int


@dataclass(slots=True)
class ArrayConstructor(Node):
    """{a, b, c}."""

    items: tuple[Expression, ...]
    token: int


@dataclass(slots=True)
class Iterator(Node):
    """`i in 1:n`; without a range it follows from how the name is used as a subscript."""

    name: str
    range: Expression | None


@dataclass(slots=True)
class Comprehension(Node):
    """{body for i in r1, j in r2}; also the argument of a reduction, sum(body for i in r), then without `braces`."""

    body: Expression
    iterators: tuple[Iterator, ...]
    token: int
    braces: bool = True


@dataclass(slots=True)
class MatrixConstructor(Node):
    """[a, b; c, d]."""

    rows: tuple[tuple[Expression, ...], ...]
    token: int


@dataclass(slots=True)
class Part(Node):
    """One name of a component reference with its subscripts."""

    name: str
    subscripts: tuple[Expression, ...] = ()


@dataclass(slots=True)
class Reference(Node):
    """a.b[2].c; `is_global` where it begins with a point. Names of classes are references without subscripts."""

    parts: tuple[Part, ...]
    token: int
    is_global: bool = False

    @property
    def name(self) -> str:
        """The names in it with dots between them, for comparison with predefined ones: `.assert` is `assert`."""
        return str(self).removeprefix(".")

    def __str__(self) -> str:
        return "." * self.is_global + ".".join(part.name for part in self.parts)


@dataclass(slots=True)
class Call(Node):
    """f(x, y, n=z). `der`, `initial`, `pure` and all built-in operators are calls too."""

    function: Reference
    arguments: tuple[Expression, ...]
    named: tuple[tuple[str, Expression], ...]
    token: int


@dataclass(slots=True)
class PartialApplication(Node):
    """function f(a=1), as an argument."""

    function: Reference
    named: tuple[tuple[str, Expression], ...]
    token: int


@dataclass(slots=True)
class TupleExpression(Node):
    """(a, , c) with None where nothing stands. (a) alone is just a."""

    items: tuple[Expression | None, ...]
    token: int


@dataclass(slots=True)
class Subscripted(Node):
    """(expression)[i] and f(x)[i]."""

    expression: Expression
    subscripts: tuple[Expression, ...]
    token: int


@dataclass(slots=True)
class FieldAccess(Node):
    """f(x).field and (expression).field."""

    expression: Expression
    field: Part
    token: int


Expression = (
    Number
    | Text
    | Truth
    | EndOfDimension
    | Colon
    | Unary
    | Binary
    | IfExpression
    | Range
    | ArrayConstructor
    | Comprehension
    | MatrixConstructor
    | Reference
    | Call
    | PartialApplication
    | TupleExpression
    | Subscripted
    | FieldAccess
)
