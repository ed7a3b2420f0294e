"""What names mean in the text of a class: elements, imports, the classes around, predefined names (MLS 5.3)."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from tellegen.errors import ModelicaError, nearest
from tellegen.frontends.modelica.lookup.element_view import ElementView, Literal
from tellegen.frontends.modelica.lookup.predefined import MEMBERS, NAMES, Builtin
from tellegen.frontends.modelica.syntax.classes import Import
from tellegen.frontends.modelica.syntax.expressions import Reference

if TYPE_CHECKING:
    from tellegen.frontends.modelica.lookup.class_view import ClassView

    Meaning = ClassView | ElementView | Literal | Builtin

_LIKE = 0.75
"""From this similarity on a name is taken for a wrong spelling of another one."""


def meaning_of(name: str, view: ClassView) -> Meaning | None:
    """What a simple name means in the text of a class."""
    around: ClassView | None = view
    while around is not None:
        found = around.find(name) or imported(name, around)
        if found is not None:
            return found
        around = None if around.definition.encapsulated else around.enclosing
    return view.views.predefined(name)


def imported(name: str, view: ClassView) -> Meaning | None:
    """What an import clause of a class makes visible by this name; those of its base classes do not count."""
    named = [clause for clause in view.contents.imports if clause.alias == name]
    if len({clause.name for clause in named}) > 1:
        raise _ambiguous(name, view, named[-1].token)
    if named:
        return _import(named[0], view)
    found: list[Meaning] = []
    for clause in view.contents.imports:
        if not clause.alias:
            member = _public_member(_import(clause, view), name)
            if member is not None and member not in found:
                found.append(member)
    if len(found) > 1:
        raise _ambiguous(name, view, view.definition.token)
    return found[0] if found else None


def _ambiguous(name: str, view: ClassView, token: int) -> ModelicaError:
    return ModelicaError(
        "E547",
        f"'{name}' is imported from several packages",
        location=view.location(token),
        advice=f"import the one that is meant by its name, `import A.B.{name}`",
    )


def _import(clause: Import, view: ClassView) -> Meaning:
    """What a clause names, looked up from the top; it belongs to a package, or is one for `import A.B.*`."""
    found: Meaning = view.views.root
    package = found
    for position, name in enumerate(clause.name):
        member = _member(found, name)
        if member is None:
            raise unknown(clause.name, position, found if position else None, view, clause.token)
        _check_reachable(found, name, member, view, clause.token)
        package = found
        found = member
    _check_package(found if not clause.alias else package, view, clause.token)
    return found


def _check_package(found: Meaning, view: ClassView, token: int) -> None:
    """E552 where something is imported from a class that is not a package (MLS 13.2.1)."""
    if isinstance(found, ElementView | Builtin | Literal) or found.restriction == "package":
        return
    reason = f"it is a {found.restriction}, not a package"
    raise ModelicaError("E552", f"nothing can be imported from {found.path}: {reason}", location=view.location(token))


def _public_member(inside: Meaning, name: str) -> Meaning | None:
    """An element of a class that `import A.*` makes visible."""
    member = _member(inside, name)
    is_class = not isinstance(inside, ElementView | Builtin | Literal)
    return None if member is None or (is_class and not inside.is_public(name)) else member


def resolve(reference: Reference, view: ClassView) -> Meaning:
    """What a name, simple or composed, means in the text of a class; subscripts do not matter."""
    names = tuple(part.name for part in reference.parts)
    found = view.views.top(names[0]) if reference.is_global else view.lookup(names[0])
    if found is None:
        raise unknown(names, 0, None, view, reference.token)
    for position, name in enumerate(names[1:], start=1):
        inside = found
        found = _member(inside, name)
        if found is None:
            raise unknown(names, position, inside, view, reference.token)
        _check_reachable(inside, name, found, view, reference.token)
    return found


def _check_reachable(inside: Meaning, name: str, found: Meaning, view: ClassView, token: int) -> None:
    """E552 where a name after a point is protected, or belongs to objects and not to their class (MLS 5.3.2)."""
    through_component = isinstance(inside, ElementView)
    of = inside.type() if isinstance(inside, ElementView) else inside
    if isinstance(of, Builtin | Literal) or isinstance(found, Builtin | Literal):
        return
    if not of.is_public(name):
        reason = f"it is protected in {of.path}"
    elif through_component and not isinstance(found, ElementView):
        reason = "a class is named through its package, not through a component"
    elif through_component or of.is_package_like() or (not isinstance(found, ElementView) and found.is_encapsulated):
        return
    else:
        reason = f"{of.path} is a {of.restriction}, not a package"
    raise ModelicaError("E552", f"'{name}' cannot be named here: {reason}", location=view.location(token))


def _member(inside: Meaning, name: str) -> Meaning | None:
    """An element of a class, of the class of a component, or of a predefined package."""
    if isinstance(inside, ElementView):
        inside = inside.type()
    if isinstance(inside, Builtin):
        return MEMBERS.get(inside.name, {}).get(name)
    return None if isinstance(inside, Literal) else inside.find(name)


def unknown(
    names: tuple[str, ...], position: int, inside: Meaning | None, view: ClassView, token: int
) -> ModelicaError:
    """The error for a name, at `position` in a composed one, that nothing declares; `inside` is what is before it."""
    name = names[position]
    where = "here or in the classes around" if inside is None else f"in '{'.'.join(names[:position])}'"
    whole = ".".join(names)
    return ModelicaError(
        "E545",
        f"'{name}' is not declared {where}" + (f" (of '{whole}')" if whole != name else ""),
        location=view.location(token),
        advice=_similar(name, view, len(names) > 1) if inside is None else nearest(name, _inside(inside)),
    )


def _similar(name: str, view: ClassView, is_composed: bool) -> str:
    """Names like one that nothing declares; where it has the names of others inside it may be a library."""
    if name.startswith("'"):
        return f'quotation marks of this kind are part of a name; a text is written "{name[1:-1]}"'
    names = _visible(view)
    if is_composed and not difflib.get_close_matches(name, names, cutoff=_LIKE):
        return (
            f"load the library that has '{name}': tg.load_modelica(PATH), or once for good: tellegen modelica add PATH"
        )
    return nearest(name, names)


def _visible(view: ClassView) -> list[str]:
    """All names that the text of a class may use."""
    names: list[str] = []
    around: ClassView | None = view
    while around is not None:
        names += [*around.component_names(), *around.class_names()]
        names += [clause.alias for clause in around.contents.imports if clause.alias]
        around = None if around.definition.encapsulated else around.enclosing
    return [*names, *NAMES]


def _inside(inside: Meaning) -> list[str]:
    """All names of what stands before a point."""
    if isinstance(inside, ElementView):
        inside = inside.type()
    if isinstance(inside, Builtin):
        return list(MEMBERS.get(inside.name, {}))
    return [] if isinstance(inside, Literal) else [*inside.component_names(), *inside.class_names()]
