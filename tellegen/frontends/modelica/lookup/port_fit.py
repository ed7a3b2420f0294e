"""Whether a component that was not written in Modelica may stand where a class is asked for: its connectors decide.

    Armature: Pin p, n, parameter R      a component of Python with p and n: v, flow i      ->      it fits

Modelica demands all public elements (compatibility.py). Other components have parameters and variables of their own;
those that the text around names have to exist, which lookup finds out.
"""

from __future__ import annotations

from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.element_view import ElementView
from tellegen.frontends.modelica.lookup.types import prefixes_of, simple_type
from tellegen.ir.model import Kind

_ROLES = ("flow", "stream", "input", "output")


def kind_of(view: ClassView) -> Kind | None:
    """The kind that stands for the equations of a class, of a short one for those of the class it stands for."""
    while view.definition.short is not None and view.bases():
        view = view.bases()[0].view
    return view.contents.kind


def ports_misfit(given: ClassView, wanted: ClassView) -> str:
    """Why a component cannot replace one of a class; "" where it can. Conditional connectors may be missing."""
    for name in wanted.component_names():
        element = wanted.find(name)
        if not isinstance(element, ElementView) or not wanted.is_public(name) or not _is_connector(element):
            continue
        own = given.find(name)
        if isinstance(own, ElementView) and _is_connector(own):
            reason = _connector_misfit(name, own, element)
            if reason:
                return reason
        elif element.condition[0] is None:
            return f"it has no connector '{name}', which {wanted.path} has"
    return ""


def _is_connector(element: ElementView) -> bool:
    kind = element.type()
    simple = simple_type(kind)
    if simple is not None:
        return simple.is_connector
    return isinstance(kind, ClassView) and kind.restriction.endswith("connector")


def _connector_misfit(name: str, own: ElementView, wanted: ElementView) -> str:
    have = _variables(own)
    need = _variables(wanted)
    if have == need and len(own.dimensions[0]) == len(wanted.dimensions[0]):
        return ""
    return f"its connector '{name}' has {_in_words(own, have)}, where {_in_words(wanted, need)} is asked for"


def _variables(element: ElementView) -> dict[str, str]:
    """What a connector holds, in words by names: {"v": "Real", "i": "flow Real"}; a signal is "" of itself."""
    kind = element.type()
    simple = simple_type(kind)
    if simple is not None or not isinstance(kind, ClassView):
        return {"": _word(element)}
    found: dict[str, str] = {}
    for name in kind.component_names():
        field = kind.find(name)
        if isinstance(field, ElementView) and "constant" not in field.prefixes and "parameter" not in field.prefixes:
            found[name] = _word(field)
    return found


def _word(element: ElementView) -> str:
    kind = element.type()
    simple = simple_type(kind)
    base = simple.base if simple is not None else getattr(kind, "path", "")
    roles = [role for role in _ROLES if role in prefixes_of(element)]
    return " ".join([*roles, base])


def _in_words(element: ElementView, variables: dict[str, str]) -> str:
    listed = ", ".join(f"{word} {name}".strip() for name, word in sorted(variables.items()))
    array = f"an array of {listed}" if element.dimensions[0] else listed
    return array or "no variables"
