"""Scalar expressions over the slots of a template.

    Slot(0) * Slot(1) - Der(2)      with slots (R, i, phi) reads  R*i - der(phi)

Nodes are immutable, compare by structure and remember their hash, so shared parts are cheap to find.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from typing import Any

from tellegen.errors import ExportError
from tellegen.ir.expressions.ops import WITH_DERIVATIVES
from tellegen.ir.expressions.table import Table
from tellegen.start.records import dataclass


class Expr:
    """Base of all nodes. `key` identifies a node, `args` are its operands."""

    __slots__ = ("_below", "_hash", "key")
    key: tuple[Any, ...]
    _below: dict[Expr, None]
    args: tuple[Expr, ...] = ()

    def _seal(self, *key: Any) -> None:
        object.__setattr__(self, "key", key)
        object.__setattr__(self, "_hash", hash(key))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Expr) or self._hash != other._hash:
            return False
        if self.key is not other.key:
            if self.key != other.key:
                return False
            object.__setattr__(other, "key", self.key)  # parts that both share are compared once, not on every path
        return True

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("expressions are immutable")

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), self.key[1:])

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self.key[1:]}"


_SLOTS: dict[int, Slot] = {}


class Const(Expr):
    """A number or Boolean."""

    __slots__ = ("value",)
    value: float | int | bool

    def __init__(self, value: float | int | bool, _type: str = "") -> None:
        object.__setattr__(self, "value", value)
        self._seal("const", value, type(value).__name__)  # True, 1 and 1.0 are different constants


class Slot(Expr):
    """The value of the template's slot `index`; there is one such node for each index, so that most comparisons are of
    identities."""

    __slots__ = ("index",)
    index: int

    def __new__(cls, index: int) -> Slot:
        """The node of an index."""
        known = _SLOTS.get(index)
        if known is None:
            known = super().__new__(cls)
            object.__setattr__(known, "index", index)
            known._seal("slot", index)
            _SLOTS[index] = known
        return known


class Der(Expr):
    """The time derivative of the variable in slot `index`."""

    __slots__ = ("index",)
    index: int

    def __init__(self, index: int) -> None:
        object.__setattr__(self, "index", index)
        self._seal("der", index)


class Time(Expr):
    """The independent variable."""

    __slots__ = ()

    def __init__(self) -> None:
        self._seal("time")


class Call(Expr):
    """An operation of ir/expressions/ops.py on operands."""

    __slots__ = ("args", "op")
    op: str

    def __init__(self, op: str, args: tuple[Expr, ...]) -> None:
        object.__setattr__(self, "op", op)
        object.__setattr__(self, "args", args)
        self._seal("call", op, args)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Call, (self.op, self.args))


@dataclass(frozen=True, eq=False)
class Function:
    """A numeric function the tool cannot look into: a callable of numbers that returns `outputs` numbers.

    Compared by identity: two functions of the same name may do different things. `derivative` returns the partial
    derivatives by each argument (a row for each output when there are several); without it they are difference
    quotients, with steps in proportion to the larger of the argument and its `nominal` size (symbolic/slope.py).
    Where `depends` lists for each output the arguments it depends on, `derivative` returns the partial derivatives by
    these alone, one after the other. Where values are exact enough (`has_quotients`), difference quotients may
    differentiate constraints too. A `part` of another function is given fewer arguments: the calls of several parts are
    made one of the whole (codegen/shared_calls.py).
    """

    name: str
    callable: Callable[..., Any]
    outputs: int = 1
    derivative: Callable[..., Any] | None = None
    nominal: tuple[float, ...] = ()
    operator: str = ""  # of a software component: outputs, derivatives or next_states
    in_loops: bool = True  # whether it may be part of an algebraic loop
    labels: int = 0  # so many of the last arguments only say what is meant: nothing varies with them by degrees
    depends: tuple[tuple[int, ...], ...] = ()
    has_quotients: bool = False
    keeps_arguments: bool = False  # what it is given acts on later calls of others: derivatives by it are not known
    part: Part | None = None

    @property
    def is_python(self) -> bool:
        """Whether it is Python code; C functions and kernels have machine code."""
        return not getattr(self.callable, "has_machine_code", False)

    @cached_property
    def partial_places(self) -> dict[tuple[int, int], int]:
        """Where the derivative of an output by an argument stands among those of `derivative`, given `depends`."""
        pairs = ((output, k) for output, known in enumerate(self.depends) for k in known)
        return {pair: place for place, pair in enumerate(pairs)}

    def __reduce__(self) -> tuple[Any, ...]:
        """For other processes, which must be able to import what is called."""
        try:
            pickle.dumps((self.callable, self.derivative) if self.part is None else None)
        except Exception as error:  # pickle raises a family of unrelated classes
            raise ExportError(
                "E410",
                f"the function '{self.name}' cannot be sent to another process: {error}",
                advice="define it (or its class) at the top level of a module that other processes can import",
            ) from None
        return (Function, tuple(getattr(self, field.name) for field in fields(self)))


@dataclass(frozen=True, eq=False)
class Part:
    """Some outputs of a function that depend on some of its arguments only, both by their numbers.

    Where an FMU of a thousand states has a thousand rates of three each, expressions would have a million operands."""

    whole: Function
    arity: int  # of the whole function
    arguments: tuple[int, ...]
    outputs: tuple[int, ...]

    def call(self, args: tuple[Expr, ...], output: int) -> Apply:
        """An output of this part as one of the whole function, which lacks the other arguments."""
        given: list[Expr] = [LACKING] * self.arity
        for k, arg in zip(self.arguments, args, strict=True):
            given[k] = arg
        return Apply(self.whole, tuple(given), self.outputs[output])


_HASHED = 8
"""Operands of a function at either end that its hash is made of: an FMU of 200 states has 200 applications with 200
operands each, which are hashed again in every pass."""


class Apply(Expr):
    """Output number `output` of an opaque function of the operands."""

    __slots__ = ("args", "function", "output")
    function: Function
    output: int

    def __init__(self, function: Function, args: tuple[Expr, ...], output: int = 0) -> None:
        object.__setattr__(self, "function", function)
        object.__setattr__(self, "args", args)
        object.__setattr__(self, "output", output)
        object.__setattr__(self, "key", ("apply", function, args, output))
        ends = args if len(args) <= 2 * _HASHED else (*args[:_HASHED], *args[-_HASHED:])
        object.__setattr__(self, "_hash", hash(("apply", function, ends, output)))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Apply, (self.function, self.args, self.output))


class Lookup(Expr):
    """The value of a table at the operands."""

    __slots__ = ("args", "table")
    table: Table

    def __init__(self, table: Table, args: tuple[Expr, ...]) -> None:
        object.__setattr__(self, "table", table)
        object.__setattr__(self, "args", args)
        self._seal("lookup", table, args)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Lookup, (self.table, self.args))


TIME = Time()
ZERO = Const(0.0)
ONE = Const(1.0)
LACKING = Const(-1.2345678987654321e-287)
"""Stands for an argument that a result does not depend on; no quantity has this value."""


def walk(*roots: Expr) -> tuple[Expr, ...]:
    """Every distinct node below the roots, operands before the nodes that use them."""
    if len(roots) != 1:
        return tuple(_nodes(roots))
    root = roots[0]
    if not root.args:
        return roots
    try:
        below = root._below
    except AttributeError:  # kept: every pass asks again
        below = _nodes(root.args)
        object.__setattr__(root, "_below", below)  # without the root: a cycle would outlive its last use
    return (*below, root)


def walk_needed(root: Expr) -> tuple[Expr, ...]:
    """The nodes that a value depends on: of external functions the arguments that they declare for the output.

    Signals with their derivatives are known from elsewhere: what they are made of does not count.
    """
    seen: dict[Expr, None] = {}
    stack = [root]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen[node] = None
        if isinstance(node, Apply) and node.function.depends:
            stack += (node.args[k] for k in node.function.depends[node.output])
        elif not (isinstance(node, Call) and node.op == WITH_DERIVATIVES):
            stack += node.args
    return tuple(seen)


def walk_unknown(root: Expr, known: Mapping[Expr, object]) -> tuple[Expr, ...]:
    """The nodes that are not known, and are not needed for those that are: a call of a thousand arguments, of which one
    result was asked for, is not walked through for every other one."""
    return _ordered((root,), known)


def _nodes(roots: tuple[Expr, ...]) -> dict[Expr, None]:
    """The nodes of several expressions in order; those of a part that was walked before are copied, without hashing."""
    seen: dict[Expr, None] = {}
    stack = list(reversed(_distinct(roots)))
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        try:
            seen.update(node._below)
        except AttributeError:
            if node.args and (missing := [arg for arg in reversed(_distinct(node.args)) if arg not in seen]):
                stack.append(node)
                stack.extend(missing)
                continue
        seen[node] = None
    return seen


def _ordered(roots: tuple[Expr, ...], known: Mapping[Expr, object]) -> tuple[Expr, ...]:
    seen: dict[Expr, None] = {}
    stack = list(reversed(roots))
    while stack:
        node = stack.pop()
        if node in seen or node in known:
            continue
        if node.args and (
            missing := [arg for arg in reversed(_distinct(node.args)) if arg not in seen and arg not in known]
        ):
            stack.append(node)
            stack.extend(missing)
        else:
            seen[node] = None
    return tuple(seen)


def rebuild(root: Expr, change: Callable[[Expr, tuple[Expr, ...]], Expr]) -> Expr:
    """The expression with every node replaced by `change(node, changed operands)`, shared parts done once."""
    return rebuild_all((root,), change)[0]


def rebuild_all(roots: Sequence[Expr], change: Callable[[Expr, tuple[Expr, ...]], Expr]) -> tuple[Expr, ...]:
    """Several expressions with every node replaced, also what they share done once."""
    done: dict[Expr, Expr] = {}
    for node in walk(*roots):
        done[node] = change(node, changed_operands(done, node.args))
    return tuple(done[root] for root in roots)


def changed_operands(done: Mapping[Expr, Expr], args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """What operands have become."""
    if len(args) <= 2 * _HASHED:
        return tuple(map(done.__getitem__, args))
    by_place = {id(arg): arg for arg in args}
    found = {place: done[arg] for place, arg in by_place.items()}
    return tuple(map(found.__getitem__, map(id, args)))


def _distinct(args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The operands, once where a function of many has the same one in many places."""
    return args if len(args) <= 2 * _HASHED else tuple({id(arg): arg for arg in args}.values())


def same_with(node: Expr, args: tuple[Expr, ...]) -> Expr:
    """The node with other operands."""
    if args == node.args:
        return node
    if isinstance(node, Call):
        return Call(node.op, args)
    if isinstance(node, Apply):
        return Apply(node.function, args, node.output)
    if isinstance(node, Lookup):
        return Lookup(node.table, args)
    return node
