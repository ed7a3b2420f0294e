"""A package whose public names are imported on first use, and are not hidden by its modules of the same names."""

from __future__ import annotations

from types import ModuleType


class LazyPackage(ModuleType):
    """Importing a module binds it to its name in the package; for a name in the table `_LAZY` this is rejected.

    So `tellegen.compile` is the function, and stays it when the module tellegen/compile.py is imported.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in self.__dict__["_LAZY"] and isinstance(value, ModuleType)):
            super().__setattr__(name, value)
