"""Imports, and statements that stand right after them, as splices of the text."""

from __future__ import annotations

import ast

from tellegen.studio.document.text.source_file import LIBRARY, SourceFile
from tellegen.studio.document.text.splice import Span, Splice


def import_of(file: SourceFile, domain: str, name: str) -> Splice:
    """`from tellegen.library import electrical as el`, among the imports of the library or after the last import."""
    line = f"from {LIBRARY} import {domain}" + (f" as {name}" if name != domain else "")
    imports = [node for node in file.tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    ours = [node for node in imports if isinstance(node, ast.ImportFrom) and node.module == LIBRARY]
    later = next((node for node in ours if node.names[0].name > domain), None)
    if later is not None:
        start = file.positions.line_start(later.lineno)
        return Splice(Span(start, start), f"{line}\n")
    if not imports:
        start = file.positions.line_start(file.tree.body[0].lineno) if file.tree.body else 0
        return Splice(Span(start, start), f"{line}\n\n\n")
    end = file.positions.end_of_line((ours or imports)[-1])
    return Splice(Span(end, end), f"\n{line}")


def imported_line(file: SourceFile, line: str) -> Splice:
    """An import of another file, after the last import."""
    imports = _imports(file)
    end = file.positions.end_of_line(imports[-1]) if imports else 0
    return Splice(Span(end, end), f"\n{line}" if imports else f"{line}\n")


def first_import(file: SourceFile, line: str) -> Splice:
    """An import of the standard library, before the others."""
    imports = _imports(file)
    start = file.positions.line_start(imports[0].lineno) if imports else 0
    ours = imports and (ast.unparse(imports[0]).split()[1].partition(".")[0] == "tellegen")
    return Splice(Span(start, start), f"{line}\n\n" if ours else f"{line}\n")


def after_imports(file: SourceFile, statement: str) -> Splice:
    """A statement after the imports and those that were put there before."""
    assigned = [node for node in file.tree.body if isinstance(node, ast.Assign)]
    known = [node for node in assigned if isinstance(node.targets[0], ast.Name) and node.targets[0].id in file.sources]
    if known:
        end = file.positions.end_of_line(known[-1])
        return Splice(Span(end, end), f"\n{statement}")
    imports = _imports(file)
    end = file.positions.end_of_line(imports[-1]) if imports else 0
    return Splice(Span(end, end), f"\n\n{statement}")


def _imports(file: SourceFile) -> list[ast.Import | ast.ImportFrom]:
    return [node for node in file.tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
