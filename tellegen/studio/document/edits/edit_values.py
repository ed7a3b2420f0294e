"""What parts are given, as splices of the text: another class, a parameter of the parent, a start value."""

from __future__ import annotations

import ast

from tellegen.errors import DocumentError
from tellegen.studio.document.edits.edit_parts import check_name, editable, inserted, set_argument, written_class
from tellegen.studio.document.text.class_source import ClassSource
from tellegen.studio.document.text.splice import Splice
from tellegen.studio.document.text.typed_value import value_text
from tellegen.studio.library.shapes import ClassShape, ParameterShape


def replace_part(source: ClassSource, part: str, cls: str, shape: ClassShape) -> list[Splice]:
    """Another class for a part: arguments stay where the new one has parameters of these names."""
    member = editable(source, part)
    written, imports = written_class(source, cls)
    named = member.call.func
    if member.count and isinstance(named, ast.Attribute):
        named = named.value  # `.array` stays
    splices = [*imports, Splice(source.file.positions.span(named), written)]
    known = {parameter.name for parameter in shape.parameters}
    for argument in member.arguments:
        if argument.name not in known:
            splices += set_argument(source, part, argument.name, "")
    return splices


def propagate(source: ClassSource, part: str, parameter: ParameterShape, name: str) -> list[Splice]:
    """A parameter of the class that the part gets its value from: `R = tg.parameter(2.4, "ohm", "resistance")`."""
    check_name(source, name)
    member = editable(source, part)
    given = next((argument.text for argument in member.arguments if argument.name == parameter.name), "")
    value = given or parameter.value
    _check_constant(part, parameter.name, value)
    words = [_quoted(parameter.unit), _quoted(parameter.meaning.split(", at ")[0].split(", above ")[0])]
    while words and words[-1] == '""':
        words.pop()
    module = _module(source)
    declared = f"{name} = {module}.parameter({', '.join([value or '1.0', *words])})"
    before = source.file.positions.line_start(member.node.lineno)
    own = [item for item in source.members if item.meaning == "tellegen.parameter"]
    place = inserted(source, declared, after=own[-1].node) if own else inserted(source, declared, before=before)
    return [place, *set_argument(source, part, parameter.name, name)]


def _check_constant(part: str, parameter: str, value: str) -> None:
    """E898 where the value refers to something: that would be declared later than the parameter."""
    try:
        names = [node for node in ast.walk(ast.parse(value or "0", mode="eval")) if isinstance(node, ast.Name)]
    except SyntaxError:
        names = []
    if names:
        advice = "edit the text: a parameter of the model may refer to others that are declared before it"
        raise DocumentError("E898", f"{part}.{parameter} is {value}, an expression already", advice=advice)


def set_start(source: ClassSource, part: str, variable: str, typed: str) -> list[Splice]:
    """`w=tg.variable(start=40.0, fixed=True)`; nothing typed takes it back."""
    if not typed.strip():
        return set_argument(source, part, variable, "")
    given = f"{_module(source)}.variable(start={value_text(typed)}, fixed=True)"
    return set_argument(source, part, variable, given)


def _module(source: ClassSource) -> str:
    """What the file calls tellegen itself."""
    found = next((name for name, meaning in source.file.imported.items() if meaning == "tellegen"), None)
    if found is None:
        advice = "add a line to the text: import tellegen as tg"
        raise DocumentError("E898", f"{source.file.name} does not import tellegen", advice=advice)
    return found


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', "'") + '"'
