"""FILE[:CLASS] to a component: the user's file is imported and the model in it found and made.

Whatever is wrong on the way is a `TargetError` with the name that would have been right, never a traceback.
"""

from __future__ import annotations

import importlib.util
import inspect
import os
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import tellegen as tg
from tellegen.errors import TellegenError, nearest

if TYPE_CHECKING:
    from tellegen.frontends.modelica.library import ModelicaClass

_PACKAGE = Path(__file__).resolve().parent.parent
_LIBRARY = _PACKAGE / "library"
NETLISTS = (".cir", ".ckt", ".net", ".sp", ".spi", ".spice")
MODULES = ".mdl"
DOCUMENTS = ".xml"
MODELICA = ".mo"


class TargetError(Exception):
    """The file or class asked for cannot be had; the message says why and, after a line break, what to do."""


@dataclass(frozen=True)
class Target:
    """What the user asked for: a file and perhaps the name of the model in it."""

    file: Path
    name: str

    @classmethod
    def parse(cls, text: str) -> Target:
        """`models/drive.py:Drive`; a colon elsewhere (`C:\\models`) belongs to the path."""
        head, colon, tail = text.rpartition(":")
        return (
            cls(Path(head), tail)
            if colon and head.endswith((".py", MODULES, DOCUMENTS, MODELICA))
            else cls(Path(text), "")
        )


def load(text: str, bindings: list[str] | None = None) -> tuple[Any, str]:
    """The component that FILE[:CLASS] means, with bindings PATH=NAME, and a note when there was a choice."""
    choices = _choices(bindings or [])
    component, note = _loaded(text)
    if choices and not isinstance(component, tg.Component):  # a document of version 2
        return tg.read_markup(Target.parse(text).file, bind=choices), note
    return (_bound(component, choices) if choices else component), note


def is_modelica_file(text: str) -> bool:
    """Whether a target is a whole Modelica file, no class of it."""
    target = Target.parse(text)
    return not target.name and target.file.suffix.lower() == MODELICA and target.file.is_file()


def modelica_class(text: str) -> ModelicaClass | None:
    """The class of Modelica that a target names, FILE.mo:CLASS or Modelica.A.B; None where it names something else."""
    target = Target.parse(text)
    if target.file.suffix.lower() == MODELICA or _names_modelica(target):
        return _loaded(text)[0]
    return None


def _choices(bindings: list[str]) -> dict[str, str]:
    choices: dict[str, str] = {}
    for text in bindings:
        path, equals, name = (part.strip() for part in text.partition("="))
        if not equals or not path or not name:
            raise TargetError(f"--bind {text!r} is not PATH=NAME\nfor instance --bind motor=complex")
        choices[path] = name
    return choices


def _bound(component: Any, choices: dict[str, str]) -> Any:
    """With implementations by name, or with parts of the shipped catalogue where no implementation is called so."""
    parts = tg.catalogue()
    return tg.bind(component, {path: parts[name] if name in parts else name for path, name in choices.items()})  # noqa: SIM401 - no dict


def _loaded(text: str) -> tuple[Any, str]:
    target = Target.parse(text)
    if target.file.suffix.lower() in NETLISTS:
        return _netlist(target.file)
    if target.file.suffix.lower() == MODULES:
        return tg.read_mdl(target.file, module=target.name or None)(), ""
    if target.file.suffix.lower() == DOCUMENTS:
        return _of_document(target), ""
    if target.file.suffix.lower() == MODELICA:
        return _modelica(target)
    if _names_modelica(target):
        return tg.load_modelica()[text], ""
    module = import_file(target.file)
    name, note = _chosen(target, module)
    return _made(target, name, getattr(module, name)), note


def _of_document(target: Target) -> Any:
    """The model of a document, or a component of one of version 1."""
    found = tg.read_markup(target.file)
    if not isinstance(found, tg.MarkupDocument):
        return found
    names = list(found.components)
    if not names:
        advice = "interfaces and implementations are used from Python: tg.read_markup(...)"
        raise TargetError(f"{target.file.name} has no <component>\n{advice}")
    if target.name and target.name not in names:
        raise TargetError(f"there is no component {target.name!r} in {target.file.name}\n{nearest(target.name, names)}")
    return found.components[target.name or names[-1]]


def _modelica(target: Target) -> tuple[Any, str]:
    """A class of a Modelica file: the one that is named, or the last that can be run."""
    if not target.file.is_file():
        others = sorted(path.name for path in target.file.parent.glob(f"*{MODELICA}"))
        advice = nearest(target.file.name, others) if others else "there are no Modelica files in that folder"
        raise TargetError(f"there is no file {target.file}\n{advice}")
    library = tg.load_modelica(target.file)
    names = [name for loaded in library.loaded for name in library.models(loaded)]
    if target.name:
        return library[_full_name(target, names)], ""
    if not names:
        raise TargetError(f"{target.file.name} has no model that could be run\nits classes are packages or partial")
    if len(names) == 1:
        return library[names[0]], ""
    file = target.file.name
    return library[names[-1]], f"{names[-1]} used, the last in {file}; choose with {file}:NAME from {', '.join(names)}"


def _full_name(target: Target, names: list[str]) -> str:
    """The name of a Modelica class with its package, which the user may leave out."""
    for name in names:
        if name == target.name or name.endswith(f".{target.name}"):
            return name
    raise TargetError(f"there is no model {target.name!r} in {target.file.name}\n{nearest(target.name, names)}")


