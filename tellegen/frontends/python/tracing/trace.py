"""Tracing: from the symbols a component yields to templates over slots.

    yield self.v == self.R * self.i     ->     EquationTemplate(Slot(0), Slot(1) * Slot(2)), slots v, R, i

An array equation becomes one scalar template with a row per element. Happens once per shape of a component.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.errors import LanguageError, UndeclaredQuantityError
from tellegen.frontends.python.declarations.declare import Declaration, DeclaredPart
from tellegen.frontends.python.declarations.leaf import Leaf
from tellegen.frontends.python.declarations.structural import in_scope, scope_of
from tellegen.frontends.python.expressions.refusal import misplaced_after
from tellegen.frontends.python.expressions.symbol import Literal, Shape, Symbol, as_symbol, pick_flat, show_symbol
from tellegen.ir.expressions.expr import TIME, ZERO, Apply, Call, Const, Der, Expr, Lookup, Slot
from tellegen.ir.expressions.template import EquationTemplate, SlotInfo, Template
from tellegen.ir.model import Kind, Parameter, Ref, Stamp, Variable
from tellegen.ir.source_location import SourceLocation
from tellegen.symbolic.differentiate import time_derivative
from tellegen.units import TIME as SECOND
from tellegen.units import Unit, describe


def leaves_first(root: Symbol) -> list[Symbol]:
    """All nodes of a symbol, operands before users, each once; without recursion, because sums can be long."""
    order: list[Symbol] = []
    seen: set[int] = set()
    stack: list[tuple[Symbol, bool]] = [(root, False)]
    while stack:
        node, ready = stack.pop()
        if id(node) in seen:
            continue
        if ready:
            seen.add(id(node))
            order.append(node)
        else:
            stack.append((node, True))
            stack.extend((arg, False) for arg in reversed(node.args))
    return order


class Naming:
    """Finds the members that symbols of an instance stand for, and keeps what tracing adds to the kind."""

    def __init__(self, instance: Any, variables: list[Variable], parameters: list[Parameter]) -> None:
        self.instance = instance
        self.variables = variables
        self.parameters = parameters
        self.variable_index = {v.name: k for k, v in enumerate(variables)}
        self.parameter_index = {p.name: k for k, p in enumerate(parameters)}
        self.child_index: dict[str, tuple[int, int]] = {}
        self.group_sizes: list[int] = []
        self.group_kinds: list[Kind] = []
        self.second_order: dict[tuple[Any, ...], tuple[int, int]] = {}  # variable and element
        self.extra: list[Stamp] = []
        self.mechanics: list[Any] = []  # what is said about frames, with the location of each

    def owner_steps(self, owner: Any) -> list[Any] | None:
        """The components from below the instance down to the owner; None when it is not below."""
        steps: list[Any] = []
        while owner is not None and owner is not self.instance and owner._view_of is not self.instance:
            steps.append(owner)
            owner = owner._parent
        return None if owner is None else steps[::-1]

    def ref(self, leaf: Leaf) -> tuple[Ref, Variable | Parameter, str]:
        """The reference, the member it ends at, and its name seen from the instance."""
        steps = self.owner_steps(leaf.owner)
        if steps is None:
            return self._outer_ref(leaf)
        path = []
        base = np.zeros((), np.int64)
        kind = None
        names = []
        for step in steps:
            index = self.child_index if kind is None else kind.child_index
            g, k = index[step._name]
            size = self.group_sizes[g] if kind is None else kind.groups[g].size
            base = base * size + k if step._count is None else base[..., None] * size + np.arange(size)
            kind = self.group_kinds[g] if kind is None else kind.groups[g].kind
            path.append(g)
            names.append(step._name)
        number, member, is_parameter = self._find(kind, leaf)
        full = (base[..., None] * member.size + np.arange(member.size)).reshape(leaf.full)
        elements = full if leaf.chosen is None else full.ravel()[leaf.chosen]
        prefix = ".".join([*names, ""])
        return Ref(tuple(path), number, elements, is_parameter), member, prefix

    def _find(self, kind: Kind | None, leaf: Leaf) -> tuple[int, Variable | Parameter, bool]:
        variables = self.variable_index if kind is None else kind.variable_index
        if leaf.member in variables:
            number = variables[leaf.member]
            return number, (self.variables if kind is None else kind.variables)[number], False
        parameters = self.parameter_index if kind is None else kind.parameter_index
        number = parameters[leaf.member]
        return number, (self.parameters if kind is None else kind.parameters)[number], True

    def _outer_ref(self, leaf: Leaf) -> tuple[Ref, Variable | Parameter, str]:
        outers = type(self.instance)._info.outers
        declared = next((outers[name] for name in outers if getattr(self.instance, name) is leaf.owner), None)
        if declared is None:
            raise UndeclaredQuantityError(
                "E119",
                f"'{leaf.label()}' is not part of {type(self.instance).__name__}, whose equations use it",
                location=self.instance._location,
                advice="components can use their own members, their children and outer "
                "components; connect everything else",
            )
        section = leaf.owner._info.order.get(leaf.member, "variables")
        is_parameter = section == "parameters"
        size = int(np.prod(leaf.full))
        elements = np.arange(size).reshape(leaf.full)
        elements = elements if leaf.chosen is None else elements.ravel()[leaf.chosen]
        shared = {"name": leaf.member, "unit": leaf.decl.unit, "shape": leaf.full}
        kind = {key: getattr(leaf.decl, key) for key in ("role", "type", "discrete") if not is_parameter}
        member = Parameter(**shared) if is_parameter else Variable(**shared, **kind)
        ref = Ref((), -1, elements, is_parameter, outer=declared.name, outer_member=leaf.member)
        return ref, member, f"{declared.name}."

    def literal(self, values: np.ndarray[Any, Any]) -> Ref:
        """An array of numbers written in an equation, kept as a hidden parameter."""
        name = f"literal{len(self.parameters)}"
        self.parameters.append(
            Parameter(name=name, shape=(len(values),), attributes={"value": values.astype(float)}, literal=True)
        )
        self.parameter_index[name] = len(self.parameters) - 1
        return Ref((), len(self.parameters) - 1, np.arange(len(values)), True)


class Tracer:
    """Turns the symbols of one statement into expressions over shared slots."""

    def __init__(self, naming: Naming, shape: Shape, location: SourceLocation, scope: Any = None) -> None:
        self.naming = naming
        self.scope = naming.instance if scope is None else scope  # where declared names are looked up
        self.shape = shape
        self.location = location
        self.slots: list[SlotInfo] = []
        self.refs: list[Ref] = []
        self.by_key: dict[tuple[Any, ...], int] = {}

    def expr(self, root: Symbol) -> Expr:
        """The scalar expression of a symbol, for all rows of the statement."""
        done: dict[int, Expr] = {}
        try:
            for node in leaves_first(root):
                done[id(node)] = self._node(node, [done[id(arg)] for arg in node.args])
        except LanguageError as error:
            error.location = self.location  # the statement, wherever the thing itself was declared
            raise
        return done[id(root)]

    def _node(self, node: Symbol, args: list[Expr]) -> Expr:
        if isinstance(node, Literal):
            return self._literal(node)
        if isinstance(node, Leaf):
            return Slot(self.slot(in_scope(self.scope, node)))
        if isinstance(node, Declaration):
            owner = scope_of(self.scope, node)
            return self.expr(self._aligned(owner, _as_leaf(owner, node)))
        if isinstance(node, DeclaredPart):
            owner = scope_of(self.scope, node.decl)
            leaf = _as_leaf(owner, node.decl)
            axes = leaf.shape[: len(owner._axes())]
            numbers = np.arange(int(np.prod(leaf.shape))).reshape(*axes, -1)[..., node.chosen]
            return self.expr(self._aligned(owner, pick_flat(leaf, numbers)))
        if node.op == "time":
            return TIME
        if node.op == "der":
            return self._derivative(args[0], node)
        if node.op == "after":
            raise misplaced_after(self.location)
        if node.op == "apply":
            function, output = node.extra
            return Apply(function, tuple(args), output)
        if node.op == "lookup":
            return Lookup(node.extra, tuple(args))
        return Call(node.op, tuple(args))

    def _aligned(self, owner: Any, leaf: Symbol) -> Symbol:
        """A member of an array of components, with its axes in front, for a statement about arrays further in."""
        axes = len(owner._axes())
        missing = len(self.shape) - len(leaf.shape)
        if not axes or missing <= 0:
            return leaf
        shape = (*leaf.shape[:axes], *(1,) * missing, *leaf.shape[axes:])
        return pick_flat(leaf, np.arange(int(np.prod(shape))).reshape(shape))

    def _literal(self, node: Literal) -> Expr:
        values = np.broadcast_to(node.value, np.broadcast_shapes(node.shape, self.shape)).ravel()
        first = values[0] if values.size else 0.0
        if np.all(values == first):
            return Const(bool(first) if values.dtype.kind == "b" else float(first))
        return Slot(self._number(values))

    def number(self, node: Literal) -> int:
        """The slot of numbers, equal ones too."""
        return self._number(np.ravel(node.value))

    def _number(self, values: np.ndarray[Any, Any]) -> int:
        return self._add(self.naming.literal(values), SlotInfo(f"{np.array2string(values, threshold=4)}", True))

    def slot(self, leaf: Leaf) -> int:
        """The slot of a leaf, the same for equal leaves."""
        ref, member, prefix = self.naming.ref(leaf)
        elements = ref.elements
        if elements.ndim:
            elements = np.broadcast_to(elements, np.broadcast_shapes(elements.shape, self.shape)).ravel()
        else:
            elements = elements.reshape(1)
        ref = Ref(ref.path, ref.member, elements, ref.parameter, ref.outer, ref.outer_member)
        label = prefix + (member.element_name(int(elements[0]) % member.size) if elements.size else member.name)
        if isinstance(member, Variable):
            info = SlotInfo(label, False, member.unit, member.role, member.type, member.discrete, member.literals)
        else:
            info = SlotInfo(label, True, member.unit)
        return self._add(ref, info)

    def _add(self, ref: Ref, info: SlotInfo) -> int:
        key = (ref.path, ref.member, ref.parameter, ref.outer, ref.outer_member, ref.elements.tobytes())
        if key not in self.by_key:
            self.by_key[key] = len(self.slots)
            self.slots.append(info)
            self.refs.append(ref)
        return self.by_key[key]

    def _derivative(self, inner: Expr, node: Symbol) -> Expr:
        def of_slot(index: int) -> Expr:
            slot = self.slots[index]
            if slot.parameter or slot.discrete:
                return ZERO
            return Der(index)

        if isinstance(inner, Slot) and (self.slots[inner.index].discrete or self.slots[inner.index].parameter):
            name = show_symbol(node.args[0])
            fixed = self.slots[inner.index].parameter
            raise LanguageError(
                "E143",
                f"'{show_symbol(node)}': '{name}' is "
                + ("a parameter, so its time derivative is zero" if fixed else "discrete: it has no time derivative"),
                location=self.location,
                advice=f"declare what changes with time as a variable: {name} = tg.variable(unit, start=...)"
                if fixed
                else "differentiate a continuous variable; a discrete one changes by x - tg.pre(x) inside tg.when",
            )
        result = time_derivative(inner, of_slot, self._second)
        if result is None:
            raise LanguageError(
                "E144",
                f"'{show_symbol(node)}' cannot be differentiated",
                location=self.location,
                advice="declare a variable for the expression and differentiate that",
            )
        return result

    def _second(self, index: int) -> Expr:
        """The derivative of a derivative: a variable `x.der` is added for the first one."""
        ref = self.refs[index]
        info = self.slots[index]
        known = self.naming.second_order
        keys = [(ref.path, ref.member, ref.outer, ref.outer_member, e) for e in ref.elements.tolist()]
        numbers = {known[key][0] if key in known else -1 for key in keys}
        if len(numbers) != 1 or -1 in numbers:
            self._add_rate(ref, info, keys)
        number = known[keys[0]][0]
        member = self.naming.variables[number]
        elements = np.array([known[key][1] for key in keys], np.int64)
        return Der(self._add(Ref((), number, elements, False), SlotInfo(member.name, False, member.unit)))

    def _add_rate(self, ref: Ref, info: SlotInfo, keys: list[tuple[Any, ...]]) -> None:
        """A variable for the derivatives of the elements of a ref, and the equations that say so."""
        naming = self.naming
        rows = len(ref.elements)
        unit = _per_second(info.unit)
        name = f"{info.name}.der"
        shape = (rows,) if rows > 1 else ()
        if ref.path or ref.outer:
            name = f"der({info.name})"
        elif np.array_equal(ref.elements, np.arange(naming.variables[ref.member].size)):
            whole = naming.variables[ref.member]
            name, shape = (f"{whole.name}.der", whole.shape) if whole.array < 0 else (name, shape)
        while name in naming.variable_index:
            name += "'"
        number = naming.variable_index[name] = len(naming.variables)
        naming.variables.append(Variable(name=name, shape=shape, unit=unit))
        naming.second_order.update({key: (number, k) for k, key in enumerate(keys)})
        slots = (SlotInfo(name, False, unit), info)
        template = EquationTemplate(
            slots=slots, lhs=Slot(0), rhs=Der(1), owner=type(naming.instance).__name__, location=self.location
        )
        naming.extra.append(Stamp(template, (Ref((), number, np.arange(rows), False), ref), rows, "equation"))

    def stamp(self, template: type[Template], section: str, owner: str, **fields: Any) -> Stamp:
        """The statement, with the slots gathered so far."""
        rows = int(np.prod(self.shape))
        made = template(slots=tuple(self.slots), owner=owner, location=self.location, **fields)
        return Stamp(made, tuple(self.refs), rows, section)


def _as_leaf(owner: Any, decl: Declaration) -> Symbol:
    """A declared name, read through the instance it belongs to (a subclass may have declared it again)."""
    info = type(owner)._info
    return as_symbol(owner._member(getattr(info, info.order[decl.name])[decl.name]))


def _per_second(unit: Unit) -> Unit:
    if unit.dimension is None:
        return unit
    dimension = tuple(a - b for a, b in zip(unit.dimension, SECOND, strict=True))
    return Unit(describe(dimension), dimension)
