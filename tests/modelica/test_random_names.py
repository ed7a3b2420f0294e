"""Packages drawn at random: what names mean, against the rules of the specification worked out on plain records."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from modelica_texts import views_of
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.element_view import ElementView, Literal
from tellegen.frontends.modelica.lookup.predefined import Builtin
from tellegen.frontends.modelica.syntax.expressions import Number

CONSTANTS = ("a", "b", "c", "d")
PACKAGES = ("P", "Q", "R", "S")


@dataclass
class Package:
    """A package as it is written; `base` is one that was written before, with values for its constants."""

    name: str
    around: Package | None
    is_encapsulated: bool = False
    constants: dict[str, int] = field(default_factory=dict)
    inside: dict[str, Package] = field(default_factory=dict)
    base: Package | None = None
    values: dict[str, int] = field(default_factory=dict)
    imports: dict[str, Package] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return f"{self.around.path}.{self.name}" if self.around is not None and self.around.name else self.name

    def text(self) -> str:
        """Its Modelica text."""
        lines = [f"import {alias} = {package.path};" for alias, package in self.imports.items()]
        if self.base is not None:
            given = ", ".join(f"{name}={value}" for name, value in self.values.items())
            lines.append(f"extends .{self.base.path}" + (f"({given});" if given else ";"))
        lines += [f"constant Integer {name} = {value};" for name, value in self.constants.items()]
        lines += [package.text() for package in self.inside.values()]
        prefix = "encapsulated " if self.is_encapsulated else ""
        return f"{prefix}package {self.name} {' '.join(lines)} end {self.name};"

    def find(self, name: str, values: dict[str, int]) -> int | str | None:
        """A constant's number or a package's path, own or inherited; `values` are given from outside and win."""
        if name in self.constants:
            return values.get(name, self.constants[name])
        if name in self.inside:
            return self.inside[name].path
        return None if self.base is None else self.base.find(name, {**self.values, **values})

    def lookup(self, name: str) -> int | str | None:
        """What a name means in its text."""
        found = self.find(name, {})
        if found is None and name in self.imports:
            found = self.imports[name].path
        if found is None and not self.is_encapsulated and self.around is not None:
            return self.around.lookup(name)
        return found

    def all(self) -> list[Package]:
        return [self, *(below for package in self.inside.values() for below in package.all())]


def drawn(dice: random.Random) -> Package:
    """A tree of packages; base classes and imports are packages of libraries that are complete."""
    root = Package("", None)
    complete: list[Package] = []
    for name in ("Lib1", "Lib2", "Lib3", "Lib4"):
        library = Package(name, root)
        _fill(library, dice, complete, 0)
        root.inside[name] = library
        complete += library.all()
    return root


def _fill(package: Package, dice: random.Random, complete: list[Package], depth: int) -> None:
    package.is_encapsulated = dice.random() < 0.15
    if complete and dice.random() < 0.5:
        package.base = dice.choice(complete)
        numbers = [name for name in CONSTANTS if isinstance(package.base.find(name, {}), int)]
        package.values = {name: dice.randrange(1000) for name in numbers if dice.random() < 0.4}
    names = [name for name in (*CONSTANTS, *PACKAGES) if package.find(name, {}) is None]
    package.constants = {name: dice.randrange(1000) for name in names if name in CONSTANTS and dice.random() < 0.4}
    if complete and dice.random() < 0.4:
        package.imports[dice.choice(PACKAGES)] = dice.choice(complete)
    for name in names:
        if name in PACKAGES and depth < 2 and dice.random() < 0.5:
            inner = Package(name, package)
            package.inside[name] = inner
            _fill(inner, dice, complete, depth + 1)


def meaning(found: ClassView | ElementView | Literal | Builtin | None) -> int | str | None:
    """A name as the front end understands it, in the words of Package."""
    if isinstance(found, ClassView):
        return found.path
    if isinstance(found, ElementView):
        own = found.component.modification
        given = [item.modification for item in found.applied] + ([own] if own is not None else [])
        value = given[0].value
        return int(value.value) if isinstance(value, Number) else None
    return None


@pytest.mark.parametrize("seed", range(25))
def test_names_mean_what_the_specification_says(seed: int) -> None:
    root = drawn(random.Random(seed))
    views = views_of(" ".join(library.text() for library in root.inside.values()))
    for package in root.all()[1:]:
        view = views.named(package.path)
        for name in (*CONSTANTS, *PACKAGES, *root.inside):
            assert meaning(view.lookup(name)) == package.lookup(name), f"{name} in {package.path}"