def _names_modelica(target: Target) -> bool:
    """Whether the target is the full name of a class in a library that was added, and no file."""
    text = str(target.file)
    first, _, rest = text.partition(".")
    named = bool(rest) and not target.name and text.replace(".", "").isidentifier()
    return named and not target.file.exists() and first in tg.load_modelica().classes()


def _netlist(file: Path) -> tuple[Any, str]:
    """A SPICE netlist, with what was left out of it."""
    if not file.is_file():
        others = sorted(path.name for path in file.parent.glob("*") if path.suffix.lower() in NETLISTS)
        advice = nearest(file.name, others) if others else "there are no netlists in that folder"
        raise TargetError(f"there is no file {file}\n{advice}")
    circuit = tg.read_spice(file)
    return circuit, "\n".join(circuit.notes)


def import_file(file: Path) -> ModuleType:
    """Import a Python file by its path, with its folder on sys.path as if it had been run."""
    _check_file(file)
    file = file.resolve()
    if str(file.parent) not in sys.path:
        sys.path.insert(0, str(file.parent))
    # A model in `random.py` must not take the place of the module of that name.
    name = file.stem if file.stem not in sys.modules else f"_tellegen_file_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except TellegenError:
        raise
    except SyntaxError as error:
        where = f"{Path(error.filename or file).name}:{error.lineno}"
        line = f"\n    {error.text.strip()}" if error.text else ""
        raise TargetError(f"{where}: Python cannot read this: {error.msg}{line}") from error
    except (Exception, SystemExit) as error:
        # Anything can go wrong in a user's file; it is reported the same way whatever it is.
        raise TargetError(f"{fault(error, file)}\nwhile importing {file.name}") from error
    return module


def _check_file(file: Path) -> None:
    if file.is_dir():
        models = sorted(path.name for path in file.glob("*.py"))
        raise TargetError(f"{file} is a folder, not a Python file\n{nearest('', models)}")
    if not file.exists():
        others = sorted(path.name for path in file.parent.glob("*.py")) if file.parent.is_dir() else []
        folder = "here" if file.parent == Path() else f"in {file.parent}"
        advice = nearest(file.name, others) if others else f"there are no Python files {folder}"
        raise TargetError(f"there is no file {file}\n{advice}")
    if file.suffix != ".py":
        known = ", ".join(NETLISTS)
        raise TargetError(f"{file} is not a Python file\nmodels are read from .py and .xml, netlists from {known}")


def fault(error: BaseException, file: Path) -> str:
    """`drive.py:12: ZeroDivisionError: division by zero`, with the line of the user's text nearest to the fault."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if is_users(frame.filename, file)]
    where = f"{os.path.basename(own[-1].filename)}:{own[-1].lineno}" if own else file.name
    line = f"\n    {own[-1].line}" if own and own[-1].line else ""
    return f"{where}: {type(error).__name__}: {error}{line}"


def is_users(filename: str, file: Path) -> bool:
    """Whether a line of code is the user's: it stands in the file's folder or below, and is not of an installation."""
    path = Path(filename)
    return path.is_relative_to(file.resolve().parent) and "site-packages" not in path.parts and not is_ours(filename)


def is_ours(filename: str) -> bool:
    """Whether a line of code is of Tellegen's machinery (components of the library are models like a user's)."""
    path = Path(filename)
    return path.is_relative_to(_PACKAGE) and not path.is_relative_to(_LIBRARY)


def candidates(module: ModuleType) -> list[str]:
    """The names of models in a file, in the order written: component classes of its own, and component objects."""
    found: list[str] = []
    for name, value in vars(module).items():
        own_class = isinstance(value, type) and issubclass(value, tg.Component) and value.__module__ == module.__name__
        if not name.startswith("_") and (own_class or isinstance(value, tg.Component)):
            found.append(name)
    return found


def _chosen(target: Target, module: ModuleType) -> tuple[str, str]:
    """The name to use, and a note when the user left a choice to us."""
    names = candidates(module)
    file = target.file.name
    if target.name:
        if not hasattr(module, target.name):
            advice = nearest(target.name, names) if names else f"{file} defines no component"
            raise TargetError(f"there is no {target.name!r} in {file}\n{advice}")
        return target.name, ""
    if not names:
        raise TargetError(f"{file} defines no component\na model is a class that derives from tg.Component")
    if len(names) == 1:
        return names[0], ""
    return names[-1], f"{names[-1]} used, the last in {file}; choose with {file}:NAME from {', '.join(names)}"


def _made(target: Target, name: str, value: Any) -> Any:
    """The component itself: an object as it is, a class or a function called without arguments."""
    file = target.file
    if not isinstance(value, tg.Component) and callable(value):
        try:
            value = _called(file, name, value)
        except TypeError as error:
            if len(traceback.extract_tb(error.__traceback__)) > 3:  # deeper than here, _called and the call itself
                raise
            advice = f"write an object with its arguments into the file and name that: model = {name}(...)"
            raise TargetError(
                f"{name} in {file.name} cannot be created without arguments: {error}\n{advice}"
            ) from error
    if not isinstance(value, tg.Component):
        raise TargetError(f"{name!r} in {file.name} is a {type(value).__name__}, not a component")
    return value


def _called(file: Path, name: str, value: Any) -> Any:
    """`Name()`, as if it stood in the user's file: places in errors are the nearest line outside Tellegen."""
    try:
        line = inspect.getsourcelines(value)[1]
    except (OSError, TypeError):
        line = 1
    call = compile("\n" * (line - 1) + f"{name}()", str(file.resolve()), "eval")
    return eval(call, {name: value})
