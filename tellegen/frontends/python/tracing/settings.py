"""Numbers and expressions given to the members of children, gathered into columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tellegen.errors import LanguageError
from tellegen.frontends.python.declarations.declare import Declaration, ParameterDecl, has_symbols
from tellegen.frontends.python.declarations.leaf import Leaf
from tellegen.frontends.python.expressions.refusal import wrong_length, wrong_vector
from tellegen.frontends.python.expressions.symbol import Symbol, as_symbol, pick_flat
from tellegen.frontends.python.tracing.trace import Naming, Tracer, leaves_first
from tellegen.ir.expressions.expr import Call, Time, walk
from tellegen.ir.expressions.ops import OPS
from tellegen.ir.expressions.template import ValueTemplate
from tellegen.ir.model import Kind, Ref, Setting, Stamp
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass
from tellegen.units import Unit


@dataclass
class Given:
    """An expression given to a member of a component below."""

    component: Any
    decl: Declaration
    member: str
    attribute: str
    value: Symbol
    own: bool  # given to this very instance, not in a class


@dataclass
class _Numbers:
    """The column of a parameter, for plain numbers in its unit."""

    locals: list[Any]
    values: list[Any]
    unit: Unit


def _bring_values(component: Any) -> None:
    """Make the parts of a component whose kind is known already: values given to those of its declaration come too."""
    if component._kind is not None and component._pattern is not None and component._pattern._children:
        component._materialize()


class Settings:
    """Collects the values of components below an instance. `differs` says whether a child has another shape than
    its parent's class gives it: then the kind of the parent knows nothing of what came with the declaration."""

    def __init__(self, naming: Naming, differs: Callable[[Any, str, Any], bool]) -> None:
        self.naming = naming
        self.differs = differs
        self.columns: dict[tuple[Any, ...], tuple[list[Any], list[Any]]] = {}
        self.expressions: list[Given] = []
        self.are_fixed = True  # no array among them, which can be changed in its place
        self.numbers: dict[tuple[type, tuple[int, ...], str], _Numbers] = {}

    def collect(self, component: Any, level: int, everything: bool = False) -> None:
        """Take what was given to a component and to every descendant that somebody touched: to the instances
        themselves, and in the body of the class that stands `level` components up. Classes further in have put what
        they give into their own kinds, unless one of the components on the way differs (then `everything` is)."""
        _bring_values(component)
        base = component._base
        values = component._values
        levels = component._levels
        if base and not everything:
            base = {key: value for key, value in base.items() if levels.get(key, 1) == level}
        if base or values:
            path, local = self._position(component)
            for key, value in {**base, **values}.items() if base else values.items():
                self._take(component, path, local, key, value)
        for name, child in component._children.items():
            _bring_values(child)
            touched = child._base or child._values or child._children
            if not touched or child._open:  # a System's kind is its own
                continue
            if child._condition is None or component._child(name) is child:
                self.collect(child, level + 1 if level else 0, everything or self.differs(component, name, child))

    def _position(self, component: Any) -> tuple[tuple[int, ...], Any]:
        """Groups to go down, and the number of the component (or of all elements) below the instance."""
        naming = self.naming
        if component._parent is naming.instance and component._count is None:
            g, k = naming.child_index[component._name]
            return (g,), k
        path: list[int] = []
        local: Any = 0
        kind: Kind | None = None
        for step in naming.owner_steps(component) or ():
            g, k = (naming.child_index if kind is None else kind.child_index)[step._name]
            size = naming.group_sizes[g] if kind is None else kind.groups[g].size
            if step._count is None:
                local = local * size + k
            else:
                local = (np.asarray(local)[..., None] * size + np.arange(size)).ravel()
            kind = naming.group_kinds[g] if kind is None else kind.groups[g].kind
            path.append(g)
        return tuple(path), local

    def _take(self, component: Any, path: tuple[int, ...], local: Any, key: str, value: Any) -> None:
        numbers = self.numbers.get((type(component), path, key))
        if numbers is not None and type(value) is float:
            numbers.locals.append(local)
            numbers.values.append(numbers.unit.to_si(value))
            return
        member, _, attribute = key.partition(":")
        info = component._info
        if member in info.structural:
            return
        if attribute == "default":
            member = f"{member}.default"
            attribute = "value"
        if isinstance(value, Symbol) or has_symbols(value):
            decl = _declaration(component, member)
            own = component._values.get(key) is value
            self.are_fixed = False
            self.expressions.append(Given(component, decl, member, attribute or "value", as_symbol(value), own))
            return
        if not (type(value) is float or type(value) is int):
            value = self._convert(component, member, attribute, value, np.size(local))
        elif attribute not in ("fixed", "state"):
            decl = info.parameters[member] if member in info.parameters else _declaration(component, member)
            if isinstance(decl, ParameterDecl) and decl.is_direction:
                raise wrong_vector(_named(component, member), decl.value, 1, component._location)
            value = decl.unit.to_si(value)
        column = self.columns.setdefault((path, member, attribute or "value"), ([], []))
        column[0].append(local)
        column[1].append(value)
        if not attribute and member in info.parameters:
            self.numbers[type(component), path, key] = _Numbers(*column, info.parameters[member].unit)

    def _convert(self, component: Any, member: str, attribute: str, value: Any, rows: int) -> Any:
        if not isinstance(value, (str, int, float, np.generic)):
            self.are_fixed = False
        if attribute == "fixed":
            return np.asarray(value, dtype=bool).astype(float)
        what = _named(component, member)
        decl = _declaration(component, member)
        value = decl.convert(value, what, component._location)
        if value.size == 1 and isinstance(decl, ParameterDecl) and decl.is_direction:
            raise wrong_vector(what, decl.value, 1, component._location)
        own = int(np.prod(component._shape_of(decl)))
        counts = [count for count, _ in component._axes()]
        blocks = [int(np.prod(counts[k:])) for k in range(len(counts))]  # elements below each array around the member
        if value.size not in {1, own, rows, *blocks, *(own * block for block in blocks)}:
            raise wrong_length(what, blocks[-1] if blocks else own, value.size, component._location)
        return value

    def numeric(self, kind: Kind) -> Iterator[Setting]:
        """The columns of numbers; `kind` is that of the instance."""
        for (path, name, attribute), (locals_, values) in self.columns.items():
            below = kind
            for g in path:
                below = below.groups[g].kind
            is_parameter = name in below.parameter_index
            number = (below.parameter_index if is_parameter else below.variable_index)[name]
            size = (below.parameters if is_parameter else below.variables)[number].size
            if all(type(k) is int for k in locals_) and size == 1:
                try:
                    elements = np.array(locals_, np.int64)
                    numbers = np.array(values, float)
                    numbers = numbers.reshape(len(locals_))
                except ValueError:
                    elements, numbers = _spread(locals_, values, size)
            else:
                elements, numbers = _spread(locals_, values, size)
            yield Setting(Ref(path, number, elements, is_parameter), attribute, numbers)

    def stamps(self) -> list[Stamp]:
        """The given expressions as bindings."""
        out = []
        for given in self.expressions:
            target = given.component._leaf(given.decl, given.member, None)
            above = given.component._parent
            location = given.component._location
            out += _bindings(self.naming, above, target, given.attribute, given.value, location)
        return out


