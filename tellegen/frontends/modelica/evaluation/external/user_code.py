"""External C functions of users: compiled with their Include and Library annotations, called natively (MLS 12.9)."""

from __future__ import annotations

import atexit
import ctypes
import os
import re
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tellegen.errors import ModelicaError
from tellegen.foreign import CFunction, CLibrary, included_texts, load
from tellegen.frontends.modelica.evaluation.class_scope import ClassScope
from tellegen.frontends.modelica.evaluation.declarations import Activation
from tellegen.frontends.modelica.evaluation.evaluate import evaluate
from tellegen.frontends.modelica.evaluation.external.c_wrapper import (
    HEADER,
    MESSAGE,
    OBJECTS,
    SYMBOL,
    CArgument,
    CCall,
    constructor,
    wrapper,
)
from tellegen.frontends.modelica.evaluation.external.opaque import RESULT
from tellegen.frontends.modelica.evaluation.external.served import Outcome
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.store.resources import resource_path
from tellegen.frontends.modelica.syntax.annotations import annotation_value, whole_annotation_of
from tellegen.frontends.modelica.syntax.classes import External
from tellegen.frontends.modelica.syntax.expressions import ArrayConstructor, Expression, Text
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.value import EnumerationValue, ExternalObject, Value, is_known, scalars, symbol
from tellegen.ir.expressions.expr import ZERO, Apply, Function, Time
from tellegen.start.records import dataclass

_UTILITIES = r'(?m)^\s*#\s*include\s*[<"]ModelicaUtilities\.h[>"]'
_HEADERS = Path(__file__).parent / "headers"  # for files that include it themselves
_RULES = "what ModelicaUtilities.h declares is already declared"
STANDARD = ("Modelica", "ModelicaServices", "ModelicaTest")
"""Libraries whose external functions are served here and never compiled."""


@dataclass(frozen=True)
class ObjectRecipe:
    """How to make an external object: each process that calls functions with it makes its own."""

    key: str
    name: str
    library: CLibrary
    destructor: CLibrary | None

    def address(self) -> int:
        """Where the object is; made when first asked for, freed when the process ends."""
        if self.key not in _MADE:
            library = load(self.library)
            make = library.tellegen_make
            make.restype = ctypes.c_void_p
            found = make()
            if not found:
                raise ModelicaError("E574", f"no {self.name} could be made: {message_of(library)}")
            _MADE[self.key] = found
            if self.destructor is not None:
                atexit.register(_free, load(self.destructor), found)
        return _MADE[self.key]


_MADE: dict[str, int] = {}
"""Addresses of the external objects of this process."""
_RECIPES: dict[int, tuple[ExternalObject, ObjectRecipe]] = {}
"""By the identity of an external object, which is held so that it stays its own."""


def _free(library: ctypes.CDLL, address: int) -> None:
    ctypes.c_void_p.in_dll(library, OBJECTS).value = address
    getattr(library, SYMBOL)(ctypes.c_double(0.0), None, None, None, None)


@dataclass(frozen=True, eq=False)
class UserFunction(CFunction):
    """A compiled function with the external objects that it takes."""

    objects: tuple[ObjectRecipe, ...] = ()

    @property
    def address(self) -> int:
        self._place_objects()
        return CFunction.address.fget(self)  # type: ignore[attr-defined]

    def __call__(self, *numbers: float) -> Any:
        self._place_objects()
        return CFunction.__call__(self, *numbers)

    def _place_objects(self) -> None:
        if self.objects:
            places = (ctypes.c_void_p * len(self.objects)).in_dll(load(self.library), OBJECTS)
            for position, recipe in enumerate(self.objects):
                places[position] = recipe.address()


