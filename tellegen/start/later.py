"""Functions that are imported when they are first called.

    with later():
        from tellegen.engine.diagnostics.faulty_equation import name_faulty_equation

is for what most programs never call: messages of failures, mechanisms in space, plots. The name stands for the function
until it is called; then its module is imported, and the name is the function itself. Only functions can be imported so,
and only to be called: classes, constants and functions that are compared are imported as usual.
"""

from __future__ import annotations

import builtins
from _thread import get_ident
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

_PACKAGE = __name__.partition(".")[0] + "."


class _LaterFunction:
    """Stands for a function of a module that is not imported yet."""

    def __init__(self, module: str, name: str, importer: dict[str, Any]) -> None:
        self.module = module
        self.name = name
        self.importer = importer

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        function = getattr(import_module(self.module), self.name)
        for name in [name for name, value in self.importer.items() if value is self]:
            self.importer[name] = function
        return function(*args, **kwargs)


class _LaterModule:
    """What `from` takes names of."""

    def __init__(self, module: str, importer: dict[str, Any]) -> None:
        self._module = module
        self._importer = importer

    def __getattr__(self, name: str) -> _LaterFunction:
        return _LaterFunction(self._module, name, self._importer)


@contextmanager
def later() -> Iterator[None]:
    """Import functions of this package on their first call; see above."""
    usual = builtins.__import__
    thread = get_ident()  # another one may import something at the same time

    def deferred(
        name: str,
        globals: dict[str, Any] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        if not fromlist or not name.startswith(_PACKAGE) or globals is None or get_ident() != thread:
            return usual(name, globals, locals, fromlist or (), level)
        return _LaterModule(name, globals)  # type: ignore[return-value]

    builtins.__import__ = deferred
    try:
        yield
    finally:
        builtins.__import__ = usual
