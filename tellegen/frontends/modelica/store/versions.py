"""Versions of libraries: what each has, and what those that use it were written for (MLS 18.8).

Nothing is converted: a library of another version is used as it is, with a warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from pathlib import Path

from tellegen.frontends.modelica.store.folders import Entry
from tellegen.frontends.modelica.syntax.annotations import annotation_of, annotation_value, modifier_of
from tellegen.frontends.modelica.syntax.classes import ClassDefinition, ElementModification
from tellegen.frontends.modelica.syntax.expressions import ArrayConstructor, Expression, Text
from tellegen.start.records import dataclass


@dataclass(frozen=True)
class Library:
    """A top-level class: its version, its file, the versions of other libraries that it uses."""

    name: str
    version: str
    file: Path
    uses: Mapping[str, str] = field(default_factory=dict)
    serves: tuple[str, ...] = ()  # older versions whose users need no conversion

    @property
    def folder(self) -> Path:
        """Where its resources are."""
        return self.file.parent


def library_of(definition: ClassDefinition, file: Path) -> Library:
    """A top-level class as a library."""
    annotation = annotation_of(definition)
    used = modifier_of(annotation, "uses")
    arguments = used.modification.arguments if used is not None and used.modification is not None else ()
    uses = {
        argument.name[0]: version
        for argument in arguments
        if isinstance(argument, ElementModification)
        if (version := _text(annotation_value(argument.modification, "version")))
    }
    serves = _texts(annotation_value(annotation, "conversion", "noneFromVersion"))
    return Library(definition.name, _text(annotation_value(annotation, "version")), file, uses, serves)


def version_warnings(added: Library, libraries: Mapping[str, Library]) -> list[str]:
    """What to say where a library that was added and one already there were written for other versions."""
    users = [(user, added) for user in libraries.values() if added.name in user.uses]
    used = [(added, libraries[name]) for name in added.uses if name in libraries]
    return [
        f"{user.name} was written for {library.name} {user.uses[library.name]}, and {library.name} "
        f"{library.version} is loaded; it is used as it is, without conversion"
        for user, library in [*users, *used]
        if library.version and user.uses[library.name] not in (library.version, *library.serves)
    ]


def chosen(candidates: list[Entry], users: Iterable[Library]) -> Entry:
    """Of several versions of a library in one place that which is asked for, else the latest."""
    wanted = {user.uses.get(candidates[0].name) for user in users}
    asked_for = [entry for entry in candidates if entry.version in wanted]
    return max(asked_for or candidates, key=lambda entry: _order(entry.version))


def _order(version: str) -> tuple[bool, tuple[int, ...], bool]:
    """Versions by their numbers; none stands before all, 4.0.0-beta before 4.0.0."""
    numbers, _, rest = version.partition("-")
    return bool(version), tuple(int(number) for number in re.findall(r"\d+", numbers)), not rest


def _text(value: Expression | None) -> str:
    return value.value if isinstance(value, Text) else ""


def _texts(value: Expression | None) -> tuple[str, ...]:
    items = value.items if isinstance(value, ArrayConstructor) else (value,)
    return tuple(text for item in items if (text := _text(item)))
