"""Operations on parts as splices of the text: add, remove, rename, set a parameter."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from itertools import count

from tellegen.errors import DocumentError
from tellegen.studio.document.edits.edit_imports import after_imports, first_import, import_of, imported_line
from tellegen.studio.document.edits.edit_wires import without_ends
from tellegen.studio.document.text.class_source import ClassSource, Member
from tellegen.studio.document.text.origins import Origin, below, class_name, expression, module_of, origin_of
from tellegen.studio.document.text.source_file import USUAL_NAMES, SourceFile
from tellegen.studio.document.text.splice import Span, Splice
from tellegen.studio.document.text.typed_value import value_text


def add_part(source: ClassSource, cls: str, name: str) -> list[Splice]:
    """`name = el.Resistor()` after the last member, and an import where the file has none of that module."""
    check_name(source, name)
    written, imports = written_class(source, cls)
    return [*imports, inserted(source, f"{name} = {written}()")]


def written_class(source: ClassSource, cls: str) -> tuple[str, list[Splice]]:
    """What the file calls a class, `el.Resistor`, and the import that it needs for that."""
    origin = origin_of(cls)
    if origin is not None:
        return _of_other_file(source.file, origin)
    domain, _, last = cls.rpartition(".")
    if not domain:
        return last, []
    module = source.file.module_name(domain)
    if module is not None:
        return f"{module}.{last}", []
    usual = USUAL_NAMES.get(domain, domain)
    module = usual if usual not in source.file.taken else domain
    return f"{module}.{last}", [import_of(source.file, domain, module)]


def _of_other_file(file: SourceFile, origin: Origin) -> tuple[str, list[Splice]]:
    """The name that a class of another file has here, or gets by an import or a statement after the imports."""
    known = next((name for name in (*file.imported, *file.sources) if file.key_of(name) == origin.key), None)
    if known is not None:
        return known, []
    last = class_name(origin.cls)
    usual = last[:1].upper() + last[1:]
    name = next(name for k in count(1) if (name := usual if k == 1 else f"{usual}{k}") not in file.taken)
    if origin.file.endswith(".py"):
        other = "" if name == origin.cls else f" as {name}"
        module = module_of(below(file.folder, origin.file))
        return name, [imported_line(file, f"from {module} import {origin.cls}{other}")]
    splices = [] if "Path" in file.imported else [first_import(file, "from pathlib import Path")]
    statement = f"{name} = {expression(origin, file.folder, file.tellegen)}"
    return name, [*splices, after_imports(file, statement)]


def new_name(source: ClassSource, cls: str) -> str:
    """A free name from that of a class: `StepVoltage` -> `step_voltage`, `step_voltage2`, ..."""
    base = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", class_name(cls)).lower()
    return free_name(source, f"{base}_" if keyword.iskeyword(base) else base)


def free_name(source: ClassSource, wanted: str, also: AbstractSet[str] = frozenset()) -> str:
    """The name itself, or with the next number that is free: `r`, `r2`, `r3`."""
    taken = _names(source) | also
    base = re.sub(r"\d+$", "", wanted) or wanted
    names = (wanted if k == 1 else f"{base}{k}" for k in range(1, len(taken) + 3))
    return next(name for name in names if name not in taken)


def check_name(source: ClassSource, name: str) -> None:
    """E898 for what cannot be the name of a part here."""
    if not name.isidentifier() or keyword.iskeyword(name):
        advice = "use letters, digits and underscores, and begin with a letter: load_2"
        raise DocumentError("E898", f"{name!r} cannot be the name of a part", advice=advice)
    if name in _names(source):
        raise DocumentError("E898", f"{source.node.name} has a member {name!r} already", advice="use another name")


def _names(source: ClassSource) -> set[str]:
    """Members, methods and what stands at the top of the file: a part of such a name would hide it."""
    methods = {item.name for item in source.node.body if isinstance(item, ast.FunctionDef)}
    return {member.name for member in source.members} | methods | source.file.taken


def remove_parts(source: ClassSource, names: Iterable[str]) -> list[Splice]:
    """Without the statements of some parts and the ends of wires at them."""
    wanted = set(names)
    members = [editable(source, name) for name in sorted(wanted)]
    splices = [Splice(source.file.positions.whole_lines(member.node), "") for member in members]
    left = [item for item in source.node.body if item not in [member.node for member in members]]
    emptied = [w for w in source.connections if sum(end.part not in wanted for end in w.ends) < 2 and not w.by_code]
    method_goes = source.method is not None and len(emptied) == len(_statements(source.method))
    if method_goes and source.method is not None:
        left.remove(source.method)
        splices.append(Splice(_with_blank_before(source.file, source.method), ""))
    else:
        splices += without_ends(source, lambda end: end.part in wanted)
    if not left:
        indent = source.file.positions.indent(source.node.body[0])
        splices.append(Splice(Span(splices[0].span.start, splices[0].span.start), f"{indent}pass\n"))
    return _one_for_each_place(splices)


def _statements(method: ast.FunctionDef) -> list[ast.stmt]:
    """Without the docstring."""
    return method.body[1:] if ast.get_docstring(method) else method.body


def _with_blank_before(file: SourceFile, node: ast.stmt) -> Span:
    span = file.positions.whole_lines(node)
    before = file.text[: span.start]
    return Span(len(before.rstrip(" \t\n")) + 1, span.end) if before.endswith("\n\n") else span


def _one_for_each_place(splices: list[Splice]) -> list[Splice]:
    """Insertions at the start of a removal become part of it."""
    merged: dict[int, Splice] = {}
    for splice in splices:
        known = merged.get(splice.span.start)
        if known is not None:
            end = max(known.span.end, splice.span.end)
            splice = Splice(Span(splice.span.start, end), known.text + splice.text)
        merged[splice.span.start] = splice
    return list(merged.values())


def editable(source: ClassSource, name: str) -> Member:
    """The member of a name; E898 where it is not one that can be edited here."""
    member = source.member(name)
    if member is None:
        advice = "it is inherited or made by code: edit the text"
        raise DocumentError("E898", f"{name!r} is not declared in the body of {source.node.name}", advice=advice)
    return member


def rename_part(source: ClassSource, old: str, new: str) -> list[Splice]:
    """Its declaration and every `self.old` of the class, and `old` in other declarations."""
    member = editable(source, old)
    check_name(source, new)
    spans = [source.file.positions.span(member.node.targets[0])]
    for item in source.node.body:
        inside = isinstance(item, ast.FunctionDef)
        spans += _uses_by_self(source.file, item, old) if inside else _uses(source.file, item, old)
    return [Splice(span, new) for span in spans]


def _uses_by_self(file: SourceFile, item: ast.AST, name: str) -> Iterator[Span]:
    for node in ast.walk(item):
        if isinstance(node, ast.Attribute) and node.attr == name and ast.unparse(node.value) == "self":
            end = file.positions.span(node).end
            yield Span(end - len(name), end)


def _uses(file: SourceFile, item: ast.AST, name: str) -> Iterator[Span]:
    for node in ast.walk(item):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            yield file.positions.span(node)


def set_argument(source: ClassSource, part: str, parameter: str, typed: str) -> list[Splice]:
    """A keyword argument of a part, replaced, added or removed."""
    member = editable(source, part)
    if not parameter.isidentifier():
        raise DocumentError("E898", f"{parameter!r} is not the name of a parameter")
    known = next((argument for argument in member.arguments if argument.name == parameter), None)
    if not typed.strip():
        return [] if known is None else [Splice(_with_comma(source.file.text, known.whole), "")]
    text = value_text(typed)
    if known is not None:
        return [Splice(known.value, text)]
    end = _end_of_arguments(source.file, member.call)
    given = bool(member.call.args or member.call.keywords)
    return [Splice(Span(end, end), f"{', ' if given else ''}{parameter}={text}")]


def _end_of_arguments(file: SourceFile, call: ast.Call) -> int:
    """After the last argument, before a comma or a comment that follows it; else after the opening parenthesis."""
    ends = [file.positions.span(node).end for node in (*call.args, *call.keywords)]
    if not ends:
        return file.text.index("(", file.positions.span(call.func).end) + 1
    closing = re.compile(r"(?:[ \t]*\))*").match(file.text, max(ends), file.positions.span(call).end - 1)
    return closing.end() if closing is not None else max(ends)


def set_parameter(source: ClassSource, parameter: str, typed: str) -> list[Splice]:
    """The value of a parameter of the class itself, the first argument of `tg.parameter`."""
    member = editable(source, parameter)
    text = value_text(typed)
    known = next((argument for argument in member.arguments if argument.name == "value"), None)
    if known is not None:
        return [Splice(known.value, text)]
    if member.call.args:
        return [Splice(source.file.positions.span(member.call.args[0]), text)]
    end = source.file.positions.span(member.call.func).end + 1
    return [Splice(Span(end, end), text + (", " if member.call.keywords else ""))]


def _with_comma(text: str, span: Span) -> Span:
    """An argument together with the comma before it, or else the one after it."""
    before = len(text[: span.start].rstrip())
    if text[before - 1] == ",":
        return Span(before - 1, span.end)
    after = re.match(r"\s*,\s*", text[span.end :])
    return Span(span.start, span.end + (after.end() if after else 0))


def inserted(source: ClassSource, *statements: str, before: int = -1, after: ast.stmt | None = None) -> Splice:
    """Statements after the last member, the docstring, or in place of `pass`; or where `before` or `after` say."""
    body = source.node.body
    positions = source.file.positions
    indent = positions.indent(body[0])
    statement = f"\n{indent}".join(statements)
    if before >= 0:
        return Splice(Span(before, before), f"{indent}{statement}\n")
    if after is not None:
        end = positions.end_of_line(after)
        return Splice(Span(end, end), f"\n{indent}{statement}")
    if len(body) == 1 and isinstance(body[0], ast.Pass):
        return Splice(positions.span(body[0]), statement)
    assigned = [item for item in body if isinstance(item, ast.Assign | ast.AnnAssign)]
    if assigned:
        end = positions.end_of_line(assigned[-1])
        return Splice(Span(end, end), f"\n{indent}{statement}")
    if ast.get_docstring(source.node):
        end = positions.end_of_line(body[0])
        return Splice(Span(end, end), f"\n\n{indent}{statement}")
    start = positions.line_start(min([body[0].lineno, *(d.lineno for d in getattr(body[0], "decorator_list", []))]))
    return Splice(Span(start, start), f"{indent}{statement}\n\n")
