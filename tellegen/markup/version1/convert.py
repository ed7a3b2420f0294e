"""Elements to records and back, by what the records declare."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from tellegen.errors import nearest
from tellegen.markup.version1.records import Document
from tellegen.markup.version1.schema import RECORDS, REQUIRED, Attribute, Content, Record, declared
from tellegen.xml.elements import Element, Text
from tellegen.xml.writer import made

OUTERMOST = ("document", "interface", "implementation", "record", "component")


def read_document(root: Element) -> Document:
    """The document of an outermost element; a definition or component by itself is a document of one."""
    if root.tag not in OUTERMOST:
        what = f"<{root.tag}> is not the beginning of a model; {nearest(root.tag, OUTERMOST)}"
        raise root.misplaced(what, f"the outermost element is one of {', '.join(OUTERMOST)}")
    record = read_record(root)
    if isinstance(record, Document):
        if record.components and (record.definitions or record.uses):
            what = "a document holds definitions or the components of a catalogue, not both"
            raise next(root.all("component")).misplaced(what, "put the components into a document of their own")
        return record
    content = {"components": (record,)} if root.tag == "component" else {"definitions": (record,)}
    return Document(version="1", location=root.location, **content)  # type: ignore[arg-type]


def read_record(element: Element) -> Record:
    """The record of an element whose tag is known."""
    cls = RECORDS[element.tag]
    values: dict[str, Any] = {"location": element.location, "source": element.text()}
    attributes = [(item.name, what) for item, what in declared(cls) if isinstance(what, Attribute)]
    element.check_attributes([what.name for _, what in attributes])
    for name, what in attributes:
        values[name] = _attribute(element, what)
    values |= _content(element, [(item.name, what) for item, what in declared(cls) if isinstance(what, Content)])
    return cls(**values)


def _attribute(element: Element, what: Attribute) -> Any:
    if what.name not in element.attributes and what.default is not REQUIRED:
        return what.default
    value = element.word(what.name)
    if not what.valid(value):
        raise element.wrong(f"{what.name}='{value}' of {element} is not {what.words}", "correct the value")
    return what.parse(value)


def _content(element: Element, places: list[tuple[str, Content]]) -> dict[str, Any]:
    """The content by field: the places follow each other, so an element belongs to the next one that takes its tag."""
    found: dict[str, list[Any]] = {name: [] for name, _ in places}
    at = 0
    for part in element.content:
        while at < len(places) and not _takes(places[at][1], part):
            at += 1
        if at == len(places):
            raise _unexpected(element, part, places)
        name, content = places[at]
        found[name].append(part)
        if content.most is not None and len(found[name]) > content.most:
            assert isinstance(part, Element)
            raise part.misplaced(f"{element} has two <{part.tag}>", "remove one of them")
    return {name: _value(element, content, found[name]) for name, content in places}


def _takes(content: Content, part: Element | Text) -> bool:
    return content.text if isinstance(part, Text) else part.tag in content.tags


def _unexpected(element: Element, part: Element | Text, places: list[tuple[str, Content]]) -> Exception:
    tags = [tag for _, content in places for tag in content.tags]
    if isinstance(part, Text):
        word = part.value.strip()[:30]
        return Element(element.tag, element.attributes, part.location()).misplaced(
            f"{element} contains the text '{word}'", "write it as a comment: <!-- ... -->"
        )
    if part.tag in tags:
        return part.misplaced(f"<{part.tag}> is not at its place in {element}", f"the order is {', '.join(tags)}")
    if not tags:
        return part.misplaced(f"{element} contains <{part.tag}> and takes no elements", "remove it")
    what = f"<{part.tag}> is not expected inside {element}; {nearest(part.tag, tags)}"
    return part.misplaced(what, f"inside it are {', '.join(tags)}")


def _value(element: Element, content: Content, parts: list[Element | Text]) -> Any:
    if len(parts) < content.least:
        raise element.misplaced(f"{element} has no <{content.tags[0]}>", f"write <{content.tags[0]}> inside it")
    if content.text and not content.tags:
        return element.text().value
    values = [part.value.strip() if isinstance(part, Text) else read_record(part) for part in parts]
    if content.most == 1:
        return values[0] if values else None
    return tuple(values)


def write_record(record: Record) -> Element:
    """The element of a record; attributes that are as where they are absent are left out."""
    values = {item.name: getattr(record, item.name) for item in fields(record)}
    attributes: dict[str, str | None] = {}
    content: list[Element | str] = []
    for item, what in declared(type(record)):
        value = values[item.name]
        if isinstance(what, Content):
            content += _written(value)
        elif value != what.default:
            attributes[what.name] = what.show(value)
    return made(record.tag, attributes, *content)


def _written(value: Any) -> Iterator[Element | str]:
    for part in value if isinstance(value, tuple) else (value,):
        if isinstance(part, Record):
            yield write_record(part)
        elif part:
            yield part
