"""Names that a package of components does not have: which one is meant, or which other package has it.

el.Capacitr    E100: electrical has no 'Capacitr'; perhaps you meant 'Capacitor'
el.Inertia     E100: electrical has no 'Inertia'; it is in rotational, planar
"""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import NoReturn

from tellegen.errors import UnknownNameError, nearest
from tellegen.ir.source_location import here


def unknown_part(package: str) -> Callable[[str], NoReturn]:
    """What the `__getattr__` of a package of components does with a name that it does not have.

    Python asks for modules and for names of its own in the same way. They begin with a small letter, and get no search.
    """

    def missing(name: str) -> NoReturn:
        names = sys.modules[package].__all__
        if not name[:1].isupper() and not any(name == each.lower() for each in names):
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        raise _explained(package, name, names)

    return missing


def _explained(package: str, name: str, names: list[str]) -> UnknownNameError:
    above, _, short = package.rpartition(".")
    others = list(_others_with(above, name))
    meant = f"it is in {', '.join(others)}" if others else nearest(name, names)
    advice = f"`tellegen library WORD` finds parts, `tellegen library {short}` lists these"
    if others:
        advice = f"from {above} import {others[0]}"
    return UnknownNameError("E100", f"{short} has no '{name}'; {meant}", location=here(), advice=advice)


def _others_with(above: str, name: str) -> Iterator[str]:
    """The packages beside it that have a part of this name."""
    for found in pkgutil.iter_modules(sys.modules[above].__path__):
        if found.ispkg and name in getattr(import_module(f"{above}.{found.name}"), "__all__", ()):
            yield found.name
