"""Names of a package that are imported when they are first used: a start does not pay for parts that nobody takes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import NoReturn


def first_use(
    package: str, modules: Mapping[str, str], otherwise: Callable[[str], NoReturn]
) -> Callable[[str], object]:
    """The `__getattr__` of a package, from its modules and the names each of them has, separated by blanks.

    `otherwise` raises the error for a name that none of them has.
    """
    homes = {name: module for module, names in modules.items() for name in names.split()}

    def imported(name: str) -> object:
        if name not in homes:
            otherwise(name)
        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return imported
