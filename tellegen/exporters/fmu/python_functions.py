"""Functions in Python that an exported model calls: how its library asks for them, and what the FMU takes along.

    python_3(a, b)    ->    a C function that sends 3, a and b to a process of Python (c/python.c, resources/serve.py)

The process loads the functions from a pickle. Modules of the user's own that they come from, or that these import, are
inside of the FMU; installed ones, Tellegen among them, must be installed where it runs.
"""

from __future__ import annotations

import ast
import importlib.util
import io
import json
import os
import pickle
import site
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any

from tellegen.errors import ExportError
from tellegen.exporters.image.standalone import PythonFunction

SERVING = "TELLEGEN_SERVES_FMU"
"""In the environment of a process that computes functions for an FMU."""
_FOLDER = "resources/python"
_INSTALLED = frozenset({"site-packages", "dist-packages"})
"""Folders that packages are installed in."""


def interface_text(functions: Sequence[PythonFunction]) -> str:
    """The C code that native code calls instead of Python."""
    return "\n".join(["", *map(_c_function, functions), ""])


def recorded_interpreter() -> str:
    """The definition, in C, of the Python that exports; JSON writes texts as C does."""
    return f"#define RECORDED_PYTHON {json.dumps(sys.executable)}\n"


def _c_function(function: PythonFunction) -> str:
    names = [f"a{k}" for k in range(function.arity)]
    parameters = [f"double {name}" for name in names]
    single = function.function.outputs == 1
    head = ", ".join(parameters if single else [*parameters, "double *results"]) or "void"
    before = f"    double arguments[] = {{{', '.join(names) or '0.0'}}};\n"
    result = "&result" if single else "results"
    call = f"    call_python({function.number}, arguments, {function.arity}, {result}, {function.function.outputs});\n"
    if single:
        body = f"{before}    double result;\n{call}    return result;\n"
        return f"double {function.symbol}({head});\ndouble {function.symbol}({head}) {{\n{body}}}"
    return f"void {function.symbol}({head});\nvoid {function.symbol}({head}) {{\n{before}{call}}}"


@dataclass(frozen=True)
class PythonResources:
    """Files of the FMU by their paths, and the installed packages that they need."""

    content: dict[str, bytes]
    needs: tuple[str, ...]


def python_resources(functions: Sequence[PythonFunction]) -> PythonResources:
    """What a process of Python needs to compute the functions; nothing where there are none."""
    if not functions:
        return PythonResources({}, ())
    if SERVING in os.environ:
        raise ExportError(
            "E442",
            "a script that is loaded for its functions exports an FMU again",
            advice='put what the script does under `if __name__ == "__main__":`',
        )
    pickled = _pickled(functions)
    own, installed = _modules(_named_modules(pickled))
    server = (files("tellegen.exporters.fmu") / "resources" / "serve.py").read_bytes()
    content = {f"{_FOLDER}/serve.py": server, f"{_FOLDER}/functions.pickle": pickled}
    for path, source in own.items():
        content[f"{_FOLDER}/modules/{path}"] = source
    return PythonResources(content, installed)


def _pickled(functions: Sequence[PythonFunction]) -> bytes:
    for each in functions:
        try:
            pickle.dumps(each.function.callable)
        except Exception as error:  # pickle raises a family of unrelated classes
            raise ExportError(
                "E442",
                f"the function '{each.function.name}' cannot be put into an FMU: {error}",
                advice="define it (or its class) at the top level of a module",
            ) from None
    return pickle.dumps([(each.function.callable, each.function.outputs) for each in functions], protocol=4)


class _Names(pickle.Unpickler):
    """Notes the modules that a pickle names."""

    def __init__(self, pickled: bytes) -> None:
        super().__init__(io.BytesIO(pickled))
        self.found: dict[str, None] = {}

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        """The class or function of a name."""
        self.found[module_name] = None
        return super().find_class(module_name, global_name)


def _named_modules(pickled: bytes) -> list[str]:
    names = _Names(pickled)
    names.load()
    return list(names.found)


def _modules(names: Sequence[str]) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Sources of the user's own modules by path, with those that they import, and the installed packages among them."""
    waiting = list(names)
    seen: set[str] = set()
    own: dict[str, bytes] = {}
    installed: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen or name not in sys.modules:
            continue
        seen.add(name)
        module = sys.modules[name]
        path = _own_source(name, module)
        if path is None:
            installed.add(name.partition(".")[0])
            continue
        source = path.read_bytes()
        own[_place(name, path)] = source
        waiting += [name.rpartition(".")[0], *_imported(source, module)]
    needed = {name for name in installed if name and name not in sys.stdlib_module_names}
    return dict(sorted(own.items())), tuple(sorted({*needed, "tellegen"}))


def _own_source(name: str, module: ModuleType) -> Path | None:
    """The file of a module that is the user's own; None of an installed one."""
    if name.partition(".")[0] in ("tellegen", *sys.builtin_module_names):
        return None
    file = getattr(module, "__file__", None)
    if name == "__main__" and file is None:
        raise ExportError(
            "E442",
            "functions that were defined in an interactive session cannot be put into an FMU",
            advice="define them in a file: a module, or a script that exports the FMU",
        )
    if file is None or not file.endswith(".py") or not Path(file).is_file():
        return None
    path = Path(file).resolve()
    if not _INSTALLED.isdisjoint(path.parts):  # also of another environment, that a .pth file names
        return None
    paths = sysconfig.get_paths()
    folders = [paths["stdlib"], paths["platstdlib"], paths["purelib"], paths["platlib"]]
    folders += [*site.getsitepackages(), site.getusersitepackages()]
    return None if any(path.is_relative_to(Path(folder).resolve()) for folder in folders) else path


def _place(name: str, path: Path) -> str:
    """Where a module stands in its folder."""
    inside = name.replace(".", "/")
    return f"{inside}/__init__.py" if path.name == "__init__.py" else f"{inside}.py"


def _imported(source: bytes, module: ModuleType) -> Iterator[str]:
    """Names that may be modules, of all import statements in a source."""
    package = module.__package__ or ""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            relative = "." * node.level + (node.module or "")
            base = importlib.util.resolve_name(relative, package) if node.level else relative
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
