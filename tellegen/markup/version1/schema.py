"""How records of elements are declared: dataclasses whose fields are attributes, contained elements, or text.

class Terminal(Record, tag="terminal"):
    name: str = token("name")
    nature: str = choice("nature-type", NATURES, "electrical")
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from functools import cache
from typing import Any, ClassVar

from tellegen.ir.source_location import NOWHERE, SourceLocation
from tellegen.xml.elements import Text

REQUIRED: Any = object()
_TOKEN = re.compile(r"[\w.:·-]+")  # NMTOKEN of XML 1.0, in the letters that identifiers of models use
_LIMITS = ("big", "small", "bigint", "-big", "-small", "-bigint")


@dataclass(frozen=True)
class Attribute:
    """An attribute: its name, what its values are, and what it is where it is absent (None: nothing)."""

    name: str
    words: str  # what a value is, for messages
    valid: Callable[[str], bool]
    default: Any
    parse: Callable[[str], Any] = str
    show: Callable[[Any], str] = str


@dataclass(frozen=True)
class Content:
    """Elements of these tags, at least and at most so many, at this place of the sequence; with `text` mixed."""

    tags: tuple[str, ...]
    least: int
    most: int | None
    text: bool = False


RECORDS: dict[str, type[Record]] = {}
"""The record of each tag."""


@dataclass(frozen=True, kw_only=True)
class Record:
    """One element; equal to another of the same attributes and content, wherever it stands."""

    tag: ClassVar[str] = ""
    location: SourceLocation = field(default=NOWHERE, compare=False, repr=False)
    source: Text | None = field(default=None, compare=False, repr=False)  # the text inside, which knows its columns

    def __init_subclass__(cls, tag: str = "") -> None:
        cls.tag = tag
        if tag:
            RECORDS[tag] = cls


@cache
def declared(cls: type[Record]) -> tuple[tuple[Field[Any], Attribute | Content], ...]:
    """The fields of a record that are attributes or content."""
    return tuple((item, item.metadata["markup"]) for item in fields(cls) if "markup" in item.metadata)


def _attribute(attribute: Attribute) -> Any:
    given = {} if attribute.default is REQUIRED else {"default": attribute.default}
    return field(metadata={"markup": attribute}, **given)


def text(name: str, default: Any = REQUIRED) -> Any:
    """Any string."""
    return _attribute(Attribute(name, "a string", lambda _: True, default))


def token(name: str, default: Any = REQUIRED) -> Any:
    """A name: letters, digits and . : - _"""
    return _attribute(Attribute(name, "a name", lambda value: bool(_TOKEN.fullmatch(value)), default))


def tokens(name: str, default: Any = ()) -> Any:
    """Names separated by blanks, as a tuple."""
    return _attribute(
        Attribute(
            name,
            "names separated by blanks",
            lambda value: all(_TOKEN.fullmatch(word) for word in value.split()),
            default,
            lambda value: tuple(value.split()),
            " ".join,
        )
    )


def choice(name: str, words: tuple[str, ...], default: Any = REQUIRED) -> Any:
    """One of a few words."""
    return _attribute(Attribute(name, f"one of {', '.join(words)}", words.__contains__, default))


def flag(name: str) -> Any:
    """true or false; false where it is absent."""
    return _attribute(
        Attribute(
            name,
            "true or false",
            ("true", "false").__contains__,
            False,
            lambda value: value == "true",
            lambda value: "true" if value else "false",
        )
    )


def limit(name: str, default: str) -> Any:
    """A bound: a number, an expression of parameters, or one of the words for what the machine can hold."""
    words = f"a number, a name, or one of {', '.join(_LIMITS)}"
    return _attribute(Attribute(name, words, lambda value: bool(value.strip()), default))


def one(tag: str) -> Any:
    """Exactly one element."""
    return field(metadata={"markup": Content((tag,), 1, 1)})


def perhaps(tag: str) -> Any:
    """One element or none."""
    return field(default=None, metadata={"markup": Content((tag,), 0, 1)})


def many(*tags: str, least: int = 0) -> Any:
    """Elements of some tags in any order, as a tuple."""
    return field(default=(), metadata={"markup": Content(tags, least, None)})


def mixed(*tags: str) -> Any:
    """Text and elements in any order, as a tuple of strings and records."""
    return field(default=(), metadata={"markup": Content(tags, 0, None, text=True)})


def characters() -> Any:
    """Text, as a string."""
    return field(default="", metadata={"markup": Content((), 0, None, text=True)})
