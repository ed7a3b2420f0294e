"""The syntax tree of Modelica text, part three: modifications, declarations and classes.

Resistor r(R=2) if use "load";      ->      Component(name="r", type=Reference(Resistor), modification=..., ...)
"""

from __future__ import annotations

from dataclasses import field, fields
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Protocol

from tellegen.frontends.modelica.syntax.expressions import Expression, Reference
from tellegen.frontends.modelica.syntax.node import Node
from tellegen.frontends.modelica.syntax.statements import Annotation, Equation, Statement
from tellegen.start.records import dataclass


@dataclass(slots=True)
class Modification(Node):
    """(arguments) = value: either may be missing. `is_break` for `= break`."""

    arguments: tuple[Argument, ...] = ()
    value: Expression | None = None
    is_break: bool = False


@dataclass(slots=True)
class ElementModification(Node):
    """each final a.b(...) = value."""

    name: tuple[str, ...]
    modification: Modification | None
    each: bool
    final: bool
    token: int
    description: str = ""


@dataclass(slots=True)
class ElementRedeclaration(Node):
    """redeclare T x(...), redeclare package M = N, replaceable model ... as an argument."""

    element: ClassDefinition | Component
    each: bool
    final: bool
    token: int


@dataclass(slots=True)
class Removal(Node):
    """`break x` or `break connect(a, b)` in an extends clause."""

    name: str
    connection: tuple[Reference, Reference] | None
    token: int


Argument = ElementModification | ElementRedeclaration | Removal


@dataclass(slots=True)
class Constraint(Node):
    """constrainedby T(...)."""

    type: Reference
    modification: Modification | None


@dataclass(slots=True)
class Component(Node):
    """One declared component: `parameter Real x[3](start=1) = y if c "description"`."""

    name: str
    type: Reference
    prefixes: tuple[str, ...]  # of flow, stream, discrete, parameter, constant, input, output
    type_dimensions: tuple[Expression, ...]  # Real[3] x
    dimensions: tuple[Expression, ...]  # Real x[3]
    modification: Modification | None
    condition: Expression | None
    description: str
    token: int
    annotation: Annotation | None = None
    public: bool = True
    final: bool = False
    inner: bool = False
    outer: bool = False
    redeclare: bool = False
    replaceable: bool = False
    constraint: Constraint | None = None


@dataclass(slots=True)
class Extends(Node):
    """extends T(...);"""

    type: Reference
    modification: Modification | None
    public: bool
    token: int
    annotation: Annotation | None = None


@dataclass(slots=True)
class Import(Node):
    """import A.B (alias "B"), import C = A.B (alias "C"), import A.* (alias "")."""

    name: tuple[str, ...]
    alias: str
    token: int
    public: bool = True


@dataclass(slots=True)
class ShortClass(Node):
    """... = input T[3](m): what a short class definition stands for."""

    type: Reference
    prefixes: tuple[str, ...]
    dimensions: tuple[Expression, ...]
    modification: Modification | None


@dataclass(slots=True)
class EnumerationLiteral(Node):
    """One value of an enumeration."""

    name: str
    description: str = ""


@dataclass(slots=True)
class DerivativeOf(Node):
    """function f_der = der(f, x, y)."""

    function: Reference
    variables: tuple[str, ...]


@dataclass(slots=True)
class External(Node):
    """external "C" y = f(x, n) annotation(...)."""

    language: str
    result: Reference | None
    function: str  # "" where the name of the Modelica function is meant
    arguments: tuple[Expression, ...]
    token: int
    annotation: Annotation | None = None


@dataclass(slots=True)
class Section(Node):
    """The equations or statements after one keyword: `equation`, `algorithm`, `initial equation` ..."""

    initial: bool
    equations: tuple[Equation, ...] = ()
    statements: tuple[Statement, ...] = ()
    is_algorithm: bool = False


class Unread(Protocol):
    """What follows the head of a class, still as tokens."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the class that have no value until it is read."""
        ...

    def read(self, definition: ClassDefinition) -> None:
        """Give the class these fields."""
        ...


@dataclass(slots=True)
class ClassDefinition(Node):
    """A class. Exactly one of `short`, `enumeration`, `derivative_of` is set where its body is not a long one.

    A class inside of another may be `unread`: what follows its head is read when it is first asked for.
    """

    name: str
    restriction: str  # "model", "operator record", "expandable connector", "pure function" ...
    token: int
    description: str = ""
    elements: list[Element] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    external: External | None = None
    annotation: Annotation | None = None
    short: ShortClass | None = None
    enumeration: tuple[EnumerationLiteral, ...] | None = None  # () with `open_enumeration` for enumeration(:)
    open_enumeration: bool = False
    derivative_of: DerivativeOf | None = None
    extends_inherited: bool = False  # model extends X(...) ... end X
    extends_modification: Modification | None = None  # of that
    encapsulated: bool = False
    partial: bool = False
    final: bool = False
    inner: bool = False
    outer: bool = False
    redeclare: bool = False
    replaceable: bool = False
    public: bool = True
    constraint: Constraint | None = None
    unread: Unread | None = field(default=None, compare=False, repr=False)

    def leave_unread(self, left: Unread) -> None:
        """Let the rest of the class be read when it is asked for."""
        self.unread = left
        for name in left.fields:
            delattr(self, name)

    def begin_body(self) -> None:
        """An empty body."""
        self.elements = []
        self.sections = []
        self.external = None
        self.annotation = None
        self.unread = None

    def begin_short(self) -> None:
        """The fields of a short class without values."""
        self.short = None
        self.enumeration = None
        self.open_enumeration = False
        self.derivative_of = None
        self.description = ""
        self.annotation = None
        self.unread = None

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """A field that has no value yet."""
            if self.unread is None or name not in self.unread.fields:
                raise AttributeError(name)
            self.unread.read(self)
            return getattr(self, name)

    def __reduce__(self) -> tuple[Any, ...]:
        if self.unread is None:
            return Node.__reduce__(self)
        return unread_class, (self.unread, *_read_head(self.unread.fields)(self))


BODY = ("elements", "sections", "external", "annotation")
SHORT = ("short", "enumeration", "open_enumeration", "derivative_of", "description", "annotation")
_NAMES = tuple(item.name for item in fields(ClassDefinition) if item.name != "unread")


@cache
def _head(unread: tuple[str, ...]) -> tuple[str, ...]:
    """The fields that a class has before it is read."""
    return tuple(name for name in _NAMES if name not in unread)


@cache
def _read_head(unread: tuple[str, ...]) -> attrgetter[tuple[Any, ...]]:
    """Reads these fields, in that order."""
    return attrgetter(*_head(unread))


def unread_class(left: Unread, *head: Any) -> ClassDefinition:
    """A class as it was kept before anybody asked for more than its head."""
    found = ClassDefinition(**dict(zip(_head(left.fields), head, strict=True)))
    found.leave_unread(left)
    return found


Element = Component | ClassDefinition | Extends | Import


@dataclass(slots=True)
class StoredDefinition(Node):
    """One file: `within` None where the clause is missing."""

    within: tuple[str, ...] | None
    classes: list[ClassDefinition]
