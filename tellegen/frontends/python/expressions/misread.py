"""What a class says that nobody reads: connections without yield, methods whose names are nearly right."""

from __future__ import annotations

import ast
import difflib
import inspect
import linecache
import textwrap
import tokenize
from collections.abc import Iterator
from functools import lru_cache
from opcode import opmap
from types import CodeType
from typing import Any

from tellegen.errors import LanguageError
from tellegen.ir.source_location import SourceLocation

READ = ("equations", "initial_equations", "connections", "build")


def refuse_unyielded(function: object, cls: type) -> None:
    """E147 for ends of a connection that stand alone in connections()."""
    code = getattr(function, "__code__", None)
    if code is not None and (found := _bare_ends(code)) is not None:
        line, text = found
        raise LanguageError(
            "E147",
            f"the connection '{text}' is written but not yielded, so the model would not contain it",
            location=SourceLocation(code.co_filename, line, cls.__name__),
            advice=f"write yield in front of it: yield {text}",
        )


@lru_cache(maxsize=1024)
def _bare_ends(code: Any) -> tuple[int, str] | None:
    """Line and text of the first statement that is nothing but names with commas; None where the source is unknown."""
    if not _drops_tuple(code):
        return None  # most methods: the source need not be read
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]  # inspect.getsource would take 20 ms
    try:
        tree = ast.parse(textwrap.dedent("".join(inspect.getblock(lines))))
    except (SyntaxError, ValueError, tokenize.TokenError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Tuple):
            ends = node.value.elts
            if len(ends) > 1 and all(isinstance(end, ast.Attribute | ast.Subscript | ast.Name) for end in ends):
                return code.co_firstlineno + node.lineno - 1, ", ".join(ast.unparse(end) for end in ends)
    return None


def _drops_tuple(code: CodeType) -> bool:
    """Whether the code makes a tuple and throws it away, as it does where such a statement stands."""
    operations = code.co_code[::2]
    inner = (value for value in code.co_consts if isinstance(value, CodeType))
    return bytes((opmap["BUILD_TUPLE"], opmap["POP_TOP"])) in operations or any(map(_drops_tuple, inner))


def nearly_read(component: object) -> list[str]:
    """A line for each method in a tree of components that is named nearly like one that is read."""
    out = []
    for cls in (cls for cls in _classes(component, set()) if not cls.__module__.startswith("tellegen.")):
        for name, value in vars(cls).items():
            close = difflib.get_close_matches(name.lower(), READ, n=1, cutoff=0.85)
            if inspect.isfunction(value) and name not in READ and close and close[0] not in vars(cls):
                out.append(f"{cls.__name__} has a method {name}(), which is not used: perhaps you meant {close[0]}()")
    return out


def _classes(component: Any, seen: set[type]) -> Iterator[type]:
    """The classes of a component and of what it contains, each once."""
    for cls in type(component).__mro__:
        if cls not in seen and "_info" in vars(cls):
            seen.add(cls)
            yield cls
    for child in (*type(component)._info.children.values(), *component._children.values()):
        if type(child) not in seen:
            yield from _classes(child, seen)
