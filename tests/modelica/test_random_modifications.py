"""Random classes with modifications, extends clauses and arrays of components, against values merged by hand.

The oracle merges tables of numbers from outside inwards; the instances never merge anything.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from modelica_texts import views_of
from tellegen.frontends.modelica.instances.instantiate import instantiate

CASES = 40


@dataclass
class Term:
    """factor*parameter + constant, in the names of the class where it is written."""

    factor: int
    parameter: str
    constant: int

    def text(self) -> str:
        return f"{self.factor}*{self.parameter} + {self.constant}" if self.parameter else str(self.constant)


@dataclass
class Written:
    """A modifier: `value` is a Term, or nested lists of them for arrays of components on the way."""

    path: tuple[str, ...]
    value: Any
    each: bool


@dataclass
class Part:
    name: str
    of: Class
    size: int | None
    modifiers: list[Written]


@dataclass
class Class:
    name: str
    parameters: dict[str, Term] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)
    base: Class | None = None
    modifiers: list[Written] = field(default_factory=list)  # of the extends clause

    def visible(self) -> list[str]:
        """Parameters, inherited ones first."""
        return [*(self.base.visible() if self.base else []), *self.parameters]

    def all_parts(self) -> list[Part]:
        return [*(self.base.all_parts() if self.base else []), *self.parts]


# ---------------------------------------------------------------------- classes at random


def targets(of: Class) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
    """Paths of all parameters in a class, each with the sizes of the arrays of components on the way."""
    found: list[tuple[tuple[str, ...], tuple[int, ...]]] = [((name,), ()) for name in of.visible()]
    for part in of.all_parts():
        sizes = () if part.size is None else (part.size,)
        found += [((part.name, *path), sizes + inner) for path, inner in targets(part.of)]
    return found


def random_term(random: Random, names: list[str]) -> Term:
    name = random.choice([*names, ""]) if names else ""
    return Term(random.randint(2, 5), name, random.randint(1, 99))


def nested(random: Random, names: list[str], sizes: tuple[int, ...]) -> Any:
    if not sizes:
        return random_term(random, names)
    return [nested(random, names, sizes[1:]) for _ in range(sizes[0])]


def random_modifiers(random: Random, of: Class, names: list[str], size: int | None) -> list[Written]:
    chosen = random.sample(targets(of), min(len(targets(of)), random.randint(0, 4)))
    modifiers = []
    for path, inner in chosen:
        sizes = inner if size is None else (size, *inner)
        each = bool(sizes) and random.random() < 0.4
        modifiers.append(Written(path, nested(random, names, () if each else sizes), each))
    return modifiers


def random_classes(random: Random) -> list[Class]:
    classes: list[Class] = []
    for number in range(random.randint(3, 6)):
        new = Class(f"C{number}")
        if classes and random.random() < 0.5:
            new.base = random.choice(classes)
        for k in range(random.randint(1, 3)):
            new.parameters[f"p{number}{k}"] = random_term(random, list(new.parameters))
        if new.base is not None:
            new.modifiers = random_modifiers(random, new.base, list(new.parameters), None)
        for k in range(random.randint(0, 2) if classes else 0):
            of = random.choice(classes)
            size = random.choice([None, None, 1, 2, 3])
            part = Part(f"a{number}{k}", of, size, random_modifiers(random, of, new.visible(), size))
            new.parts.append(part)
        classes.append(new)
    return classes


# ---------------------------------------------------------------------- as text


def value_text(value: Any) -> str:
    return value.text() if isinstance(value, Term) else "{" + ", ".join(map(value_text, value)) + "}"


def modifier_text(random: Random, written: Written) -> str:
    each = "each " if written.each else ""
    if random.random() < 0.5:
        return f"{each}{'.'.join(written.path)} = {value_text(written.value)}"
    text = f"{each}{written.path[-1]} = {value_text(written.value)}"
    for name in reversed(written.path[:-1]):
        text = f"{name}({text})"
    return text


def class_text(random: Random, of: Class) -> str:
    def modification(modifiers: list[Written]) -> str:
        return f"({', '.join(modifier_text(random, written) for written in modifiers)})" if modifiers else ""

    lines = [f"parameter Real {name} = {term.text()};" for name, term in of.parameters.items()]
    for part in of.parts:
        size = "" if part.size is None else f"[{part.size}]"
        lines.append(f"{part.of.name} {part.name}{size}{modification(part.modifiers)};")
    random.shuffle(lines)
    if of.base is not None:
        lines.insert(random.randint(0, len(lines)), f"extends {of.base.name}{modification(of.modifiers)};")
    return f"model {of.name} {' '.join(lines)} end {of.name};"


# ---------------------------------------------------------------------- the oracle


Given = dict[tuple[str, ...], Any]
"""Numbers (nested lists) by path; `each` has been resolved."""


def expected(of: Class, given: Given, prefix: str) -> dict[str, float]:
    """The values of all parameters in an instance, given numbers from outside."""
    bases = [of]
    while (base := bases[-1].base) is not None:
        bases.append(base)
    terms: dict[tuple[str, ...], Written] = {}
    for derived in bases:  # outermost first
        for written in derived.modifiers:
            terms.setdefault(written.path, written)
    values: dict[str, float] = {}

    def parameter(name: str) -> float:
        if name not in values:
            default = next(one.parameters[name] for one in bases if name in one.parameters)
            written = terms.get((name,))
            term = default if written is None else written.value
            values[name] = plain(given[name,]) if (name,) in given else plain(number(term))
        return values[name]

    def number(value: Any) -> Any:
        if isinstance(value, list):
            return [number(element) for element in value]
        return value.constant + (value.factor * parameter(value.parameter) if value.parameter else 0)

    found = {prefix + name: parameter(name) for name in of.visible()}
    for part in of.all_parts():
        for k in range(part.size or 1):
            inner: Given = {}
            for path, value in given.items():
                if path[0] == part.name:
                    inner[path[1:]] = picked(value, part, k)
            for written in terms.values():
                if written.path[0] == part.name and written.path[1:] not in inner:
                    inner[written.path[1:]] = picked(spread(number(written.value), written.each), part, k)
            for written in part.modifiers:
                if written.path not in inner:
                    inner[written.path] = picked(spread(number(written.value), written.each), part, k)
            index = "" if part.size is None else f"[{k + 1}]"
            found |= expected(part.of, inner, f"{prefix}{part.name}{index}.")
    return found


@dataclass
class Same:
    """A number for all elements."""

    number: float


def spread(value: Any, each: bool) -> Any:
    return Same(value) if each else value


def picked(value: Any, part: Part, k: int) -> Any:
    return value if part.size is None or isinstance(value, Same) else value[k]


def plain(value: Any) -> float:
    return value.number if isinstance(value, Same) else value


@pytest.mark.parametrize("seed", range(CASES))
def test_the_outermost_modifier_counts(seed: int) -> None:
    random = Random(seed)
    classes = random_classes(random)
    text = "\n".join(class_text(random, of) for of in classes)
    root = instantiate(views_of(text).named(classes[-1].name))
    found = {variable.path: variable.known_value("a test") for variable in root.all_variables()}
    wanted = expected(classes[-1], {}, "")
    assert found == {path: plain(value) for path, value in wanted.items()}, text
