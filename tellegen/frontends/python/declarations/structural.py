"""Values known while a model is built: structural parameters, array sizes, conditions."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from tellegen.errors import DataError, LanguageError, UndeclaredQuantityError, nearest
from tellegen.frontends.python.declarations.declare import Declaration, ParameterDecl
from tellegen.frontends.python.declarations.leaf import Leaf
from tellegen.frontends.python.expressions.refusal import called_with
from tellegen.frontends.python.expressions.symbol import Literal, Symbol, show_symbol
from tellegen.ir.expressions.ops import OPS
from tellegen.ir.source_location import SourceLocation, here

_MOST_ELEMENTS = 10**8


def declares(component: object, decl: Declaration) -> bool:
    """Whether the component's class (or a base of it) made this declaration."""
    for cls in type(component).__mro__:
        info = cls.__dict__.get("_info")
        section = info.order.get(decl.name) if info is not None else None
        if section is not None and getattr(info, section)[decl.name] is decl:
            return True
    return False


def refuse_nameless(value: object) -> None:
    """E119 for a declaration that stands where its value should."""
    if isinstance(value, Declaration) and not value.name:
        kind = "parameter" if isinstance(value, ParameterDecl) else "variable"
        raise UndeclaredQuantityError(
            "E119",
            f"tg.{kind}(...) declares a new member, but it is given as a value",
            location=value.location,
            advice="give the number itself: Resistor(R=5.0);\n"
            "or declare a member in the class body and pass it on: R = tg.parameter(5.0), then Resistor(R=R)",
        )


def scope_of(component: Any, decl: Declaration) -> Any:
    """The nearest component, from this one upwards, whose class made the declaration."""
    above = component
    while above is not None:
        if declares(above, decl):
            return above
        above = above._parent
    refuse_nameless(decl)
    raise UndeclaredQuantityError(
        "E119",
        f"'{decl.name}' is used outside the component that declares it",
        location=decl.location,
        advice="pass values down by keyword: child = Child(R=R)",
    )


def _root(component: Any) -> Any:
    """The component that has no parent, from this one upwards."""
    while component._parent is not None:
        component = component._parent
    return component


def in_scope(component: Any, leaf: Leaf) -> Leaf:
    """A member of a part as a class body names it, `b = Inertia(J=2 * a.J)`, as that of the part of an instance."""
    steps = [leaf.owner]
    while steps[-1]._parent is not None:
        steps.append(steps[-1]._parent)
    declared = steps[-1]
    above = component
    if declared is _root(component):
        return leaf  # a part of the model itself, not of a class body
    while above is not None:
        infos = (cls.__dict__.get("_info") for cls in type(above).__mro__)
        if any(info is not None and info.children.get(declared._name) is declared for info in infos):
            owner = above
            for step in reversed(steps):
                owner = getattr(owner, step._name)
            out = Leaf(owner, leaf.decl, leaf.member, leaf.full)
            out.shape = leaf.shape
            out.chosen = leaf.chosen
            return out
        above = above._parent
    return leaf


def known_value(component: Any, wanted: Any) -> Any:
    """The value of a structural parameter, or of an expression of them, for an instance."""
    if isinstance(wanted, ParameterDecl):
        return _parameter_value(component, wanted)
    if not isinstance(wanted, Symbol):
        return wanted
    if isinstance(wanted, Literal):
        return _plain(wanted.value)
    numeric = OPS[wanted.op].numeric if wanted.op in OPS else None
    if isinstance(wanted, (Declaration, Leaf)) or numeric is None:
        raise _not_structural(show_symbol(wanted))
    values = [known_value(component, arg) for arg in wanted.args]
    try:
        return _plain(numeric(*values))
    except (TypeError, ValueError, ZeroDivisionError) as error:
        what = f"'{show_symbol(wanted)}' cannot be computed from {', '.join(repr(value) for value in values)}"
        advice = "a structural parameter that is used as a number must be one: n=5, not n='5'"
        raise LanguageError("E125", what, location=component._location, advice=advice) from error


def decided(component: object, wanted: object) -> Any:
    """A size or condition for an instance: a known value, or a function of the component, `lambda self: self.n > 1`."""
    if isinstance(wanted, FunctionType):
        return called_with(component, wanted, "a size or condition")
    return known_value(component, wanted)


def _parameter_value(component: object, decl: ParameterDecl) -> Any:
    if not decl.structural:
        raise _not_structural(decl.name, decl.location)
    owner = scope_of(component, decl)
    current = type(owner)._info.structural.get(decl.name, decl)  # a subclass may have declared it again
    for given in (owner._values, owner._base):
        if decl.name in given:
            value = given[decl.name]
            known = known_value(owner._parent if owner._parent is not None else owner, value)
            if current.choices:
                _check_choice(owner, current, known)
            return known
    value = known_value(owner, current.value)
    if value is None:
        raise LanguageError(
            "E124",
            f"structural parameter '{decl.name}' of {type(owner).__name__} has no value",
            location=decl.location.within(type(owner).__name__),
            advice=f"give one: {type(owner).__name__}({decl.name}=...)",
        )
    if current.choices:
        _check_choice(owner, current, value)
    return value


def _check_choice(owner: Any, decl: ParameterDecl, value: object) -> None:
    """E703 for none of the words; an array of components has a list of them."""
    for one in value if isinstance(value, (list, tuple)) else (value,):
        if one not in decl.choices:
            what = f"{decl.name}={one!r} does not exist; {nearest(str(one), decl.choices)}"
            advice = f"for example {decl.name}={decl.choices[0]!r}"
            raise DataError("E703", what, location=owner._location, advice=advice)


def _not_structural(name: str, location: SourceLocation | None = None) -> LanguageError:
    return LanguageError(
        "E117",
        f"'{name}' determines the structure of the model (a size, a condition), but it is not a structural parameter",
        location=location or here(),
        advice=f"declare it with structural=True: {name} = tg.parameter(..., structural=True)",
    )


def is_count(value: Any) -> bool:
    """Whether a value is a count of something that fits into memory."""
    number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    return bool(number and 0 <= value <= _MOST_ELEMENTS and int(value) == value)


def known_count(component: Any, array: Any) -> int:
    """How many elements an array of components or ports has, seen from the component that contains it."""
    value = decided(component, array._count)
    if not is_count(value):
        raise LanguageError(
            "E125",
            f"'{array._name}' of {type(component).__name__} is an array of {value!r} elements",
            location=array._location,
            advice="the number of elements is an integer, or a structural parameter that is one",
        )
    return int(value)


def known_shape(component: object, decl: Declaration) -> tuple[int, ...]:
    """The shape of a member whose declaration names structural parameters."""
    sizes = []
    for size in decl.shape_text:
        value = decided(component, size)
        if not is_count(value):
            raise LanguageError(
                "E125",
                f"the size of '{decl.name}' is {value!r}, not an integer from 0 to {_MOST_ELEMENTS:g}",
                location=decl.location.within(type(component).__name__),
                advice="give the structural parameter it comes from an integer value",
            )
        sizes.append(int(value))
    return tuple(sizes)


def _plain(value: object) -> Any:
    return value.item() if isinstance(value, (np.generic, np.ndarray)) and np.ndim(value) == 0 else value
