"""Whether a class may stand where another one is asked for: what redeclarations have to keep (MLS 6.3 to 6.5, 7.3.2).

    replaceable Motor m constrainedby Drive;      redeclare Servo m      ->      Servo has all elements of Drive

Each redeclaration is compared with the constraint in force before it, which it may tighten.
"""

from __future__ import annotations

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.lookup.base_class import InForce
from tellegen.frontends.modelica.lookup.changes import Redeclaration, change_of
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.element_view import ElementView
from tellegen.frontends.modelica.lookup.port_fit import kind_of, ports_misfit
from tellegen.frontends.modelica.lookup.predefined import Builtin
from tellegen.frontends.modelica.lookup.types import SimpleType, simple_type
from tellegen.frontends.modelica.syntax.classes import ClassDefinition, Component

Type = ClassView | Builtin
MAPPED = ("flow", "stream", "input", "output")
"""Prefixes by which elements differ, whatever their types are."""


def check_replacements(own: Component | ClassDefinition, owner: ClassView) -> None:
    """Refuse redeclarations of an element of class `owner`, or a default, that its constraints do not allow (E562)."""
    chain = (*change_of(own.name, owner.changes).redeclarations, Redeclaration(own, owner))
    for position, new in enumerate(chain):
        if isinstance(new.element, ClassDefinition) and new.element.extends_inherited:
            continue
        if new.element.constraint is not None:
            _check(new, _type_of(new), _constraint_of(new))
        if position + 1 < len(chain):
            _check_may_change(new, chain[position + 1], owner)
            wanted = _constraint_of(*chain[position + 1 :])
            _check(new, _type_of(new), wanted)
            if new.element.constraint is not None:
                _check(new, _constraint_of(new), wanted)


def _check_may_change(new: Redeclaration, before: Redeclaration, owner: ClassView) -> None:
    """E551 where a component that is not replaceable gets another class; its own class may be written again (7.3.3)."""
    element = before.element
    if element.replaceable or element.outer or not isinstance(element, Component) or new.scope.file.is_of_python:
        return
    given, wanted = _type_of(new), _type_of(before)
    if not (isinstance(given, ClassView) and isinstance(wanted, ClassView)) or given.contents is wanted.contents:
        return
    if simple_type(given) is None or simple_type(wanted) is None:
        raise ModelicaError(
            "E551",
            f"'{new.element.name}' cannot be redeclared as {_name(given)}: it is not replaceable",
            location=new.scope.location(new.element.token),
            advice=f"declare it `replaceable {_name(wanted)} {new.element.name}` in {owner.path}",
        )


def _type_of(declared: Redeclaration) -> Type | None:
    """The class that a declaration gives an element; of a short class the one it stands for."""
    element, scope = declared
    if isinstance(element, Component):
        found = scope.resolve(element.type)
    elif element.short is not None:
        found = scope.resolve(element.short.type)
    else:
        found = scope.views.view(scope.views.contents(element, scope), scope, InForce())
    return found if isinstance(found, Type) else None


def _constraint_of(*declarations: Redeclaration) -> Type | None:
    """What redeclarations of an element have to be: the constraining type given last, or, where none is given, the type
    of the original declaration, which is the last one here (MLS 7.3.2)."""
    for element, scope in declarations:
        if element.constraint is not None:
            found = scope.resolve(element.constraint.type)
            return found if isinstance(found, Type) else None
    return _type_of(declarations[-1])


def _check(new: Redeclaration, given: Type | None, wanted: Type | None) -> None:
    if given is None or wanted is None or given is wanted:
        return
    pairs = new.scope.views.compatible
    if (given, wanted) in pairs:
        return
    reason = misfit(given, wanted)
    if reason:
        message = f"'{new.element.name}' cannot be declared as {_name(given)}: {reason}"
        location = new.scope.location(new.element.token)
        raise ModelicaError("E562", message, location=location, advice=_advice(given, wanted))
    pairs.add((given, wanted))


def _advice(given: Type, wanted: Type) -> str:
    if isinstance(given, ClassView) and kind_of(given) is not None:
        return f"give the component the connectors of {_name(wanted)}, by the same names"
    return f"take a class that extends {_name(wanted)}"


def misfit(given: Type, wanted: Type) -> str:
    """Why a class cannot replace another one; "" where it can."""
    one = simple_type(given)
    other = simple_type(wanted)
    if one is not None or other is not None:
        return _simple_misfit(one, other, _name(wanted))
    assert isinstance(given, ClassView)
    assert isinstance(wanted, ClassView)
    if kind_of(given) is not None:
        return ports_misfit(given, wanted)
    for name in wanted.component_names():
        if wanted.is_public(name):
            reason = _element_misfit(name, given, wanted)
            if reason:
                return reason
    return ""


def _simple_misfit(given: SimpleType | None, wanted: SimpleType | None, name: str) -> str:
    if given is None or wanted is None:
        return f"{name} is {'a predefined type' if wanted is not None else 'made of components'}"
    if given.base != wanted.base:
        return f"{name} is {wanted.base}, not {given.base}"
    if len(given.dimensions) != len(wanted.dimensions):
        return f"{name} has {len(wanted.dimensions)} dimensions, not {len(given.dimensions)}"
    return ""


def _element_misfit(name: str, given: ClassView, wanted: ClassView) -> str:
    """Whether an element is missing, or is a variable of another kind."""
    one = given.find(name)
    other = wanted.find(name)
    if not isinstance(one, ElementView) or not isinstance(other, ElementView):
        return "" if one is not None else f"it lacks '{name}' of {wanted.path}"
    simple = simple_type(one.type())
    expected = simple_type(other.type())
    if simple is None or expected is None:
        return f"'{name}' of {wanted.path} is not of such a type" if simple is not expected else ""
    if simple.base != expected.base:
        return f"'{name}' of {wanted.path} is {expected.base}, not {simple.base}"
    mapped = set(MAPPED).intersection(one.prefixes + simple.prefixes)
    if mapped != set(MAPPED).intersection(other.prefixes + expected.prefixes):
        return f"'{name}' of {wanted.path} is declared with other prefixes"
    return ""


def _name(kind: Type) -> str:
    return kind.name if isinstance(kind, Builtin) else kind.path
