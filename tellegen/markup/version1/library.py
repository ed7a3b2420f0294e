"""What a document of version 1 describes: interfaces and implementations as classes, components as components.

Classes are made when they are asked for, together with those they need, from the document itself and from the
documents it names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import tellegen as tg
from tellegen.errors import DocumentError
from tellegen.markup.version1.classes import (
    NotSimulatedError,
    implementation_class,
    interface_class,
    unknown,
    unsupported,
)
from tellegen.markup.version1.convert import read_document
from tellegen.markup.version1.declarations import Specification
from tellegen.markup.version1.natures import identifier
from tellegen.markup.version1.records import Component, Document, Implementation, Interface
from tellegen.markup.version1.schema import Record
from tellegen.markup.version1.statements import Statement, attribute_text
from tellegen.markup.version1.urls import open_url
from tellegen.xml.reader import parse

_MOST_DOCUMENTS = 200


@dataclass(eq=False)
class MarkupDocument:
    """A document of version 1: `document` are its records, `interfaces`, `implementations` and `components` by name.

    `simulate` and `bind` take the components; `tg.write_markup` writes the document as it is.
    """

    document: Document
    folder: Path = field(default_factory=Path)
    allow_urls: bool = False

    def __repr__(self) -> str:
        counts = Counter(one.tag for one in (*self.document.definitions, *self.document.components))
        return f"<MarkupDocument: {', '.join(f'{counts[tag]} {tag}s' for tag in counts)}>"

    @cached_property
    def interfaces(self) -> dict[str, Any]:
        """The interfaces of the document by their names."""
        mine = [one for one in self.document.definitions if isinstance(one, Interface)]
        return {one.ident: self._library.interface(one.ident, one) for one in mine}

    @cached_property
    def implementations(self) -> dict[str, Any]:
        """The implementations of the document by their names."""
        mine = [one for one in self.document.definitions if isinstance(one, Implementation)]
        return {one.ident: self._library.implementation(one.ident, one) for one in mine}

    @cached_property
    def components(self) -> Mapping[str, Any]:
        """The components of a catalogue by their names, bound as the document says; each use is a new one."""
        return Components(self._library, {one.name: one for one in self.document.components})

    @cached_property
    def parts(self) -> tuple[tg.Part, ...]:
        """The components as parts of a catalogue: fixed numbers, and the implementation that is bound."""
        return tuple(self._library.part(one) for one in self.document.components)

    @cached_property
    def _library(self) -> Library:
        return Library(self.document, self.folder, self.allow_urls)


@dataclass(frozen=True, eq=False)
class Components(Mapping[str, Any]):
    """Components of a document, made when they are asked for, so that each can be used in a model."""

    library: Library
    records: dict[str, Component]

    def __getitem__(self, name: str) -> Any:
        component = self.library.component(self.records[name], {})
        self.library.complete()
        return component

    def __iter__(self) -> Iterator[str]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)


class Library:
    """All definitions that can be reached from a document, and the classes made of them so far."""

    def __init__(self, document: Document, folder: Path, allow_urls: bool) -> None:
        self.interfaces: dict[str, Interface] = {}
        self.implementations: dict[str, Implementation] = {}
        self.made: dict[tuple[str, str], Any] = {}
        self.opened: set[tuple[str, str]] = set()
        self.allow_urls = allow_urls
        self._gather(document, folder)

    # -- definitions ------------------------------------------------------------------------------------------------
    def _gather(self, document: Document, folder: Path) -> None:
        waiting = [(document, folder)]
        seen: set[str] = set()
        while waiting:
            one, place = waiting.pop()
            for record in one.definitions:
                known: dict[str, Any] = self.interfaces if isinstance(record, Interface) else self.implementations
                if isinstance(record, Interface | Implementation):
                    known.setdefault(record.ident, record)
            for url, record in _urls(one):
                source = open_url(url, place, record.location, self.allow_urls)
                if source.file in seen:
                    continue
                seen.add(source.file)
                if len(seen) > _MOST_DOCUMENTS:
                    what = f"more than {_MOST_DOCUMENTS} documents are named"
                    raise DocumentError("E841", what, location=record.location, advice="put them into one")
                waiting.append((read_document(parse(source)), source.folder))

    # -- classes ----------------------------------------------------------------------------------------------------
    def interface(self, name: str, user: Record) -> Any:
        """The class of an interface."""
        key = ("interface", name)
        if key not in self.made:
            record = self.interfaces.get(name)
            if record is None:
                raise unknown(user, f"the interface '{name}' is not defined", list(self.interfaces))
            self._open(*key, record)
            base = tg.Interface if record.super_type == "null" else self.interface(record.super_type, record)
            self.made[key] = interface_class(record, base)
        return self.made[key]

    def implementation(self, name: str, user: Record) -> Any:
        """The class of an implementation."""
        key = ("implementation", name)
        if key not in self.made:
            record = self.implementations.get(name)
            if record is None:
                raise unknown(user, f"the implementation '{name}' is not defined", list(self.implementations))
            self._open(*key, record)
            interface = self.interface(record.interface, record)
            parameters = dict(interface._info.parameters)
            parts = [one for one in record.declarations if isinstance(one, Component)]
            children = {one.name: self.component(one, parameters) for one in parts}
            self.made[key] = implementation_class(record, interface, children)
        return self.made[key]

    def complete(self) -> None:
        """Make all implementations of the interfaces that are in use, so that they can be bound by their names."""
        for one in self.implementations.values():
            if ("interface", one.interface) in self.made:
                with suppress(NotSimulatedError):
                    self.implementation(one.ident, one)

    def _open(self, kind: str, name: str, record: Record) -> None:
        if (kind, name) in self.opened:
            what = f"the {kind} '{name}' contains itself"
            raise DocumentError("E846", what, location=record.location, advice="remove one of the references")
        self.opened.add((kind, name))

    # -- components -------------------------------------------------------------------------------------------------
    def component(self, record: Component, parameters: dict[str, Any]) -> Any:
        """A component with its values and what is bound to it; an interface where nothing is decided."""
        interface = self.interface(record.interface, record)
        chosen = record.bound or next((one for one in record.candidates if one.is_default), None)
        name = chosen.name if chosen is not None else self._default(record.interface)
        model = interface if name is None else self.implementation(name, record)
        if name is not None and not tg.subtype(model, interface):
            what = f"'{name}' does not implement the interface '{record.interface}' of {record.name}"
            raise DocumentError("E846", what, location=record.location, advice="name another implementation")
        component = model(**self._values(record, model, parameters))
        inner = {one.name: one for one in chosen.components} if chosen is not None else {}
        for one in inner.values():
            if identifier(one.name) not in model._info.children:
                raise unknown(one, f"'{one.name}' is not a component of {name}", list(model._info.children))
        if not inner:
            return component
        own = dict(model._info.parameters)
        choices = {identifier(one.name): self.component(one, own) for one in inner.values()}
        return tg.bind(component, choices)

    def _default(self, interface: str) -> str | None:
        """The implementation that an interface names as its default, or that says so itself."""
        record = self.interfaces[interface]
        named = record.implementations.specifications if record.implementations else ()
        found = [one.name for one in named if one.default]
        found += [one.ident for one in self.implementations.values() if one.interface == interface and one.is_default]
        return found[0] if found else None

    def _values(self, record: Component, model: Any, parameters: dict[str, Any]) -> dict[str, Any]:
        known = {name: name for name in parameters}
        found: dict[str, Any] = {}
        for one in record.parameters:
            if identifier(one.formal) not in model._info.parameters:
                what = f"'{one.formal}' is not a parameter of {record.interface}"
                raise unknown(one, what, list(model._info.parameters))
            value = Statement(attribute_text(one.actual, one), known)
            number = value.number
            found[identifier(one.formal)] = number if number is not None else value.symbol(parameters.__getitem__)
        return found

    def part(self, record: Component) -> tg.Part:
        """A component of a catalogue as a part."""
        interface = self.interface(record.interface, record)
        numbers = self._values(record, interface, {})
        if any(not isinstance(value, float) for value in numbers.values()):
            raise unsupported(record, f"the part '{record.name}' with values that are not numbers")
        chosen = record.bound or next((one for one in record.candidates if one.is_default), None)
        self.complete()
        return tg.Part(
            record.name,
            interface,
            parameters=numbers,
            implementation=None if chosen is None else chosen.name,
            source=record.location.file,
            location=record.location,
        )


def _urls(document: Document) -> Iterator[tuple[str, Record]]:
    """Documents that a document names: what it requires, and where implementations and components are."""
    for one in document.requires:
        yield one.url, one
    for definition in document.definitions:
        if isinstance(definition, Interface) and definition.implementations:
            named: tuple[Specification, ...] = definition.implementations.specifications
            yield from ((one.url, one) for one in named if one.url)
    for component in document.components:
        if component.url:
            yield component.url, component
