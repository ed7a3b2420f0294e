"""Several parts at once as splices of the text: what was copied, here or in another file."""

from __future__ import annotations

from collections.abc import Mapping

from tellegen.errors import DocumentError
from tellegen.studio.document.edits.edit_parts import check_name, free_name, inserted, written_class
from tellegen.studio.document.edits.edit_wires import PATH, new_statement
from tellegen.studio.document.operations import PastedPart, PasteParts
from tellegen.studio.document.text.class_source import ClassSource
from tellegen.studio.document.text.splice import Splice
from tellegen.studio.document.text.typed_value import value_text


def free_names(source: ClassSource, parts: tuple[PastedPart, ...]) -> dict[str, str]:
    """Names for the copies: the old one where it is free, else the next number."""
    found: dict[str, str] = {}
    for part in parts:
        found[part.name] = free_name(source, part.name, set(found.values()))
    return found


def paste_parts(source: ClassSource, operation: PasteParts, names: Mapping[str, str]) -> list[Splice]:
    """Their declarations with all arguments, and the wires between them."""
    splices: dict[str, Splice] = {}
    statements = []
    for part in operation.parts:
        check_name(source, names[part.name])
        written, imports = written_class(source, part.cls)
        splices |= {splice.text: splice for splice in imports}
        statements.append(f"{names[part.name]} = {_declaration(written, part)}")
    wires = [", ".join(f"self.{_renamed(end, names)}" for end in wire.ends) for wire in operation.wires]
    found = [*splices.values(), inserted(source, *statements)]
    return [*found, new_statement(source, *(f"yield {ends}" for ends in wires))] if wires else found


def _declaration(written: str, part: PastedPart) -> str:
    """`el.Resistor.array(4, R=1.0).only_if(hot)`."""
    arguments = _arguments(part.arguments)
    array = f".array({value_text(part.count)}{', ' if arguments else ''}" if part.count else "("
    condition = f".only_if({value_text(part.condition)})" if part.condition else ""
    return f"{written}{array}{arguments}){condition}"


def _arguments(arguments: Mapping[str, str]) -> str:
    wrong = [name for name in arguments if not name.isidentifier()]
    if wrong:
        raise DocumentError("E898", f"{wrong[0]!r} is not the name of a parameter")
    return ", ".join(f"{name}={value_text(text)}" for name, text in arguments.items())


def _renamed(end: str, names: Mapping[str, str]) -> str:
    part, dot, port = end.partition(".")
    if not PATH.fullmatch(end) or part not in names:
        raise DocumentError("E898", f"{end!r} is not a port of the copied parts")
    return names[part] + dot + port
