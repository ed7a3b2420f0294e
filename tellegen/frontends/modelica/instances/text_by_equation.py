"""Strings that an equation of their component determines: they are known while translating."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.modelica.syntax.expressions import Part, Reference
from tellegen.frontends.modelica.syntax.statements import SimpleEquation

if TYPE_CHECKING:
    from tellegen.frontends.modelica.instances.instance import Instance
    from tellegen.frontends.modelica.syntax.expressions import Expression


def text_by_equation(name: str, owner: Instance) -> str | None:
    """The value of a String by an equation `s = "..."` of its component."""
    for scope in owner.chain:
        for section in scope.view.definition.sections:
            for equation in section.equations if not section.initial else ():
                if isinstance(equation, SimpleEquation) and _is_name(equation.left, name):
                    value = scope.evaluate(equation.right)
                    return value if isinstance(value, str) else None
    return None


def _is_name(expression: Expression, name: str) -> bool:
    return isinstance(expression, Reference) and expression.parts == (Part(name),)