@dataclass(frozen=True)
class UserCode:
    """An external clause of class `view`, and the C function that it names."""

    view: ClassView
    external: External
    function: str

    @property
    def has_source(self) -> bool:
        """Whether an annotation says where the function is defined."""
        return bool(self._texts("Include") or self._texts("Library"))

    def outcome(
        self, call: CCall, values: Sequence[Value], shapes: dict[int, tuple[int, ...]], at_events: bool = False
    ) -> Outcome:
        """What a call gives: numbers where all arguments are known, else expressions that a simulation evaluates.

        At events a function that is not declared to be pure is called each time, for it may give something else then
        (MLS 12.3): it depends on time.
        """
        objects = tuple(_recipe(value) for value in values if isinstance(value, ExternalObject))
        numbers = [part for value in values for part in scalars(value) if not isinstance(part, str | ExternalObject)]
        function = _function(self.library(wrapper(call), call.prototype()), call, objects)
        results: list[Any]
        is_called_again = at_events and not self.view.restriction.startswith("pure")
        if all(map(is_known, numbers)) and not is_called_again:
            results = self._run(function, [float(symbol(number).value) for number in numbers])  # type: ignore[union-attr]
        else:
            operands = (Time() if is_called_again else ZERO, *(symbol(number) for number in numbers))
            results = [Apply(function, operands, k) for k in range(call.outputs)]
        written: dict[int, Any] = {}
        for position, shape in shapes.items():
            size = int(np.prod(shape)) if shape else 1
            parts = np.empty(size, dtype=object)
            parts[:] = results[:size]
            written[position] = parts.reshape(shape) if shape else parts[0]
            results = results[size:]
        return Outcome(written.pop(RESULT, None), written)

    def _run(self, function: Function, numbers: list[float]) -> list[float]:
        code = function.callable
        assert isinstance(code, UserFunction)
        found = code(0.0, *numbers)
        results = list(found) if isinstance(found, list) else [found]
        message = message_of(load(code.library))
        if message:
            raise EvaluationError("E574", f"the external function {self.function} reports: {message}")
        return results[: code.outputs]

    def library(self, text: str, prototype: str = "") -> CLibrary:
        """The annotations of the clause with a C text of our own after what they include."""
        include = "\n".join(self._texts("Include"))
        found = self._folders("IncludeDirectory", "Include", "SourceDirectory", "Source")
        folders = tuple(str(path) for path in (*found, _HEADERS))
        include = re.sub(_UTILITIES, "", include)
        return CLibrary(
            text=f"{include or prototype}\n{text}",
            header=HEADER,
            name=self.view.path,
            location=self.view.location(self.external.token),
            folders=folders,
            included=included_texts(include, folders),
            rules=_RULES,
            options=self._links(),
        )

    def _links(self) -> tuple[str, ...]:
        options = ["-Wl,-z,defs"] if sys.platform.startswith("linux") else []
        names = self._texts("Library")
        for folder in self._folders("LibraryDirectory", "Library") if names else ():
            for path in (folder, *(folder / name for name in ("linux64", "win64", "darwin64"))):
                if path.is_dir():
                    options += [f"-L{path}", f"-Wl,-rpath,{path}"]
        return (*options, *(f"-l{name}" for name in names))

    def _texts(self, name: str) -> list[str]:
        value = annotation_value(whole_annotation_of(self.external, self.view.file), name)
        return list(_strings(value))

    def _folders(self, *annotations: str) -> list[Path]:
        """Folders by annotations, each followed by the name of its default below Resources."""
        top = self.view.path.split(".", maxsplit=1)[0]
        libraries = getattr(self.view.views.store, "libraries", {})
        found: list[Path] = []
        for name, default in zip(annotations[::2], annotations[1::2], strict=True):
            given = self._texts(name)
            if given:
                found += [resource_path(uri, libraries) for uri in given]
            elif top in libraries:
                found.append(libraries[top].folder / "Resources" / default)
        return [*found, Path(self.view.file.path).parent]


def _strings(value: Expression | None) -> list[str]:
    if isinstance(value, Text):
        return [value.value]
    return [text for part in value.items for text in _strings(part)] if isinstance(value, ArrayConstructor) else []


@lru_cache(maxsize=1024)
def _function(library: CLibrary, call: CCall, objects: tuple[ObjectRecipe, ...]) -> Function:
    """One function for all calls of one form, so that equal components stay equal."""
    parts = (0, call.inputs, 0)
    return Function(call.function, UserFunction(library, SYMBOL, parts, max(call.outputs, 1), objects), call.outputs)


def _recipe(found: ExternalObject) -> ObjectRecipe:
    """How an external object is made, by the constructor of its class."""
    if id(found) not in _RECIPES:
        make = _clause(found.view, "constructor")
        if make is None:
            raise EvaluationError("E575", f"{found.view.path} has no constructor in C")
        values = _constructor_values(make, found)
        free = _clause(found.view, "destructor")
        freeing = CCall(free.function, (_OBJECT,)) if free is not None else None
        library = make.library(constructor(make.function, values))
        destructor = free.library(wrapper(freeing)) if free is not None and freeing is not None else None
        _RECIPES[id(found)] = (found, ObjectRecipe(os.urandom(16).hex(), found.view.path, library, destructor))
    return _RECIPES[id(found)][1]


_OBJECT = CArgument("ExternalObject")


def _clause(view: ClassView, name: str) -> UserCode | None:
    """The external clause of the constructor or destructor of a class."""
    found = view.find(name)
    external = found.definition.external if isinstance(found, ClassView) else None
    if not isinstance(found, ClassView) or external is None:
        return None
    return UserCode(found, external, external.function or name)


def _constructor_values(code: UserCode, found: ExternalObject) -> list[object]:
    """The arguments of the C function that makes an object: numbers, strings, and tuples of these."""
    activation = Activation(code.view, ClassScope(code.view))
    activation.values.update(found.arguments)
    scope = activation.scope(code.view)
    given = code.external.arguments
    values = [evaluate(argument, scope) for argument in given] if given else list(found.arguments.values())
    return [_plain(value) for value in values]


def _plain(value: Value) -> object:
    if isinstance(value, np.ndarray):
        return tuple(_plain(part) for part in value.flat)
    return value.ordinal if isinstance(value, EnumerationValue) else value


def message_of(library: ctypes.CDLL) -> str:
    """What the last call reported by ModelicaError; it is forgotten then."""
    text = (ctypes.c_char * 1024).in_dll(library, MESSAGE)
    found = text.value.decode(errors="replace").strip()
    text.value = b""
    return found