def _named(component: Any, member: str) -> str:
    path = component._path()
    return f"'{path}.{member}'" if path else f"'{member}' of {type(component).__name__}"


def _spread(locals_: list[Any], values: list[Any], size: int) -> tuple[Any, Any]:
    """Elements and numbers of values that may be arrays, over components that may be arrays."""
    elements = []
    numbers = []
    for local, value in zip(locals_, values, strict=True):
        rows = np.atleast_1d(np.asarray(local))
        own = (rows[:, None] * size + np.arange(size)).ravel()
        given = np.asarray(value, float)
        if given.size == len(rows) and given.size != size:
            given = np.repeat(given.ravel(), size)
        elements.append(own)
        numbers.append(np.resize(given.ravel(), own.size))
    return np.concatenate(elements), np.concatenate(numbers)


def trace_expressions(
    naming: Naming, instance: Any, expressions: list[tuple[Declaration, str, str, Symbol]]
) -> list[Stamp]:
    """Bindings for the attributes that a class declares by expressions of its own parameters."""
    out = []
    for decl, member, attribute, value in expressions:
        target = Leaf(instance, decl, member, instance._shape_of(decl))
        out += _bindings(naming, instance, target, attribute, value, decl.location.within(type(instance).__name__))
    return out


def _bindings(
    naming: Naming, scope: object, target: Leaf, attribute: str, value: Symbol, location: SourceLocation
) -> Iterator[Stamp]:
    """One binding for all elements, or one for each where a list gives them expressions of different form."""
    if not target.shape or not any(node.op == "stack" for node in leaves_first(value)):
        yield _binding(naming, scope, target, attribute, value, location)
        return
    if np.broadcast_shapes(value.shape, target.shape) != target.shape:
        raise wrong_length(f"'{target.label()}'", int(np.prod(target.shape)), int(np.prod(value.shape)), location)
    numbers = np.broadcast_to(np.arange(int(np.prod(value.shape))).reshape(value.shape), target.shape).ravel()
    for k, number in enumerate(numbers):
        element = target.picked(np.asarray(k))
        yield _binding(naming, scope, element, attribute, pick_flat(value, np.asarray(number)), location)


def _binding(
    naming: Naming, scope: object, target: Leaf, attribute: str, value: Symbol, location: SourceLocation
) -> Stamp:
    if attribute not in ("value", "start"):
        raise LanguageError(
            "E152", f"'{attribute}' of '{target.label()}' must be a number, not '{value}'", location=location
        )
    tracer = Tracer(naming, target.shape, location, scope)
    tracer.slot(target)
    expr = tracer.expr(value)
    for info in tracer.slots[1:]:
        if not info.parameter:
            raise LanguageError(
                "E152",
                f"'{target.label()}' is given by '{value}', which contains the variable '{info.name}'",
                location=location,
                advice="parameters and start values are computed from parameters; write "
                "an equation for quantities that vary",
            )
    for node in walk(expr):
        if isinstance(node, Time) or (isinstance(node, Call) and OPS[node.op].numeric is None):
            what = "time" if isinstance(node, Time) else f"{node.op}(...)"
            raise LanguageError(
                "E152",
                f"'{target.label()}' is given by '{value}', but {what} is not known before the run",
                location=location,
                advice="parameters and start values are computed from parameters; write "
                "an equation for quantities that vary",
            )
    section = "parameter" if attribute == "value" else "start"
    return tracer.stamp(ValueTemplate, section, "", value=expr)


def _declaration(component: object, member: str) -> Declaration:
    """The declaration of a member, also inside ports: `p.v`."""
    owner: Any = component
    parts = member.removesuffix(".default").split(".")
    for part in parts[:-1]:
        owner = getattr(owner, part)
    info = type(owner)._info
    return getattr(info, info.order[parts[-1]])[parts[-1]]
