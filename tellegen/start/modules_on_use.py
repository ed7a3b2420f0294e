"""Modules of the standard library that are imported and hardly ever used: run when something of them is used.

NumPy imports `platform` for one function that describes the machine, LLVM's wrapper imports `tempfile` and `zipfile`
(and with them `random`, `shutil`, `bz2`, `lzma`) for libraries inside of ZIP files: together 10 ms, a tenth of what
both packages need. Our own messages and files need a few more. The module object is there at once and stays the same;
its code is run by the first look at one of its names.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec
from threading import RLock
from types import ModuleType
from typing import Any

_RUNNING = RLock()
_BEGUN: list[ModuleType] = []


class _ModuleOnUse(ModuleType):
    """A module whose code was not run yet; then it is an ordinary one."""

    def __getattr__(self, name: str) -> Any:
        if name == "__path__":  # importlib asks for it, and only packages have one
            raise AttributeError(name)
        with _RUNNING:
            if self in _BEGUN:  # its own code asks for it
                raise AttributeError(f"module {self.__name__!r} has no attribute {name!r} yet")
            if type(self) is _ModuleOnUse and self.__spec__ is not None and self.__spec__.loader is not None:
                _BEGUN.append(self)
                self.__spec__.loader.exec_module(self)
                _BEGUN.remove(self)
                self.__class__ = ModuleType  # type: ignore[assignment]
        return getattr(self, name)


def run_on_use(*names: str) -> None:
    """Put modules in place without running their code; those that are imported already stay as they are."""
    for name in names:
        spec = find_spec(name) if name not in sys.modules else None
        if spec is not None and spec.loader is not None:
            sys.modules[name] = _unused(spec)


def _unused(spec: ModuleSpec) -> ModuleType:
    module = module_from_spec(spec)
    module.__class__ = _ModuleOnUse
    return module
