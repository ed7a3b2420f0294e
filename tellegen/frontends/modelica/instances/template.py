"""What one modification in the text says, by element name, apart from any instance.

    r(each R=2, x.start=1)      Template(nested={"R": Template(2, each), "x": Template(nested={"start": ...})})

Made once per class; a `Modifier` is a template in the scope of one instance.
"""

from __future__ import annotations

from dataclasses import field

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.syntax.classes import (
    Component,
    ElementModification,
    ElementRedeclaration,
    Modification,
)
from tellegen.frontends.modelica.syntax.expressions import Expression
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.start.records import dataclass


@dataclass(slots=True, eq=False)
class Template:
    """The value and the nested modifications written for one element."""

    file: SourceFile
    token: int
    value: Expression | None = None
    nested: dict[str, Template] = field(default_factory=dict)
    each: bool = False
    final: bool = False
    is_break: bool = False  # `= break`: the value further in is taken away
    redeclares: bool = False  # it stands at a redeclaration of the element

    @property
    def decides(self) -> bool:
        """Whether it says something about the value."""
        return self.value is not None or self.is_break

    def value_alone(self) -> Template:
        """Its value alone: what a record's binding says about a field."""
        return Template(self.file, self.token, self.value, is_break=self.is_break)


def template_of(modification: Modification, file: SourceFile, token: int) -> Template:
    """The template of a modification that begins at `token`."""
    result = Template(file, token, modification.value, is_break=modification.is_break)
    for argument in modification.arguments:
        if isinstance(argument, ElementModification):
            _add(result, argument.name, _of_argument(argument, file))
        elif isinstance(argument, ElementRedeclaration) and isinstance(argument.element, Component):
            _add(result, (argument.element.name,), _of_redeclaration(argument, argument.element, file))
    return result


_NOTHING = Modification()


def _of_argument(argument: ElementModification, file: SourceFile) -> Template:
    result = template_of(argument.modification or _NOTHING, file, argument.token)
    result.each = argument.each
    result.final = argument.final
    return result


def _of_redeclaration(argument: ElementRedeclaration, component: Component, file: SourceFile) -> Template:
    result = template_of(component.modification or _NOTHING, file, component.token)
    result.each = argument.each
    result.final = argument.final or component.final
    result.redeclares = True
    return result


def _add(template: Template, name: tuple[str, ...], part: Template) -> None:
    """`part` for the element `name` below `template`: a dotted name is a nested modification."""
    for outer in name[:-1]:
        template = template.nested.setdefault(outer, Template(part.file, part.token))
    present = template.nested.get(name[-1])
    template.nested[name[-1]] = part if present is None else _joined(present, part, ".".join(name))


def _joined(one: Template, other: Template, name: str) -> Template:
    """Two arguments for the same element as one: they may say different things, never the same twice."""
    if one.decides and other.decides:
        raise ModelicaError(
            "E557",
            f"{name} is modified twice in one modification",
            location=other.file.location(other.token),
            advice="keep one of the two",
        )
    result = Template(one.file, one.token, nested=dict(one.nested))
    source = one if one.decides else other
    result.value = source.value
    result.is_break = source.is_break
    result.each = one.each or other.each
    result.final = one.final or other.final
    result.redeclares = one.redeclares or other.redeclares
    for inner, part in other.nested.items():
        present = result.nested.get(inner)
        result.nested[inner] = part if present is None else _joined(present, part, f"{name}.{inner}")
    return result
