"""The syntax tree back to Modelica text.

Parsing the text again gives the same tree. Comments are not part of a tree, nor are the arguments of annotations that
are for drawings and documentation.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch
from typing import Any

from tellegen.frontends.modelica.syntax import classes as c
from tellegen.frontends.modelica.syntax import expressions as e
from tellegen.frontends.modelica.syntax import statements as s
from tellegen.frontends.modelica.syntax.parse_expressions import (
    BINDING,
    NOT,
    NOT_ASSOCIATIVE,
    OR,
    PRODUCT,
    RELATION,
    SUM,
)

ANY = 0  # the level where if-expressions and ranges need no parentheses
_PRIMARY = max(BINDING.values()) + 1
_INDENT = "  "


def print_file(stored: c.StoredDefinition) -> str:
    """A whole file."""
    within = [] if stored.within is None else [f"within {'.'.join(stored.within)};".replace(" ;", ";")]
    classes = [f"{'final ' * definition.final}{print_class(definition)};" for definition in stored.classes]
    return "\n".join([*within, *classes]) + "\n"


def print_expression(expression: e.Expression, level: int = ANY) -> str:
    """An expression, in parentheses where it binds less tightly than `level`."""
    text, own = _expression(expression)
    return text if own >= level else f"({text})"


@singledispatch
def _expression(node: Any) -> tuple[str, int]:
    """The text of a node and how tightly it binds."""
    raise NotImplementedError(type(node).__name__)


@_expression.register
def _(node: e.Number) -> tuple[str, int]:
    return repr(node.value), _PRIMARY


@_expression.register
def _(node: e.Text) -> tuple[str, int]:
    return _string(node.value), _PRIMARY


@_expression.register
def _(node: e.Truth) -> tuple[str, int]:
    return str(node.value).lower(), _PRIMARY


@_expression.register
def _(_: e.EndOfDimension) -> tuple[str, int]:
    return "end", _PRIMARY


@_expression.register
def _(_: e.Colon) -> tuple[str, int]:
    return ":", _PRIMARY


@_expression.register
def _(node: e.Unary) -> tuple[str, int]:
    if node.operator == "not":
        return f"not {print_expression(node.operand, RELATION)}", NOT
    return f"{node.operator}{print_expression(node.operand, PRODUCT)}", SUM


@_expression.register
def _(node: e.Binary) -> tuple[str, int]:
    """Along the left operands in a loop: sums may be long."""
    binding = BINDING[node.operator]
    right: list[str] = []
    left: e.Expression = node
    while isinstance(left, e.Binary) and BINDING[left.operator] == binding:
        right.append(f" {left.operator} {print_expression(left.right, binding + 1)}")
        left = left.left
        if binding in NOT_ASSOCIATIVE:
            break
    first = print_expression(left, binding + (binding in NOT_ASSOCIATIVE))
    return first + "".join(reversed(right)), binding


@_expression.register
def _(node: e.IfExpression) -> tuple[str, int]:
    branches = [
        f"if {print_expression(condition)} then {print_expression(value)} " for condition, value in node.branches
    ]
    return "else".join(branches) + f"else {print_expression(node.otherwise)}", ANY


@_expression.register
def _(node: e.Range) -> tuple[str, int]:
    parts = [node.start, node.stop] if node.step is None else [node.start, node.step, node.stop]
    return ":".join(print_expression(part, OR) for part in parts), ANY


@_expression.register
def _(node: e.ArrayConstructor) -> tuple[str, int]:
    return f"{{{_list(node.items)}}}", _PRIMARY


@_expression.register
def _(node: e.Comprehension) -> tuple[str, int]:
    text = f"{print_expression(node.body)} for {_iterators(node.iterators)}"
    return f"{{{text}}}" if node.braces else text, _PRIMARY


@_expression.register
def _(node: e.MatrixConstructor) -> tuple[str, int]:
    return f"[{'; '.join(_list(row) for row in node.rows)}]", _PRIMARY


@_expression.register
def _(node: e.Reference) -> tuple[str, int]:
    return "." * node.is_global + ".".join(_part(part) for part in node.parts), _PRIMARY


@_expression.register
def _(node: e.Call) -> tuple[str, int]:
    named = [f"{name} = {print_expression(value)}" for name, value in node.named]
    arguments = [print_expression(argument) for argument in node.arguments]
    return f"{print_expression(node.function)}({', '.join(arguments + named)})", _PRIMARY


@_expression.register
def _(node: e.PartialApplication) -> tuple[str, int]:
    named = ", ".join(f"{name} = {print_expression(value)}" for name, value in node.named)
    return f"function {print_expression(node.function)}({named})", _PRIMARY


@_expression.register
def _(node: e.TupleExpression) -> tuple[str, int]:
    return _targets(node.items), _PRIMARY


@_expression.register
def _(node: e.Subscripted) -> tuple[str, int]:
    return f"{_bracketed(node.expression)}[{_list(node.subscripts)}]", _PRIMARY


@_expression.register
def _(node: e.FieldAccess) -> tuple[str, int]:
    return f"{_bracketed(node.expression)}.{_part(node.field)}", _PRIMARY


def _bracketed(node: e.Expression) -> str:
    """What a subscript or a field may follow."""
    closed = (e.Call, e.Subscripted, e.FieldAccess, e.ArrayConstructor, e.MatrixConstructor, e.Comprehension)
    text = print_expression(node)
    return text if isinstance(node, closed) else f"({text})"


def _part(part: e.Part) -> str:
    return part.name + (f"[{_list(part.subscripts)}]" if part.subscripts else "")


def _list(items: Iterable[e.Expression]) -> str:
    return ", ".join(print_expression(item) for item in items)


def _targets(items: Iterable[e.Expression | None]) -> str:
    return f"({', '.join('' if item is None else print_expression(item) for item in items)})"


def _iterators(iterators: Iterable[e.Iterator]) -> str:
    return ", ".join(
        one.name if one.range is None else f"{one.name} in {print_expression(one.range)}" for one in iterators
    )


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _described(text: str, description: str, annotation: s.Annotation | None = None) -> str:
    """Followed by a description and an annotation."""
    text += f" {_string(description)}" if description else ""
    return text + (f" {_annotation(annotation)}" if annotation is not None else "")


def _annotation(annotation: s.Annotation) -> str:
    return f"annotation({_arguments(annotation.relevant)})"


def _arguments(modification: c.Modification | None) -> str:
    return ", ".join(_argument(argument) for argument in modification.arguments) if modification is not None else ""


def _modification(modification: c.Modification | None) -> str:
    if modification is None:
        return ""
    has_value = modification.value is not None or modification.is_break
    text = f"({_arguments(modification)})" if modification.arguments or not has_value else ""
    if modification.is_break:
        return f"{text} = break"
    return text if modification.value is None else f"{text} = {print_expression(modification.value)}"


def _argument(argument: c.Argument) -> str:
    if isinstance(argument, c.Removal):
        ends = argument.connection
        return "break " + (argument.name if ends is None else f"connect({_list(ends)})")
    prefixes = "each " * argument.each + "final " * argument.final
    if isinstance(argument, c.ElementModification):
        text = f"{prefixes}{'.'.join(argument.name)}{_modification(argument.modification)}"
        return _described(text, argument.description)
    element = argument.element
    text = print_class(element) if isinstance(element, c.ClassDefinition) else _component(element)
    replaceable = "replaceable " * element.replaceable
    return "redeclare " * element.redeclare + prefixes + replaceable + text + _constraint(element.constraint)


def _constraint(constraint: c.Constraint | None) -> str:
    if constraint is None:
        return ""
    return f" constrainedby {print_expression(constraint.type)}{_modification(constraint.modification)}"


def _component(node: c.Component) -> str:
    dimensions = f"[{_list(node.type_dimensions)}]" if node.type_dimensions else ""
    kind = " ".join([*node.prefixes, print_expression(node.type) + dimensions])
    text = f"{kind} {_part(e.Part(node.name, node.dimensions))}{_modification(node.modification)}"
    text += f" if {print_expression(node.condition)}" if node.condition is not None else ""
    return _described(text, node.description, node.annotation)


def print_class(node: c.ClassDefinition) -> str:
    """A class, without the prefixes of an element and without the semicolon after it."""
    text = "encapsulated " * node.encapsulated + "partial " * node.partial
    text += f"{node.restriction} {'extends ' * node.extends_inherited}{node.name}"
    if node.short is not None:
        text += f" = {_short(node.short)}"
    elif node.enumeration is not None:
        literals = ", ".join(_described(literal.name, literal.description) for literal in node.enumeration)
        text += f" = enumeration({':' if node.open_enumeration else literals})"
    elif node.derivative_of is not None:
        text += f" = der({', '.join([print_expression(node.derivative_of.function), *node.derivative_of.variables])})"
    else:
        text += _modification(node.extends_modification)
        return "\n".join([_described(text, node.description), *_body(node), f"end {node.name}"])
    return _described(text, node.description, node.annotation)


def _short(node: c.ShortClass) -> str:
    dimensions = f"[{_list(node.dimensions)}]" if node.dimensions else ""
    return " ".join([*node.prefixes, print_expression(node.type) + dimensions + _modification(node.modification)])


def _body(node: c.ClassDefinition) -> list[str]:
    """The lines between the head of a class and its end."""
    lines: list[str] = []
    public = True
    for element in node.elements:
        if element.public != public:
            public = element.public
            lines.append("public" if public else "protected")
        lines += _indented(f"{_element(element)};")
    for section in node.sections:
        lines.append("initial " * section.initial + ("algorithm" if section.is_algorithm else "equation"))
        lines += _block(section.equations) + _block(section.statements)
    if node.external is not None:
        lines += _indented(f"{_external(node.external)};")
    if node.annotation is not None:
        lines += _indented(f"{_annotation(node.annotation)};")
    return lines


def _element(node: c.Element) -> str:
    if isinstance(node, c.Import):
        name = ".".join(node.name)
        if not node.alias:
            return f"import {name}.*"
        return f"import {name}" if node.alias == node.name[-1] else f"import {node.alias} = {name}"
    if isinstance(node, c.Extends):
        return _described(
            f"extends {print_expression(node.type)}{_modification(node.modification)}", "", node.annotation
        )
    prefixes = "redeclare " * node.redeclare + "final " * node.final
    prefixes += "inner " * node.inner + "outer " * node.outer + "replaceable " * node.replaceable
    text = _component(node) if isinstance(node, c.Component) else print_class(node)
    return prefixes + text + _constraint(node.constraint)


def _external(node: c.External) -> str:
    text = f'external "{node.language}"'
    text += f" {print_expression(node.result)} =" if node.result is not None else ""
    text += f" {node.function}({_list(node.arguments)})" if node.function else ""
    return _described(text, "", node.annotation)


def _indented(text: str) -> list[str]:
    return [_INDENT + line for line in text.split("\n")]


def _block(items: Iterable[s.Equation | s.Statement]) -> list[str]:
    return [line for item in items for line in _indented(f"{_item(item)};")]


def _inside(items: Iterable[s.Equation | s.Statement]) -> str:
    return "".join(f"\n{line}" for line in _block(items)) + "\n"


@singledispatch
def _item(node: Any) -> str:
    """An equation or statement."""
    raise NotImplementedError(type(node).__name__)


@_item.register
def _(node: s.SimpleEquation) -> str:
    text = f"{print_expression(node.left, OR)} = {print_expression(node.right)}"
    return _described(text, node.description)


@_item.register(s.CallEquation)
@_item.register(s.CallStatement)
def _(node: s.CallEquation | s.CallStatement) -> str:
    return print_expression(node.call)


@_item.register
def _(node: s.ConnectEquation) -> str:
    return _described(f"connect({_list((node.left, node.right))})", "", node.annotation)


@_item.register(s.IfEquation)
@_item.register(s.IfStatement)
def _(node: s.IfEquation | s.IfStatement) -> str:
    parts = []
    for number, (condition, items) in enumerate(node.branches):
        keyword = "if" if number == 0 else "elseif"
        parts.append("else" if condition is None else f"{keyword} {print_expression(condition)} then")
        parts.append(_inside(items))
    return "".join([*parts, "end if"])


@_item.register(s.WhenEquation)
@_item.register(s.WhenStatement)
def _(node: s.WhenEquation | s.WhenStatement) -> str:
    parts = [f"when {print_expression(condition)} then{_inside(items)}" for condition, items in node.branches]
    return "else".join(parts) + "end when"


@_item.register(s.ForEquation)
@_item.register(s.ForStatement)
def _(node: s.ForEquation | s.ForStatement) -> str:
    return f"for {_iterators(node.iterators)} loop{_inside(node.body)}end for"


@_item.register
def _(node: s.WhileStatement) -> str:
    return f"while {print_expression(node.condition)} loop{_inside(node.body)}end while"


@_item.register
def _(node: s.Assignment) -> str:
    return f"{print_expression(node.target)} := {print_expression(node.value)}"


@_item.register
def _(node: s.MultipleAssignment) -> str:
    return f"{_targets(node.targets)} := {print_expression(node.call)}"


@_item.register
def _(_: s.Break) -> str:
    return "break"


@_item.register
def _(_: s.Return) -> str:
    return "return"
