"""Names of a package that are imported when they are first used: a start does not pay for parts that nobody takes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def first_use(package: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package, from its modules and the names each of them has, separated by blanks."""
    homes = {name: module for module, names in modules.items() for name in names.split()}

    def imported(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return imported
