"""Marked functions and everything they call, read from their files."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tellegen.errors import InternalError
from tellegen.ir import procedure as ir
from tellegen.ir.source_location import SourceLocation
from tellegen.procedures.language import MARK
from tellegen.procedures.parse import parse
from tellegen.procedures.parse_expressions import full_name
from tellegen.procedures.types import Types

Function = Callable[..., Any]


def load(*entries: Function, constants: Mapping[str, Any] | None = None) -> ir.Unit:
    """The procedures that these functions are, and all that they call.

    `constants` stand for names of their files: sizes that are known for one model alone.
    """
    types = Types()
    procedures: dict[str, ir.Procedure] = {}
    functions: dict[str, Function] = {}
    waiting = list(reversed(entries))
    while waiting:
        function = waiting.pop()
        name = full_name(function)
        known = functions.setdefault(name, function)
        if known is not function:
            raise InternalError("E904", f"there are two procedures called '{name}'", location=_location(function))
        if name not in procedures:
            procedures[name], called = parse(function, _syntax_of(function), types, constants or {})
            waiting += reversed(called)
    return ir.Unit(procedures, types.layouts, {entry.__name__: full_name(entry) for entry in entries})


def _location(function: Function) -> SourceLocation:
    return SourceLocation(function.__code__.co_filename, function.__code__.co_firstlineno)


def _syntax_of(function: Function) -> ast.FunctionDef:
    if not hasattr(function, MARK):
        raise InternalError("E904", f"'{function.__name__}' is not marked as @procedure", location=_location(function))
    return _syntax(function.__code__.co_filename)[function.__name__]


@cache
def _syntax(file: str) -> dict[str, ast.FunctionDef]:
    """The functions at the top of a file by name."""
    tree = ast.parse(Path(file).read_bytes(), file)
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
